"""A docset that lies inside an installed package, in `node_modules` or `site-packages`: read from there, without a network.

A package offers one as `docset.db`, or under the name that `export` gives it (`name@version.db`), in its own folder or in the
docs folder inside. Whatever the file says of itself, it stands for the package that it lies in and for nothing else: a file
for another library or version is passed over.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from docs_researcher.core.errors import DocsetInvalid, DocsResearchError
from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.names import file_name
from docs_researcher.docsets.unfinished import temporary_folder
from docs_researcher.library.packages import PackageRef, normalise_pypi_name, parse_package
from docs_researcher.library.projects.python_environment import active_environment

if TYPE_CHECKING:
    from docs_researcher.docsets.installed.store import Installed, Store
    from docs_researcher.docsets.meta import DocsetMeta

FILE_NAME = "docset.db"
FOLDERS = ("", "docs", "doc", "dist/docs")
"""Where in a package a docset is looked for."""
ENVIRONMENTS = (".venv", "venv")
"""Where a project's Python environment lies; an active one comes first."""
MAX_MANIFEST_BYTES = 4_000_000
MAX_RECORD_BYTES = 20_000_000
"""The list of a distribution's files; a hundred thousand of them have ten megabytes."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A docset file and the installed package, with its version, that it lies in."""

    path: Path
    package: PackageRef


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the package.json of an installed package says."""

    name: str
    version: str
    license: str | None = None
    description: str | None = None
    date: str | None = None


def embedded_in_project(root: Path, package: PackageRef) -> Embedded | None:
    """The docset inside the copy of a package that is installed in a project; None when there is no copy, or none in it."""
    if package.type == "npm":
        return embedded_at(root / "node_modules" / package.name)
    active = active_environment()
    for environment in (*([active] if active is not None else []), *(root / name for name in ENVIRONMENTS)):
        for site in (*sorted(environment.glob("lib/python*/site-packages")), environment / "Lib" / "site-packages"):
            for information in site.glob("*.dist-info"):
                if normalise_pypi_name(information.name.partition("-")[0]) == package.name:
                    return _in_distribution(information)
    return None


def embedded_at(folder: Path) -> Embedded | None:
    """The docset inside an installed package's folder: below `node_modules`, or a package or `.dist-info` in `site-packages`."""
    manifest = installed_manifest(folder)
    if manifest is not None:
        return _found(PackageRef("npm", manifest.name, manifest.version), (folder / place for place in FOLDERS))
    folder = folder.absolute()
    for information, _ in distributions_of(folder):
        found = _in_distribution(information)
        if found is not None and (folder == information or found.path.is_relative_to(folder)):
            return found
    return None


def distributions_of(folder: Path) -> list[tuple[Path, PackageRef]]:
    """The `.dist-info` folders and the packages of what is installed in a folder of `site-packages`, an absolute path.

    A `.dist-info` is its own; a folder of code may belong to several. Empty for any other folder.
    """
    if folder.parent.name != "site-packages":
        return []
    if folder.suffix == ".dist-info":
        candidates = [folder]
    else:
        start = f"{folder.name}/"
        informations = sorted(folder.parent.glob("*.dist-info"))
        candidates = [item for item in informations if any(path.startswith(start) for path in distribution_files(item))]
    return [(item, package) for item in candidates if (package := _package_of(item)) is not None]


def distribution_files(information: Path) -> list[str]:
    """The files that an installed distribution lists as its own, relative to `site-packages`; none that lies outside."""
    try:
        with (information / "RECORD").open(encoding="utf-8", errors="replace", newline="") as file:
            listed = [row[0] for row in csv.reader(StringIO(file.read(MAX_RECORD_BYTES), newline="")) if row]
    except (OSError, csv.Error):
        return []
    return [path for path in listed if not path.startswith("/") and ".." not in path.split("/")]


def _package_of(information: Path) -> PackageRef | None:
    name, _, version = information.name.removesuffix(".dist-info").partition("-")
    return parse_package(f"pypi:{name}=={version}")


def install_embedded(embedded: Embedded, library_id: str, store: Store) -> Installed:
    """Copy the docset into the store, as the documentation of the package that it lies in.

    Raises:
        DocsetInvalid: it is no docset, or one of another library or version.
        StoreUnwritable: the store cannot be written.
    """
    package = embedded.package
    with Docset.open(embedded.path) as docset:
        docset.check()
        said = docset.meta
    if _comparable(package, said.name) != package.name or said.version != package.version:
        raise DocsetInvalid(
            f"{embedded.path} was passed over",
            why=f"it lies in {package.text} and says that it is of {said.name} {said.version or 'without a version'}",
            next_step="Tell the package's developers.",
        )
    meta = replace(said, name=package.name, library_id=library_id, purl=package.purl)
    with temporary_folder() as folder:
        copy = folder / "copy.db"
        shutil.copyfile(embedded.path, copy)
        _say(copy, meta)
        return store.install(copy)


def _say(path: Path, meta: DocsetMeta) -> None:
    """Write into a docset file whose it is."""
    import apsw

    from docs_researcher.docsets.sql import run

    connection = apsw.Connection(str(path))
    try:
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        for key, value in (("name", meta.name), ("library_id", meta.library_id), ("purl", meta.purl or "")):
            run(connection, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))
    finally:
        connection.close()


def installed_manifest(folder: Path) -> Manifest | None:
    """What an npm package that is installed in a folder below `node_modules` is; None where none is."""
    if "node_modules" not in folder.absolute().parts:
        return None
    try:
        with (folder / "package.json").open("rb") as file:
            data: Any = json.loads(file.read(MAX_MANIFEST_BYTES))
    except (OSError, ValueError):
        return None
    if not isinstance(data, dict):
        return None
    values = {key: value for key, value in cast("dict[str, Any]", data).items() if isinstance(value, str)}
    package = parse_package(f"npm:{values.get('name')}@{values.get('version')}")
    if package is None or package.version is None:
        return None
    return Manifest(package.name, package.version, values.get("license"), values.get("description"))


def _in_distribution(information: Path) -> Embedded | None:
    """The docset among the files that an installed distribution lists as its own."""
    package = _package_of(information)
    if package is None:
        return None
    folders = {path.rpartition("/")[0] for path in distribution_files(information) if path.endswith(".db")}
    return _found(package, (information.parent / folder for folder in sorted(folders)))


def _found(package: PackageRef, folders: Iterator[Path]) -> Embedded | None:
    try:
        names = (FILE_NAME, file_name(package.name, package.version))
    except DocsResearchError:
        return None
    for folder in folders:
        for name in names:
            path = folder / name
            if path.is_file() and not path.is_symlink():
                return Embedded(path, package)
    return None


def _comparable(package: PackageRef, name: str) -> str:
    return normalise_pypi_name(name) if package.type == "pypi" else name
