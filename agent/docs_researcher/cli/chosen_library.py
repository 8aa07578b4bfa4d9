"""Which installed library the argument LIB names: an id, a name of the catalogue, a package, each with or without a version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docs_researcher.core.errors import DocsetInvalid, DocsResearchError, LibraryNotFound, VersionNotFound
from docs_researcher.core.library_id import LibraryId
from docs_researcher.docsets.installed.store import Installed, Store


@dataclass(frozen=True, slots=True)
class NamedLibrary:
    """What LIB names: the installed versions, newest first, and the version that was asked for."""

    versions: tuple[Installed, ...]
    asked: str | None

    def chosen(self) -> Installed:
        """The version asked for, else the newest.

        Raises:
            VersionNotFound: that version is not installed.
        """
        if self.asked is None:
            return self.versions[0]
        for installed in self.versions:
            if installed.version == self.asked:
                return installed
        return self._best(self.asked)

    def _best(self, asked: str) -> Installed:
        from docs_researcher.library.versions import best_match

        known = [installed.version for installed in self.versions if installed.version is not None]
        best = best_match(asked, known)
        for installed in self.versions:
            if best is not None and installed.version == best:
                return installed
        raise VersionNotFound(
            f"{self.versions[0].library_id} is not installed at {asked}",
            why=f"installed: {', '.join(known) or 'a copy without a version'}",
            next_step="Leave the version out to use the newest installed one, or add it with `docs-research add`.",
        )


def named_library(text: str, store: Store) -> NamedLibrary:
    """Find what LIB names among the installed libraries.

    Raises:
        LibraryNotFound: nothing of that name is installed.
        DocsetInvalid: only a damaged file is.
    """
    text = text.strip()
    found = _by_id(text, store) if text.startswith("/") else _by_package_or_name(text, store)
    if found is None:
        raise _not_installed(text, store)
    return found


def _by_id(text: str, store: Store) -> NamedLibrary | None:
    parsed = LibraryId.try_parse(text.rstrip("/"))
    if parsed is None:
        return None
    versions = store.find(parsed.base)
    return NamedLibrary(tuple(versions), parsed.version) if versions else None


def _by_package_or_name(text: str, store: Store) -> NamedLibrary | None:
    from docs_researcher.library.packages import parse_package

    package = parse_package(text)
    if package is not None:
        versions = _with_purl(package.at(None).purl, store.installed())
        return NamedLibrary(versions, package.version) if versions else None
    for name, asked in _readings(text):
        versions = _by_name(name, store)
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


def _by_name(name: str, store: Store) -> tuple[Installed, ...]:
    installed = store.installed()
    wanted = name.casefold()
    own = tuple(item for item in installed if wanted in (item.name.casefold(), item.library_id.rsplit("/", 1)[-1].casefold()))
    if own:
        return tuple(item for item in own if item.library_id == own[0].library_id)
    from docs_researcher.library.catalogue import Catalogue

    entry = Catalogue.load().find(name)
    return tuple(store.find(entry.id)) if entry is not None else ()


def _names(text: str) -> Iterator[str]:
    """What the file of a library that LIB names may be called after."""
    from docs_researcher.library.packages import parse_package

    parsed, package = LibraryId.try_parse(text.rstrip("/")), parse_package(text)
    if parsed is not None:
        yield from (parsed.base.strip("/"), parsed.project)
    if package is not None:
        yield package.name
    yield from (name for name, _ in _readings(text))


def _with_purl(purl: str, installed: Sequence[Installed]) -> tuple[Installed, ...]:
    return tuple(item for item in installed if (item.meta.purl or "").rpartition("@")[0] == purl or item.meta.purl == purl)


def _not_installed(text: str, store: Store) -> DocsResearchError:
    damaged = store.damaged(*_names(text)) if text else None
    if damaged is not None:
        return DocsetInvalid(
            f"The docset of {text} is damaged",
            why=f"{damaged.path.name}: {damaged.reason}",
            next_step="docs-research verify names the file; add the library again with: docs-research add SOURCE --replace",
        )
    installed = list(dict.fromkeys(item.library_id for item in store.installed()))
    return LibraryNotFound(
        f"{text or 'An empty name'} is not installed",
        why=f"installed: {', '.join(installed[:10])}" if installed else "nothing is installed yet",
        next_step="Add it with `docs-research add SOURCE`; `docs-research list` shows what there is.",
    )
