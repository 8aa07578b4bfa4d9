"""What is remembered of a server spares the next process its questions; where the server has changed, they are asked again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from docs_researcher.core.messages import QUERY, RESOLVE, ToolResult
from docs_researcher.tools.mcp.http import HttpEndpoint
from docs_researcher.tools.mcp.provider import McpProvider
from docs_researcher.tools.result_store import ResultStore
from docs_researcher.tools.server_memory import StoredMemory
from mcp_peers import ASKED, peer
from mcp_web_peers import Reply, Seen, WebPeer, refusal, web_peer

pytestmark = [pytest.mark.interop, pytest.mark.timeout(30)]

NOTED = """
_request = on_request
def on_request(request):
    print(request['method'], file=open({log!r}, 'a'))
    return _request(request)
"""


ProviderOver = Callable[[StoredMemory], McpProvider]


class Remembering:
    """One provider after the other over the same memory, as processes are."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "results.db"
        self.now = 1_000_000.0

    def asked(self, provider_of: ProviderOver, tool: str = QUERY, arguments: Mapping[str, str] = ASKED) -> ToolResult:
        async def ask() -> ToolResult:
            store = ResultStore(self._file)
            provider = provider_of(StoredMemory(store, "one server", clock=lambda: self.now))
            try:
                return await provider.call(tool, arguments)
            finally:
                await provider.aclose()
                store.close()

        return asyncio.run(ask())


@pytest.fixture
def remembering(tmp_path: Path) -> Remembering:
    return Remembering(tmp_path)


