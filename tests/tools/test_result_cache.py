"""Tool results kept in a file: what is kept, for how long, how it is bound, and what is used where a server is away."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import apsw
import pytest

from cached_server import ASKED, AWAY, NAMED, OK, Clock, Server
from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import ServerError
from docs_researcher.core.messages import QUERY, RESOLVE, ToolOutcome, ToolResult
from docs_researcher.docsets.sql import run as run_sql
from docs_researcher.tools.cache import CachedProvider, age_in_words
from docs_researcher.tools.result_store import KEEP_SECONDS
from docs_researcher.tools.specs import DOCS_TOOLS
from mcp_example import PASSAGES, RESULTS

HOUR = 3600.0
DAY = 24 * HOUR


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


FAILED: tuple[ToolOutcome, ...] = tuple(outcome for outcome in get_args(ToolOutcome) if outcome != "ok")


@pytest.mark.parametrize("outcome", FAILED)
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


@pytest.mark.parametrize("outcome", [outcome for outcome in FAILED if outcome not in ("rate_limited", "unavailable")])
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


def test_an_answer_out_of_the_file_asks_the_server_nothing(file: Path, clock: Clock) -> None:
    async def run() -> None:
        for times in (1, 0):
            server = Server()
            provider = CachedProvider(server, file, clock=clock)
            assert await provider.tools() == DOCS_TOOLS
            assert (await provider.call(QUERY, ASKED)).passages == PASSAGES
            assert (server.listed, len(server.asked)) == (times, times)
            await provider.aclose()

    asyncio.run(run())


@pytest.mark.parametrize("later", [HOUR, -HOUR])
def test_a_list_of_tools_is_asked_for_again_after_an_hour(file: Path, clock: Clock, later: float) -> None:
    async def run() -> None:
        server = Server()
        provider = CachedProvider(server, file, clock=clock)
        await provider.tools()
        clock.now += later
        server.offered = DOCS_TOOLS[1:]
        assert await provider.tools() == DOCS_TOOLS[1:]
        assert await provider.tools() == DOCS_TOOLS[1:]
        assert server.listed == 2
        await provider.aclose()

    asyncio.run(run())


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
