"""Python projects: what the manifests require, at the version of a lock file, a pin or the environment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from docs_researcher.core.parsed import mapping
from docs_researcher.library.projects.files import MAX_LOCK_BYTES, ProjectFiles
from docs_researcher.library.projects.python_environment import Environment, environment_of
from docs_researcher.library.projects.python_manifests import declared_in, project_name, workspace_patterns
from docs_researcher.library.projects.requirements import Requirement
from docs_researcher.library.projects.toml_locks import LockedPackage, locked_versions, names_in
from docs_researcher.library.projects.values import Dependency, comparable, valid_name, valid_range, valid_version
from docs_researcher.library.projects.workspaces import members
from docs_researcher.library.versions import sort_newest

LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "pylock.toml")


def read_python(files: ProjectFiles, folders: Sequence[Path]) -> Iterator[Dependency]:
    """The dependencies: of the nearest folder, of those above it, then of the other members of their workspaces."""
    wanted = [*folders]
    for folder in folders:
        for member in members(files, folder, workspace_patterns(files, folder), "pyproject.toml"):
            if member not in wanted:
                wanted.append(member)
    declared = [(folder, list(declared_in(files, folder))) for folder in wanted]
    own = {comparable("pypi", project_name(files, folder)) for folder in wanted}
    environment = environment_of(files, tuple(folders))
    if not any(requirements for _, requirements in declared):
        yield from _without_manifest(files, folders, environment)
        return
    names = {comparable("pypi", one.name) for _, requirements in declared for one in requirements}
    locks = _Locks(files, folders, names)
    for folder, requirements in declared:
        yield from _dependencies(files, requirements, locks.above(folder), own, environment)


class _Locks:
    """The lock files of the folders, each read once, for the names that are wanted."""

    def __init__(self, files: ProjectFiles, folders: Sequence[Path], names: set[str]) -> None:
        self._files = files
        self._within = folders[-1]
        self._names = names
        self._read: dict[Path, Mapping[str, list[LockedPackage]] | None] = {}

    def above(self, folder: Path) -> tuple[Path, Mapping[str, list[LockedPackage]]] | None:
        """The nearest lock file in a folder or above it that can be read."""
        while folder.is_relative_to(self._within):
            for name in LOCKS:
                if name not in self._files.names(folder):
                    continue
                path = folder / name
                if path not in self._read:
                    self._read[path] = self._lock(path)
                read = self._read[path]
                if read is not None:
                    return path, read
            folder = folder.parent
        return None

    def _lock(self, path: Path) -> Mapping[str, list[LockedPackage]] | None:
        if path.name != "Pipfile.lock":
            return locked_versions(self._files, path, "pypi", self._names)
        data = self._files.json(path, MAX_LOCK_BYTES)
        return _pipfile_lock(data, self._names) if data is not None else None


def _pipfile_lock(data: Mapping[str, object], names: set[str]) -> dict[str, list[LockedPackage]]:
    found: dict[str, list[LockedPackage]] = {}
    for kind in ("default", "develop"):
        for name, entry in mapping(data.get(kind)).items():
            key, version = comparable("pypi", name), mapping(entry).get("version")
            if key in names and key not in found:
                text = version.removeprefix("==") if isinstance(version, str) else None
                found[key] = [LockedPackage(valid_version(text), 0)]
    return found


def _dependencies(
    files: ProjectFiles,
    requirements: Sequence[Requirement],
    lock: tuple[Path, Mapping[str, list[LockedPackage]]] | None,
    own: set[str],
    environment: Environment | None,
) -> Iterator[Dependency]:
    best: dict[str, Requirement] = {}
    for one in requirements:
        key = comparable("pypi", one.name)
        if key not in best or (one.direct, one.pinned is not None) > (best[key].direct, best[key].pinned is not None):
            best[key] = one
    for key, one in best.items():
        name = valid_name("pypi", one.name)
        if name is not None and one.file is not None:
            yield _dependency(files, name, one, one.file, lock, key in own, environment)


def _dependency(
    files: ProjectFiles,
    name: str,
    required: Requirement,
    manifest: Path,
    lock: tuple[Path, Mapping[str, list[LockedPackage]]] | None,
    is_own: bool,
    environment: Environment | None,
) -> Dependency:
    declared = valid_range(required.declared)
    copies = lock[1].get(comparable("pypi", name), []) if lock is not None else []
    local = required.local or is_own or (bool(copies) and all(copy.version is None for copy in copies))
    manifest_file = files.shown(manifest)
    if local:
        return Dependency("pypi", name, None, declared, required.direct, manifest_file, required.line, local=True)
    versions = {copy.version: copy.line for copy in copies if copy.version is not None}
    if versions and lock is not None:
        newest = sort_newest(versions)[0]
        return Dependency("pypi", name, newest, declared, required.direct, files.shown(lock[0]), versions[newest] or None)
    installed = environment.version(name) if environment is not None and required.pinned is None else None
    if installed is not None and environment is not None:
        return Dependency("pypi", name, installed, declared, required.direct, environment.shown)
    pinned = valid_version(required.pinned)
    return Dependency("pypi", name, pinned, declared, required.direct, manifest_file, required.line)


def _without_manifest(files: ProjectFiles, folders: Sequence[Path], environment: Environment | None) -> Iterator[Dependency]:
    """A lock file or an environment alone: a lock file does not say what the project itself asked for."""
    for folder in folders:
        for path in (folder / name for name in LOCKS if name in files.names(folder) and name != "Pipfile.lock"):
            names = {comparable("pypi", name) for name in names_in(files, path)}
            for name, copies in (locked_versions(files, path, "pypi", names) or {}).items():
                valid, version = valid_name("pypi", name), copies[0].version
                if valid is not None and version is not None:
                    yield Dependency("pypi", valid, version, None, False, files.shown(path), copies[0].line)
            return
    if environment is None:
        return
    for name, version, requested in environment.installed():
        valid = valid_name("pypi", name)
        if valid is not None:
            yield Dependency("pypi", valid, version, None, requested, environment.shown)
