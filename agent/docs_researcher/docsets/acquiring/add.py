"""What `add` is given, told apart: a package, the name of a library, a docset, a place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from docs_researcher.core.errors import LibraryNotFound, UsageError
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.core.library_id import LibraryId
from docs_researcher.docsets.acquiring.build import BuildReport, build_docset
from docs_researcher.docsets.acquiring.copies import (
    DOCSET_SUFFIX,
    checksum,
    install_download,
    install_file,
    is_docset_address,
    save_copy,
)
from docs_researcher.docsets.acquiring.origins import check_origin, reads_otherwise, way_out_of_file, way_out_of_place
from docs_researcher.docsets.acquiring.packages import Adding
from docs_researcher.docsets.acquiring.places import (
    DEFAULT_LANGUAGE,
    Wishes,
    check_online,
    exists,
    expanded,
    installed_package,
    source_at,
    with_scheme,
)
from docs_researcher.docsets.installed.added import Added
from docs_researcher.docsets.installed.known import namesake_of
from docs_researcher.docsets.installed.store import Installed, Store
from docs_researcher.docsets.names import check_name, check_version
from docs_researcher.docsets.sources.base import Source
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.entries import Entry
from docs_researcher.library.packages import PackageRef, parse_package

__all__ = ["add_source", "save_copy"]

_OTHER_KIND = re.compile(
    r"pkg:(?P<type>[a-z][a-z0-9.+-]*)/|(?P<scheme>[a-z][a-z0-9.+-]*)://|"
    r"(?P<short>cargo|crates|composer|packagist|gem|rubygems|go|golang|hex|maven|nuget|pub|docker|conda|deno|jsr):",
    re.IGNORECASE,
)
"""Packages of other registries, and addresses of other kinds."""
_PACKAGE_LIKE = re.compile(r"(?:npm|pypi):|pkg:(?:npm|pypi)/", re.IGNORECASE)
MAX_ARGUMENT = 4_000
"""Longer than every path that a system takes, and than every address that a server takes."""
MAX_SHOWN = 200
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
    sha256: str | None = None,
    crawl: bool = False,
    choose_tag: Callable[[Sequence[str]], str | None] | None = None,
    listener: Listener = ignore,
    offline: bool = False,
    replace: bool = False,
) -> BuildReport:
    """Index what `argument` names and install it.

    Args:
        argument: a package (`npm:next@16`, a purl), a library of the catalogue (`Next.js@16`), or a place (see `places`).
        store: where it is installed.
        catalogue: which package, or which place, stands for a library's name.
        name: what to call what has no name of its own: a folder, an archive, a file; also a repository.
        pkg_version: the version that it documents.
        tag: the tag or branch of a repository.
        folder: the docs folder inside a repository, a folder, an archive or a package.
        language: which translation is wanted (`de`), or `all`.
        sha256: of a docset file, which is refused when it is another one.
        crawl: of a site without an llms.txt, read the pages below the address too.
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
    given = {"--name": name, "--pkg-version": pkg_version, "--tag": tag, "--path": folder, "--lang": language, "--sha256": sha256}
    empty = next((option for option, value in given.items() if value is not None and not value.strip()), None)
    if not argument or empty is not None:
        raise UsageError(
            f"{empty} is empty" if empty else "There is nothing to add",
            why="an empty argument is often a variable that is not set",
            next_step="Name a package, a library, a folder or an archive; the current folder is `.`."
            if not empty
            else f"Give {empty} a value, or leave it out.",
        )
    if name is not None:
        check_name("--name", name)
    if pkg_version is not None:
        check_version("--pkg-version", pkg_version)
    argument = with_scheme(argument) if crawl and catalogue.by_name(argument) is None else argument
    _check_form(argument)
    picked: list[str] = []

    def choose(tags: Sequence[str]) -> str | None:
        chosen = choose_tag(tags) if choose_tag is not None else None
        picked.extend([chosen] if chosen else [])
        return chosen

    wishes = Wishes(name, pkg_version, tag, folder, language, choose if choose_tag is not None else None, offline, crawl)
    report = _Add(store, catalogue, wishes, sha256, listener, replace)(argument)
    note = Added(
        kept_argument(argument),
        name=name,
        version=pkg_version,
        tag=tag or (picked or [None])[0],
        folder=folder,
        language=language,
        crawl=crawl,
    )
    store.added.note(report.installed.path, note)
    return report


