"""What `.gitignore` files leave out, in git's order: a folder's file before those above it, the last rule that fits first."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.core.lines import lines_of

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

FILE_NAME = ".gitignore"
MAX_BYTES = 1_000_000
MAX_ABOVE = 40
"""Folders above the one that is read, up to the root of its repository."""


class IgnoreRules:
    """The rules of one tree. Each folder's file is read when something in it is first asked about; no link is followed."""

    def __init__(self, root: Path) -> None:
        """The tree at `root`. Where it lies inside a repository, the rules of the folders above count as well."""
        self._root = root
        self._specs: dict[str, GitIgnoreSpec | None] = {}
        self._above = _above(root)

    def ignores(self, path: str) -> bool:
        """Whether a file, or a folder (its path ends with `/`), is left out. The folders that it lies in are taken to be read."""
        folder: str = posixpath.dirname(path.rstrip("/"))
        while True:
            spec = self._of(folder)
            if spec is not None:
                decision = spec.check_file(path[len(folder) :].lstrip("/")).include
                if decision is not None:
                    return decision
            if not folder:
                break
            folder = posixpath.dirname(folder)
        decisions = (spec.check_file(f"{prefix}/{path}").include for prefix, spec in self._above)
        return next((decision for decision in decisions if decision is not None), False)

    def _of(self, folder: str) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            self._specs[folder] = _read(self._root / folder)
        return self._specs[folder]


def _above(root: Path) -> list[tuple[str, GitIgnoreSpec]]:
    """The rules of the folders above `root`, the nearest first, each with the way from there to `root`.

    None outside a repository, and none that leave `root` itself out: it was named to be read.
    """
    try:
        place = root.resolve()
    except OSError:
        return []
    if (place / ".git").exists():
        return []
    found: list[tuple[str, GitIgnoreSpec]] = []
    for parent in list(place.parents)[:MAX_ABOVE]:
        prefix = place.relative_to(parent).as_posix()
        spec = _read(parent)
        if spec is not None:
            if any(spec.check_file(f"{part}/").include for part in _beginnings(prefix)):
                return []
            found.append((prefix, spec))
        if (parent / ".git").exists():
            return found
    return []


def _beginnings(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _read(folder: Path) -> GitIgnoreSpec | None:
    """The rules in a folder's own file; None when there is none that can be read, or no rule in it."""
    place = folder / FILE_NAME
    try:
        if place.is_symlink():
            return None
        with place.open("rb") as file:
            text = file.read(MAX_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return None
    from pathspec import GitIgnoreSpec

    lines: list[str] = []
    for line in lines_of(text):
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue  # git passes over a rule that it cannot read, and so do we
        if line.strip() and not line.startswith("#"):
            lines.append(line)
    return GitIgnoreSpec.from_lines(lines) if lines else None
