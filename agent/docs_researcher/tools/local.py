"""The two documentation tools over our own docsets, in process.

`resolve-library-id` never fetches: it lists what is known and installed. `query-docs` may fetch a library that is not installed,
by the trust rule of `docsets.acquire`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from docs_researcher.core.answer import AnsweredLibrary, Notice
from docs_researcher.core.errors import DocsResearchError
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.core.layout import render_candidates, render_passages
from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.messages import RESOLVE, ToolOutcome, ToolResult, ToolSpec
from docs_researcher.core.passages import Candidate, Passage
from docs_researcher.core.untrusted import looked_through
from docs_researcher.docsets.acquiring.acquire import Acquirer, FetchPolicy
from docs_researcher.docsets.acquiring.refusals import command_that_adds
from docs_researcher.docsets.installed.store import Installed, Store
from docs_researcher.docsets.searching.hits import Hit
from docs_researcher.docsets.searching.search import SearchResult
from docs_researcher.library.catalogue import Catalogue, fold_name
from docs_researcher.library.entries import Entry, other_side
from docs_researcher.library.packages import LANGUAGE_OF, parse_package
from docs_researcher.tools.arguments import canonical_arguments, canonical_tool
from docs_researcher.tools.detached import check_stopped, detached
from docs_researcher.tools.specs import DOCS_TOOLS

RESULT_TOKENS = 2_000
"""The most tokens that one `query-docs` text has unless the caller asks for more."""

MAX_VERSIONS = 20
"""The most versions that are listed for one library."""

MAX_RELATED = 3
"""How many pages that are linked with the passages are named beside them."""

SIMILAR = 3
"""How many near names are offered when a name is unknown."""


class LocalProvider:
    """`tools.base.DocsProvider` over a store of docsets and the catalogue."""

    def __init__(
        self,
        store: Store,
        catalogue: Catalogue,
        *,
        policy: FetchPolicy | None = None,
        listener: Listener = ignore,
        result_tokens: int = RESULT_TOKENS,
    ) -> None:
        self._store = store
        self._catalogue = catalogue
        self._listener = listener
        self._acquirer = Acquirer(store, catalogue, policy, self._heard)
        self._given_up: set[str] = set()
        self._result_tokens = result_tokens

    @property
    def name(self) -> str:
        """The name for notices and traces."""
        return "local docsets"

    async def tools(self) -> tuple[ToolSpec, ...]:
        """Both tools, always."""
        return DOCS_TOOLS

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Answer one call; what goes wrong becomes a result with its outcome."""
        try:
            values = canonical_arguments(name, arguments)
            if canonical_tool(name) == RESOLVE:
                return self._resolve(values["libraryName"])
            return await self._query(values["libraryId"], values["query"])
        except DocsResearchError as error:
            return _failure(error)

    async def aclose(self) -> None:
        """Close the open docset files."""
        self._store.close()

    def late(self, library_id: str) -> str:
        """See `tools.base.Fetches`."""
        if library_id not in self._given_up:
            return ""
        wanted = LibraryId.parse(library_id)
        package = None if self._catalogue.by_id(wanted.base) is not None else self._acquirer.package(wanted.base)
        command = command_that_adds(package.at(wanted.version).text if package else library_id, self._catalogue)
        return (
            f"The documentation of {library_id} was still being fetched for the first time when the time of this question was "
            f"over. To fetch it without that limit: {command}; then ask again."
        )

    def _heard(self, event: Event) -> None:
        check_stopped()
        self._listener(event)

    def _resolve(self, name: str) -> ToolResult:
        candidates = self._candidates(name)
        if not candidates:
            return ToolResult(
                f"No library named {name!r} is installed or in the catalogue. "
                "Check the spelling, or name its package, such as npm:NAME or pypi:NAME.",
                outcome="not_found",
            )
        return ToolResult(render_candidates(candidates), candidates=candidates, finds_versions=True)

    def _candidates(self, name: str) -> tuple[Candidate, ...]:
        installed = self._store.installed()
        package = parse_package(name)
        entry = self._catalogue.find(name)
        other = other_side(entry) if entry is not None else None
        bases = [one.id for one in (entry, other) if one is not None]
        bases += [item.library_id for item in installed if _is_named(item, name)]
        if package is not None and entry is None:
            bases.append(f"/{package.type}/{package.name}")
        if not bases:
            bases = [similar.id for similar in self._catalogue.similar(name, SIMILAR)]
        return tuple(self._candidate(base, installed) for base in dict.fromkeys(bases))

    def _candidate(self, base: str, installed: Sequence[Installed]) -> Candidate:
        entry = self._catalogue.by_id(base)
        own = [item for item in installed if item.library_id == base]
        versions = [item.version for item in own if item.version]
        package = self._acquirer.package(base)
        return Candidate(
            id=base,
            title=_title(entry) if entry is not None else own[0].meta.title if own else base.split("/", 2)[2],
            description=entry.description if entry is not None else own[0].meta.description if own else "",
            snippets=own[0].meta.snippets if own else None,
            reputation="High" if entry is not None else "Unknown",
            versions=tuple(dict.fromkeys(versions))[:MAX_VERSIONS],
            source={"npm": "npm", "pypi": "PyPI"}[package.type] if package is not None else "folder" if own else None,
        )

    async def _query(self, library_id: str, query: str) -> ToolResult:
        wanted = LibraryId.parse(library_id)
        try:
            acquired = await detached(partial(self._acquirer.acquire, wanted.base, wanted.version))
        except asyncio.CancelledError:
            self._given_up.add(library_id)
            raise
        installed = acquired.installed
        docset = self._store.open(installed)
        found = docset.search(query, max_tokens=self._result_tokens)
        library = AnsweredLibrary(installed.meta.title, installed.library_id, installed.version, acquired.version_choice)
        notices = acquired.notices
        if found.note:
            notices = (*notices, Notice("semantic_unavailable", found.note))
        note = " ".join(notice.text for notice in acquired.notices if notice.code == "version_substituted")
        if not found.hits:
            return ToolResult(
                f"{note} " * bool(note)
                + f"Nothing in the documentation of {installed.meta.title} matches {query!r}. Try other words.",
                notices=notices,
                outcome="not_found",
                library=library,
                fetch_seconds=acquired.fetch_seconds,
            )
        passages = tuple(looked_through(_passage(hit, found, installed)) for hit in found.hits)
        return ToolResult(
            render_passages(passages, note),
            passages=passages,
            related=docset.related(found.hits, limit=MAX_RELATED),
            notices=notices,
            library=library,
            fetch_seconds=acquired.fetch_seconds,
        )


