"""PHP: composer.json and composer.lock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from docs_researcher.core.parsed import mapping
from docs_researcher.library.projects.files import MAX_LOCK_BYTES, ProjectFiles, line_of
from docs_researcher.library.projects.values import Dependency, valid_name, valid_range, valid_version

MANIFEST, LOCK = "composer.json", "composer.lock"
FILES = frozenset((MANIFEST, LOCK))


def read_php(files: ProjectFiles, folders: Sequence[Path]) -> Iterator[Dependency]:
    """The packages that the nearest composer.json requires, then the others of its lock file."""
    folder = next((folder for folder in folders if FILES.intersection(files.names(folder))), None)
    if folder is None:
        return
    names = files.names(folder)
    manifest = files.json(folder / MANIFEST) or {} if MANIFEST in names else {}
    lock = files.json(folder / LOCK, MAX_LOCK_BYTES) or {} if LOCK in names else {}
    locked = _locked(lock)
    text = files.text(folder / MANIFEST) or ""
    required = {**mapping(manifest.get("require-dev")), **mapping(manifest.get("require"))}
    for name, asked in required.items():
        if "/" not in name or valid_name("composer", name) is None:
            continue  # `php` and `ext-json` are no packages
        version = locked.pop(name.lower(), None)
        file, line = (LOCK, None) if version else (MANIFEST, line_of(text, f'"{name}"'))
        yield Dependency("composer", name, version, valid_range(asked), True, files.shown(folder / file), line)
    for name, version in locked.items():
        yield Dependency("composer", name, version, None, False, files.shown(folder / LOCK))


def _locked(lock: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for kind in ("packages", "packages-dev"):
        packages = lock.get(kind)
        for entry in cast("list[object]", packages) if isinstance(packages, list) else ():
            one = mapping(entry)
            name, version = one.get("name"), one.get("version")
            version = valid_version(version.removeprefix("v")) if isinstance(version, str) else None
            if isinstance(name, str) and valid_name("composer", name) and version is not None:
                found[name.lower()] = version
    return found
