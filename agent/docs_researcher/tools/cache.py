"""A provider whose results are kept: the same call is answered from a file while it is fresh, and while it runs, once.

Only documentation is kept, never a failure. Where the server cannot be asked (no network, too many calls), an older result is
used after all, and a notice says how old it is.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import ArgumentsRefused, ServerError
from docs_researcher.core.messages import QUERY, RESOLVE, ToolOutcome, ToolResult, ToolSpec
from docs_researcher.tools.arguments import canonical_arguments, canonical_tool, without_secrets
from docs_researcher.tools.base import DocsProvider, ToldByServers
from docs_researcher.tools.mcp.wire import from_wire, to_wire
from docs_researcher.tools.result_store import ResultStore

FILE_NAME = "results.db"
FRESH_SECONDS: Mapping[str, float] = {QUERY: 24 * 3600.0, RESOLVE: 3600.0}
"""How long a result is used without asking again: documentation changes slowly, the list of libraries and versions does not."""
TOOL_LIST_SECONDS = 3600.0
STALE_OUTCOMES: Mapping[ToolOutcome, str] = {
    "rate_limited": "has had too many calls for now",
    "unavailable": "cannot be reached",
}
"""The outcomes for which an old result is better than none, in words."""
_PASSING = frozenset({"fetched", "stale"})
"""Codes of notices that are true of one call alone."""
_TOOL_LIST = "tools/list"
_SERVER_NOTES = "server notes"


@dataclass(slots=True)
class _Flight:
    """A call under way, and how many wait for it."""

    task: asyncio.Task[ToolResult]
    waiting: int = 0


class CachedProvider:
    """Another provider with its results kept in a file."""

    def __init__(
        self,
        provider: DocsProvider,
        file: Path | ResultStore,
        *,
        identity: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Nothing is opened yet.

        Args:
            provider: who is asked; closed together with this one.
            file: where results are kept (`FILE_NAME` in the store's cache folder).
            identity: what tells this server from another of the same name, such as its address or its command and arguments, so
                that one never answers for the other. The provider's name if None.
            clock: seconds since the epoch.
        """
        self._provider = provider
        self._store = ResultStore(file) if isinstance(file, Path) else file
        self._identity = identity or provider.name
        self._clock = clock
        self._flights: dict[bytes, _Flight] = {}

    @property
    def name(self) -> str:
        """The provider's name."""
        return self._provider.name

    async def tools(self) -> tuple[ToolSpec, ...]:
        """The provider's tools. Known ones are used for an hour, so that an answer out of the file starts no server at all.

        After that they are asked for, and used still where the provider cannot be reached.

        Raises:
            ServerError: it cannot be reached, and its tools are not known.
        """
        key, now = self._key(_TOOL_LIST, {}), self._clock()
        stored = self._store.get(key, now)
        known = _tools_from(stored.value) if stored else ()
        if stored and known and 0 <= now - stored.at < TOOL_LIST_SECONDS:
            return known
        try:
            tools = await self._provider.tools()
        except ServerError:
            if not known:
                raise
            return known
        self._store.put(key, json.dumps([asdict(tool) for tool in tools]), self._clock())
        return tools

    async def server_notes(self) -> Mapping[str, str]:
        """What the provider's server says about its own use, kept for an hour as its tools are."""
        if not isinstance(self._provider, ToldByServers):
            return {}
        key, now = self._key(_SERVER_NOTES, {}), self._clock()
        stored = self._store.get(key, now)
        if stored and 0 <= now - stored.at < TOOL_LIST_SECONDS:
            return _notes_from(stored.value)
        notes = await self._provider.server_notes()
        self._store.put(key, json.dumps(dict(notes)), self._clock())
        return notes

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call one tool, or answer from what is kept. Equal calls at the same time are one call."""
        tool = canonical_tool(name)
        if tool is None or tool not in FRESH_SECONDS:
            return await self._provider.call(name, arguments)
        try:
            canonical, secrets = without_secrets(canonical_arguments(tool, arguments))
        except ArgumentsRefused:
            return await self._provider.call(name, arguments)
        if secrets:  # the notice about it belongs to this call, and the mark in its place is nobody's question
            return await self._provider.call(name, arguments)
        return await self._once(self._key(tool, canonical), tool, canonical)

    async def aclose(self) -> None:
        """End what is under way, close the provider and the file. Safe to call twice."""
        tasks = [flight.task for flight in self._flights.values()]
        self._flights.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        try:
            await self._provider.aclose()
        finally:
            self._store.close()

    async def _once(self, key: bytes, tool: str, arguments: Mapping[str, str]) -> ToolResult:
        """Join the equal call that is under way, else begin one. It ends early only when nobody waits for it any more."""
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = _Flight(asyncio.ensure_future(self._answer(key, tool, arguments)))
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                if self._flights.get(key) is flight:
                    del self._flights[key]
                if not flight.task.done():
                    flight.task.cancel()
                    await asyncio.gather(flight.task, return_exceptions=True)

    async def _answer(self, key: bytes, tool: str, arguments: Mapping[str, str]) -> ToolResult:
        kept = self._kept(key)
        if kept is not None and 0 <= kept[1] < FRESH_SECONDS[tool]:
            return kept[0]
        result = await self._provider.call(tool, arguments)
        if result.outcome == "ok":
            self._keep(key, result)
        elif kept is not None and result.outcome in STALE_OUTCOMES:
            return self._stale(*kept, result)
        return result

    def _kept(self, key: bytes) -> tuple[ToolResult, float] | None:
        """What is kept, with its age in seconds; below zero where the clock was set back."""
        now = self._clock()
        stored = self._store.get(key, now)
        result = _result_from(stored.value) if stored else None
        return (result, now - stored.at) if stored and result else None

    def _keep(self, key: bytes, result: ToolResult) -> None:
        lasting = tuple(notice for notice in result.notices if notice.code not in _PASSING)
        values = to_wire(replace(result, notices=lasting, fetch_seconds=0.0))
        self._store.put(key, json.dumps({"text": result.text, "values": values}), self._clock())

    def _stale(self, result: ToolResult, age: float, failure: ToolResult) -> ToolResult:
        why = STALE_OUTCOMES[failure.outcome]
        notice = Notice("stale", f"{self.name} {why}; this is what it answered {age_in_words(age)} ago.")
        return replace(result, notices=(*result.notices, *failure.notices, notice))

    def _key(self, tool: str, arguments: Mapping[str, str]) -> bytes:
        text = json.dumps([self._identity, tool, arguments], sort_keys=True)
        return hashlib.sha256(text.encode("utf-8")).digest()


def age_in_words(seconds: float) -> str:
    """How long ago, in the largest unit that fits: "3 days"."""
    for name, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        count = int(seconds // length)
        if count >= 1:
            return f"{count} {name}{'' if count == 1 else 's'}"
    return "less than a minute"


def _result_from(value: str) -> ToolResult | None:
    """A kept result; None for a value that is not of our form."""
    try:
        data = json.loads(value)
        return from_wire(data["text"], data["values"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _notes_from(value: str) -> Mapping[str, str]:
    try:
        return {str(name): str(text) for name, text in json.loads(value).items()}
    except (ValueError, AttributeError):
        return {}


def _tools_from(value: str) -> tuple[ToolSpec, ...]:
    try:
        return tuple(ToolSpec(**tool) for tool in json.loads(value))
    except (ValueError, TypeError):
        return ()
