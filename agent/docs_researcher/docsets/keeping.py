"""Keeping the installed docsets in order: which are outdated, bringing them up to date, and whether their files are sound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docs_researcher.core.errors import DocsResearchError
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.docsets.build import BuildReport
from docs_researcher.docsets.fetch import PackageFetcher
from docs_researcher.docsets.store import Installed, Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.packages import PackageRef, parse_package
from docs_researcher.library.versions import parse_version


@dataclass(frozen=True, slots=True)
class Age:
    """How an installed library stands to what there is now.

    Attributes:
        installed: its newest installed version.
        newest: the newest release; None when nobody can be asked, or the one asked did not answer.
        why: why it is not known; empty when it is.
    """

    installed: Installed
    newest: str | None
    why: str = ""

    @property
    def is_outdated(self) -> bool:
        """Whether there is a newer release than the newest installed one, or the same would make a better docset today."""
        if self.newest is None or self.installed.version is None:
            return False
        if self.installed.meta.is_by_older_builder:
            return True
        here, there = parse_version(self.installed.version), parse_version(self.newest)
        return here is not None and there is not None and here.key < there.key


@dataclass(frozen=True, slots=True)
class Updated:
    """What became of one library: the new docset, or why there is none."""

    age: Age
    report: BuildReport | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Verified:
    """Whether the file of an installed docset is sound; `problem` is empty when it is."""

    installed: Installed
    problem: str = ""


def newest_of_each(store: Store) -> tuple[Installed, ...]:
    """The newest installed version of every library."""
    newest: dict[str, Installed] = {}
    for item in store.installed():
        newest.setdefault(item.library_id, item)
    return tuple(newest.values())


def ages(libraries: Sequence[Installed], store: Store, listener: Listener = ignore) -> Iterator[Age]:
    """Ask the registries what their newest releases are. A failure is told for the library that it concerns."""
    fetcher = PackageFetcher(store, listener)
    for number, item in enumerate(libraries):
        listener(Event("fetch", f"asking for {item.name}", number, len(libraries)))
        package = _package(item)
        if package is None:
            yield Age(item, None, f"it is no package; add it again to renew it{_from(item)}")
            continue
        try:
            yield Age(item, fetcher.newest(package))
        except DocsResearchError as error:
            yield Age(item, None, error.message)


def update(libraries: Sequence[Installed], store: Store, catalogue: Catalogue, listener: Listener = ignore) -> Iterator[Updated]:
    """Install the newest release of every library that is outdated. Older versions stay: a project may still use them."""
    for age in ages(libraries, store, listener):
        package = _package(age.installed)
        if package is None or age.newest is None or not age.is_outdated:
            yield Updated(age, why=age.why)
            continue
        try:
            report = PackageFetcher(store, listener).fetch(package, age.newest, catalogue.by_package(package))
            yield Updated(age, report)
        except DocsResearchError as error:
            yield Updated(age, why=error.message)


def verify(libraries: Sequence[Installed], store: Store) -> Iterator[Verified]:
    """Read every file whole. What it says about itself must be what it holds."""
    for item in libraries:
        try:
            docset = store.open(item)
            docset.check()
            pieces = sum(1 for _ in docset.pieces())
            wrong = f"it says {item.meta.chunks} chunks and holds {pieces}" if pieces != item.meta.chunks else ""
            yield Verified(item, wrong)
        except DocsResearchError as error:
            yield Verified(item, error.why or error.what)


def _package(item: Installed) -> PackageRef | None:
    package = parse_package(item.meta.purl) if item.meta.purl else None
    return package.at(None) if package is not None else None


def _from(item: Installed) -> str:
    return f": docs-research add {item.meta.source_url}" if item.meta.source_url else ""