def _title(entry: Entry) -> str:
    """What a library is called in a list: with its language, where npm and PyPI both have a client with versions of its own."""
    package = entry.package
    if package is None:
        return entry.name
    is_other_side = bool(entry.other_ids) and entry.id == f"/{package.type}/{package.name}"
    return f"{entry.name} ({LANGUAGE_OF[package.type]})" if entry.other_package is not None or is_other_side else entry.name


def _is_named(installed: Installed, name: str) -> bool:
    wanted = fold_name(name)
    return wanted in (fold_name(installed.name), fold_name(installed.meta.title)) or name == installed.library_id


def _passage(hit: Hit, found: SearchResult, installed: Installed) -> Passage:
    purl = f"{installed.meta.purl}#{hit.path}" if installed.meta.purl else hit.path
    is_of_another_package = (hit.url or "").startswith("pkg:")
    return Passage(
        title=" > ".join(part for part in (hit.title, hit.heading) if part),
        content=hit.content,
        source=hit.url or purl,
        library_id=installed.library_id,
        url=None if is_of_another_package else hit.url,
        path=hit.path,
        version=installed.version,
        date=installed.meta.date,
        confidence=found.confidence,
        absent=found.absent,
        score=hit.score,
        sections=hit.sections,
        line=hit.line,
    )


_OUTCOMES: dict[str, ToolOutcome] = {
    "library_not_found": "not_found",
    "version_not_found": "not_found",
    "package_not_found": "not_found",
    "no_documentation": "not_found",
    "source_unavailable": "unavailable",
    "consent_required": "refused",
    "source_refused": "refused",
    "arguments_refused": "refused",
}


def _failure(error: DocsResearchError) -> ToolResult:
    text = f"{error.message}. {error.next_step}".strip()
    return ToolResult(text, notices=(Notice(error.code, text),), outcome=_OUTCOMES.get(error.code, "error"))
