"""Tool results kept in a file: what is kept, for how long, how it is bound, and what is used where a server is away."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import ServerError
from docs_researcher.core.messages import QUERY, RESOLVE, ToolOutcome, ToolResult, ToolSpec
from docs_researcher.docsets.sql import rows
from docs_researcher.docsets.sql import run as run_sql
from docs_researcher.tools.cache import CachedProvider, age_in_words
from docs_researcher.tools.result_store import FORMAT, KEEP_SECONDS, MAX_ENTRY_BYTES, ResultStore, Stored
from docs_researcher.tools.specs import DOCS_TOOLS
from mcp_example import PASSAGES, RESULTS

HOUR = 3600.0
DAY = 24 * HOUR
ASKED = {"libraryId": "/example/lib", "query": "sessions"}
NAMED = {"libraryName": "Lib.js", "query": "sessions"}
OK = RESULTS["passages"]
AWAY = ToolResult("No network.", outcome="unavailable", notices=(Notice("source_unavailable", "The server is away."),))


class Server:
    """A documentation server that answers what it is told to, and counts how often it was asked."""

    def __init__(self, name: str = "example") -> None:
        self.name = name
        self.answer = OK
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.closed = 0
        self.wait: asyncio.Event | None = None
        self.begun = asyncio.Event()
        self.cancelled = 0
        self.reachable = True

    async def tools(self) -> tuple[ToolSpec, ...]:
        if not self.reachable:
            raise ServerError("the server cannot be reached")
        return DOCS_TOOLS

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        self.asked.append((name, dict(arguments)))
        self.begun.set()
        try:
            if self.wait is not None:
                await self.wait.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return self.answer

    async def aclose(self) -> None:
        self.closed += 1


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "results.db"


def lasting(result: ToolResult) -> ToolResult:
    """What is kept of a result: fetching took its time only once."""
    return replace(result, fetch_seconds=0.0)


def test_an_equal_call_is_answered_from_the_file_by_another_process_too(file: Path, clock: Clock) -> None:
    async def run() -> None:
        first, second = Server(), Server()
        one = CachedProvider(first, file, clock=clock)
        assert await one.call(QUERY, ASKED) == OK
        assert await one.call(QUERY, ASKED) == lasting(OK)
        await one.aclose()
        other = CachedProvider(second, file, clock=clock)
        assert await other.call(QUERY, ASKED) == lasting(OK)
        await other.aclose()
        assert (len(first.asked), len(second.asked)) == (1, 0)

    asyncio.run(run())


@pytest.mark.parametrize(("tool", "arguments", "fresh"), [(QUERY, ASKED, DAY), (RESOLVE, NAMED, HOUR)])
def test_a_result_is_used_while_it_is_fresh(file: Path, clock: Clock, tool: str, arguments: dict[str, str], fresh: float) -> None:
    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, file, clock=clock)
        await provider.call(tool, arguments)
        clock.now += fresh - 1
        await provider.call(tool, arguments)
        assert len(server.asked) == 1
        clock.now += 1
        server.answer = RESULTS["candidates"]
        assert await provider.call(tool, arguments) == RESULTS["candidates"]
        assert await provider.call(tool, arguments) == RESULTS["candidates"]
        assert len(server.asked) == 2
        await provider.aclose()

    asyncio.run(run())


def test_a_clock_that_was_set_back_makes_nothing_fresh_for_ever(file: Path, clock: Clock) -> None:
    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, file, clock=clock)
        await provider.call(QUERY, ASKED)
        clock.now -= 10 * DAY
        await provider.call(QUERY, ASKED)
        assert len(server.asked) == 2
        await provider.aclose()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get-library-docs", {"context7CompatibleLibraryID": "/example/lib", "userQuery": " sessions "}),
        (QUERY, {"query": "sessions", "libraryId": "`/example/lib`", "tokens": 5}),
    ],
)
def test_the_same_call_in_other_words_is_the_same(file: Path, clock: Clock, name: str, arguments: dict[str, Any]) -> None:
    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, file, clock=clock)
        await provider.call(QUERY, ASKED)
        await provider.call(name, arguments)
        assert server.asked == [(QUERY, ASKED)]
        await provider.aclose()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (QUERY, {**ASKED, "query": "cookies"}),
        (QUERY, {**ASKED, "libraryId": "/example/lib/v2"}),
        (RESOLVE, {"libraryName": "/example/lib", "query": "sessions"}),
    ],
)
def test_another_call_is_another_result(file: Path, clock: Clock, tool: str, arguments: dict[str, str]) -> None:
    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, file, clock=clock)
        await provider.call(QUERY, ASKED)
        await provider.call(tool, arguments)
        assert len(server.asked) == 2
        await provider.aclose()

    asyncio.run(run())


def test_one_server_never_answers_for_another(file: Path, clock: Clock) -> None:
    async def run() -> None:
        servers = [Server("a"), Server("b"), Server("a"), Server("a")]
        identities = [None, None, "https://docs.example.invalid/mcp", "npx other"]
        for server, identity in zip(servers, identities, strict=True):
            provider = CachedProvider(server, file, identity=identity, clock=clock)
            await provider.call(QUERY, ASKED)
            await provider.aclose()
        assert [len(server.asked) for server in servers] == [1, 1, 1, 1]

    asyncio.run(run())


OUTCOMES: tuple[ToolOutcome, ...] = (
    "not_found",
    "not_ready",
    "redirected",
    "unauthorised",
    "rate_limited",
    "unavailable",
    "refused",
    "limit",
    "error",
)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_only_documentation_is_kept(file: Path, clock: Clock, outcome: ToolOutcome) -> None:
    async def run() -> None:
        server = Server()
        server.answer = ToolResult("x", outcome=outcome)
        provider = CachedProvider(server, file, clock=clock)
        for _ in range(2):
            assert await provider.call(QUERY, ASKED) == server.answer
        assert len(server.asked) == 2
        await provider.aclose()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("outcome", "why"), [("rate_limited", "has had too many calls for now"), ("unavailable", "cannot be reached")]
)
def test_where_the_server_cannot_be_asked_an_old_result_is_used_and_said_to_be_old(
    file: Path, clock: Clock, outcome: ToolOutcome, why: str
) -> None:
    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, file, clock=clock)
        await provider.call(QUERY, ASKED)
        clock.now += 3 * DAY + HOUR
        server.answer = replace(AWAY, outcome=outcome)
        result = await provider.call(QUERY, ASKED)
        stale = Notice("stale", f"example {why}; this is what it answered 3 days ago.")
        assert result == replace(lasting(OK), notices=(*OK.notices, *AWAY.notices, stale))
        assert await provider.call(QUERY, ASKED) == result
        server.answer = OK
        assert (await provider.call(QUERY, ASKED)).notices == OK.notices
        await provider.aclose()

    asyncio.run(run())


@pytest.mark.parametrize("outcome", [outcome for outcome in OUTCOMES if outcome not in ("rate_limited", "unavailable")])
def test_any_other_failure_is_not_covered_up(file: Path, clock: Clock, outcome: ToolOutcome) -> None:
    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, file, clock=clock)
        await provider.call(QUERY, ASKED)
        clock.now += 2 * DAY
        server.answer = ToolResult("x", outcome=outcome)
        assert await provider.call(QUERY, ASKED) == server.answer
        await provider.aclose()

    asyncio.run(run())


def test_a_result_that_is_too_old_is_not_used_even_then(file: Path, clock: Clock) -> None:
    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, file, clock=clock)
        await provider.call(QUERY, ASKED)
        clock.now += KEEP_SECONDS + 1
        server.answer = AWAY
        assert await provider.call(QUERY, ASKED) == AWAY
        await provider.aclose()

    asyncio.run(run())


def test_a_notice_that_is_true_of_one_call_alone_is_not_repeated(file: Path, clock: Clock) -> None:
    async def run() -> None:
        server = Server()
        server.answer = replace(OK, notices=(*OK.notices, Notice("fetched", "Fetched just now.")))
        provider = CachedProvider(server, file, clock=clock)
        assert await provider.call(QUERY, ASKED) == server.answer
        assert (await provider.call(QUERY, ASKED)).notices == OK.notices
        await provider.aclose()

    asyncio.run(run())


def test_a_call_with_a_secret_passes_by(file: Path, clock: Clock) -> None:
    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, file, clock=clock)
        secret = {**ASKED, "query": "why does sk-ant-api03-" + "a1B2" * 20 + " fail"}
        for _ in range(2):
            await provider.call(QUERY, secret)
        assert [arguments for _, arguments in server.asked] == [secret, secret]
        await provider.aclose()

    asyncio.run(run())


@pytest.mark.parametrize(("name", "arguments"), [(QUERY, {"query": "x"}), ("other", ASKED)])
def test_what_is_no_call_of_ours_is_left_to_the_provider(file: Path, clock: Clock, name: str, arguments: dict[str, str]) -> None:
    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, file, clock=clock)
        await provider.call(name, arguments)
        assert server.asked == [(name, arguments)]
        await provider.aclose()

    asyncio.run(run())
    assert not file.exists()


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


def test_the_tools_of_a_server_that_is_away_are_those_it_had(file: Path, clock: Clock) -> None:
    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, file, clock=clock)
        server.reachable = False
        with pytest.raises(ServerError):
            await provider.tools()
        server.reachable = True
        assert await provider.tools() == DOCS_TOOLS
        server.reachable = False
        clock.now += 5 * DAY
        assert await provider.tools() == DOCS_TOOLS
        await provider.aclose()

    asyncio.run(run())


def test_the_file_is_its_owners_alone(file: Path, clock: Clock) -> None:
    store = ResultStore(file)
    old = os.umask(0)
    try:
        store.put(b"k", "v", clock.now)
    finally:
        os.umask(old)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}
    store.close()
    assert set(modes.values()) == {0o600}
    file.chmod(0o644)
    again = ResultStore(file)
    assert again.get(b"k", clock.now) == Stored("v", clock.now)
    again.close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_least_used_rows_go_first(file: Path, clock: Clock) -> None:
    store = ResultStore(file, max_rows=3)
    for number in range(3):
        store.put(bytes([number]), "v", clock.now + number)
    assert store.get(b"\0", clock.now + 100)
    store.put(b"\3", "v", clock.now + 101)
    assert [bool(store.get(bytes([number]), clock.now + 102)) for number in range(4)] == [True, False, True, True]
    store.close()


def test_the_bytes_are_bound(file: Path, clock: Clock) -> None:
    store = ResultStore(file, max_bytes=1_000)
    for number in range(5):
        store.put(bytes([number]), "é" * 200, clock.now + number)
    assert [bool(store.get(bytes([number]), clock.now + 20)) for number in range(5)] == [False, False, False, True, True]
    store.put(b"large", "x" * 1_001, clock.now + 30)
    assert store.get(b"large", clock.now + 31) is None
    assert store.get(b"\4", clock.now + 31) is not None
    store.close()


def test_a_huge_result_is_not_kept(file: Path, clock: Clock) -> None:
    store = ResultStore(file)
    store.put(b"k", "x" * (MAX_ENTRY_BYTES + 1), clock.now)
    assert store.get(b"k", clock.now) is None
    store.close()


def test_what_is_too_old_is_dropped_with_the_next_write(file: Path, clock: Clock) -> None:
    store = ResultStore(file)
    store.put(b"old", "v", clock.now)
    store.put(b"new", "v", clock.now + KEEP_SECONDS + 1)
    store.close()
    connection = apsw.Connection(str(file))
    found = rows(connection, "SELECT key FROM results")
    connection.close()
    assert found == [(b"new",)]


@pytest.mark.parametrize("data", [b"not a database at all" * 100, b""])
def test_a_damaged_file_is_made_anew(file: Path, clock: Clock, data: bytes) -> None:
    file.parent.mkdir(parents=True)
    file.write_bytes(data)
    store = ResultStore(file)
    store.put(b"k", "v", clock.now)
    assert store.get(b"k", clock.now) == Stored("v", clock.now)
    store.close()


def test_a_file_of_another_format_is_emptied(file: Path, clock: Clock) -> None:
    store = ResultStore(file)
    store.put(b"k", "v", clock.now)
    store.close()
    connection = apsw.Connection(str(file))
    run_sql(connection, f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()
    assert store.get(b"k", clock.now) is None
    store.put(b"k", "w", clock.now)
    assert store.get(b"k", clock.now) == Stored("w", clock.now)
    store.close()


def test_a_value_that_is_not_of_our_form_is_no_result(file: Path, clock: Clock) -> None:
    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, file, clock=clock)
        await provider.call(QUERY, ASKED)
        connection = apsw.Connection(str(file))
        for value in ("{", "[]", "null", '{"text": 3, "values": {}}', '{"text": "x", "values": {"format": 99}}'):
            run_sql(connection, "UPDATE results SET value = ?", (value,))
            asked = len(server.asked)
            assert await provider.call(QUERY, ASKED) == OK
            assert len(server.asked) == asked + 1
        connection.close()
        await provider.aclose()

    asyncio.run(run())


def test_a_place_that_cannot_be_written_costs_a_call_and_nothing_else(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "file").write_bytes(b"")

    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, tmp_path / "file" / "below" / "results.db", clock=clock)
        for _ in range(2):
            assert await provider.call(QUERY, ASKED) == OK
        assert len(server.asked) == 2
        await provider.aclose()

    asyncio.run(run())


def test_another_process_that_writes_holds_nobody_up(file: Path, clock: Clock) -> None:
    store = ResultStore(file)
    store.put(b"k", "v", clock.now)
    other = apsw.Connection(str(file))
    run_sql(other, "BEGIN IMMEDIATE")
    store.put(b"k", "w", clock.now)
    assert store.get(b"k", clock.now + HOUR) == Stored("v", clock.now)
    run_sql(other, "ROLLBACK")
    other.close()
    assert store.get(b"k", clock.now) == Stored("v", clock.now)
    store.put(b"k", "w", clock.now)
    assert store.get(b"k", clock.now) == Stored("w", clock.now)
    store.close()


def test_every_kind_of_result_comes_back_as_it_was(file: Path, clock: Clock) -> None:
    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, file, clock=clock)
        odd = ToolResult("lone \ud800 surrogate", passages=PASSAGES)
        for number, result in enumerate([*(r for r in RESULTS.values() if r.outcome == "ok"), odd]):
            server.answer = result
            arguments = {**ASKED, "query": f"q{number}"}
            await provider.call(QUERY, arguments)
            server.answer = AWAY
            assert await provider.call(QUERY, arguments) == lasting(result)
        await provider.aclose()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(5, "less than a minute"), (60, "1 minute"), (7_199, "1 hour"), (7_200, "2 hours"), (86_400, "1 day"), (260_000, "3 days")],
)
def test_an_age_is_told_in_words(seconds: float, words: str) -> None:
    assert age_in_words(seconds) == words
