"""What `add` is given, told apart: a package, the name of a library, a docset, a place."""

from __future__ import annotations

import dataclasses
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from docs_researcher.core.errors import (
    DocsetInvalid,
    LibraryNotFound,
    SourceUnavailable,
    StoreUnwritable,
    UsageError,
    VersionNotFound,
)
from docs_researcher.core.events import Listener, ignore
from docs_researcher.core.library_id import LibraryId
from docs_researcher.docsets.acquire import Acquirer, FetchPolicy
from docs_researcher.docsets.build import BuildReport, build_docset, report_installed
from docs_researcher.docsets.fetch import PackageFetcher
from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.places import DOCSET_SUFFIX, Wishes, source_at
from docs_researcher.docsets.store import Installed, Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.packages import PackageRef, parse_package

_NAME_AND_VERSION = re.compile(r"(?P<name>.[^@=]*?)\s*(?:==|@)\s*(?P<version>\S+)")


def add_source(
    argument: str,
    *,
    store: Store,
    catalogue: Catalogue,
    name: str | None = None,
    pkg_version: str | None = None,
    tag: str | None = None,
    folder: str | None = None,
    language: str = "en",
    choose_tag: Callable[[Sequence[str]], str | None] | None = None,
    listener: Listener = ignore,
    offline: bool = False,
    replace: bool = False,
) -> BuildReport:
    """Index what `argument` names and install it.

    Args:
        argument: a package (`npm:next@16`, a purl), a library of the catalogue (`Next.js@16`), or a place (see `places`).
        store: where it is installed.
        catalogue: which package stands for a library's name.
        name: what to call what has no name of its own: a folder, an archive, a file; also a repository.
        pkg_version: the version that it documents.
        tag: the tag or branch of a repository.
        folder: the docs folder inside a repository, a folder or an archive.
        language: which translation is wanted (`de`), or `all`.
        choose_tag: asks the user for one of a repository's tags (newest first); None where nobody can be asked.
        listener: told about the download and the build.
        offline: forbid every download.
        replace: build again what is installed already.

    Raises:
        UsageError: wishes that do not go with this kind of argument.
        LibraryNotFound: the argument names nothing that is known.
        VersionNotFound: the package has no documentation for the version asked for, or the repository no such tag.
        DocsetInvalid: a file that is no docset.
        SourceError, NoDocumentation, StoreUnwritable: as the source and the store answer.
    """
    argument = argument.strip()
    if not argument or name == "":
        raise UsageError(
            "There is nothing to add" if name != "" else "--name is empty",
            why="an empty argument is often a variable that is not set",
            next_step="Name a package, a library, a folder or an archive; the current folder is `.`.",
        )
    wishes = Wishes(name, pkg_version, tag, folder, language, choose_tag, offline)
    if argument.lower().endswith(DOCSET_SUFFIX) and "://" not in argument:
        return _add_docset(Path(argument).expanduser(), store, wishes)
    package = None if _is_place(argument) else _package(argument, catalogue)
    if package is not None:
        return _add_package(_wished(package, wishes), store, catalogue, listener, offline=offline, replace=replace)
    with source_at(argument, wishes, catalogue) as source:
        if source is None:
            raise _unknown(argument, catalogue)
        return build_docset(source, store, listener, replace=replace)


def _is_place(argument: str) -> bool:
    """Whether this is meant as a place also where the catalogue knows the library: a path that exists, a repository."""
    from docs_researcher.docsets.sources.git_address import parse_git_address

    if parse_package(argument) is not None:
        return False
    return Path(argument).expanduser().exists() or "://" in argument or parse_git_address(argument) is not None


def _wished(package: PackageRef, wishes: Wishes) -> PackageRef:
    """The package at the version that the wishes name; a package takes no other wish."""
    for option, value in (("--name", wishes.name), ("--tag", wishes.tag), ("--path", wishes.folder)):
        if value is not None:
            raise UsageError(f"{option} is for folders, archives and repositories", why=f"{package.text} is a package")
    if wishes.version is None:
        return package
    if package.version not in (None, wishes.version):
        raise UsageError(
            "Two versions are given", why=f"{package.text} and --pkg-version {wishes.version}", next_step="Give one."
        )
    return package.at(wishes.version)


def save_copy(installed: Installed, target: Path) -> Path:
    """Copy an installed docset into a folder, or to a path that ends in `.db`, and return where it lies.

    Raises:
        StoreUnwritable: it cannot be written there.
    """
    is_file = target.name.lower().endswith(DOCSET_SUFFIX) and not target.is_dir()
    place = target if is_file else target / installed.path.name
    if target.exists() and not target.is_dir() and not is_file:
        raise UsageError(
            f"{target} is a file", why="a copy goes into a folder or to a path that ends in .db", next_step="Name one."
        )
    if place.exists() and not _is_docset(place):
        raise UsageError(f"{place} exists and is no docset", next_step="Name another place; nothing was overwritten.")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_name(f".{place.name}.copied")
        shutil.copyfile(installed.path, beside)
        beside.replace(place)
    except OSError as error:
        raise StoreUnwritable(
            f"{place} could not be written", why=error.strerror or str(error), next_step="Name another place."
        ) from error
    return place


def _is_docset(path: Path) -> bool:
    try:
        with Docset.open(path):
            return True
    except DocsetInvalid:
        return False


def _add_docset(path: Path, store: Store, wishes: Wishes) -> BuildReport:
    """Install a docset that was built elsewhere; what is wrong with a file is found before it is copied."""
    if any((wishes.name, wishes.version, wishes.tag, wishes.folder)):
        raise UsageError(f"{path.name} says itself which library and version it holds", next_step="Leave the options out.")
    if not path.is_file():
        raise SourceUnavailable(
            f"There is no file {path}", next_step="Check the path; a relative one counts from the current folder."
        )
    with Docset.open(path) as docset:
        docset.check()
        meta = docset.meta
    target = store.path_for(meta.name, meta.version, meta.purl)
    before = next((item for item in store.installed() if item.path == target), None)
    if before is not None and before.meta == meta:
        return report_installed(store, before)
    with tempfile.TemporaryDirectory(prefix="docs-researcher-") as folder:
        copy = Path(folder, "copy.db")
        shutil.copyfile(path, copy)
        installed = store.install(copy, meta)
    return dataclasses.replace(report_installed(store, installed), already=False)


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
        next_step="Write a package as npm:NAME or pypi:NAME, a folder as ./NAME, a repository by its address.",
    )
