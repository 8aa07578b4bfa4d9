"""Which installed library a text names: an id, a name of the catalogue, a package, each with or without a version.

The argument LIB of the commands and the libraries of our MCP server are read here alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docs_researcher.core.errors import UsageError, VersionNotFound
from docs_researcher.core.library_id import LibraryId
from docs_researcher.docsets.installed.store import Broken, Installed, Store


@dataclass(frozen=True, slots=True)
class NamedLibrary:
    """What a text names: the installed versions, newest first, damaged ones among them, and the version that was asked for."""

    versions: tuple[Installed, ...]
    asked: str | None

    def chosen(self) -> Installed:
        """The version asked for, else the newest.

        Raises:
            VersionNotFound: that version is not installed.
            DocsetInvalid, DocsetUnreadable: its file cannot be used.
        """
        file = self.file()
        if isinstance(file, Broken):
            raise file.error
        return file

    def file(self) -> Installed:
        """As `chosen`, also where the file is damaged.

        Raises:
            VersionNotFound: that version is not installed.
        """
        if self.asked is None:
            return self.versions[0]
        for installed in self.versions:
            if installed.version == self.asked:
                return installed
        return self._best(self.asked)

    def only(self) -> Installed:
        """As `file`, for what must not be guessed.

        Raises:
            UsageError: no version was asked for and several are installed.
            VersionNotFound: that version is not installed.
        """
        if self.asked is None and len(self.versions) > 1:
            raise UsageError(
                f"{self.versions[0].library_id} is installed in several versions",
                why=", ".join(_shown(installed) for installed in self.versions),
                next_step=f"Name one: docs-research remove {self.versions[0].label}",
            )
        return self.file()

    def _best(self, asked: str) -> Installed:
        from docs_researcher.library.versions import best_match

        known = [installed.version for installed in self.versions if installed.version is not None]
        best = best_match(asked, known)
        for installed in self.versions:
            if best is not None and installed.version == best:
                return installed
        newest = self.versions[0]
        source = (
            f"FOLDER --name {newest.name} --pkg-version {asked}" if newest.meta.purl is None else f"{newest.library_id}/{asked}"
        )
        raise VersionNotFound(
            f"{newest.library_id} is not installed at {asked}",
            why=f"installed: {', '.join(known) or 'a copy without a version'}",
            next_step=f"Leave the version out to use the newest installed one, or add it: docs-research add {source}",
        )


def installed_under(text: str, store: Store) -> NamedLibrary | None:
    """What a text names among the installed libraries and the damaged files of such; None where it names nothing.

    Raises:
        DocsetUnreadable: the store may not be read.
    """
    text = text.strip()
    files = store.listing().files
    return _by_id(text, files) if text.startswith("/") else _by_package_or_name(text, files)


def _by_id(text: str, files: Sequence[Installed]) -> NamedLibrary | None:
    parsed = LibraryId.try_parse(text.rstrip("/"))
    if parsed is None:
        return None
    versions = _with_id(parsed.base, files)
    return NamedLibrary(versions, parsed.version) if versions else None


def _with_id(base: str, files: Sequence[Installed]) -> tuple[Installed, ...]:
    wanted = {base.casefold()}
    if any(isinstance(item, Broken) for item in files):  # such a file may say no more than its package
        from docs_researcher.library.catalogue import Catalogue

        entry = Catalogue.load().by_id(base)
        package = entry.package if entry is not None else None
        wanted |= {f"/{package.type}/{package.name}".casefold()} if package is not None else set()
    return tuple(item for item in files if item.library_id.casefold() in wanted)


def _by_package_or_name(text: str, files: Sequence[Installed]) -> NamedLibrary | None:
    from docs_researcher.library.packages import parse_package

    package = parse_package(text)
    if package is not None:
        versions = _with_purl(package.at(None).purl, files)
        return NamedLibrary(versions, package.version) if versions else None
    for named in (_own, _own_namesake, _by_name, _as_given):
        for name, asked in _readings(text):
            versions = named(name, files)
            if versions:
                return NamedLibrary(versions, asked)
    return None


def _readings(text: str) -> list[tuple[str, str | None]]:
    """`next@15` is a name with a version, unless something is installed under all of it."""
    readings: list[tuple[str, str | None]] = [(text, None)]
    for mark in ("==", "@"):
        cut = text.find(mark, 1)
        if cut > 0 and text[cut + len(mark) :]:
            readings.append((text[:cut].strip(), text[cut + len(mark) :].strip()))
    return readings


def _is_own(item: Installed) -> bool:
    return item.meta.purl is None and item.library_id.startswith("/local/")


def _own(name: str, files: Sequence[Installed]) -> tuple[Installed, ...]:
    """What the user added by this name: it is meant before a library that is called so, as in a question."""
    return _versions(tuple(item for item in files if _is_own(item) and item.name.casefold() == name.casefold()), files)


def _own_namesake(name: str, files: Sequence[Installed]) -> tuple[Installed, ...]:
    """What the user called by a known library's full name: all names of that library mean it."""
    own = [item for item in files if _is_own(item)]
    if not own:
        return ()
    from docs_researcher.docsets.installed.known import full_namesake_of
    from docs_researcher.library.catalogue import Catalogue

    catalogue = Catalogue.load()
    entry = catalogue.by_name(name)
    return _versions([item for item in own if entry is not None and full_namesake_of(item, catalogue) == entry], files)


def _as_given(name: str, files: Sequence[Installed]) -> tuple[Installed, ...]:
    """What the user added by a name with spaces or other marks, which its id has not."""
    from docs_researcher.docsets.names import slug_of

    return _own(slug_of(name), files)


def _versions(found: Sequence[Installed], files: Sequence[Installed]) -> tuple[Installed, ...]:
    return tuple(item for item in files if found and item.library_id == found[0].library_id)


def _by_name(name: str, files: Sequence[Installed]) -> tuple[Installed, ...]:
    wanted = name.casefold()
    own = tuple(item for item in files if wanted in (item.name.casefold(), item.library_id.rsplit("/", 1)[-1].casefold()))
    if own:
        return _versions(own, files)
    from docs_researcher.library.catalogue import Catalogue

    entry = Catalogue.load().find(name)
    return _with_id(entry.id, files) if entry is not None else ()


def _with_purl(purl: str, files: Sequence[Installed]) -> tuple[Installed, ...]:
    return tuple(item for item in files if (item.meta.purl or "").rpartition("@")[0] == purl or item.meta.purl == purl)


def _shown(installed: Installed) -> str:
    version = installed.version or "without a version"
    return f"{version} (cannot be used)" if isinstance(installed, Broken) else version
