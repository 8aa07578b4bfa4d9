"""Equal calls at the same time are one call, whoever stops waiting for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from cached_server import ASKED, NAMED, OK, Clock, Server
from docs_researcher.core.messages import QUERY, RESOLVE, ToolResult
from docs_researcher.tools.cache import CachedProvider


def in_flight(use: Callable[[Server, CachedProvider], Awaitable[None]], file: Path, clock: Clock) -> None:
    """Run with a server that answers only when it is told to."""

    async def run() -> None:
        server = Server()
        server.wait = asyncio.Event()
        provider = CachedProvider(server, file, clock=clock)
        async with asyncio.timeout(10):
            await use(server, provider)
        await provider.aclose()

    asyncio.run(run())


def test_equal_calls_at_the_same_time_are_one(file: Path, clock: Clock) -> None:
    async def use(server: Server, provider: CachedProvider) -> None:
        calls = [asyncio.ensure_future(provider.call(QUERY, ASKED)) for _ in range(20)]
        other = asyncio.ensure_future(provider.call(RESOLVE, NAMED))
        await server.begun.wait()
        assert server.wait is not None
        server.wait.set()
        assert await asyncio.gather(*calls) == [OK] * 20
        await other
        assert sorted(name for name, _ in server.asked) == sorted([QUERY, RESOLVE])

    in_flight(use, file, clock)


def test_one_that_stops_waiting_does_not_end_the_call_of_the_others(file: Path, clock: Clock) -> None:
    async def use(server: Server, provider: CachedProvider) -> None:
        first = asyncio.ensure_future(provider.call(QUERY, ASKED))
        second = asyncio.ensure_future(provider.call(QUERY, ASKED))
        await server.begun.wait()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert server.wait is not None
        server.wait.set()
        assert await second == OK
        assert (len(server.asked), server.cancelled) == (1, 0)

    in_flight(use, file, clock)


def test_a_call_that_nobody_waits_for_any_more_is_ended_and_can_be_made_again(file: Path, clock: Clock) -> None:
    async def use(server: Server, provider: CachedProvider) -> None:
        calls = [asyncio.ensure_future(provider.call(QUERY, ASKED)) for _ in range(2)]
        await server.begun.wait()
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        assert server.cancelled == 1
        assert server.wait is not None
        server.wait.set()
        assert await provider.call(QUERY, ASKED) == OK
        assert len(server.asked) == 2

    in_flight(use, file, clock)


def test_closing_ends_what_is_under_way_and_closes_the_provider(file: Path, clock: Clock) -> None:
    async def use(server: Server, provider: CachedProvider) -> None:
        call = asyncio.ensure_future(provider.call(QUERY, ASKED))
        await server.begun.wait()
        await provider.aclose()
        await asyncio.gather(call, return_exceptions=True)
        assert (server.cancelled, server.closed) == (1, 1)

    in_flight(use, file, clock)


def test_an_error_of_the_provider_reaches_everybody_who_waits_and_is_not_kept(file: Path, clock: Clock) -> None:
    class Failing(Server):
        async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
            await super().call(name, arguments)
            raise RuntimeError("a fault")

    async def run() -> None:
        server = Failing()
        provider = CachedProvider(server, file, clock=clock)
        found = await asyncio.gather(*(provider.call(QUERY, ASKED) for _ in range(3)), return_exceptions=True)
        assert [type(error) for error in found] == [RuntimeError] * 3
        with pytest.raises(RuntimeError):
            await provider.call(QUERY, ASKED)
        assert len(server.asked) == 2
        await provider.aclose()

    asyncio.run(run())
