"""Servers that still speak the transport before Streamable HTTP are read like any other, and their faults are told apart, too."""

from __future__ import annotations

import asyncio

import pytest

from docs_researcher.core.errors import ServerError
from docs_researcher.core.messages import QUERY, ToolResult
from docs_researcher.tools.mcp.event_stream import EventStreamEndpoint
from docs_researcher.tools.mcp.provider import McpProvider
from event_stream_peers import END, EventStreamPeer, Message, event_stream_peer
from mcp_peers import ASKED
from mcp_web_peers import Reply

pytestmark = [pytest.mark.interop, pytest.mark.timeout(30)]


def asked(url: str, times: int = 1) -> list[ToolResult]:
    """The results of as many `query-docs` calls, one after the other, over one connection."""

    async def run() -> list[ToolResult]:
        provider = McpProvider("peer", target=EventStreamEndpoint("peer", url, {"Authorization": "Bearer secret-of-mine"}))
        try:
            return [await provider.call(QUERY, ASKED) for _ in range(times)]
        finally:
            await provider.aclose()

    return asyncio.run(run())


def test_it_is_read_like_any_other_server() -> None:
    with event_stream_peer() as server:
        (result,) = asked(server.url)
    assert result.outcome == "ok"
    assert result.passages[0].content == "How to do it."
    assert server.seen == ["GET", "initialize", "notifications/initialized", "tools/list", "tools/call"]
    assert {headers["authorization"] for headers in server.headers} == {"Bearer secret-of-mine"}


@pytest.mark.parametrize(
    ("reply", "outcome", "words"),
    [
        (Reply(status=401), "unauthorised", "refused the credentials"),
        (Reply(status=404), "unavailable", "no MCP endpoint there"),
        (Reply("<title>Wifi login</title>", 200, "text/html"), "unavailable", "Wifi login"),
    ],
)
def test_a_stream_that_is_refused_is_named_with_its_reason(reply: Reply, outcome: str, words: str) -> None:
    def refuse(verb: str, message: Message) -> Reply | None:
        return reply if verb == "GET" else None

    with event_stream_peer(refuse=refuse) as server:
        (result,) = asked(server.url)
    assert result.outcome == outcome
    assert words in result.text
    assert "secret-of-mine" not in result.text


@pytest.mark.parametrize(("method", "status"), [("initialize", 401), ("tools/call", 401), ("tools/call", 429)])
def test_a_message_that_is_refused_is_answered_at_once_and_not_waited_for(method: str, status: int) -> None:
    def refuse(verb: str, message: Message) -> Reply | None:
        return Reply(status=status) if message.get("method") == method else None

    with event_stream_peer(refuse=refuse) as server:
        (result,) = asked(server.url)
    assert result.outcome == ("rate_limited" if status == 429 else "unauthorised")


def test_a_stream_that_breaks_off_in_a_call_is_opened_once_more() -> None:
    broken: list[Message] = []

    def breaks_once(peer: EventStreamPeer, message: Message) -> bool:
        if not broken:
            broken.append(message)
            peer.stream.put(END)
            return True
        return False

    with event_stream_peer(on_call=breaks_once) as server:
        results = asked(server.url, 2)
    assert [result.outcome for result in results] == ["ok", "ok"]
    assert server.seen.count("GET") == 2


def test_where_nobody_listens_it_is_said_at_once() -> None:
    async def run() -> None:
        provider = McpProvider("peer", target=EventStreamEndpoint("peer", "http://127.0.0.1:9/sse"))
        try:
            await provider.tools()
        finally:
            await provider.aclose()

    with pytest.raises(ServerError, match="cannot be reached"):
        asyncio.run(run())
