"""npm manifests: package.json of the nearest folder, of the folders above it, and of the members of their workspaces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from docs_researcher.core.parsed import mapping
from docs_researcher.library.projects.files import ProjectFiles, line_of, texts
from docs_researcher.library.projects.locked import Locked, NpmLock
from docs_researcher.library.projects.values import Dependency, valid_name, valid_range, valid_version
from docs_researcher.library.projects.workspaces import members

MANIFEST = "package.json"
LOCKS = {
    "npm-shrinkwrap.json": "package_lock",
    "package-lock.json": "package_lock",
    "pnpm-lock.yaml": "pnpm_lock",
    "yarn.lock": "yarn_lock",
    "bun.lock": "bun_lock",
}
"""Lock files with the module that reads them; the first counts where several lie side by side and `packageManager` names none."""

_KINDS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_LOCAL = re.compile(
    r"(?:workspace|file|link|portal|git|github|gitlab|bitbucket|https?|ssh|git\+\w+):|\.{1,2}(?:/|$)|~?/|[\w-]+/[\w.-]+"
)
_MOST_INSTALLED = 300
"""How many installed copies are looked at, each a small file."""
_INSTALLED_BYTES = 512 * 1024


@dataclass(frozen=True, slots=True)
class _Manifest:
    folder: Path
    data: Mapping[str, Any]
    text: str


def read_npm(files: ProjectFiles, folders: Sequence[Path]) -> Iterator[Dependency]:
    """The direct dependencies: of the nearest manifest, of those above it, then of the other members."""
    manifests = [manifest for folder in folders if (manifest := _manifest(files, folder)) is not None]
    known = {manifest.folder for manifest in manifests}
    for folder in folders:
        above = next((manifest for manifest in manifests if manifest.folder == folder), None)
        for member in members(files, folder, _patterns(files, folder, above), MANIFEST):
            if member not in known and (manifest := _manifest(files, member)) is not None:
                known.add(member)
                manifests.append(manifest)
    own_names = {name for manifest in manifests if isinstance(name := manifest.data.get("name"), str)}
    locks = _Locks(files, folders)
    budget = [_MOST_INSTALLED]
    for manifest in manifests:
        lock = locks.above(manifest.folder, str(manifest.data.get("packageManager", "")))
        yield from _dependencies(files, manifest, lock, own_names, budget)


def _manifest(files: ProjectFiles, folder: Path) -> _Manifest | None:
    path = folder / MANIFEST
    if MANIFEST not in files.names(folder):
        return None
    data = files.json(path)
    return _Manifest(folder, data, files.text(path) or "") if data is not None else None


def _patterns(files: ProjectFiles, folder: Path, manifest: _Manifest | None) -> list[str]:
    """The patterns of the workspace that this folder is the root of."""
    found = manifest.data.get("workspaces") if manifest is not None else None
    patterns = [*texts(found), *texts(mapping(found).get("packages"))]
    path = folder / "pnpm-workspace.yaml"
    if path.name in files.names(folder):
        from docs_researcher.library.projects.blocks import read_yaml

        text = files.text(path)
        patterns += texts(read_yaml(files, path, text).get("packages")) if text is not None else ()
    return patterns


class _Locks:
    """The lock files of the folders, each read once."""

    def __init__(self, files: ProjectFiles, folders: Sequence[Path]) -> None:
        self._files = files
        self._within = folders[-1]
        self._read: dict[Path, NpmLock | None] = {}

    def above(self, folder: Path, manager: str) -> tuple[Path, NpmLock] | None:
        """The nearest lock file in a folder or above it that can be read."""
        while folder.is_relative_to(self._within):
            names = self._files.names(folder)
            found = [name for name in LOCKS if name in names]
            found.sort(key=lambda name: not name.startswith(manager.partition("@")[0] or "-"))
            if found:
                path = folder / found[0]
                if path not in self._read:
                    self._read[path] = _read_lock(self._files, path)
                lock = self._read[path]
                return (path, lock) if lock is not None else None
            folder = folder.parent
        return None


def _read_lock(files: ProjectFiles, path: Path) -> NpmLock | None:
    module = import_module(f"docs_researcher.library.projects.{LOCKS[path.name]}")
    lock: NpmLock | None = module.read_lock(files, path)
    return lock


def _dependencies(
    files: ProjectFiles, manifest: _Manifest, lock: tuple[Path, NpmLock] | None, own_names: set[str], budget: list[int]
) -> Iterator[Dependency]:
    seen: set[str] = set()
    for kind in _KINDS:
        for key, declared in mapping(manifest.data.get(kind)).items():
            if key in seen or not isinstance(declared, str) or valid_name("npm", key) is None:
                continue
            seen.add(key)
            yield _dependency(files, manifest, key, declared, lock, own_names, budget)


def _dependency(
    files: ProjectFiles,
    manifest: _Manifest,
    key: str,
    declared: str,
    lock: tuple[Path, NpmLock] | None,
    own_names: set[str],
    budget: list[int],
) -> Dependency:
    name, asked = _unaliased(key, declared)
    locked = _locked(lock, manifest.folder, key, declared)
    if locked is not None and locked.name:
        name = valid_name("npm", locked.name) or name
    local = bool(_LOCAL.match(asked)) or (locked.local if locked is not None else name in own_names)
    version = valid_version(locked.version) if locked is not None and not local else None
    file, line = (lock[0], None) if lock is not None and version is not None else (manifest.folder / MANIFEST, -1)
    if version is None and not local:
        installed = _installed(files, manifest.folder, key, budget)
        if installed is not None:
            (file, version), line = installed, None
    if line is not None:
        line = line_of(manifest.text, f'"{key}":', f'"{key}" :')
    return Dependency("npm", name, version, valid_range(asked), True, files.shown(file), line, local)


def _unaliased(key: str, declared: str) -> tuple[str, str]:
    """The package's own name, and what is asked of it: `npm:underscore@^1.13.0` asks `^1.13.0` of underscore."""
    if not declared.startswith("npm:"):
        return key, declared
    alias = declared.removeprefix("npm:")
    at = alias.find("@", 1)
    name = valid_name("npm", alias if at < 0 else alias[:at])
    return (name or key), ("*" if at < 0 else alias[at + 1 :])


def _locked(lock: tuple[Path, NpmLock] | None, folder: Path, key: str, declared: str) -> Locked | None:
    if lock is None:
        return None
    path, read = lock
    member = folder.relative_to(path.parent).as_posix()
    return read.locked("" if member == "." else member, key, declared)


def _installed(files: ProjectFiles, folder: Path, key: str, budget: list[int]) -> tuple[Path, str] | None:
    """The version of the copy in node_modules that would be loaded, and the file that says it."""
    while folder.is_relative_to(files.root):
        if budget[0] <= 0:
            return None
        if "node_modules" in files.names(folder):
            budget[0] -= 1
            path = folder / "node_modules" / key / MANIFEST
            text = files.text(path, _INSTALLED_BYTES)
            version = _version_in(text) if text is not None else None
            if version is not None:
                return path, version
        folder = folder.parent
    return None


def _version_in(text: str) -> str | None:
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError):
        return None  # a broken copy says nothing about the project; what is declared still counts
    return valid_version(mapping(data).get("version"))
