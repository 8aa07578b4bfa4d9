"""Which docset answers for a library at a version: an installed one, or one that may be fetched now.

The order is: an installed docset of the right version; the registry's archive where it holds a guide; the git repository or the
llms.txt that the catalogue names; what the package declares, with its README; the nearest version that has documentation, said
with its reason. Nothing is ever replaced silently.
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
    DocsetError,
    DocsResearchError,
    LibraryNotFound,
    NoDocumentation,
    PackageNotFound,
    SourceError,
    SourceRefused,
    SourceUnavailable,
)
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.core.library_id import LibraryId
from docs_researcher.docsets.acquiring.notices import coverage_notices, fetched_notice
from docs_researcher.docsets.acquiring.refusals import (
    as_reason,
    not_fetched,
    strict,
    unknown_package,
    unreadable,
    why_edition,
    with_missed,
)
from docs_researcher.docsets.acquiring.targets import Target, choose_release, fits, installed_match, newest_edition, ships_guide
from docs_researcher.docsets.installed.added import Added, By
from docs_researcher.docsets.installed.pruning import DISK_MB, prune
from docs_researcher.docsets.installed.store import Installed, Store
from docs_researcher.library.catalogue import Catalogue, Entry
from docs_researcher.library.packages import PackageRef, parse_package
from docs_researcher.library.versions import choose_version, satisfies

if TYPE_CHECKING:
    from docs_researcher.docsets.acquiring.build import BuildReport
    from docs_researcher.docsets.acquiring.fetch import PackageFetcher
    from docs_researcher.docsets.acquiring.outside import Outside
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
    disk_mb: int = DISK_MB
    """Megabytes that documentation fetched by questions may take; what was used least recently goes first."""
    by: By = "question"
    """Who wants it: what the user adds is never removed to make room."""

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
        from docs_researcher.docsets.acquiring.fetch import PackageFetcher

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
            DocsetInvalid: the only docset of it is damaged, and there is no other place that it could be read from.
        """
        with self._lock(base):
            installed = self._installed(base)
            chosen = installed_match(installed, asked)
            if chosen is not None:
                self._store.added.touch(chosen.path)
                how = "newest installed" if asked is None else fits(asked, chosen.version, "installed")
                return Acquired(chosen, how, self._coverage(chosen))
            current = None if self._policy.strict_version else newest_edition(installed, asked)
            if current is not None:
                self._store.added.touch(current.path)
                return self._substituted(current, asked or "", why_edition(current))
            inside = self._embedded(base, asked)
            if inside is not None:
                return inside
            try:
                return self._fetched(base, asked, installed)
            except (SourceError, LibraryNotFound, NoDocumentation) as error:
                return self._nearest_installed(base, asked, installed, error)

    def _installed(self, base: str) -> tuple[Installed, ...]:
        """What is installed of a library, by its id or that of its package: a catalogue that learns a library changes its id."""
        package = self.package(base)
        ids = [base]
        if package is not None:
            entry = self._catalogue.by_package(package)
            ids += [f"/{package.type}/{package.name}", *([entry.id] if entry is not None else [])]
        return next((found for known in ids if (found := self._store.find(known))), ())

    def _embedded(self, base: str, asked: str | None) -> Acquired | None:
        """The docset inside the copy of the package that the asker's project has installed, where it is of the right version."""
        package, project = self.package(base), self._policy.project
        if package is None or project is None or project.find(package.type, package.name) is None:
            return None
        from docs_researcher.docsets.installed.embedded import embedded_in_project, install_embedded

        found = embedded_in_project(project.root, package)
        version = found.package.version if found is not None else None
        if found is None or version is None or not (asked is None or satisfies(asked, version)):
            return None
        try:
            installed = install_embedded(found, base, self._store)
        except DocsetError as error:
            self._listener(Event("notice", error.message))
            return None
        self._store.added.note(installed.path, Added(package.text, self._policy.by))
        return Acquired(installed, "installed in the project", self._coverage(installed))

    def _fetched(self, base: str, asked: str | None, installed: Sequence[Installed]) -> Acquired:
        package, entry = self.package(base), self._catalogue.by_id(base)
        if package is None and (entry is None or entry.guide_at is None):
            damaged = self._store.damaged(base)
            raise damaged.error if damaged is not None else unknown_package(base, entry)
        self._check_may_fetch(base, package, entry)
        started = time.monotonic()
        outside = self._outside(entry)
        try:
            target = self.released(package, asked) if package is not None else None
        except (PackageNotFound, SourceUnavailable, SourceRefused) as error:
            report = self._guide(outside, asked, None, package)
            if report is None:
                raise with_missed(error, outside.missed if outside is not None else ()) from error
            return self._acquired(report, asked, started)
        if package is None or target is None or not ships_guide(package, entry, target):
            report = self._guide(outside, asked, target, package)
            if report is not None:
                return self._acquired(report, asked, started)
        if package is None or target is None:
            raise unreadable(base, outside.missed if outside is not None else ())
        try:
            return self._from_registry(package, target, asked, installed, outside.missed if outside else (), started)
        except NoDocumentation as error:
            raise with_missed(error, outside.missed if outside is not None else ()) from error

    def _outside(self, entry: Entry | None) -> Outside | None:
        """The places outside of the registries; None where the catalogue knows none.

        They are asked at once unless the package is known to hold a guide, which makes them needless for most versions.
        """
        if entry is None or entry.guide_at is None:
            return None
        from docs_researcher.docsets.acquiring.outside import Outside

        outside = Outside(entry, self._store, self._listener)
        return outside if entry.docs is not None and entry.docs.package is not None else outside.start()

    def _from_registry(
        self,
        package: PackageRef,
        target: Target,
        asked: str | None,
        installed: Sequence[Installed],
        missed: tuple[Notice, ...],
        started: float,
    ) -> Acquired:
        base = self.library_id(package)
        near = installed_match(installed, target.version.split(".")[0]) if target.before_guide else None
        if near is not None:  # it spares a download that would say much the same
            return self._substituted(near, asked or "", target.reason, missed)
        if target.reason and self._policy.strict_version:
            raise strict(base, asked, target.version, target.reason)
        present = next((item for item in installed if item.version == target.version), None)
        if present is not None:  # what the registry would give is here already
            if target.reason:
                return self._substituted(present, asked or "", target.reason, missed)
            return Acquired(present, target.how, (*missed, *self._coverage(present, missed)))
        report = self._fetcher.fetch(package, target.version, self._catalogue.by_package(package))
        seconds = time.monotonic() - started
        said = (*missed, *self._kept(report, package.at(None).text))
        if target.reason:
            return self._substituted(report.installed, asked or "", target.reason, said, seconds)
        return Acquired(report.installed, target.how, (*said, *self._coverage(report.installed, missed)), seconds)

    def guide(self, base: str, asked: str | None, *, replace: bool = False) -> tuple[BuildReport | None, tuple[Notice, ...]]:
        """The guide that lies outside of the registries, installed for exactly what was asked; None where the package is better.

        The notices say why a place that was tried gave nothing.

        Raises:
            PackageNotFound, SourceUnavailable, SourceRefused: as the registry answers.
        """
        package, entry = self.package(base), self._catalogue.by_id(base)
        outside = None if self._policy.offline else self._outside(entry)
        if outside is None:
            return None, ()
        target = self.released(package, asked) if package is not None else None
        if package is not None and target is not None and ships_guide(package, entry, target):
            return None, ()
        return self._guide(outside, asked, target, package, replace=replace), outside.missed

    def _guide(
        self,
        outside: Outside | None,
        asked: str | None,
        target: Target | None,
        package: PackageRef | None,
        *,
        replace: bool = False,
    ) -> BuildReport | None:
        if outside is None:
            return None

        def newest() -> str | None:
            if asked is None or package is None:
                return target.version if target is not None else None
            try:
                return self._fetcher.newest(package)
            except SourceError:
                return None

        from docs_researcher.docsets.acquiring.outside import Wanted

        version = asked if target is None or target.reason else target.version
        return outside.fetch(Wanted(version, newest, self._policy.strict_version), replace=replace)

    def _acquired(self, report: BuildReport, asked: str | None, started: float) -> Acquired:
        """What came from outside, with the word about a version that is not the one asked for."""
        installed, seconds = report.installed, time.monotonic() - started
        said = self._kept(report, installed.library_id)
        if asked is None or (installed.version is not None and satisfies(asked, installed.version)):
            how = fits(asked, installed.version, "released") if asked else "newest release"
            return Acquired(installed, how, said, seconds)
        return self._substituted(installed, asked, why_edition(installed), said, seconds)

    def _kept(self, report: BuildReport, argument: str) -> tuple[Notice, ...]:
        """What has to be said of a docset that was fetched; the room that it takes is made where needed."""
        if report.already:
            return ()
        self._store.added.note(report.installed.path, Added(argument, self._policy.by))
        removed = prune(self._store, self._policy.disk_mb, keep=(report.installed.path,))
        return (fetched_notice(report.installed), *removed)

    def _coverage(self, installed: Installed, said: tuple[Notice, ...] = ()) -> tuple[Notice, ...]:
        tried = any(notice.code == "source_unavailable" for notice in said)
        return coverage_notices(installed, self._catalogue.by_id(installed.library_id), tried=tried)

    def _check_may_fetch(self, base: str, package: PackageRef | None, entry: Entry | None) -> None:
        self.check_online(package, base)
        if package is not None and not self._policy.allows(package, entry):
            raise ConsentRequired(
                f"{package.text} may not be fetched without being asked for",
                why="it is not in the catalogue and was not named as a package",
                next_step=f"Name it (--library {package.text}) or pass --yes.",
            )

    def check_online(self, package: PackageRef | None, base: str = "") -> None:
        """Refuse to fetch this where the policy forbids every fetch.

        Raises:
            SourceUnavailable: it does.
        """
        if self._policy.offline:
            raise self._not_fetched(base, package)

    def _not_fetched(self, base: str, package: PackageRef | None) -> SourceUnavailable:
        name = package.text if package is not None else base
        named = (base.strip("/"), base.rpartition("/")[2], *([package.name] if package is not None else []))
        return not_fetched(name, self._store.damaged(*named))

    def without_package(self, entry: Entry, missed: Sequence[Notice]) -> DocsResearchError:
        """The error for a library of the catalogue that no package holds and whose guide gave nothing."""
        if self._policy.offline:
            return self._not_fetched(entry.id, None)
        return unreadable(entry.id, missed) if missed else unknown_package(entry.id, entry)

    def released(self, package: PackageRef, asked: str | None) -> Target:
        """The version to fetch; see `targets.choose_release`."""
        return choose_release(package, self._catalogue.by_package(package), asked, self._fetcher)

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
        reason = only if isinstance(error, LibraryNotFound) else as_reason(error)
        if self._policy.strict_version:
            raise strict(base, asked, near.version, reason) from error
        return self._substituted(near, asked or "", reason)

    def _substituted(
        self, installed: Installed, asked: str, reason: str, said: tuple[Notice, ...] = (), seconds: float = 0.0
    ) -> Acquired:
        if self._policy.strict_version:
            raise strict(installed.library_id, asked, installed.version, reason)
        version = installed.version or "an unversioned copy"
        who = self._policy.who_asks(self.package(installed.library_id), asked)
        notice = Notice(
            "version_substituted",
            f"{who} {installed.meta.title} {asked}; this is from the documentation of {version}, because {reason}.",
        )
        notices = (notice, *said, *self._coverage(installed, said))
        return Acquired(installed, f"nearest to {asked} that has documentation", notices, seconds)

    def _lock(self, base: str) -> threading.Lock:
        with self._guard:
            return self._locks.setdefault(base, threading.Lock())
