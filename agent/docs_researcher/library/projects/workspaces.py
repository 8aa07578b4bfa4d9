"""The members of a workspace: the folders that its patterns (`packages/*`, `apps/**`, `!examples`) name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from docs_researcher.library.projects.files import ProjectFiles

MAX_MEMBERS = 300
"""More members than any workspace that was looked at."""
MAX_LEVELS = 4
"""How deep `**` goes."""
MAX_FOLDERS = 3_000
"""How many folders are looked at for all patterns together."""

_NEVER = frozenset(("node_modules", ".git", ".venv", "venv", "dist", "build", "target"))


def members(files: ProjectFiles, folder: Path, patterns: Iterable[str], manifest: str) -> list[Path]:
    """The folders below `folder` that a pattern names and that hold `manifest`, sorted; nothing above or beside it."""
    wanted = [pattern.strip().removeprefix("./").rstrip("/") for pattern in patterns]
    excluded = [pattern[1:].removeprefix("./").rstrip("/") for pattern in wanted if pattern.startswith("!")]
    budget = [MAX_FOLDERS]
    found: set[Path] = set()
    for pattern in wanted[:MAX_MEMBERS]:
        parts = tuple(part for part in pattern.split("/") if part)
        if not parts or pattern.startswith(("!", "/", "~")) or ".." in parts:
            continue
        for path in _expanded(files, folder, parts, budget):
            relative = path.relative_to(folder).as_posix()
            if manifest in files.names(path) and not any(fnmatchcase(relative, out) for out in excluded):
                found.add(path)
    found.discard(folder)
    if len(found) > MAX_MEMBERS:
        files.tell(
            f"{files.shown(folder / manifest)}: its workspace has more than {MAX_MEMBERS} members; the others are left out."
        )
    return sorted(found)[:MAX_MEMBERS]


def _expanded(files: ProjectFiles, folder: Path, parts: tuple[str, ...], budget: list[int]) -> Iterator[Path]:
    """The folders that the parts of a pattern name, each part a name, a pattern or `**`."""
    budget[0] -= 1
    if budget[0] < 0:
        return
    if not parts:
        yield folder
        return
    first, rest = parts[0], parts[1:]
    if first == "**":
        levels = sum(part == "**" for part in parts)
        yield from _expanded(files, folder, rest, budget)
        if levels <= 1:
            yield from _deeper(files, folder, rest, budget, MAX_LEVELS)
    elif any(sign in first for sign in "*?["):
        for name in files.names(folder):
            if name not in _NEVER and fnmatchcase(name, first) and _is_folder(folder / name):
                yield from _expanded(files, folder / name, rest, budget)
    elif first == "." or _is_folder(folder / first):
        yield from _expanded(files, folder if first == "." else folder / first, rest, budget)


def _deeper(files: ProjectFiles, folder: Path, rest: tuple[str, ...], budget: list[int], levels: int) -> Iterator[Path]:
    for name in files.names(folder):
        below = folder / name
        if levels and budget[0] > 0 and name not in _NEVER and not name.startswith(".") and _is_folder(below):
            yield from _expanded(files, below, rest, budget)
            yield from _deeper(files, below, rest, budget, levels - 1)


def _is_folder(path: Path) -> bool:
    """Whether this is a folder of the project's own: through a link it could be any."""
    return os.path.isdir(path) and not os.path.islink(path)  # noqa: PTH112, PTH114 -- Path raises for names that are too long
