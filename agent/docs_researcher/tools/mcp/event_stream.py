"""An MCP server at an address that speaks the transport before Streamable HTTP: a stream of events, and a POST a message.

It is deprecated, and many servers still speak nothing else. The SDK has a client for it, which drops the answer to a POST; a
refusal would be waited for in vain. So the requests go through our own HTTP client, and its faults into the stream.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import httpx2

from docs_researcher.tools.mcp.address import HttpAddress
from docs_researcher.tools.mcp.http import HttpEndpoint, HttpLink
from docs_researcher.tools.mcp.http_client import McpHttpClient
from docs_researcher.tools.mcp.http_faults import HttpFault, page_fault

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

SILENCE_SECONDS = 300.0
"""The stream may be silent this long while nothing is asked; then it is opened again with the next call."""


@dataclass(frozen=True, slots=True)
class EventStreamEndpoint(HttpEndpoint):
    """Where the stream of such a server is."""

    @property
    def mode(self) -> str:
        """The newer protocol has no such transport, and some of these servers never answer a question that they do not know."""
        return "legacy"

    def link(self) -> EventStreamLink:
        """A new link; nothing is sent yet."""
        return EventStreamLink(self)


class EventStreamLink(HttpLink):
    """One stream, and the POSTs that belong to it."""

    async def __aenter__(self) -> TransportStreams:
        """Open the stream; the server says in it where to send messages.

        Raises:
            HttpFault: there is no such stream.
        """
        import anyio
        from mcp.client.sse import sse_client
        from mcp.shared.message import SessionMessage
        from mcp_types import JSONRPCError

        self._client = client = _EventStreamClient(self._endpoint)
        async with contextlib.AsyncExitStack() as stack:

            def made(
                headers: dict[str, str] | None = None, timeout: httpx2.Timeout | None = None, auth: httpx2.Auth | None = None
            ) -> httpx2.AsyncClient:
                return client  # which has all of this from its endpoint

            reading, writing = await stack.enter_async_context(sse_client(self._endpoint.url, httpx_client_factory=made))
            into, merged = anyio.create_memory_object_stream[SessionMessage | Exception](0)
            stack.push_async_callback(merged.aclose)
            stack.push_async_callback(into.aclose)

            async def deliver(error: dict[str, Any]) -> None:
                with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                    await into.send(SessionMessage(JSONRPCError.model_validate(error)))

            client.deliver = deliver
            pump = asyncio.create_task(self._pass_on(reading, into), name=f"mcp-events-{self._endpoint.name}")
            stack.callback(pump.cancel)
            self._stack = stack.pop_all()
        return merged, writing

    async def _pass_on(self, reading: Any, into: Any) -> None:
        """The server's messages, until its stream ends."""
        import anyio

        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async with into:
                async for item in reading:
                    await into.send(item)
        self.ended.set()


class _EventStreamClient(McpHttpClient):
    """The HTTP client under one stream. A refused POST is answered in the stream."""

    deliver: Callable[[dict[str, Any]], Awaitable[None]]
    """Puts an error of JSON-RPC into the stream; set once that is open, before any message is sent."""

    def __init__(self, address: HttpAddress) -> None:
        super().__init__(address, read_seconds=SILENCE_SECONDS)

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        response = await self.attempted(request, **options)
        fault = response if isinstance(response, HttpFault) else await self._fault_in(request, response)
        if fault is None:
            return cast("httpx2.Response", response)
        self.last_fault = fault
        if request.method != "POST":
            raise fault
        message = json.loads(request.content)
        if "id" in message and "method" in message:
            await self.deliver(self.error(message["id"], fault))
        return httpx2.Response(202, request=request)

    async def _fault_in(self, request: httpx2.Request, response: httpx2.Response) -> HttpFault | None:
        """What is wrong with an answer: any that is no error will do for a POST, and a stream of events for the stream."""
        content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        is_stream = request.method == "POST" or content_type == "text/event-stream"
        if response.is_redirect or (response.status_code < 400 and is_stream):
            return None
        said = await self.said(response)
        await response.aclose()
        if response.status_code < 400:
            return page_fault(self._server, content_type, said)
        return self.refused(request, response, said)
