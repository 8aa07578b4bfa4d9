"""Lock files in TOML (uv, poetry, pdm, pylock, Cargo): versions by name, without parsing what stands around them.

They list every package with the hashes of all its files; a TOML parser takes 100 ms for a common one. Only the heads of the
packages that are asked for are parsed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docs_researcher.core.parsed import mapping
from docs_researcher.library.projects.files import MAX_LOCK_BYTES, ProjectFiles
from docs_researcher.library.projects.values import Ecosystem, comparable, valid_version

MAX_COPIES = 50
"""How many versions of one package are looked at; forks of uv and Cargo's majors reach four."""

_PACKAGE = re.compile(r"^\[\[packages?\]\][ \t]*$", re.MULTILINE)
_NAME = re.compile(r"^name[ \t]*=[ \t]*[\"']([^\"'\n]{1,214})[\"'][ \t]*$", re.MULTILINE)
_HEAD_KEYS = re.compile(r"(?:name|version|source|git|path|url|directory|vcs|archive)[ \t]*=")
_VERSION = re.compile(r"^version[ \t]*=[ \t]*\"([^\"\\\n]{1,100})\"[ \t]*$", re.MULTILINE)
_ORIGIN = re.compile(r"^(?:source|git|path|url|directory|vcs|archive)[ \t]*=[ \t]*(.{0,12})", re.MULTILINE)
_OF_REGISTRY = ("{ registry =", '"registry+')
_LOCAL_KEYS = frozenset(("git", "path", "url", "directory", "vcs", "archive"))
_LOCAL_SOURCES = frozenset(("editable", "virtual", "directory", "git", "url", "path", "file"))


@dataclass(frozen=True, slots=True)
class LockedPackage:
    """A version in a lock file; None for what comes from no registry."""

    version: str | None
    line: int


def locked_versions(
    files: ProjectFiles, path: Path, ecosystem: Ecosystem, wanted: Collection[str]
) -> Mapping[str, list[LockedPackage]] | None:
    """What a lock file says of the packages that are wanted (names in their comparable form).

    None, with a notice, if it cannot be read.
    """
    text = files.text(path, MAX_LOCK_BYTES)
    if text is None:
        return None
    starts = [match.end() for match in _PACKAGE.finditer(text)]
    if not starts:
        return {} if files.parsed_toml(path, text) is not None else None
    found: dict[str, list[LockedPackage]] = {}
    line, counted, nameless = 1, 0, False
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        name = _NAME.search(text, start, end)
        if name is None and not nameless:  # looked at once: a broken file has one, a hostile one may have nothing else
            nameless = True
            if _head(files, path, text[start:end], text.count("\n", 0, start) + 1) is None:
                return None
        key = comparable(ecosystem, name[1]) if name is not None else ""
        if key not in wanted or len(found.get(key, ())) >= MAX_COPIES:
            continue
        line, counted = line + text.count("\n", counted, start), start
        head = _plain_head(text, start, end, line) or _head(files, path, text[start:end], line)
        if head is None:
            return None
        found.setdefault(key, []).append(head)
    return found


def names_in(files: ProjectFiles, path: Path) -> list[str]:
    """The names of all packages in a lock file, for a project that has nothing else."""
    text = files.text(path, MAX_LOCK_BYTES) or ""
    return [match[1] for match in _NAME.finditer(text)]


def _plain_head(text: str, start: int, end: int, line: int) -> LockedPackage | None:
    """The package whose block begins at `start`, if it says so plainly that nothing has to be parsed."""
    table_at = text.find("\n[", start, end)
    first_table = table_at if table_at >= 0 else end
    first_list = text.find(" = [\n", start, first_table)  # behind it stand files and hashes, by far the most of the block
    origin = _ORIGIN.search(text, start, first_list if first_list >= 0 else first_table)
    if origin is None and first_list >= 0:
        origin = _ORIGIN.search(text, first_list, first_table)
    version = _VERSION.search(text, start, first_table)
    if version is None or text.find("\n[package.source]", start, end) >= 0:
        return None
    if origin is not None and not origin[1].startswith(_OF_REGISTRY):
        return None
    return LockedPackage(valid_version(version[1]), line + 1)


def _head(files: ProjectFiles, path: Path, block: str, line: int) -> LockedPackage | None:
    """The package of a block that begins at `line`: its own plain keys, and the table that says where it comes from."""
    kept: list[str] = []
    inside = True
    for row in block.split("\n"):
        if row.startswith("["):
            inside = row.strip() == "[package.source]"
            kept.append(row if inside else "")
        elif (inside and _HEAD_KEYS.match(row)) or (inside and kept and kept[-1] == "[package.source]"):
            kept.append(row)
        else:
            kept.append("")
    data = files.parsed_toml(path, "\n".join(kept).replace("[package.source]", "[source]"), line)
    return LockedPackage(None if _is_local(data) else valid_version(data.get("version")), line + 1) if data is not None else None


def _is_local(data: Mapping[str, Any]) -> bool:
    source = data.get("source")
    if isinstance(source, str):
        return source.startswith(("git+", "path+"))
    kind = mapping(source).get("type")
    if isinstance(kind, str):  # as poetry writes it, with an address beside it also for an index ("legacy")
        return kind in _LOCAL_SOURCES
    return bool(_LOCAL_KEYS & data.keys() or _LOCAL_SOURCES & mapping(source).keys())