def _check_form(argument: str) -> None:
    """Refuse what no file system and no web server could take."""
    shown = argument if len(argument) <= MAX_SHOWN else f"{argument[:MAX_SHOWN]}…"
    if len(argument) > MAX_ARGUMENT or "\0" in argument:
        raise UsageError(f"{shown!r} cannot be added", why=f"it is longer than {MAX_ARGUMENT:,} characters, or holds a NUL")
    if "://" in argument:
        try:
            _ = urlsplit(argument).port
        except ValueError as error:
            raise UsageError(f"{shown!r} is no address", why=str(error), next_step="Check how it is written.") from error


def kept_argument(argument: str) -> str:
    """What `add` was given as it is remembered: a path in full, an address without credentials."""
    if _is_path(argument):
        return str(expanded(argument).absolute())
    return re.sub(r"(?<=://)[^/@\s]+@", "", argument)


@dataclass(frozen=True, slots=True)
class _Add:
    """One call of `add_source`: which kind of thing the argument is, and what is done with it."""

    store: Store
    catalogue: Catalogue
    wishes: Wishes
    sha256: str | None
    listener: Listener
    replace: bool

    def __call__(self, argument: str) -> BuildReport:
        if is_docset_address(argument) or (argument.lower().endswith(DOCSET_SUFFIX) and "://" not in argument):
            return self._docset(argument)
        if self.sha256 is not None:
            raise UsageError("--sha256 is for docset files", why=f"{argument} is none", next_step="Leave --sha256 out.")
        package = parse_package(argument)
        if package is not None:
            return self._adding().package(self._versioned(package))
        entry, version = (None, None) if _is_place(argument) else _library(argument, self.catalogue)
        if entry is not None:
            self._check_no_place(entry.name)
            return self._adding().library(entry, self._one_version(version, argument))
        inside = installed_package(argument, self.wishes, self.store, self.catalogue)
        if inside is not None:
            return inside
        with source_at(argument, self.wishes, self.catalogue) as source:
            if source is None:
                raise _unknown(argument, self.catalogue)
            return self._built(source, argument)

    def _built(self, source: Source, argument: str) -> BuildReport:
        info = source.info
        target = self.store.path_for(info.name, info.version, info.purl)
        if not self.replace:
            check_origin(kept_argument(argument), target, self.store, way_out=way_out_of_place(argument))
        again = target.exists() and reads_otherwise(self.store.added.of(target), self.wishes)
        report = build_docset(source, self.store, self.listener, replace=self.replace or again)
        namesake = namesake_of(report.installed, self.catalogue)
        if namesake is not None:
            self.listener(Event("notice", _shadows(report.installed, namesake)))
        return report

    def _docset(self, argument: str) -> BuildReport:
        wishes = self.wishes
        given = (wishes.name, wishes.version, wishes.tag, wishes.folder, wishes.crawl)
        if any(given) or wishes.language != DEFAULT_LANGUAGE:
            raise UsageError(
                f"{argument.rpartition('/')[2]} says itself which library and version it holds",
                next_step="Leave the options out.",
            )
        sha256 = checksum(self.sha256) if self.sha256 is not None else None
        if "://" not in argument:
            return install_file(expanded(argument), self.store, sha256=sha256, may_replace=self._may_replace(argument))
        check_online(argument, wishes)
        return install_download(
            argument, self.store, sha256=sha256, listener=self.listener, may_replace=self._may_replace(argument)
        )

    def _may_replace(self, argument: str) -> Callable[[Installed], None]:
        def check(before: Installed) -> None:
            if not self.replace:
                check_origin(kept_argument(argument), before.path, self.store, way_out=way_out_of_file(before))

        return check

    def _adding(self) -> Adding:
        wishes = self.wishes
        return Adding(self.store, self.catalogue, self.listener, wishes.offline, self.replace, wishes.folder, wishes.language)

    def _versioned(self, package: PackageRef) -> PackageRef:
        self._check_no_place(package.text)
        return package.at(self._one_version(package.version, package.text))

    def _check_no_place(self, shown: str) -> None:
        """Refuse the wishes that a package or a library cannot take."""
        for option, value in (("--name", self.wishes.name), ("--tag", self.wishes.tag), ("--crawl", self.wishes.crawl)):
            if value:
                raise UsageError(
                    f"{option} is for {'websites' if option == '--crawl' else 'folders, archives and repositories'}",
                    why=f"{shown} has a name and versions of its own",
                    next_step=f"Leave {option} out; a version is named with @ or --pkg-version.",
                )

    def _one_version(self, version: str | None, shown: str) -> str | None:
        if self.wishes.version is None or version in (None, self.wishes.version):
            return self.wishes.version or version
        raise UsageError("Two versions are given", why=f"{shown} and --pkg-version {self.wishes.version}", next_step="Give one.")


