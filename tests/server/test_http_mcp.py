"""MCP over streamable HTTP, in both protocol eras, as real clients and bad ones speak it."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client, types

from conformance_fixture import FixtureBackend
from docs_researcher.core.messages import QUERY, RESOLVE, ToolResult
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.server.app import build_server
from docs_researcher.server.http.backend import Counted, LocalBackend, Opened
from docs_researcher.server.http.settings import HttpSettings
from docs_researcher.tools.base import DocsProvider
from docs_researcher.tools.mcp.wire import RESULT_KEY, from_wire
from http_running import Running, running, without_a_server
from mcp_example import ExampleDocs

ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])
ASKED = {"libraryId": "/local/signpost", "query": "rotate the secret"}
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
MODERN = "2026-07-28"
KEYS = ["jsonrpc", "id", "method", "params", "name", "arguments", "_meta", "libraryId", "query", "progressToken", "uri", "ref"]
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}


@pytest.fixture(scope="module")
def served(docs: Path) -> Iterator[Running]:
    with running(docs) as server:
        yield server


@pytest.fixture(scope="module")
def notes(docs: Path) -> Iterator[Running]:
    """A server that has a tool with progress notes."""
    with running(docs, backend=FixtureBackend(LocalBackend(policy={"offline": True}, home=docs))) as server:
        yield server


def _ask(server: Running, mode: str, ask: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with Client(f"{server.address}/mcp", mode=mode, read_timeout_seconds=15) as client:
            return await ask(client)

    return asyncio.run(run())


def _post(server: Running, method: str, params: dict[str, Any] | None = None, **headers: str) -> httpx2.Response:
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params or {}}
    return server.client.post("/mcp", json=body, headers={**HEADERS, **{k.replace("_", "-"): v for k, v in headers.items()}})


def _modern(server: Running, method: str, params: dict[str, Any] | None = None, **headers: str) -> httpx2.Response:
    name = (params or {}).get("name")
    routing = {"MCP_Protocol_Version": MODERN, "Mcp_Method": method, **({"Mcp_Name": name} if name else {})}
    return _post(
        server, method, {**(params or {}), "_meta": {**META, **(params or {}).get("_meta", {})}}, **{**routing, **headers}
    )


@ERAS
def test_a_result_is_the_local_provider_s_text_byte_for_byte(served: Running, docs: Path, mode: str) -> None:
    result: types.CallToolResult = _ask(served, mode, lambda client: client.call_tool(QUERY, ASKED))
    expected = without_a_server(docs, QUERY, ASKED)
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    assert block.text == expected.text
    assert from_wire(block.text, (result.meta or {})[RESULT_KEY]) == expected


@ERAS
def test_every_list_is_answered(served: Running, mode: str) -> None:
    async def ask(client: Client) -> list[str]:
        tools, prompts = await client.list_tools(), await client.list_prompts()
        await client.list_resources()
        await client.list_resource_templates()
        return [*(tool.name for tool in tools.tools), *(prompt.name for prompt in prompts.prompts)]

    assert {RESOLVE, QUERY, "research-library-docs", "get_docs", "docs"} == set(_ask(served, mode, ask))


@ERAS
def test_the_whole_research_is_one_call(served: Running, mode: str) -> None:
    arguments = {"question": "How do I rotate a secret?", "library": "/local/signpost"}
    result: types.CallToolResult = _ask(served, mode, lambda client: client.call_tool("research-library-docs", arguments))
    assert not result.is_error
    assert "rotate_secret(keep_old_for=3600)" in str(result.content)


def test_an_older_client_calls_without_a_handshake_and_without_a_session(served: Running) -> None:
    answer = _post(served, "tools/call", {"name": QUERY, "arguments": ASKED})
    assert answer.status_code == 200
    assert "mcp-session-id" not in answer.headers
    assert "rotate_secret" in answer.json()["result"]["content"][0]["text"]


@pytest.mark.parametrize("accept", ["application/json", "*/*", "", "application/json, text/event-stream"])
def test_the_answer_is_json_for_everybody_who_takes_it(served: Running, accept: str) -> None:
    old = _post(served, "tools/list", Accept=accept)
    new = _modern(served, "tools/list", Accept=accept)
    for answer in (old, new):
        assert answer.headers["content-type"] == "application/json"
        assert len(answer.json()["result"]["tools"]) == 4


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/oauth"])
def test_only_posts_are_taken_since_there_are_no_sessions(served: Running, method: str, path: str) -> None:
    answer = served.client.request(method, path, headers={**HEADERS, "Authorization": "Bearer x"})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"
    assert answer.json()["error"]["code"] == -32000


@pytest.mark.parametrize("path", ["/mcp/", "//mcp"])
def test_both_spellings_of_the_address_are_answered_without_a_redirect(served: Running, path: str) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert served.client.post(f"{served.address}{path}", json=body, headers=HEADERS).status_code == 200


def test_the_oauth_address_wants_a_credential_and_takes_any_when_no_tokens_are_set(served: Running) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    without = served.client.post("/mcp/oauth", json=body, headers=HEADERS)
    assert without.status_code == 401
    assert without.json()["error"]["code"] == -32001
    assert without.headers["www-authenticate"].startswith("Bearer")
    with_one = served.client.post("/mcp/oauth", json=body, headers={**HEADERS, "Authorization": "Bearer anything"})
    assert with_one.status_code == 200


@ERAS
def test_notes_on_progress_come_before_the_result(notes: Running, mode: str) -> None:
    heard: list[float] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    result: types.CallToolResult = _ask(
        notes, mode, lambda client: client.call_tool("test_tool_with_progress", {}, progress_callback=on_progress)
    )
    assert not result.is_error
    assert heard == [0, 50, 100]


def test_an_older_caller_that_asks_for_notes_and_takes_only_json_gets_the_result(notes: Running) -> None:
    call = {"name": "test_tool_with_progress", "arguments": {}, "_meta": {"progressToken": 1}}
    answer = _post(notes, "tools/call", call, Accept="application/json")
    assert answer.json()["result"]["content"][0]["text"] == "done"


def test_a_body_over_the_bound_is_refused_with_and_without_a_length(docs: Path) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 100

    with running(docs, HttpSettings(max_body=1_000)) as server:
        declared = server.client.post("/mcp", content=b" " * 4_000, headers=HEADERS)
        chunked = server.client.post("/mcp", content=pieces(), headers=HEADERS)
        small = _post(server, "ping")
    assert (declared.status_code, chunked.status_code, small.status_code) == (413, 413, 200)
    assert "too large" in declared.json()["error"]["message"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [(b"{", 400, -32700), (b"[]", 400, -32600), (b'{"jsonrpc":"2.0","id":1}', 400, -32600), (b"\xff\xfe", 400, -32700)],
)
def test_what_is_no_request_is_an_error_of_the_protocol(served: Running, body: bytes, status: int, code: int) -> None:
    routing = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/list"}
    answer = served.client.post("/mcp", content=body, headers={**HEADERS, **routing})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    old = served.client.post("/mcp", content=body, headers=HEADERS)
    assert 400 <= old.status_code < 500
    assert _post(served, "ping").status_code == 200


def test_the_headers_of_a_modern_request_have_to_fit_its_body(served: Running) -> None:
    call = {"name": QUERY, "arguments": ASKED}
    assert _modern(served, "tools/call", call).status_code == 200
    wrong = _modern(served, "tools/call", call, Mcp_Name=RESOLVE)
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (400, -32020)
    unknown = _modern(served, "no/such/method")
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (404, -32601)
    newer = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}}
    later = _modern(served, "tools/list", newer, MCP_Protocol_Version="2031-01-01")
    assert (later.status_code, later.json()["error"]["code"]) == (400, -32022)


def test_calls_in_parallel_are_answered_each_with_its_own(served: Running) -> None:
    calls = [{**ASKED, "query": "rotate the secret"}, {"libraryId": "/local/screen", "query": "日本語"}]

    async def ask(client: Client) -> list[str]:
        results = await asyncio.gather(*(client.call_tool(QUERY, arguments) for arguments in calls * 16))
        return [str(result.content) for result in results]

    for mode in ("auto", "legacy"):
        answers = _ask(served, mode, ask)
        assert all("rotate_secret" in answer for answer in answers[::2])
        assert all("Drawing the screen" in answer for answer in answers[1::2])


def test_an_answer_is_utf_8_without_escapes_where_clients_read_it(served: Running) -> None:
    answer = _post(served, "tools/call", {"name": QUERY, "arguments": {"libraryId": "/local/screen", "query": "日本語"}})
    assert "日本語" in answer.content.decode("utf-8")
    assert json.loads(answer.content)["result"]["content"][0]["text"].startswith("### Drawing the screen")


class Waiting(ExampleDocs):
    """A provider whose call ends only when it is cancelled."""

    def __init__(self, began: threading.Event, cancelled: threading.Event) -> None:
        super().__init__()
        self._began = began
        self._cancelled = cancelled

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        self._began.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self._cancelled.set()
            raise
        raise AssertionError


@dataclass(frozen=True, slots=True)
class OneProvider:
    """A backend around one provider."""

    provider: DocsProvider

    def open(self, docsets: tuple[str, ...] | None, counted: Counted) -> Opened:
        return Opened(Store(), Catalogue.load(), self.provider, build_server(self.provider), self.provider.aclose)


def test_a_caller_that_leaves_cancels_its_call(docs: Path) -> None:
    began, cancelled = threading.Event(), threading.Event()
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": QUERY, "arguments": ASKED, "_meta": META}}
    )
    routing = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": QUERY}
    fields = {"Host": "localhost", **HEADERS, **routing, "Content-Length": str(len(body))}
    head = "\r\n".join(["POST /mcp HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""])
    with running(docs, backend=OneProvider(Waiting(began, cancelled))) as server:
        with socket.create_connection(("127.0.0.1", server.client.base_url.port or 0)) as connection:
            connection.sendall((head + body).encode())
            assert began.wait(15)
        assert cancelled.wait(15)
        assert server.client.get("/healthz").status_code == 200


def test_a_session_that_a_client_remembers_makes_no_difference(served: Running) -> None:
    assert _post(served, "tools/list", Mcp_Session_Id="from-before-a-restart").status_code == 200


METHODS = [
    "tools/call",
    "tools/list",
    "initialize",
    "server/discover",
    "ping",
    "prompts/get",
    "resources/read",
    "completion/complete",
]
JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=8), inner, max_size=6),
    max_leaves=20,
)
PARAMS: st.SearchStrategy[Any] = JSON_VALUES | st.dictionaries(
    st.sampled_from(KEYS), JSON_VALUES | st.sampled_from([QUERY, RESOLVE, "get_docs", "docs"]), max_size=6
)
FRAMES: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "id": JSON_VALUES, "method": st.sampled_from(METHODS), "params": PARAMS}
)


def _written(value: Any) -> bytes:
    return json.dumps(value).encode()


BODIES: st.SearchStrategy[bytes] = st.binary(max_size=200) | (JSON_VALUES | FRAMES).map(_written) | st.just(b"[" * 100_000)


@settings(max_examples=300, deadline=None)
@given(
    body=BODIES,
    version=st.sampled_from(["", MODERN, "2025-11-25", "2024-11-05", "nonsense"]),
    accept=st.sampled_from(["application/json", "*/*", "text/event-stream", "application/json, text/event-stream"]),
)
def test_whatever_is_posted_the_server_answers_and_goes_on(served: Running, body: bytes, version: str, accept: str) -> None:
    headers = {"Content-Type": "application/json", "Accept": accept, **({"MCP-Protocol-Version": version} if version else {})}
    answer = served.client.post("/mcp", content=body, headers=headers)
    assert 200 <= answer.status_code < 500, answer.text
    assert served.client.get("/healthz").status_code == 200
