"""Packages that are installed on this disk, in `node_modules` or `site-packages`: read there, under their own names."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from docs_researcher.core.errors import UsageError
from docs_researcher.core.parsed import mapping
from docs_researcher.docsets.acquiring.npm_relatives import NpmRelatives, Packed
from docs_researcher.docsets.installed.embedded import (
    MAX_MANIFEST_BYTES,
    distribution_files,
    distributions_of,
    installed_manifest,
)
from docs_researcher.docsets.sources.archive import ArchiveSource
from docs_researcher.docsets.sources.packed import files_below, pack
from docs_researcher.library.packages import PackageRef

if TYPE_CHECKING:
    from docs_researcher.library.catalogue import Catalogue

_NODE_MODULES = "node_modules"


def installed_source(path: Path, catalogue: Catalogue, temporary: Path) -> ArchiveSource | None:
    """The documentation of the package whose folder this is; None where it is none.

    Args:
        path: a folder below `node_modules`, or one, or a `.dist-info`, in `site-packages`.
        catalogue: which library a package is of.
        temporary: an empty folder that lasts as long as the source.

    Raises:
        UsageError: several distributions share the folder.
    """
    return _npm_source(path, catalogue, temporary) or _python_source(path, catalogue, temporary)


def _npm_source(path: Path, catalogue: Catalogue, temporary: Path) -> ArchiveSource | None:
    from docs_researcher.docsets.sources.npm import NpmSource

    manifest = installed_manifest(path)
    if manifest is None:
        return None
    shelf = NodeModules(path.resolve(), temporary)
    archive = shelf.archive(path, "package")
    relatives = NpmRelatives(shelf, manifest.name, manifest.version, _needs(path))
    return NpmSource(manifest, archive, catalogue.by_package(PackageRef("npm", manifest.name)), relatives=relatives)


def _python_source(path: Path, catalogue: Catalogue, temporary: Path) -> ArchiveSource | None:
    from docs_researcher.docsets.sources.pypi import PypiSource

    found = distributions_of(path.absolute())
    if len(found) > 1:
        names = ", ".join(f"{package.name} {package.version}" for _, package in found)
        raise UsageError(
            f"Several packages have files in {path}",
            why=f"they are {names}",
            next_step=f"Name one by its folder of facts, such as {found[0][0]}.",
        )
    if not found:
        return None
    information, package = found[0]
    archive = temporary / f"{package.name}-{package.version}-installed.whl"
    pack(information.parent, distribution_files(information), archive)
    release = _Release(package.name, package.version or "")
    return PypiSource(release, archive, catalogue.by_package(package.at(None)))


@dataclass(frozen=True, slots=True)
class _Release:
    """A release of which the disk knows no date."""

    name: str
    version: str
    date: str | None = None


class NodeModules:
    """The packages that can be imported from a package's folder, as Node looks for them: the nearest `node_modules` first."""

    def __init__(self, folder: Path, temporary: Path) -> None:
        """Those around `folder`; archives of them are put into `temporary`."""
        self._places = [folder / _NODE_MODULES, *(parent for parent in folder.parents if parent.name == _NODE_MODULES)]
        self._temporary = temporary
        self._numbers = itertools.count(1)

    def needed(self, name: str, range: str) -> Packed | None:
        """The copy that is installed, whatever its version: it is the one that the code here runs with."""
        folder = next((place / name for place in self._places if (place / name / "package.json").is_file()), None)
        manifest = installed_manifest(folder) if folder is not None else None
        if folder is None or manifest is None:
            return None
        return Packed(manifest.version, self.archive(folder, f"needed-{next(self._numbers)}"), _needs(folder))

    def types(self, name: str, version: str) -> Packed | None:
        """The package of types that is installed."""
        return self.needed(name, "*")

    def archive(self, folder: Path, name: str) -> Path:
        """An archive of a package's folder, without the packages inside it."""
        target = self._temporary / f"{name}.zip"
        pack(folder, files_below(folder, without=_NODE_MODULES), target, "package/")
        return target


def _needs(folder: Path) -> Mapping[str, str]:
    data: Any = None
    with suppress(OSError, ValueError), (folder / "package.json").open("rb") as file:
        data = json.loads(file.read(MAX_MANIFEST_BYTES))
    said = mapping(data)
    needs: dict[str, str] = {}
    for key in ("peerDependencies", "dependencies"):
        ranges = said.get(key)
        if isinstance(ranges, dict):
            needs |= {str(name): str(range) for name, range in cast("dict[object, object]", ranges).items()}
    return needs
