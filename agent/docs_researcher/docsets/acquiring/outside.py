"""The guide of a library that no package ships: in the catalogue's git repository, else behind its llms.txt.

The hosts are asked as soon as it is known that their answer may be needed, each in a thread of its own, beside the registry. A
host that does not answer costs at most `REACH_SECONDS`, and nothing for a while after that.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar
from urllib.parse import urlsplit

from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import NoDocumentation, SourceError, SourceUnavailable, VersionNotFound
from docs_researcher.core.events import Listener, ignore
from docs_researcher.docsets.acquiring.build import BuildReport, build_docset
from docs_researcher.docsets.acquiring.targets import same_line
from docs_researcher.docsets.acquiring.unreachable import Unreachable
from docs_researcher.docsets.sources.base import SourceInfo
from docs_researcher.docsets.unfinished import temporary_folder
from docs_researcher.library.versions import best_match, parse_version, satisfies

if TYPE_CHECKING:
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.docsets.sources.git_refs import Refs, Revision
    from docs_researcher.docsets.sources.web_client import WebPage
    from docs_researcher.library.entries import Entry, GitDocs

_SCHEME = re.compile(r"\bhttps?://")
REACH_SECONDS = 4.0
"""How long a host has to say that it is there: ten times what the slowest code host needs on a good line."""
FETCH_SECONDS = 180.0
"""How long a repository's documentation may take, which comes without history and without the files that are not read."""
NEWEST = "newest"
"""The edition of documentation that is kept for the newest release only."""

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for outside.

    Attributes:
        version: a version or a range; None for the newest.
        newest: says what the newest release is, None when nobody knows; asked only where that decides.
        strict: nothing but a version that fits.
    """

    version: str | None
    newest: Callable[[], str | None]
    strict: bool = False


class Outside:
    """The places outside of the registries for one library: `start` asks them, `fetch` reads the first that answers."""

    def __init__(self, entry: Entry, store: Store, listener: Listener = ignore, *, reach_seconds: float = REACH_SECONDS) -> None:
        self._entry = entry
        self._store = store
        self._listener = listener
        self._unreachable = Unreachable(store.cache_dir)
        self._reach_seconds = reach_seconds
        self._refs: _Asked[Refs] | None = None
        self._page: _Asked[WebPage] | None = None
        self._reasons: list[str] = []
        self._started = False

    def start(self) -> Outside:
        """Ask the hosts whether they are there; comes back at once, and asks once."""
        if self._started:
            return self
        self._started = True
        git, llms = self._entry.git, self._entry.llms
        if git is not None:
            from docs_researcher.docsets.sources.git_refs import address_of, list_refs

            address = address_of(git.address)
            self._refs = self._ask(git.address, lambda: list_refs(address, seconds=self._reach_seconds))
        if llms is not None:
            from docs_researcher.docsets.sources.web import first_page

            self._page = self._ask(llms, lambda: first_page(llms))
        return self

    def fetch(self, wanted: Wanted, *, replace: bool = False) -> BuildReport | None:
        """Read and install the guide from the first place that has it; None where none has, and `missed` says why.

        Raises:
            StoreUnwritable: the store cannot be written.
        """
        self.start()
        for read in (self._from_git, self._from_web):
            try:
                report = read(wanted, replace)
            except (SourceError, NoDocumentation, VersionNotFound) as error:
                self._reasons.append(error.message)
                continue
            if report is not None:
                return report
        return None

    def _ask(self, url: str, ask: Callable[[], _Answer]) -> _Asked[_Answer]:
        return _Asked(urlsplit(url).netloc.rpartition("@")[2].lower(), ask, self._unreachable, self._reach_seconds)

    def _from_git(self, wanted: Wanted, replace: bool) -> BuildReport | None:
        git = self._entry.git
        if git is None or self._refs is None:
            return None
        from docs_researcher.docsets.sources.git import GitSource
        from docs_researcher.docsets.sources.git_refs import address_of

        revision, edition = self._revision(git, self._refs.answer(), wanted)
        address = address_of(git.address)
        with temporary_folder() as folder:
            source = GitSource(
                address,
                revision,
                folder / "objects",
                info=self._info(address.path.lower().lstrip("/"), revision.version, edition),
                docs_folder=git.folder,
                folder_is_certain=False,
                seconds=FETCH_SECONDS,
            )
            return build_docset(source, self._store, self._listener, replace=replace)

    def _revision(self, git: GitDocs, refs: Refs, wanted: Wanted) -> tuple[Revision, str]:
        """What is read of the repository, and the edition that it is.

        Raises:
            VersionNotFound: it has nothing for the version that is wanted.
        """
        from docs_researcher.docsets.sources.git_refs import Revision, tagged_versions

        if git.tag is None:
            return Revision("HEAD", self._newest_edition(wanted)), NEWEST
        tags = tagged_versions(refs, git.tag, self._entry.id.rpartition("/")[2])
        version = _best_tagged(wanted.version, tags)
        if version is None or (wanted.strict and wanted.version and not satisfies(wanted.version, version)):
            raise VersionNotFound(f"{git.address} has no tag for {wanted.version or 'a release'}")
        return Revision(f"refs/tags/{tags[version]}", version), ""

    def _from_web(self, wanted: Wanted, replace: bool) -> BuildReport | None:
        if self._entry.llms is None or self._page is None:
            return None
        from docs_researcher.docsets.sources.web import WebSource

        version = self._newest_edition(wanted)
        page = self._page.answer()
        if page.content_type == "text/html":  # a site that answers every address with its start page
            raise NoDocumentation(f"{self._entry.llms} is a web page and no llms.txt")
        host = urlsplit(self._entry.llms).netloc.rpartition("@")[2].lower()
        info = self._info(host, version, NEWEST)
        source = WebSource(self._entry.llms, info=info, first=page)
        return build_docset(source, self._store, self._listener, replace=replace)

    def _newest_edition(self, wanted: Wanted) -> str | None:
        """The version that documentation kept without versions is for now.

        Raises:
            VersionNotFound: that does not serve for the version that is wanted.
        """
        newest = wanted.newest()
        if wanted.version is None or newest is None or satisfies(wanted.version, newest):
            return newest
        if wanted.strict or not same_line(wanted.version, newest):
            raise VersionNotFound(f"{self._entry.guide_at} is kept for the newest release only, which is {newest}")
        return newest

    def _info(self, name: str, version: str | None, edition: str) -> SourceInfo:
        entry = self._entry
        return SourceInfo(name, version, entry.id, title=entry.name, description=entry.description, edition=edition)

    @property
    def missed(self) -> tuple[Notice, ...]:
        """Why the places that were tried gave nothing, as one notice."""
        if not self._reasons:
            return ()
        # Without schemes: an answer that quotes the notice names a place and links to nothing.
        reasons = _SCHEME.sub("", "; ".join(self._reasons))
        return (Notice("source_unavailable", f"The guide of {self._entry.name} could not be read: {reasons}."),)


class _Asked(Generic[_Answer]):
    """One question to one host, asked beside everything else.

    The thread is not waited for when the process ends: a name server that is silent would hold it up.
    """

    def __init__(self, host: str, ask: Callable[[], _Answer], unreachable: Unreachable, seconds: float) -> None:
        self._host = host
        self._unreachable = unreachable
        self._started = time.monotonic()
        self._seconds = seconds
        self._answer: _Answer | None = None
        self._error: Exception | None = None
        self._done = threading.Event()
        ago = unreachable.seconds_since(host)
        if ago is not None:
            self._error = SourceUnavailable(f"{host} did not answer {_ago(ago)}, so it was not asked again")
            self._done.set()
            return
        threading.Thread(target=self._run, args=(ask,), daemon=True, name=f"asking {host}").start()

    def answer(self) -> _Answer:
        """What the host said.

        Raises:
            SourceError: it did not answer in time, or said no.
        """
        asked = self._error is None
        if not self._done.wait(max(0.0, self._started + self._seconds - time.monotonic())):
            self._error = SourceUnavailable(f"{self._host} did not answer within {self._seconds:g} seconds")
        took = time.monotonic() - self._started
        if self._answer is not None:
            self._unreachable.forget(self._host)
            return self._answer
        if asked and isinstance(self._error, SourceUnavailable):
            self._unreachable.remember(self._host, took)
        raise self._error or SourceUnavailable(f"{self._host} did not answer")

    def _run(self, ask: Callable[[], _Answer]) -> None:
        try:
            self._answer = ask()
        except Exception as error:  # handed over to the thread that waits
            self._error = error
        self._done.set()


def _best_tagged(wanted: str | None, tags: dict[str, str]) -> str | None:
    """The tagged version for what is wanted: one that fits, else the newest of its minor line, which a patch changes little."""
    if wanted is None:
        return best_match("latest", tags)
    found = best_match(wanted, tags)
    point = parse_version(wanted)
    if found is None and point is not None and len(point.numbers) > 2:
        found = best_match(".".join(map(str, point.numbers[:2])), tags)
    return found


def _ago(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes ago" if seconds >= 90 else "a moment ago"
