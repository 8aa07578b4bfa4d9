"""First fetches that a host will not wait for: they are answered at once with when to ask again, and go on behind it.

A host gives up a call after about a minute, and a large package takes longer than that to be fetched and indexed. So each
call of `query-docs` has a time by which it must be answered. When the fetch that it waits for will not end by then, as far as
its own reports tell, the call ends with "being fetched, ask again in N s" and the fetch goes on: one for each library,
until it is done or the process ends. A call that is cancelled stops the fetch that it began.
"""

from __future__ import annotations

import asyncio
import contextvars
import math
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from docs_researcher.core.answer import Notice
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.core.messages import QUERY, ToolResult, ToolSpec
from docs_researcher.tools.arguments import ALIASES, canonical_tool

if TYPE_CHECKING:
    from docs_researcher.tools.base import DocsProvider

CALL_SECONDS = 40.0
"""A documentation tool answers within this: our own client gives up a call after 50 seconds, hosts after 60."""
LOOK_SECONDS = 0.25
"""How often a running fetch is asked whether it will end in time."""
TRUSTED_SECONDS = 1.0
"""What a download says about its speed counts from this long after its first byte."""
SOONEST, LATEST = 5, 300
"""The least and the most seconds after which a host is told to ask again."""
UNKNOWN_SECONDS = 30
"""What it is told when the fetch says nothing about its end."""

answer_by: contextvars.ContextVar[float | None] = contextvars.ContextVar("answer_by", default=None)
"""The time (of `time.monotonic`) by which the current call has to be answered, if it is not `CALL_SECONDS` from now."""
call_listener: contextvars.ContextVar[Listener] = contextvars.ContextVar("call_listener", default=ignore)
"""Hears what happens on behalf of the current call, in whichever thread."""

_fetch: contextvars.ContextVar[Fetch | None] = contextvars.ContextVar("_fetch", default=None)


@contextmanager
def on_behalf_of(listener: Listener, until: float) -> Generator[None]:
    """What is called inside reports to `listener`, and has to be answered by `until` (of `time.monotonic`)."""
    heard, due = call_listener.set(listener), answer_by.set(until)
    try:
        yield
    finally:
        call_listener.reset(heard)
        answer_by.reset(due)


class FetchStopped(Exception):
    """Ends the thread of a fetch that nobody wants any more, at the next thing that it reports."""


class Fetch:
    """What one call of `query-docs` has fetched so far; heard from its thread, read in the loop."""

    def __init__(self, library: str, running: dict[str, Fetch]) -> None:
        self.library = library
        self.stopped = False
        self.ended = asyncio.Event()
        self._running = running
        self._last: Event | None = None
        self._phase_began = time.monotonic()

    def heard(self, event: Event) -> None:
        """Note what is reported.

        Raises:
            FetchStopped: nobody wants it any more.
        """
        if self.stopped:
            raise FetchStopped(self.library)
        if event.kind not in ("fetch", "build"):
            return
        if self._last is None or self._last.kind != event.kind:
            self._phase_began = time.monotonic()
        self._last = event
        self._running.setdefault(self.library, self)

    def end(self) -> None:
        """The call behind it is over, one way or the other."""
        self.ended.set()
        if self._running.get(self.library) is self:
            del self._running[self.library]

    def seconds_left(self) -> float | None:
        """How long its current part (the download, then the index) will go on; None when that cannot be told yet."""
        last, elapsed = self._last, time.monotonic() - self._phase_began
        if last is None or not last.total or not last.done or elapsed < TRUSTED_SECONDS:
            return None
        return elapsed * max(0, last.total - last.done) / last.done

    def not_ready(self) -> ToolResult:
        """What is answered while it runs."""
        left = self.seconds_left()
        wait = UNKNOWN_SECONDS if left is None else min(LATEST, max(SOONEST, math.ceil(left / 5) * 5 + 5))
        part = "indexed" if self._last is not None and self._last.kind == "build" else "fetched"
        share = ""
        if self._last is not None and self._last.total and self._last.done:
            share = f" ({min(99, 100 * self._last.done // self._last.total)} % of it so far)"
        text = f"The documentation of {self.library} is being {part} for the first time{share}. Ask again in {wait} s."
        return ToolResult(text, notices=(Notice("fetching", text),), outcome="not_ready", ask_again_in=wait)