def _shadows(installed: Installed, namesake: Entry) -> str:
    return (
        f"{namesake.name} is a known library: {installed.name} now means {installed.library_id}, for questions and commands. "
        "Give it another --name to keep both."
    )


def _is_place(argument: str) -> bool:
    """Whether this is meant as a place also where the catalogue knows the library: a path that exists, a repository."""
    from docs_researcher.docsets.sources.git_address import parse_git_address

    return exists(argument) or "://" in argument or parse_git_address(argument) is not None


def _is_path(argument: str) -> bool:
    return "://" not in argument and parse_package(argument) is None and exists(argument)


def _library(argument: str, catalogue: Catalogue) -> tuple[Entry | None, str | None]:
    """The library of the catalogue that an argument names, with or without a version."""
    readings: list[tuple[str, str | None]] = [(argument, None)]
    match = _NAME_AND_VERSION.fullmatch(argument)
    library_id = LibraryId.try_parse(argument)
    if library_id is not None:
        readings = [(library_id.base, library_id.version)]
    elif match is not None:
        readings.append((match["name"], match["version"]))
    for text, version in readings:
        entry = catalogue.find(text)
        if entry is not None:
            return entry, version
    return None, None


def _unknown(argument: str, catalogue: Catalogue) -> LibraryNotFound | UsageError:
    if _PACKAGE_LIKE.match(argument):
        return UsageError(
            f"{argument!r} names no package",
            why="the name or the version behind it is missing or cannot be one",
            next_step="Write npm:NAME, npm:NAME@VERSION, pypi:NAME or pypi:NAME==VERSION.",
        )
    kind = _OTHER_KIND.match(argument)
    if kind is not None:
        what = (kind["type"] or kind["scheme"] or kind["short"]).lower()
        read = "npm and PyPI" if kind["scheme"] is None else "http, https, ssh and file"
        return LibraryNotFound(
            f"{argument!r} cannot be read",
            why=f"what is read is of {read}, and this is of {what}",
            next_step="Add its git repository, by its https address, or its documentation as a folder.",
        )
    similar = ", ".join(entry.name for entry in catalogue.similar(argument))
    return LibraryNotFound(
        f"{argument!r} is no folder, no archive, no package and no library of the catalogue",
        why=f"similar names: {similar}" if similar else "",
        next_step="Write a package as npm:NAME or pypi:NAME, a folder as ./NAME, a repository by its address.",
    )
