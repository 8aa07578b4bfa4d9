"""MCP servers at loopback addresses, for the faults that real ones have, and a provider of ours over them."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from docs_researcher.core.messages import QUERY, ToolResult
from docs_researcher.testing.loopback import LoopbackServer, QuietHandler
from docs_researcher.tools.mcp.http import HttpEndpoint
from docs_researcher.tools.mcp.provider import McpProvider
from mcp_peers import ASKED, with_made

Result = TypeVar("Result")
DOCS = "### Title\n\nSource: https://d.example.invalid/x\n\nHow to do it."
TOOLS: list[dict[str, Any]] = [
    {"name": "query-docs", "inputSchema": {"type": "object", "properties": {"libraryId": {}, "query": {}}}},
    {"name": "resolve-library-id", "inputSchema": {"type": "object", "properties": {"libraryName": {}, "query": {}}}},
]
MODERN = "2026-07-28"


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back over HTTP. `cut` ends the connection after the body without its rest; `wait` first waits for an event."""

    body: bytes | str = b""
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    length: int | None = None
    wait: threading.Event | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """One request that a peer got: HTTP method, path, headers (lower case) and the JSON-RPC message."""

    verb: str
    path: str
    headers: Mapping[str, str]
    message: dict[str, Any]
    raw: bytes = b""

    @property
    def method(self) -> str:
        """The JSON-RPC method; empty if there is none."""
        return str(self.message.get("method", ""))


def result(seen: Seen, value: Any, **reply: Any) -> Reply:
    """An ordinary answer to a request."""
    return Reply(json.dumps({"jsonrpc": "2.0", "id": seen.message["id"], "result": value}), **reply)


def text(seen: Seen, words: str = DOCS, **reply: Any) -> Reply:
    """An ordinary tool result."""
    return result(seen, {"resultType": "complete", "content": [{"type": "text", "text": words}]}, **reply)


def refusal(seen: Seen, code: int, message: str, status: int = 200) -> Reply:
    """A JSON-RPC error."""
    error = {"code": code, "message": message}
    return Reply(json.dumps({"jsonrpc": "2.0", "id": seen.message.get("id"), "error": error}), status)


def _nothing(seen: Seen) -> Reply | None:
    return None


class WebPeer(LoopbackServer):
    """A server that speaks the protocol of its `era` ("modern" or "legacy"); `answer` may take any request over."""

    def __init__(
        self,
        era: str = "modern",
        answer: Callable[[Seen], Reply | None] | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.era = era
        self.answer = answer or _nothing
        self.seen: list[Seen] = []
        self.session: str | None = None
        peer = self

        class Handler(QuietHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self._serve()

            def do_GET(self) -> None:
                self._serve()

            def do_DELETE(self) -> None:
                self._serve()

            def _serve(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                message: dict[str, Any] = json.loads(body) if body.startswith(b"{") else {}
                seen = Seen(self.command, self.path, {key.lower(): value for key, value in self.headers.items()}, message, body)
                peer.seen.append(seen)
                reply = peer.answer(seen) or peer.usual(seen)
                if reply.wait is not None:
                    reply.wait.wait(30)
                data = reply.body.encode() if isinstance(reply.body, str) else reply.body
                head = {"content-type": reply.content_type, **reply.headers}
                head["content-length"] = str(len(data) if reply.length is None else reply.length)
                lines = [f"HTTP/1.1 {reply.status} X", *(f"{key}: {value}" for key, value in head.items()), "", ""]
                if reply.length is not None:
                    self.close_connection = True
                self.wfile.write("\r\n".join(lines).encode() + data)

        super().__init__(Handler, tls)
        self.start()

    @property
    def url(self) -> str:
        """Where it is spoken to."""
        return f"{super().url}/mcp"

    def methods(self) -> list[str]:
        """What was asked, in order: JSON-RPC methods, or the HTTP method where there is no message."""
        return [seen.method or seen.verb for seen in self.seen]

    def usual(self, seen: Seen) -> Reply:
        """What an ordinary server of its era answers."""
        if seen.verb != "POST":
            return Reply(status=405)
        if "id" not in seen.message:
            return Reply(status=202)
        if seen.method == "server/discover" and self.era == "modern":
            found: dict[str, Any] = {
                "supportedVersions": [MODERN],
                "capabilities": {"tools": {}},
                "ttlMs": 0,
                "cacheScope": "public",
            }
            return result(seen, {"resultType": "complete", **found})
        if seen.method == "initialize" and self.era == "legacy":
            about: dict[str, Any] = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
            about["serverInfo"] = {"name": "peer", "version": "1"}
            return result(seen, about, headers={"mcp-session-id": self.session} if self.session else {})
        if seen.method == "tools/list":
            return result(seen, {"resultType": "complete", "tools": TOOLS, "ttlMs": 0, "cacheScope": "public"})
        if seen.method == "tools/call":
            return text(seen)
        return refusal(seen, -32601, "Method not found", 404 if self.era == "modern" else 400)


@contextmanager
def web_peer(era: str = "modern", answer: Callable[[Seen], Reply | None] | None = None) -> Generator[WebPeer]:
    """A peer that is stopped afterwards."""
    peer = WebPeer(era, answer)
    try:
        yield peer
    finally:
        peer.stop()


def with_web_provider(
    url: str, ask: Callable[[McpProvider], Awaitable[Result]], *, endpoint: Mapping[str, Any] | None = None, **options: Any
) -> Result:
    """What `ask` gets from a provider over the server at `url`, which is closed afterwards, twice."""

    return with_made(lambda: McpProvider("peer", target=HttpEndpoint("peer", url, **(endpoint or {})), **options), ask)


def asked_web(url: str, **options: Any) -> ToolResult:
    """The result of one `query-docs` call."""
    return with_web_provider(url, lambda provider: provider.call(QUERY, ASKED), **options)
