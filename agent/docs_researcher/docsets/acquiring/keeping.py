"""Keeping the installed docsets in order: which are outdated, bringing them up to date, and whether their files are sound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.core.errors import DocsetInvalid, DocsResearchError
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.acquiring.fetch import PackageFetcher
from docs_researcher.docsets.installed.added import Added
from docs_researcher.docsets.installed.store import Broken, Installed, Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.packages import PackageRef, parse_package
from docs_researcher.library.versions import parse_version

if TYPE_CHECKING:
    from docs_researcher.docsets.sources.git_address import GitAddress

ASK_SECONDS = 10.0
"""How long a code host may take to say which tags it has."""


@dataclass(frozen=True, slots=True)
class Age:
    """How an installed library stands to what there is now.

    Attributes:
        installed: its newest installed version.
        newest: the newest release; None when nobody can be asked, or the one asked did not answer.
        why: why it is not known; empty when it is.
        tag: the tag of the newest release, where it lies in a git repository.
    """

    installed: Installed
    newest: str | None
    why: str = ""
    tag: str | None = None
    failed: bool = False
    """Whether it could not be asked for, where `why` may also be that there are no releases."""

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
    """What became of one library: the new docset, or why there is none. `failed` is set when one was to be had."""

    age: Age
    report: BuildReport | None = None
    why: str = ""
    failed: bool = False


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


def ages(libraries: Sequence[Installed], store: Store, catalogue: Catalogue, listener: Listener = ignore) -> Iterator[Age]:
    """Ask registries and code hosts what their newest releases are. A failure is told for the library that it concerns."""
    for number, item in enumerate(libraries):
        if isinstance(item, Broken):
            yield Age(item, None, item.error.message)
            continue
        listener(Event("fetch", f"asking for {item.name}", number, len(libraries)))
        try:
            yield _age(item, store, catalogue, listener)
        except DocsResearchError as error:
            yield Age(item, None, error.message, failed=True)


def _age(item: Installed, store: Store, catalogue: Catalogue, listener: Listener) -> Age:
    added = store.added.of(item.path)
    address = _repository(added, catalogue) if item.meta.purl is None else None
    if address is not None and added is not None and item.version is not None and added.version is None:
        from docs_researcher.docsets.sources.git_refs import list_refs, newest_version

        tag, newest = newest_version(list_refs(address, seconds=ASK_SECONDS), address.name)
        return Age(item, newest, "" if newest else "its repository has no tags", tag)
    package = None if _is_place(added, catalogue) else _package_of(item, catalogue)
    if package is None:
        again = "; docs-research update LIB reads it again" if added is not None else ""
        return Age(item, None, f"it is no package, so it has no releases that could be asked for{again}")
    return Age(item, PackageFetcher(store, listener).newest(package))


def _package_of(item: Installed, catalogue: Catalogue) -> PackageRef | None:
    """The package whose releases decide whether a docset is outdated: its own, or that of the library that it is a guide of."""
    package = parse_package(item.meta.purl) if item.meta.purl else None
    if package is not None:
        return package.at(None)
    entry = catalogue.by_id(item.library_id)
    return entry.package if entry is not None else None


def _is_place(added: Added | None, catalogue: Catalogue) -> bool:
    """Whether what was added is a place: a path, a repository, an address."""
    if added is None or parse_package(added.argument) is not None or catalogue.by_id(added.argument) is not None:
        return False
    from docs_researcher.docsets.sources.git_address import parse_git_address

    argument = added.argument
    return "://" in argument or Path(argument).is_absolute() or parse_git_address(argument) is not None


def _repository(added: Added | None, catalogue: Catalogue) -> GitAddress | None:
    if added is None or not _is_place(added, catalogue):
        return None
    from docs_researcher.docsets.sources.git_address import GitAddress, parse_git_address

    path = Path(added.argument)
    if path.is_absolute():
        return GitAddress(path.as_uri(), "", path.name) if added.tag is not None else None
    return parse_git_address(added.argument)


def update(libraries: Sequence[Installed], store: Store, catalogue: Catalogue, listener: Listener = ignore) -> Iterator[Updated]:
    """Bring libraries up to date, with the options that they were added with.

    Of a package, or a repository with tags, the newest release is installed beside the one that was there, since a project may
    still use that. A folder, a file, a site or a branch is read again, and so is what is damaged, at the version that it has.
    """
    for age in ages(libraries, store, catalogue, listener):
        try:
            yield _updated(age, store, catalogue, listener)
        except DocsResearchError as error:
            yield Updated(age, why=error.message, failed=True)


def _updated(age: Age, store: Store, catalogue: Catalogue, listener: Listener) -> Updated:
    item = age.installed
    if not is_sound(item, store):
        return _mended(age, store, catalogue, listener)
    added = store.added.of(item.path)
    better = _may_have_guide(item, catalogue)
    if age.newest is not None and not age.is_outdated and not better:
        return Updated(age)
    if added is not None and _is_place(added, catalogue):
        if item.version is not None and age.newest is None and _repository(added, catalogue) is not None and not added.version:
            return Updated(age, why=age.why)
        return _added_again(age, replace(added, tag=age.tag or added.tag), store, catalogue, listener)
    package = _package_of(item, catalogue)
    if package is None or age.newest is None:
        return Updated(age, why=age.why)
    argument = package.text if item.meta.purl is not None and not better else item.library_id
    again = replace(added or Added(argument), argument=argument, version=None, tag=None)
    return _added_again(age, again, store, catalogue, listener)


def is_sound(item: Installed, store: Store) -> bool:
    """Whether the file of a docset is what was written."""
    try:
        store.open(item).check()
    except DocsetInvalid:
        return False
    return True


def _mended(age: Age, store: Store, catalogue: Catalogue, listener: Listener) -> Updated:
    """A damaged docset read again from where it is known to be from."""
    item = age.installed
    added, package = store.added.of(item.path), parse_package(item.meta.purl or "")
    if added is None or not _is_place(added, catalogue):
        if package is None and (added is None or catalogue.by_id(added.argument) is None):
            why = f"{item.path} is damaged, and it is not known where it is from: docs-research add SOURCE --name {item.name}"
            return Updated(age, why=f"{why}, or docs-research remove {item.label}", failed=True)
        argument = package.text if package is not None else item.library_id
        version = item.version if package is None else None
        added = replace(added or Added(argument), argument=argument, version=version, tag=None)
    return _added_again(age, added, store, catalogue, listener)


def _added_again(age: Age, added: Added, store: Store, catalogue: Catalogue, listener: Listener) -> Updated:
    from docs_researcher.docsets.acquiring.add import add_source

    item = age.installed
    is_damaged = not is_sound(item, store)
    had_vectors = not is_damaged and store.open(item).vectors_model is not None
    report = add_source(
        added.argument,
        store=store,
        catalogue=catalogue,
        name=added.name,
        pkg_version=added.version,
        tag=added.tag,
        folder=added.folder,
        language=added.language,
        crawl=added.crawl,
        listener=listener,
        replace=is_damaged or _is_place(added, catalogue) or item.meta.is_by_older_builder,
    )
    if added.by == "question":  # an update is no reason to keep for ever what a question fetched
        store.added.forget(report.installed.path)
        store.added.note(report.installed.path, added)
    why = _with_vectors(report, store, listener) if had_vectors else ""
    same = not is_damaged and report.installed.path == item.path and report.installed.meta == item.meta
    return Updated(age, why=why) if same else Updated(age, report, why)


def _with_vectors(report: BuildReport, store: Store, listener: Listener) -> str:
    """Let the new docset be searched by meaning as the one before was; why that could not be done, else empty."""
    from docs_researcher.docsets.vectors.make import add_vectors

    try:
        add_vectors(report.installed, store, listener)
    except DocsResearchError as error:
        return f"it is not searched by meaning any more: {error.message}"
    return ""


def _may_have_guide(item: Installed, catalogue: Catalogue) -> bool:
    """Whether this holds declarations only, while the catalogue knows where the library's guide lies."""
    entry = catalogue.by_id(item.library_id)
    return bool(item.meta.coverage) and entry is not None and entry.guide_at is not None


def verify(libraries: Sequence[Installed], store: Store) -> Iterator[Verified]:
    """Read every file whole. What it says about itself must be what it holds."""
    for item in libraries:
        try:
            store.open(item).check()
            yield Verified(item)
        except DocsResearchError as error:
            yield Verified(item, (error.why or error.what).removeprefix(f"{item.path}: "))
