"""MCP over streamable HTTP without sessions: every POST stands for itself, in both protocol eras.

The wire is the SDK's. Around it: the answer takes the form that the caller accepts and needs (JSON, or a stream where notes on
progress were asked for), and each set of visible docsets has a server of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types import INVALID_REQUEST, PARSE_ERROR
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.types import Message, Receive, Scope, Send

from docs_researcher.server.http.body import read_body, readable
from docs_researcher.server.http.faults import NO_SUCH_METHOD, protocol_error, refuse
from docs_researcher.server.http.guard import Refusal
from docs_researcher.tools.mcp.framing import Unreadable

if TYPE_CHECKING:
    from mcp.server import Server


Docsets = tuple[str, ...] | None
"""What a caller may see; None for everything."""

_ACCEPT = b"accept"
_BOTH = b"application/json, text/event-stream"


class McpEndpoint:
    """The ASGI application at `/mcp`. Start it in the event loop that it is used in."""

    def __init__(self, server_for: Callable[[Docsets], Server[dict[str, Any]]], max_body: int) -> None:
        """`server_for` is called once for each set of docsets."""
        self._server_for = server_for
        self._max_body = max_body
        self._running: dict[Docsets, asyncio.Future[_Managers]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._end = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; `scope["state"]["docsets"]` says what it may see."""
        if scope["method"] != "POST":
            # A stream from server to client needs a session, which nobody has here.
            await refuse(NO_SUCH_METHOD, over_mcp=True, headers={"Allow": "POST"})(scope, receive, send)
            return
        body = await read_body(receive, self._max_body)
        if isinstance(body, Refusal):
            await refuse(body, over_mcp=True)(scope, receive, send)
        elif body is not None:
            await self._answer(readable(body), scope, receive, send)

    async def aclose(self) -> None:
        """End every server. What is still in flight is cancelled."""
        self._end.set()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _answer(self, body: bytes | Unreadable, scope: Scope, receive: Receive, send: Send) -> None:
        if isinstance(body, Unreadable):
            code, why = (INVALID_REQUEST, "not a JSON-RPC 2.0 message") if body.is_json else (PARSE_ERROR, "not JSON")
            await protocol_error(code, f"The body is {why}.", 400, request_id=body.id)(scope, receive, send)
            return
        headers = dict(scope["headers"])
        accepts = headers.get(_ACCEPT, b"").strip()
        if accepts in (b"", b"*/*"):
            accepts = _BOTH
            scope = {**scope, "headers": [*((key, value) for key, value in scope["headers"] if key != _ACCEPT), (_ACCEPT, _BOTH)]}
        managers = await self._managers(scope["state"]["docsets"])
        streams = b"text/event-stream" in accepts or b"text/*" in accepts
        version = headers.get(b"mcp-protocol-version", b"").decode("latin-1")
        is_modern = bool(version) and version not in HANDSHAKE_PROTOCOL_VERSIONS
        # A modern answer becomes a stream by itself when there is something to stream; an older one must be chosen beforehand.
        manager = managers.stream if streams and (is_modern or b'"progressToken"' in body) else managers.plain
        await manager.handle_request(scope, _replayed(body, receive), send)

    async def _managers(self, docsets: Docsets) -> _Managers:
        running = self._running.get(docsets)
        if running is None:
            running = self._running[docsets] = asyncio.get_running_loop().create_future()
            self._tasks.append(asyncio.create_task(self._run(docsets, running)))
        return await asyncio.shield(running)

    async def _run(self, docsets: Docsets, running: asyncio.Future[_Managers]) -> None:
        """Own the two managers of one server: they have to be left in the task that entered them."""
        try:
            managers = _Managers(self._server_for(docsets), self._max_body)
            async with managers.plain.run(), managers.stream.run():
                running.set_result(managers)
                await self._end.wait()
        except Exception as error:
            if running.done():
                raise
            del self._running[docsets]
            running.set_exception(error)


class _Managers:
    """The SDK's part for one server, once answering in JSON and once in streams."""

    def __init__(self, server: Server[dict[str, Any]], max_body: int) -> None:
        def manager(*, plain: bool) -> StreamableHTTPSessionManager:
            return StreamableHTTPSessionManager(server, stateless=True, json_response=plain, max_request_body_size=max_body)

        self.plain = manager(plain=True)
        self.stream = manager(plain=False)


def _replayed(body: bytes, receive: Receive) -> Receive:
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return waiting.pop() if waiting else await receive()

    return received