def relay(event: Event) -> None:
    """The listener for what answers calls here: tells the fetch and the listener of the call on whose behalf it happens."""
    fetch = _fetch.get()
    if fetch is not None:
        fetch.heard(event)
    call_listener.get()(event)


class PatientProvider:
    """A provider whose calls are answered in time, whatever they fetch. Its inner one must report to `relay`."""

    def __init__(self, make: Callable[[], DocsProvider], running: dict[str, Fetch] | None = None) -> None:
        """`make` is called for the first call. Providers that share `running` never fetch one library twice at a time."""
        self._make = make
        self._made: DocsProvider | None = None
        self._running: dict[str, Fetch] = {} if running is None else running
        self._own: set[Fetch] = set()

    @property
    def name(self) -> str:
        """The inner provider's name."""
        return self._inner.name

    @property
    def _inner(self) -> DocsProvider:
        if self._made is None:
            self._made = self._make()
        return self._made

    async def tools(self) -> tuple[ToolSpec, ...]:
        """The inner provider's tools."""
        return await self._inner.tools()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """The inner provider's answer, or after the call's time that the library is being fetched."""
        if canonical_tool(name) != QUERY:
            return await self._inner.call(name, arguments)
        until = answer_by.get() or time.monotonic() + CALL_SECONDS
        library = _library(arguments)
        other = self._running.get(library)
        if other is not None and not await _ends_in_time(other, other.ended.wait(), until):
            return other.not_ready()
        return await self._fetching(Fetch(library, self._running), name, arguments, until)

    async def aclose(self) -> None:
        """Stop every fetch and close the inner provider."""
        for fetch in self._own:
            fetch.stopped = True
        if self._made is not None:
            await self._made.aclose()

    async def _fetching(self, fetch: Fetch, name: str, arguments: Mapping[str, Any], until: float) -> ToolResult:
        context = contextvars.copy_context()
        context.run(_fetch.set, fetch)
        task = asyncio.get_running_loop().create_task(self._inner.call(name, arguments), context=context)
        self._own.add(fetch)
        task.add_done_callback(lambda _: self._over(fetch))
        try:
            in_time = await _ends_in_time(fetch, task, until)
        except asyncio.CancelledError:
            fetch.stopped = True
            task.cancel()
            raise
        if in_time:
            return task.result()
        task.add_done_callback(_forget)
        return (self._running.get(fetch.library) or fetch).not_ready()

    def _over(self, fetch: Fetch) -> None:
        self._own.discard(fetch)
        fetch.end()


async def _ends_in_time(fetch: Fetch, work: Any, until: float) -> bool:
    """Wait for `work` (a task or a coroutine) as long as it can still end before `until`. A task is left running."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            left = until - time.monotonic()
            if left <= 0 or (fetch.seconds_left() or 0.0) > left:
                return False
            await asyncio.wait({task}, timeout=min(left, LOOK_SECONDS))
        return True
    finally:
        if asyncio.iscoroutine(work):
            task.cancel()


def _library(arguments: Mapping[str, Any]) -> str:
    """The library of a call as it is written, without a version where that can be told."""
    from docs_researcher.core.library_id import LibraryId

    for key in ("libraryId", *ALIASES[QUERY]["libraryId"]):
        if key in arguments:
            text = str(arguments[key]).strip("`\"' ")
            parsed = LibraryId.try_parse(text)
            return parsed.base if parsed is not None else text
    return ""


def _forget(task: asyncio.Task[ToolResult]) -> None:
    """Nobody waits for what a fetch behind an answered call ends with; the next call finds the docset, or its own error."""
    if not task.cancelled():
        with suppress(Exception):
            task.result()
