"""Which docset answers for a library at a version: an installed one, or one that may be fetched now.

The order is: an installed docset of the right version; the registry's archive of the right version; the nearest version that
has documentation, said with its reason. Nothing is ever replaced silently.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import (
    ConsentRequired,
    DocsResearchError,
    LibraryNotFound,
    NoDocumentation,
    PackageNotFound,
    SourceError,
    SourceUnavailable,
    VersionNotFound,
)
from docs_researcher.core.events import Listener, ignore
from docs_researcher.core.library_id import LibraryId
from docs_researcher.docsets.store import Installed, Store
from docs_researcher.library.catalogue import Catalogue, Entry
from docs_researcher.library.packages import PackageRef, parse_package
from docs_researcher.library.versions import best_match, choose_version, parse_version, satisfies

if TYPE_CHECKING:
    from docs_researcher.docsets.fetch import PackageFetcher
    from docs_researcher.library.projects.values import Project


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """What may be fetched without asking: catalogue entries, packages named by purl, dependencies of the asker's project.

    Anything else needs `yes`, or a yes from `confirm`, which is asked with one sentence.
    """

    offline: bool = False
    yes: bool = False
    confirm: Callable[[str], bool] | None = None
    strict_version: bool = False
    named: str | None = None
    """What the asker wrote as the library; a purl allows the fetch of that package."""
    project: Project | None = None
    """The project that is asked in; what it names itself may be fetched."""

    def who_asks(self, package: PackageRef | None, version: str) -> str:
        """The beginning of a sentence about a version that does not answer: who wanted it, the asker or the project."""
        has = self.project.find(package.type, package.name) if self.project is not None and package is not None else None
        return "This project uses" if has is not None and has.version == version else "You asked for"

    def allows(self, package: PackageRef, entry: Entry | None) -> bool:
        """Whether this package may be fetched now."""
        if entry is not None or self.yes or (self.project is not None and self.project.names(package)):
            return True
        named = parse_package(self.named) if self.named else None
        if named is not None and (named.type, named.name) == (package.type, package.name):
            return True
        return self.confirm is not None and self.confirm(f"Fetch {package.text}, which is not in the catalogue?")


@dataclass(frozen=True, slots=True)
class Acquired:
    """The docset that answers, how its version was chosen, and what the asker has to know."""

    installed: Installed
    version_choice: str
    notices: tuple[Notice, ...] = ()
    fetch_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Target:
    """A version to fetch, and how it came to be chosen."""

    version: str
    how: str
    reason: str = ""
    """Why it is not the version asked for; empty when it is."""


class Acquirer:
    """Finds or fetches docsets. May be used from several threads; one library is fetched once."""

    def __init__(
        self, store: Store, catalogue: Catalogue, policy: FetchPolicy | None = None, listener: Listener = ignore
    ) -> None:
        self._store = store
        self._catalogue = catalogue
        self._policy = policy or FetchPolicy()
        self._listener = listener
        self._locks: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()

    @cached_property
    def _fetcher(self) -> PackageFetcher:
        # Only a fetch needs the builder and its readers; an answer from an installed docset does not wait for their import.
        from docs_researcher.docsets.fetch import PackageFetcher

        return PackageFetcher(self._store, self._listener)

    def package(self, base: str) -> PackageRef | None:
        """The registry package that a library id stands for, or None (a folder of the user's, an unknown id)."""
        entry = self._catalogue.by_id(base)
        if entry is not None:
            return entry.package
        parsed = LibraryId.try_parse(base)
        if parsed is None or parsed.owner not in ("npm", "pypi"):
            return None
        return parse_package(f"{parsed.owner}:{parsed.project}")

    def installed(self, package: PackageRef) -> Installed | None:
        """The installed docset of a package, at the version that it names or the newest."""
        base = self.library_id(package)
        return _installed_match(self._store.find(base), package.version)

    def library_id(self, package: PackageRef) -> str:
        """The id (without version) under which a package's documentation is installed."""
        entry = self._catalogue.by_package(package)
        return entry.id if entry is not None else f"/{package.type}/{package.name}"

    def acquire(self, base: str, asked: str | None = None) -> Acquired:
        """The docset for a library id without version, at the version asked for (exact, major, range or None).

        Raises:
            LibraryNotFound: nothing is installed under this id and nothing can be fetched for it.
            VersionNotFound: another version would have to answer and the policy is strict.
            SourceError: it would have to be fetched, and cannot be.
            NoDocumentation: its package holds none.
            StoreUnwritable: there is no room for it.
        """
        with self._lock(base):
            installed = self._store.find(base)
            chosen = _installed_match(installed, asked)
            if chosen is not None:
                how = "newest installed" if asked is None else _fits(asked, chosen.version, "installed")
                return Acquired(chosen, how, coverage_notices(chosen))
            try:
                return self._from_registry(base, asked, installed)
            except (SourceError, LibraryNotFound, NoDocumentation) as error:
                return self._nearest_installed(base, asked, installed, error)

    def _from_registry(self, base: str, asked: str | None, installed: Sequence[Installed]) -> Acquired:
        package = self.package(base)
        if package is None:
            raise LibraryNotFound(
                f"No documentation is installed for {base}",
                why="no package is known that holds it",
                next_step="Add it with: docs-research add FOLDER, or docs-research add npm:NAME",
            )
        entry, since = self._catalogue.by_package(package), self._since(package)
        if since and asked and _is_below(asked, since) and (near := _same_line(installed, since)) is not None:
            return self._substituted(near, asked, _why_since(package, since), 0.0, fetched=False)
        self._check_may_fetch(package, entry)
        started = time.monotonic()
        target = self.released(package, asked)
        if target.reason and self._policy.strict_version:
            raise _strict(base, asked, target.version, target.reason)
        present = next((item for item in installed if item.version == target.version), None)
        if present is not None:  # what the registry would give is here already
            if target.reason:
                return self._substituted(present, asked or "", target.reason, 0.0, fetched=False)
            return Acquired(present, target.how, coverage_notices(present))
        report = self._fetcher.fetch(package, target.version, entry)
        seconds = time.monotonic() - started
        if target.reason:
            return self._substituted(report.installed, asked or "", target.reason, seconds, fetched=True)
        notices = (_fetched(report.installed), *coverage_notices(report.installed))
        return Acquired(report.installed, target.how, notices, seconds)

    def _check_may_fetch(self, package: PackageRef, entry: Entry | None) -> None:
        if self._policy.offline:
            raise SourceUnavailable(
                f"{package.text} is not installed",
                why="--offline forbids fetching it",
                next_step=f"Run once without --offline, or: docs-research add {package.text}",
            )
        if not self._policy.allows(package, entry):
            raise ConsentRequired(
                f"{package.text} may not be fetched without being asked for",
                why="it is not in the catalogue and was not named as a package",
                next_step=f"Name it (--library {package.text}) or pass --yes.",
            )

    def released(self, package: PackageRef, asked: str | None) -> Target:
        """The version to fetch. Asks the registry for its newest first; for all versions only when that decides nothing.

        Raises:
            PackageNotFound, SourceUnavailable, SourceRefused: as the registry answers.
        """
        since = self._since(package)
        if asked is None:
            return Target(self._fetcher.newest(package), "newest release")
        if since and _is_below(asked, since):
            return Target(since, "", _why_since(package, since))
        if _is_exact(asked):
            exact = asked.lstrip("v")
            if self._fetcher.offers(package, exact):
                return Target(exact, _fits(asked, exact, "released"))
        else:
            newest = self._fetcher.newest(package)
            if satisfies(asked, newest):
                return Target(newest, _fits(asked, newest, "released"))
        offered = self._fetcher.versions(package)
        with_docs = [version for version in offered if not since or not _is_below(version, since)]
        choice = choose_version(asked, with_docs)
        if choice.version is None:
            raise PackageNotFound(
                f"{package.type} offers no version of {package.name} near {asked}",
                next_step=f"Ask without a version, or list what there is: docs-research show {package.text}",
            )
        if not choice.substituted:
            return Target(choice.version, _fits(asked, choice.version, "released"))
        return Target(choice.version, "", f"{package.type} has no version {asked} of {package.name}")

    def _since(self, package: PackageRef) -> str | None:
        """The first version of a package that holds its documentation, where the catalogue says so."""
        entry = self._catalogue.by_package(package)
        if entry is None or entry.docs is None or entry.docs.package != package.text:
            return None
        return entry.docs.since

    def _nearest_installed(
        self, base: str, asked: str | None, installed: Sequence[Installed], error: DocsResearchError
    ) -> Acquired:
        """Answer from what is installed when the right version cannot be fetched; else the error stands."""
        versions = [item.version for item in installed if item.version]
        choice = choose_version(asked, versions) if asked else None
        near = next((item for item in installed if choice is not None and item.version == choice.version), None)
        if near is None:
            near = installed[0] if installed else None
        if near is None:
            raise error
        only = f"only {', '.join(versions) or 'an unversioned copy'} is installed"
        reason = only if isinstance(error, LibraryNotFound) else _as_reason(error)
        if self._policy.strict_version:
            raise _strict(base, asked, near.version, reason) from error
        return self._substituted(near, asked or "", reason, 0.0, fetched=False)

    def _substituted(self, installed: Installed, asked: str, reason: str, seconds: float, *, fetched: bool) -> Acquired:
        if self._policy.strict_version:
            raise _strict(installed.library_id, asked, installed.version, reason)
        version = installed.version or "an unversioned copy"
        who = self._policy.who_asks(self.package(installed.library_id), asked)
        notice = Notice(
            "version_substituted",
            f"{who} {installed.meta.title} {asked}; this is from the documentation of {version}, because {reason}.",
        )
        notices = (notice, _fetched(installed)) if fetched else (notice,)
        notices += coverage_notices(installed)
        return Acquired(installed, f"nearest to {asked} that has documentation", notices, seconds)

    def _lock(self, base: str) -> threading.Lock:
        with self._guard:
            return self._locks.setdefault(base, threading.Lock())


def _installed_match(installed: Sequence[Installed], asked: str | None) -> Installed | None:
    if asked is None:
        return installed[0] if installed else None
    version = best_match(asked, [item.version for item in installed if item.version])
    return next((item for item in installed if version is not None and item.version == version), None)


def _same_line(installed: Sequence[Installed], version: str) -> Installed | None:
    """An installed docset of the same major version, which spares a download that would say much the same."""
    major = version.split(".")[0]
    return _installed_match(installed, major)


def _is_below(asked: str, since: str) -> bool:
    """Whether every version that fits `asked` (a full or partial version) is older than `since`."""
    wanted, first = parse_version(asked), parse_version(since)
    return wanted is not None and first is not None and wanted.key < first.key and not satisfies(asked, since)


def _is_exact(asked: str) -> bool:
    """Whether this names one release: at least three numbers."""
    version = parse_version(asked)
    return version is not None and len(version.numbers) >= 3


def _fits(asked: str, version: str | None, where: str) -> str:
    exact = version is not None and asked.lstrip("v") == version.lstrip("v")
    return "asked for" if exact else f"newest {where} that fits {asked}"


def _why_since(package: PackageRef, since: str) -> str:
    registry = {"npm": "npm", "pypi": "PyPI"}[package.type]
    return f"the {registry} package {package.name} holds its documentation only from {since} on"


def _fetched(installed: Installed) -> Notice:
    return Notice("fetched", f"Fetched and indexed {installed.meta.title} {installed.version or ''}".rstrip() + "; it is kept.")


def _as_reason(error: DocsResearchError) -> str:
    """An error as the end of a sentence that begins with "because"."""
    if isinstance(error, SourceUnavailable) and "--offline" not in error.why:
        return error.what  # the system's own words behind it ("[Errno 111] ...") tell a reader nothing
    return error.why or error.what


def coverage_notices(installed: Installed) -> tuple[Notice, ...]:
    """What the asker has to know about a docset that holds no guide."""
    held = {"reference": "README and declarations", "readme": "README"}.get(installed.meta.coverage)
    if held is None:
        return ()
    title = installed.meta.title
    return (Notice("reference_only", f"The package of {title} ships no guide; the answer is from its {held}."),)


def _strict(base: str, asked: str | None, nearest: str | None, reason: str) -> VersionNotFound:
    return VersionNotFound(
        f"{base} has no documentation for {asked or 'that version'}",
        why=reason,
        next_step=f"The nearest is {nearest}; ask without --strict-version to use it." if nearest else "",
    )
