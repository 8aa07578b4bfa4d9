"""The protocol over pipes: versions, ids and cancelled calls; and connections beside one another."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from docs_researcher.core.errors import ServerError
from docs_researcher.core.messages import QUERY, ToolResult
from docs_researcher.tools.mcp.child import Launch
from docs_researcher.tools.mcp.connection import Connection
from docs_researcher.tools.mcp.provider import McpProvider
from mcp_peers import ASKED, asked, gone, peer, refused_start

pytestmark = [pytest.mark.interop, pytest.mark.timeout(30)]


def test_a_server_that_agrees_to_a_version_that_nobody_knows_is_refused_with_it(tmp_path: Path) -> None:
    unknown = (
        "def on_request(request):\n    if request['method'] == 'initialize':\n"
        "        about = {'capabilities': {}, 'serverInfo': {'name': 'p', 'version': '1'}}\n"
        "        answer(request, {'protocolVersion': '1999-01-01', **about})\n        return True"
    )
    error = refused_start(peer(tmp_path, unknown))
    assert "'peer' could not be understood" in error.message
    assert "1999-01-01" in error.message


def test_an_id_that_comes_back_as_a_text_is_the_same_id(tmp_path: Path) -> None:
    as_text = "_answer = answer\ndef answer(request, result):\n    _answer({**request, 'id': str(request['id'])}, result)"
    assert asked(peer(tmp_path, as_text)).outcome == "ok"


SLOW = """
def on_call(request):
    pass
_loads = json.loads
def loads(line):
    message = _loads(line)
    if message.get('method') == 'notifications/cancelled':
        with open(LOG, 'w') as file:
            file.write(str(message['params']['requestId'] == CALLED[-1]))
    elif message.get('method') == 'tools/call':
        CALLED.append(message['id'])
    return message
CALLED = []
json.loads = loads
"""
"""A server that never answers a call, and writes down whether the call that is cancelled is that one."""


def _written(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


def test_a_call_that_takes_too_long_is_cancelled_at_the_server(tmp_path: Path) -> None:
    log = tmp_path / "cancelled"
    command, args = peer(tmp_path, f"LOG = {str(log)!r}\n{SLOW}")

    async def run() -> None:
        connection = Connection(Launch("peer", command, tuple(args)), mode="legacy", read_seconds=0.5)
        try:
            await connection.call(lambda client: client.call_tool("query-docs", dict(ASKED)))
        finally:
            await connection.aclose()

    with pytest.raises(ServerError, match=r"gave no answer within 0\.5 s"):
        asyncio.run(run())
    assert _written(log) == "True"


def test_a_call_that_nobody_waits_for_any_more_is_cancelled_at_the_server(tmp_path: Path) -> None:
    log = tmp_path / "cancelled"
    server = peer(tmp_path, f"LOG = {str(log)!r}\n{SLOW}")

    async def run() -> None:
        provider = McpProvider("peer", *server)
        await provider.tools()
        call = asyncio.create_task(provider.call(QUERY, ASKED))
        await asyncio.wait({call}, timeout=0.5)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await provider.aclose()

    asyncio.run(run())
    assert _written(log) == "True"


def test_connections_are_closed_in_any_order_by_any_task(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        folder.mkdir()
    pids = [folder / "pid" for folder in folders]
    mark = "def on_start():\n    open({pid!r}, 'w').write(str(os.getpid()))"
    servers = [peer(folder, mark.format(pid=str(pid))) for folder, pid in zip(folders, pids, strict=True)]

    async def run() -> list[ToolResult]:
        first, second, third = (McpProvider(str(number), *server) for number, server in enumerate(servers))
        for provider in (first, second, third):
            await provider.tools()
        await first.aclose()
        results = [await third.call(QUERY, ASKED)]
        await asyncio.create_task(third.aclose())
        results.append(await second.call(QUERY, ASKED))
        await second.aclose()
        return results

    assert [result.outcome for result in asyncio.run(run())] == ["ok", "ok"]
    assert all(gone(int(json.loads(_written(pid)))) for pid in pids)
