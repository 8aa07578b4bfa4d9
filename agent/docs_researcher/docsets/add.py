"""What `add` is given, told apart: a package, the name of a library, a folder, an archive."""

from __future__ import annotations

import re
from pathlib import Path

from docs_researcher.core.errors import LibraryNotFound, SourceUnavailable, UsageError, VersionNotFound
from docs_researcher.core.events import Listener, ignore
from docs_researcher.core.library_id import LibraryId
from docs_researcher.docsets.acquire import Acquirer, FetchPolicy
from docs_researcher.docsets.build import BuildReport, build_docset, report_installed
from docs_researcher.docsets.fetch import PackageFetcher
from docs_researcher.docsets.sources.archive import ArchiveSource
from docs_researcher.docsets.sources.base import Source
from docs_researcher.docsets.sources.folder import FolderSource, local_info
from docs_researcher.docsets.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.packages import PackageRef, parse_package

ARCHIVE_SUFFIXES = (".tgz", ".tar.gz", ".tar", ".tar.xz", ".tar.bz2", ".zip", ".whl")

_NAME_AND_VERSION = re.compile(r"(?P<name>.[^@=]*?)\s*(?:==|@)\s*(?P<version>\S+)")


def add_source(
    argument: str,
    *,
    store: Store,
    catalogue: Catalogue,
    name: str | None = None,
    pkg_version: str | None = None,
    listener: Listener = ignore,
    offline: bool = False,
    replace: bool = False,
) -> BuildReport:
    """Index what `argument` names and install it.

    Args:
        argument: a package (`npm:next@16`, a purl), a library of the catalogue (`Next.js@16`), a folder or an archive file.
        store: where it is installed.
        catalogue: which package stands for a library's name.
        name: what to call a folder or an archive; taken from its path otherwise.
        pkg_version: the version that a folder or archive documents.
        listener: told about the download and the build.
        offline: forbid the download of a package.
        replace: build again what is installed already.

    Raises:
        UsageError: `name` or `pkg_version` for a package, which has its own.
        LibraryNotFound: the argument names nothing that is known.
        VersionNotFound: the package has no documentation for the version asked for.
        SourceError, NoDocumentation, StoreUnwritable: as the source and the store answer.
    """
    if not argument.strip() or name == "":
        raise UsageError(
            "There is nothing to add" if name != "" else "--name is empty",
            why="an empty argument is often a variable that is not set",
            next_step="Name a package, a library, a folder or an archive; the current folder is `.`.",
        )
    path = Path(argument).expanduser()
    package = None if path.exists() else _package(argument.strip(), catalogue)
    if package is None and (path.exists() or _is_path(argument)):
        return build_docset(_local(path, name, pkg_version), store, listener, replace=replace)
    if package is None:
        raise _unknown(argument, catalogue)
    if name is not None:
        raise UsageError("--name is for folders and archives", why=f"{package.text} has a name of its own")
    if pkg_version is not None:
        if package.version not in (None, pkg_version):
            raise UsageError(
                "Two versions are given", why=f"{package.text} and --pkg-version {pkg_version}", next_step="Give one."
            )
        package = package.at(pkg_version)
    return _add_package(package, store, catalogue, listener, offline=offline, replace=replace)


def _add_package(
    package: PackageRef, store: Store, catalogue: Catalogue, listener: Listener, *, offline: bool, replace: bool
) -> BuildReport:
    entry = catalogue.by_package(package)
    acquirer = Acquirer(store, catalogue, FetchPolicy(offline=offline, yes=True), listener)
    installed = acquirer.installed(package)
    if installed is not None and not replace and (package.version is not None or offline):
        return report_installed(store, installed)
    target = acquirer.released(package.at(None), package.version)
    if target.reason:
        raise VersionNotFound(
            f"{package.text} cannot be added",
            why=target.reason,
            next_step=f"The nearest with documentation is: docs-research add {package.at(target.version).text}",
        )
    present = acquirer.installed(package.at(target.version))
    if present is not None and present.version == target.version and not replace:
        return report_installed(store, present)
    return PackageFetcher(store, listener).fetch(package, target.version, entry, replace=replace)


def _is_path(argument: str) -> bool:
    """Whether something that does not exist was meant as a path: the error then says so."""
    if parse_package(argument) is not None:
        return False
    return argument.startswith((".", "/", "~")) or "\\" in argument or argument.lower().endswith(ARCHIVE_SUFFIXES)


def _local(path: Path, name: str | None, version: str | None) -> Source:
    if not path.exists():
        raise SourceUnavailable(f"There is no {path}", next_step="Check the path; a relative one counts from the current folder.")
    if path.is_dir():
        return FolderSource(path, name=name, version=version)
    if path.name.lower().endswith(ARCHIVE_SUFFIXES):
        stem = re.sub(r"(\.tar)?\.[a-z0-9]+$", "", path.name, flags=re.IGNORECASE)
        return ArchiveSource(path, local_info(path, name or stem, version))
    raise UsageError(
        f"{path.name} is neither a folder nor an archive",
        why=f"archives end in {', '.join(ARCHIVE_SUFFIXES)}",
        next_step="Put single files into a folder and add that.",
    )


def _package(argument: str, catalogue: Catalogue) -> PackageRef | None:
    """The package that an argument means: as it is written, or through the catalogue, with or without a version."""
    package = parse_package(argument)
    if package is not None:
        return package
    readings: list[tuple[str, str | None]] = [(argument, None)]
    match = _NAME_AND_VERSION.fullmatch(argument)
    library_id = LibraryId.try_parse(argument)
    if library_id is not None:
        readings = [(library_id.base, library_id.version)]
    elif match is not None:
        readings.append((match["name"], match["version"]))
    for text, version in readings:
        entry = catalogue.find(text)
        if entry is not None and entry.package is not None:
            return entry.package.at(version)
    return None


def _unknown(argument: str, catalogue: Catalogue) -> LibraryNotFound:
    similar = ", ".join(entry.name for entry in catalogue.similar(argument))
    return LibraryNotFound(
        f"{argument!r} is no folder, no archive, no package and no library of the catalogue",
        why=f"similar names: {similar}" if similar else "",
        next_step="Write a package as npm:NAME or pypi:NAME, and a folder as ./NAME.",
    )
