"""Our provider over HTTP against servers of both eras that say and do odd things. Each fault is its own, none is waited out."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.core.events import Event
from docs_researcher.core.messages import QUERY, ToolResult
from docs_researcher.tools.mcp.http import HttpEndpoint
from docs_researcher.tools.mcp.provider import McpProvider
from docs_researcher.tools.specs import DOCS_TOOLS
from mcp_peers import ASKED
from mcp_web_peers import DOCS, Reply, Seen, WebPeer, asked_web, refusal, text, web_peer, with_web_provider

pytestmark = [pytest.mark.interop, pytest.mark.timeout(20)]

KEY = "ctx7sk-EXAMPLE-NOT-REAL-0123456789"
HTML = "<html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>"


def bare(peer: WebPeer) -> str:
    """Its address as it stands in messages."""
    return peer.url.removeprefix("http://")


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_both_eras_are_spoken(era: str) -> None:
    async def ask(provider: McpProvider) -> tuple[Any, ToolResult]:
        return await provider.tools(), await provider.call(QUERY, ASKED)

    with web_peer(era) as peer:
        tools, result = with_web_provider(peer.url, ask)
    assert tools == DOCS_TOOLS
    assert (result.outcome, result.text) == ("ok", DOCS)
    first = "initialize" if era == "legacy" else "tools/list"
    assert peer.methods()[:2] == ["server/discover", first]
    call = next(seen for seen in peer.seen if seen.method == "tools/call")
    if era == "modern":
        assert (call.headers["mcp-method"], call.headers["mcp-name"]) == ("tools/call", "query-docs")
    assert call.headers["user-agent"].startswith("docs-researcher/")
    assert "peer" not in call.headers["user-agent"] + str(call.message)


def test_headers_go_with_every_request_and_the_server_s_name_with_none() -> None:
    with web_peer("legacy") as peer:
        asked_web(peer.url, endpoint={"headers": {"Authorization": f"Bearer {KEY}"}})
    assert {seen.headers.get("authorization") for seen in peer.seen} == {f"Bearer {KEY}"}


@pytest.mark.parametrize("status", [401, 403])
def test_refused_credentials_name_the_address_and_the_file_but_not_the_key(status: int) -> None:
    def answer(seen: Seen) -> Reply | None:
        said = f'{{"message": "Invalid API key {KEY}"}}'
        return Reply(said, status, headers={"www-authenticate": 'Bearer resource_metadata="http://h/x"'})

    endpoint = {"headers": {"Authorization": f"Bearer {KEY}"}, "configured_in": "/etc/config.toml:3"}
    with web_peer(answer=answer) as peer:
        result = asked_web(peer.url, endpoint=endpoint)
    assert result.outcome == "unauthorised"
    assert f"the MCP server 'peer' at {bare(peer)} refused the credentials: HTTP {status}" in result.text
    assert "Check the key in /etc/config.toml:3, or sign in with: docs-research auth login" in result.text
    assert "Invalid API key" in result.text
    assert KEY not in result.text
    assert len(peer.seen) == 1, "a refusal is no sign of an older server"


def test_a_server_that_wants_credentials_says_so_before_anything_was_configured() -> None:
    with web_peer(answer=lambda seen: Reply(status=401)) as peer:
        result = asked_web(peer.url)
    assert result.outcome == "unauthorised"
    assert "asks for credentials" in result.text


def test_credentials_refused_in_the_middle_are_told_from_a_broken_server() -> None:
    def answer(seen: Seen) -> Reply | None:
        return refusal(seen, -32001, "Token expired", 401) if seen.method == "tools/call" else None

    with web_peer("legacy", answer) as peer:
        result = asked_web(peer.url, endpoint={"headers": {"Authorization": "Bearer x"}})
    assert result.outcome == "unauthorised"
    assert "HTTP 401 Unauthorized: Token expired" in result.text
    assert peer.methods().count("tools/call") == 1


def test_a_header_that_every_answer_carries_is_no_demand_to_sign_in() -> None:
    header = {"www-authenticate": 'Bearer resource_metadata="http://h/x"'}
    with web_peer(answer=lambda seen: text(seen, headers=header) if seen.method == "tools/call" else None) as peer:
        assert asked_web(peer.url).outcome == "ok"


@pytest.mark.parametrize("method", ["server/discover", "tools/call"])
def test_a_gateway_s_page_is_unavailable_with_its_status_and_title(method: str) -> None:
    page = Reply(HTML, 502, "text/html")
    with web_peer(answer=lambda seen: page if seen.method == method else None) as peer:
        result = asked_web(peer.url)
    assert result.outcome == "unavailable"
    assert "failed: HTTP 502 Bad Gateway: 502 Bad Gateway" in result.text
    assert "<" not in result.text


def test_a_sign_in_page_of_a_network_is_told_from_an_mcp_server() -> None:
    page = Reply("<!doctype html><title>Hotel Wi-Fi</title>", 200, "text/html")
    with web_peer(answer=lambda seen: page) as peer:
        result = asked_web(peer.url)
    assert result.outcome == "unavailable"
    assert "answered with a web page instead of MCP: Hotel Wi-Fi" in result.text


def test_a_spent_quota_is_rate_limited_with_the_time_to_wait() -> None:
    limit = Reply('{"error": "rate_limited", "message": "Monthly quota spent"}', 429, headers={"retry-after": "30"})
    with web_peer(answer=lambda seen: limit if seen.method == "tools/call" else None) as peer:
        result = asked_web(peer.url)
    assert result.outcome == "rate_limited"
    assert "HTTP 429 Too Many Requests: Monthly quota spent: it asks to wait 30 s" in result.text


def test_one_failed_call_does_not_take_its_siblings_with_it() -> None:
    def answer(seen: Seen) -> Reply | None:
        bad = seen.method == "tools/call" and seen.message["params"]["arguments"]["query"] == "bad"
        return Reply(HTML, 503, "text/html") if bad else None

    async def ask(provider: McpProvider) -> list[ToolResult]:
        queries = ["good", "bad", "fine"]
        return await asyncio.gather(*(provider.call(QUERY, {**ASKED, "query": query}) for query in queries))

    with web_peer("legacy", answer) as peer:
        results = with_web_provider(peer.url, ask)
    assert [found.outcome for found in results] == ["ok", "unavailable", "ok"]
    assert peer.methods().count("initialize") == 1


def test_an_address_without_a_server_is_unavailable_at_once() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    result = asked_web(f"http://127.0.0.1:{port}/mcp")
    assert result.outcome == "unavailable"
    assert f"at 127.0.0.1:{port}/mcp cannot be reached" in result.text


def test_a_wrong_path_is_named() -> None:
    with web_peer(answer=lambda seen: Reply("nothing here", 404, "text/plain")) as peer:
        result = asked_web(peer.url, endpoint={"configured_in": "config.toml:2"})
    assert result.outcome == "unavailable"
    assert "has no MCP endpoint there: HTTP 404 Not Found: nothing here" in result.text
    assert "Check the url in config.toml:2" in result.text


def test_a_lost_session_is_opened_once_more_and_the_call_repeated() -> None:
    known: set[str] = {"first"}

    def answer(seen: Seen) -> Reply | None:
        if seen.method == "tools/call" and "first" in known:
            known.clear()
            peer.session = "second"
        session = seen.headers.get("mcp-session-id")
        if session == "first" and not known and seen.verb == "POST":
            return Reply('{"error": "unknown session"}', 404)
        return None

    with web_peer("legacy", answer) as peer:
        peer.session = "first"
        result = asked_web(peer.url)
    assert result.outcome == "ok"
    assert peer.methods().count("initialize") == 2
    assert peer.methods().count("tools/call") == 2


def test_a_session_that_is_never_known_is_given_up_after_one_new_start() -> None:
    lost = Reply("", 404)
    with web_peer("legacy", lambda seen: lost if seen.method == "tools/call" else None) as peer:
        peer.session = "s"
        result = asked_web(peer.url)
    assert result.outcome == "unavailable"
    assert "broke off the connection twice" in result.text
    assert peer.methods().count("tools/call") == 2


def test_an_answer_that_breaks_off_is_asked_for_once_more() -> None:
    calls: list[int] = []

    def answer(seen: Seen) -> Reply | None:
        if seen.method != "tools/call":
            return None
        calls.append(1)
        return Reply("event: message\n", 200, "text/event-stream") if len(calls) == 1 else None

    with web_peer(answer=answer) as peer:
        assert asked_web(peer.url).outcome == "ok"
    assert len(calls) == 2


def test_a_body_shorter_than_announced_is_asked_for_once_more() -> None:
    calls: list[int] = []

    def answer(seen: Seen) -> Reply | None:
        if seen.method != "tools/call":
            return None
        calls.append(1)
        return Reply("{", length=500) if len(calls) == 1 else None

    with web_peer(answer=answer) as peer:
        assert asked_web(peer.url).outcome == "ok"


@pytest.mark.parametrize("kind", ["json", "sse", "sse-comments"])
def test_a_byte_order_mark_and_comments_cost_no_answer(kind: str) -> None:
    def answer(seen: Seen) -> Reply | None:
        if seen.method != "tools/call":
            return None
        plain = text(seen)
        assert isinstance(plain.body, str)
        if kind == "json":
            return Reply("\ufeff" + plain.body)
        body = f": hello\r\n\r\nevent: message\r\nid: 1\r\ndata: {plain.body}\r\n\r\n"
        return Reply(("\ufeff" if kind == "sse" else "") + body, content_type="text/event-stream")

    with web_peer(answer=answer) as peer:
        assert asked_web(peer.url).text == DOCS


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_progress_in_the_stream_of_an_answer_is_forwarded(era: str) -> None:
    def answer(seen: Seen) -> Reply | None:
        if seen.method != "tools/call":
            return None
        told = {"progressToken": seen.message["params"]["_meta"]["progressToken"], "progress": 1, "total": 2, "message": "half"}
        progress = json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": told})
        final = text(seen).body
        return Reply(f"data: {progress}\n\ndata: {final}\n\n", content_type="text/event-stream")

    events: list[Event] = []
    with web_peer(era, answer) as peer:
        assert asked_web(peer.url, listener=events.append).outcome == "ok"
    assert Event("fetch", "half", 1, 2) in events


def test_a_redirect_inside_the_origin_is_followed_with_its_body() -> None:
    def answer(seen: Seen) -> Reply | None:
        return Reply(status=307, headers={"location": "/mcp/"}) if seen.path == "/mcp" else None

    with web_peer(answer=answer) as peer:
        assert asked_web(peer.url).outcome == "ok"


def test_a_redirect_to_another_host_gets_neither_request_nor_key() -> None:
    with web_peer() as other:
        away = Reply(status=307, headers={"location": other.url})
        with web_peer(answer=lambda seen: away) as peer:
            result = asked_web(peer.url, endpoint={"headers": {"Authorization": f"Bearer {KEY}"}})
        assert not other.seen
    assert result.outcome == "unavailable"
    assert other.url in result.text
    assert KEY not in result.text


def test_a_server_that_stays_silent_is_given_up_at_the_deadline() -> None:
    release = threading.Event()
    with web_peer(answer=lambda seen: Reply(status=500, wait=release)) as peer:
        try:
            result = asked_web(peer.url, connect_seconds=0.5)
        finally:
            release.set()
    assert result.outcome == "unavailable"
    assert f"did not answer within 0.5 s at {bare(peer)}" in result.text


def test_a_stream_for_unasked_messages_that_ends_at_once_is_not_opened_for_ever() -> None:
    def answer(seen: Seen) -> Reply | None:
        if seen.verb == "GET":
            return Reply("retry: 1\n\n", 200, "text/event-stream")
        return None

    async def ask(provider: McpProvider) -> None:
        await provider.call(QUERY, ASKED)
        while peer.methods().count("GET") < 5:
            await asyncio.sleep(0.01)
        await provider.call(QUERY, ASKED)

    with web_peer("legacy", answer) as peer:
        peer.session = "s"
        with_web_provider(peer.url, ask)
    assert peer.methods().count("GET") == 5
    assert peer.methods()[-1] == "DELETE", "the session is ended when it is left"


def test_loopback_is_reached_directly_whatever_proxy_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with web_peer() as peer:
        assert asked_web(peer.url).outcome == "ok"


def test_other_addresses_go_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with web_peer() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/mcp"))
        assert asked_web("http://docs.example.invalid/mcp").outcome == "ok"
    assert proxy.seen[0].path == "http://docs.example.invalid/mcp"


def test_certificates_that_cannot_be_used_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("no certificate", encoding="utf-8")
    monkeypatch.setenv("NODE_EXTRA_CA_CERTS", str(file))
    result = asked_web("https://127.0.0.1:9/mcp")
    assert result.outcome == "unavailable"
    assert str(file) in result.text
    assert "NODE_EXTRA_CA_CERTS" in result.text


def test_a_header_with_a_line_break_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(ConfigurationError, match="'X-A' of the MCP server 'peer'") as error:
        HttpEndpoint("peer", "http://127.0.0.1:9/mcp", {"X-A": "a\r\nX-B: c"}, configured_in="f.json:3")
    assert "f.json:3" in error.value.next_step


def test_a_provider_may_be_closed_while_a_call_is_under_way() -> None:
    release = threading.Event()

    def answer(seen: Seen) -> Reply | None:
        return text(seen, wait=release) if seen.method == "tools/call" else None

    async def ask(provider: McpProvider) -> ToolResult:
        call = asyncio.create_task(provider.call(QUERY, ASKED))
        while "tools/call" not in peer.methods():
            await asyncio.sleep(0.01)
        await provider.aclose()
        return await call

    with web_peer(answer=answer) as peer:
        try:
            result = with_web_provider(peer.url, ask)
        finally:
            release.set()
    assert result.outcome == "unavailable"
