"""Small foreign MCP servers as scripts, for the faults that real ones have, and a provider of ours over them.

They speak the older protocol, without an SDK.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

from docs_researcher.core.errors import ServerError
from docs_researcher.core.messages import QUERY, ToolResult
from docs_researcher.tools.mcp.provider import McpProvider

Server = tuple[str, list[str]]
"""Command and arguments."""
Answer = TypeVar("Answer")
ASKED = {"libraryId": "/a/b/2.0", "query": "how"}

FRAME = """
import json, os, sys, time

QUERY_SCHEMA = {"type": "object", "properties": {"libraryId": {"type": "string"}, "query": {"type": "string"}}}
RESOLVE_SCHEMA = {"type": "object", "properties": {"libraryName": {"type": "string"}, "query": {"type": "string"}}}
TOOLS = [
    {"name": "query-docs", "inputSchema": QUERY_SCHEMA},
    {"name": "resolve-library-id", "inputSchema": RESOLVE_SCHEMA},
]

def send(message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()

def answer(request, result):
    send({"jsonrpc": "2.0", "id": request["id"], "result": result})

def fail(request, code, message):
    send({"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": message}})

def text(request, words, **more):
    answer(request, {"content": [{"type": "text", "text": words}], **more})

def on_start():
    pass

def on_request(request):
    return False

def on_call(request):
    text(request, "### Title\\n\\nSource: https://d.example.invalid/x\\n\\nHow to do it.")

def serve():
    on_start()
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request or "method" not in request or on_request(request):
            continue
        if request["method"] == "initialize":
            version, server = request["params"]["protocolVersion"], {"name": "peer", "version": "1"}
            answer(request, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server})
        elif request["method"] == "tools/list":
            answer(request, {"tools": TOOLS})
        elif request["method"] == "tools/call":
            on_call(request)
        else:
            fail(request, -32601, "Method not found")
"""


def peer(folder: Path, changes: str = "") -> Server:
    """Command and arguments of a server in which `changes` redefine parts of `FRAME`."""
    script = folder / "peer.py"
    script.write_text(f"{FRAME}\n{changes}\nserve()\n", encoding="utf-8")
    return sys.executable, ["-I", "-S", str(script)]


def with_provider(server: Server, ask: Callable[[McpProvider], Awaitable[Answer]], **options: Any) -> Answer:
    """What `ask` gets from a provider over `server`, which is closed afterwards, twice."""
    return with_made(lambda: McpProvider("peer", *server, **options), ask)


def with_made(make: Callable[[], McpProvider], ask: Callable[[McpProvider], Awaitable[Answer]]) -> Answer:
    """What `ask` gets from the provider that `make` makes, which is closed afterwards, twice."""

    async def run() -> Answer:
        provider = make()
        try:
            return await ask(provider)
        finally:
            await provider.aclose()
            await provider.aclose()

    return asyncio.run(run())


def asked(server: Server, arguments: Mapping[str, Any] = ASKED, **options: Any) -> ToolResult:
    """The result of one `query-docs` call."""
    return with_provider(server, lambda provider: provider.call(QUERY, arguments), **options)


def refused_start(server: Server, **options: Any) -> ServerError:
    """The error of a server whose tools cannot be had."""
    with pytest.raises(ServerError) as error:
        with_provider(server, lambda provider: provider.tools(), **options)
    return error.value


def gone(pid: int, seconds: float = 5) -> bool:
    """Whether a process has ended within a bound; a zombie has."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z":
                return True
            os.kill(pid, 0)
        except OSError:
            return True
    return False
