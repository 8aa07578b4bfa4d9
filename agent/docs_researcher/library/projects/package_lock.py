"""npm: package-lock.json and npm-shrinkwrap.json, versions 1 to 3."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docs_researcher.core.parsed import mapping
from docs_researcher.library.projects.files import MAX_LOCK_BYTES, ProjectFiles
from docs_researcher.library.projects.locked import Locked, is_elsewhere, registry_version


def read_lock(files: ProjectFiles, path: Path) -> PackageLock | None:
    """The lock file at a path; None, with a notice, if it cannot be read."""
    data = files.json(path, MAX_LOCK_BYTES)
    return PackageLock(data) if data is not None else None


class PackageLock:
    """A lock file of npm."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._packages = mapping(data.get("packages"))
        self._tree = mapping(data.get("dependencies"))

    def locked(self, member: str, key: str, declared: str) -> Locked | None:
        """The copy that the member would load: its own, else the nearest one above it."""
        if not self._packages:
            return self._in_tree(member, key)
        folder = member
        while True:
            found = self._packages.get(f"{folder}/node_modules/{key}" if folder else f"node_modules/{key}")
            if found is not None:
                entry = mapping(found)
                name = entry.get("name")
                local = entry.get("link") is True or is_elsewhere(str(entry.get("resolved", "")))
                return Locked(None if local else registry_version(entry.get("version")), name if isinstance(name, str) else None)
            if not folder:
                return None
            folder = folder.rpartition("/")[0]

    def _in_tree(self, member: str, key: str) -> Locked | None:
        """The first form nests copies in the entry of the package that needs them."""
        owners = (mapping(one) for one in self._tree.values() if mapping(one).get("version") == f"file:{member}")
        owner = next(owners, mapping(None))
        entry = mapping(mapping(owner.get("dependencies")).get(key) if member else None) or mapping(self._tree.get(key))
        version = entry.get("version")
        if not isinstance(version, str):
            return None
        if version.startswith("npm:"):
            name, _, version = version.removeprefix("npm:").rpartition("@")
            return Locked(registry_version(version), name)
        return Locked(registry_version(version))
