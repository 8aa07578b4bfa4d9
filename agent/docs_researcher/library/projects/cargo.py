"""Rust: Cargo.toml and Cargo.lock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docs_researcher.core.parsed import mapping
from docs_researcher.library.projects.files import ProjectFiles, texts
from docs_researcher.library.projects.requirements import line_in
from docs_researcher.library.projects.toml_locks import LockedPackage, locked_versions
from docs_researcher.library.projects.values import Dependency, valid_name, valid_range
from docs_researcher.library.projects.workspaces import members
from docs_researcher.library.versions import best_match, sort_newest

MANIFEST, LOCK = "Cargo.toml", "Cargo.lock"
_KINDS = ("dependencies", "dev-dependencies", "build-dependencies")
_LOCAL_KEYS = frozenset(("path", "git"))


@dataclass(frozen=True, slots=True)
class _Declared:
    name: str
    asked: str | None
    local: bool
    file: Path
    line: int | None


def read_cargo(files: ProjectFiles, folders: Sequence[Path]) -> Iterator[Dependency]:
    """The dependencies: of the nearest manifest, of those above it, then of the other members of the workspace."""
    wanted = [folder for folder in folders if MANIFEST in files.names(folder)]
    documents = {folder: files.toml(folder / MANIFEST) or {} for folder in wanted}
    shared: dict[str, Any] = {}
    for folder in tuple(wanted):
        workspace = mapping(documents[folder].get("workspace"))
        shared |= mapping(workspace.get("dependencies"))
        for member in members(files, folder, texts(workspace.get("members")), MANIFEST):
            if member not in documents:
                wanted.append(member)
                documents[member] = files.toml(member / MANIFEST) or {}
    declared = [one for folder in wanted for one in _declared(files, folder / MANIFEST, documents[folder], shared)]
    locks = _locked(files, folders, {one.name for one in declared})
    for one in declared:
        yield _dependency(files, one, locks)


def _declared(files: ProjectFiles, path: Path, data: Mapping[str, Any], shared: Mapping[str, Any]) -> Iterator[_Declared]:
    text = files.text(path) or ""
    tables = [data, *(mapping(target) for target in mapping(data.get("target")).values())]
    for group in [mapping(one.get(kind)) for one in tables for kind in _KINDS]:
        for key, value in group.items():
            details = mapping(value)
            if details.get("workspace") is True:
                value = shared.get(key, value)
                details = mapping(value)
            renamed, asked = details.get("package"), value if isinstance(value, str) else details.get("version")
            name = valid_name("cargo", renamed if isinstance(renamed, str) else key)
            if name is not None:
                yield _Declared(name, valid_range(asked), bool(_LOCAL_KEYS & details.keys()), path, line_in(text, key))


def _locked(
    files: ProjectFiles, folders: Sequence[Path], names: set[str]
) -> tuple[Path, Mapping[str, list[LockedPackage]]] | None:
    for folder in folders:
        if LOCK in files.names(folder):
            read = locked_versions(files, folder / LOCK, "cargo", names)
            return (folder / LOCK, read) if read is not None else None
    return None


def _dependency(files: ProjectFiles, one: _Declared, lock: tuple[Path, Mapping[str, list[LockedPackage]]] | None) -> Dependency:
    copies = lock[1].get(one.name, []) if lock is not None and not one.local else []
    versions = {copy.version: copy.line for copy in copies if copy.version is not None}
    if not versions or lock is None:
        return Dependency("cargo", one.name, None, one.asked, True, files.shown(one.file), one.line, one.local)
    asked = f"^{one.asked}" if one.asked and one.asked[0].isdigit() else one.asked or "latest"
    version = best_match(asked, versions) or sort_newest(versions)[0]
    return Dependency("cargo", one.name, version, one.asked, True, files.shown(lock[0]), versions[version])