class Started:
    """A server that is started, and what it was asked since the last look."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = folder / "methods"

    def __call__(self, changes: str = "") -> ProviderOver:
        command, args = peer(self._folder, changes + "\n" + NOTED.format(log=str(self._log)))
        return lambda memory: McpProvider("peer", command, args, memory=memory)

    def methods(self) -> list[str]:
        found = self._log.read_text(encoding="utf-8").split()
        self._log.unlink()
        return found


@pytest.fixture
def started(tmp_path: Path) -> Started:
    return Started(tmp_path)


def test_the_older_protocol_and_the_tools_are_asked_for_once(remembering: Remembering, started: Started) -> None:
    server = started()
    assert remembering.asked(server).outcome == "ok"
    assert started.methods() == ["server/discover", "initialize", "tools/list", "tools/call"]
    assert remembering.asked(server).outcome == "ok"
    assert started.methods() == ["initialize", "tools/call"]
    remembering.now += 2 * 24 * 3600
    assert remembering.asked(server).outcome == "ok"
    assert started.methods() == ["server/discover", "initialize", "tools/list", "tools/call"]


def test_a_server_that_is_deaf_to_the_newer_protocol_is_waited_for_once(remembering: Remembering, started: Started) -> None:
    deaf = started(
        "def on_start():\n    print('running', file=sys.stderr, flush=True)\n"
        "def on_request(request):\n    return request['method'] == 'server/discover'"
    )
    remembering.asked(deaf)
    assert "server/discover" in started.methods()
    assert remembering.asked(deaf).outcome == "ok"
    assert "server/discover" not in started.methods()


def test_a_server_that_now_refuses_the_older_protocol_is_asked_anew(remembering: Remembering, started: Started) -> None:
    remembering.asked(started())
    started.methods()
    strict = started(
        "ASKED = []\n"
        "def on_request(request):\n"
        "    ASKED.append(request['method'])\n"
        "    if request['method'] == 'initialize' and 'server/discover' not in ASKED:\n        sys.exit(1)"
    )
    assert remembering.asked(strict).outcome == "ok"
    assert started.methods() == ["initialize", "server/discover", "initialize", "tools/call"]


def test_tools_that_were_renamed_are_found_by_listing_them_again(remembering: Remembering, started: Started) -> None:
    remembering.asked(started())
    started.methods()
    renamed = started(
        "TOOLS = [{'name': 'get-library-docs', 'inputSchema': {'type': 'object', 'properties': "
        "{'context7CompatibleLibraryID': {}, 'topic': {}}}}]\n"
        "def on_call(request):\n    if request['params']['name'] != 'get-library-docs':\n"
        "        return fail(request, -32602, 'Unknown tool')\n"
        "    text(request, '### T\\n\\n' + json.dumps(request['params']['arguments']))"
    )
    result = remembering.asked(renamed)
    assert json.loads(result.passages[0].content) == {"context7CompatibleLibraryID": "/a/b/2.0", "topic": "how"}
    assert started.methods() == ["initialize", "tools/call", "tools/list", "tools/call"]
    assert remembering.asked(renamed).outcome == "ok"
    assert started.methods() == ["initialize", "tools/call"]


def test_a_failure_that_is_the_servers_own_is_not_asked_for_twice(remembering: Remembering, started: Started) -> None:
    remembering.asked(started())
    started.methods()
    broken = started("def on_call(request):\n    fail(request, -32603, 'the index is locked')")
    assert remembering.asked(broken).outcome == "error"
    assert started.methods() == ["initialize", "tools/call", "tools/list"]


def test_a_library_that_was_installed_since_is_found(remembering: Remembering, started: Started) -> None:
    docs = (
        "def tool(names):\n    return {{'name': 'get_docs', 'inputSchema': {{'type': 'object', 'properties': "
        "{{'library': {{'type': 'string', 'enum': names}}, 'topic': {{'type': 'string'}}}}}}}}\n"
        "TOOLS = [tool({names})]"
    )
    wanted = {"libraryName": "click", "query": "x"}
    assert remembering.asked(started(docs.format(names=["flask@3.0.0"])), RESOLVE, wanted).outcome == "not_found"
    assert remembering.asked(started(docs.format(names=["click@8.1.0"])), RESOLVE, wanted).outcome == "ok"


def endpoint(server: WebPeer) -> ProviderOver:
    return lambda memory: McpProvider("peer", target=HttpEndpoint("peer", server.url), memory=memory)


@pytest.mark.parametrize(
    ("era", "asked"),
    [("modern", {"tools/call"}), ("legacy", {"initialize", "notifications/initialized", "GET", "tools/call", "DELETE"})],
)
def test_an_address_is_spoken_to_in_its_protocol_at_once(era: str, asked: set[str], remembering: Remembering) -> None:
    with web_peer(era=era) as server:
        assert remembering.asked(endpoint(server)).outcome == "ok"
        before = len(server.methods())
        assert remembering.asked(endpoint(server)).outcome == "ok"
        again = server.methods()[before:]
    assert "tools/call" in again
    assert set(again) <= asked


@pytest.mark.parametrize(
    "refused",
    [
        Reply(status=400),
        Reply(status=404, body="<html>none</html>", content_type="text/html"),
        (-32600, "Server not initialized", 400),
        (-32602, "Invalid request parameters", 200),
    ],
)
def test_an_address_that_now_speaks_the_older_protocol_is_asked_anew(
    refused: Reply | tuple[int, str, int], remembering: Remembering
) -> None:
    def refuse(seen: Seen) -> Reply:
        return refused if isinstance(refused, Reply) else refusal(seen, *refused)

    def strict(seen: Seen) -> Reply | None:
        return refuse(seen) if seen.method == "tools/call" and "initialize" not in other.methods() else None

    with web_peer(era="modern") as server:
        assert remembering.asked(endpoint(server)).outcome == "ok"
    with web_peer(era="legacy", answer=strict) as other:
        assert remembering.asked(endpoint(other)).outcome == "ok"
        assert other.methods()[:3] == ["tools/call", "server/discover", "initialize"]
        before = len(other.methods())
        assert remembering.asked(endpoint(other)).outcome == "ok"
        assert other.methods()[before] == "initialize"


def test_a_spent_quota_at_a_remembered_address_is_said_at_once(remembering: Remembering) -> None:
    def spent(seen: Seen) -> Reply | None:
        return Reply(status=429) if limited else None

    limited = False
    with web_peer(answer=spent, era="modern") as server:
        assert remembering.asked(endpoint(server)).outcome == "ok"
        limited = True
        before = len(server.methods())
        assert remembering.asked(endpoint(server)).outcome == "rate_limited"
        assert server.methods()[before:] == ["tools/call"]
