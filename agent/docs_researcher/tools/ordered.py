"""Several places for documentation, asked in order: what is installed, the servers of the user's configuration, the registries.

An installed docset of the right version is never passed over, and nothing is fetched as long as a server knows the answer. Which
server answered, and why another did not, is said in notices.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import ArgumentsRefused
from docs_researcher.core.layout import render_candidates
from docs_researcher.core.messages import RESOLVE, ToolResult, ToolSpec
from docs_researcher.core.passages import Candidate
from docs_researcher.tools.arguments import canonical_arguments, canonical_tool, refused_result
from docs_researcher.tools.base import DocsProvider, Fetches
from docs_researcher.tools.specs import DOCS_TOOLS

UNAVAILABLE = "source_unavailable"
USED = "source_used"
_REASON_CHARACTERS = 300


class OrderedProvider:
    """`tools.base.DocsProvider` over several others."""

    def __init__(
        self,
        *,
        installed: DocsProvider,
        servers: Sequence[DocsProvider],
        fetching: DocsProvider,
        notices: Sequence[Notice] = (),
    ) -> None:
        """Nothing is started.

        Args:
            installed: answers only from what is installed, and only in the version that is asked for.
            servers: MCP servers, the one to be asked first in front.
            fetching: answers from what is installed or can be fetched; has the last word.
            notices: what the asker has to know of servers that could not even be tried.
        """
        self._installed = installed
        self._servers = tuple(servers)
        self._fetching = fetching
        self._notices = tuple(notices)

    @property
    def name(self) -> str:
        """The name for notices and traces."""
        return ", ".join(["local docsets", *(server.name for server in self._servers)])

    async def tools(self) -> tuple[ToolSpec, ...]:
        """Both tools; no server is started for that."""
        return DOCS_TOOLS

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Ask one after the other. A call that no place could take is refused before any is asked."""
        try:
            values = canonical_arguments(name, arguments)
        except ArgumentsRefused as error:
            return refused_result(error)
        if canonical_tool(name) == RESOLVE:
            result = await self._resolve(name, values)
        else:
            result = await self._query(name, values)
        return replace(result, notices=_once((*self._notices, *result.notices)))

    def late(self, library_id: str) -> str:
        """See `tools.base.Fetches`."""
        return self._fetching.late(library_id) if isinstance(self._fetching, Fetches) else ""

    async def aclose(self) -> None:
        """Close all of them, whatever happens with one."""
        places = (self._installed, *self._servers, self._fetching)
        await asyncio.gather(*(place.aclose() for place in places), return_exceptions=True)

    async def _resolve(self, name: str, values: Mapping[str, str]) -> ToolResult:
        """An installed library by itself; else what a server finds, together with what the catalogue knows."""
        local = await self._fetching.call(name, values)
        if any(_is_installed(candidate) for candidate in local.candidates):
            return local
        missed: list[Notice] = []
        for server in self._servers:
            found = await server.call(name, values)
            if found.outcome == "ok" and found.candidates:
                return _joined(found, local.candidates, missed)
            missed += _why_not(server, found, values["libraryName"])
        return replace(local, notices=(*missed, *local.notices))

    async def _query(self, name: str, values: Mapping[str, str]) -> ToolResult:
        found = await self._installed.call(name, values)
        if found.outcome == "ok":
            return found
        missed: list[Notice] = []
        for server in self._servers:
            found = await server.call(name, values)
            if found.outcome == "ok":
                used = Notice(USED, f"Read from the MCP server {server.name}.")
                return replace(found, notices=(*missed, used, *found.notices))
            missed += _why_not(server, found, values["libraryId"])
        found = await self._fetching.call(name, values)
        return replace(found, notices=(*missed, *found.notices))


def _is_installed(candidate: Candidate) -> bool:
    """Our own candidates count their snippets only when a docset of theirs is installed."""
    return candidate.snippets is not None


def _joined(found: ToolResult, more: Sequence[Candidate], missed: Sequence[Notice]) -> ToolResult:
    """A server's candidates first, then those of ours that it does not have."""
    known = {candidate.id for candidate in found.candidates}
    added = tuple(candidate for candidate in more if candidate.id not in known)
    notices = (*missed, *found.notices)
    if not added:
        return replace(found, notices=notices)
    candidates = (*found.candidates, *added)
    return replace(found, text=render_candidates(candidates), candidates=candidates, notices=notices)


def _why_not(server: DocsProvider, found: ToolResult, asked: str) -> list[Notice]:
    """Why a server did not answer. What it says of itself already is not said twice."""
    if any(notice.code == UNAVAILABLE for notice in found.notices):
        return list(found.notices)
    if found.outcome == "not_found":
        return [Notice(UNAVAILABLE, f"The MCP server {server.name} has nothing for {asked}.")]
    reason = " ".join(found.text.partition("\n\nNext:")[0].split())[:_REASON_CHARACTERS]
    return [Notice(UNAVAILABLE, f"The MCP server {server.name} did not answer: {reason}")]


def _once(notices: Sequence[Notice]) -> tuple[Notice, ...]:
    return tuple(dict.fromkeys(notices))
