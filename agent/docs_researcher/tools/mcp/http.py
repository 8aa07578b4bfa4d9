"""An MCP server at an address, over Streamable HTTP."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING

from docs_researcher.tools.mcp.address import HttpAddress
from docs_researcher.tools.mcp.framing import MAX_LINE
from docs_researcher.tools.mcp.http_faults import HttpFault

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

    from docs_researcher.tools.mcp.http_client import McpHttpClient

CONNECT_SECONDS = 15.0
"""The handshake with a server that is already running, its era found out."""
REQUEST_SECONDS = 60.0
"""The longest silence inside one answer; the connection's own deadline comes first."""


@dataclass(frozen=True, slots=True)
class HttpEndpoint(HttpAddress):
    """A server at an address, for a connection."""

    @property
    def connect_seconds(self) -> float:
        """A server at an address runs already."""
        return CONNECT_SECONDS

    @property
    def silence(self) -> str:
        """Nothing to add."""
        return f" at {self.shown}"

    @property
    def loss(self) -> str:
        """A session or an answer that was lost."""
        return f"at {self.shown} broke off the connection twice"

    @property
    def next_step(self) -> str:
        """What the user can do about a server that fails."""
        return "Try again, check its url, or use --docs-from local."

    @property
    def mode(self) -> str:
        """Both protocols are spoken over Streamable HTTP."""
        return "auto"

    @property
    def renews(self) -> bool:
        """A server may end a session whenever it likes."""
        return True

    def link(self) -> HttpLink:
        """A new link; nothing is sent yet."""
        return HttpLink(self)


class HttpLink:
    """One session (or, in the newer protocol, one run of requests) with an endpoint."""

    def __init__(self, endpoint: HttpEndpoint) -> None:
        self._endpoint = endpoint
        self._stack = contextlib.AsyncExitStack()
        self._client: McpHttpClient | None = None
        self.ended = asyncio.Event()

    async def start(self) -> None:
        """A server at an address runs already."""

    async def __aenter__(self) -> TransportStreams:
        """Make the client and the SDK's transport over it."""
        from mcp.client.streamable_http import streamable_http_client

        from docs_researcher.tools.mcp.http_client import McpHttpClient

        self._client = McpHttpClient(self._endpoint, read_seconds=REQUEST_SECONDS)
        async with contextlib.AsyncExitStack() as stack:
            client = await stack.enter_async_context(self._client)
            streams = await stack.enter_async_context(
                streamable_http_client(self._endpoint.url, http_client=client, max_sse_event_size=MAX_LINE)
            )
            self._stack = stack.pop_all()
        return streams

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        """End the session and close every connection."""
        await self._stack.__aexit__(exc_type, exc_val, exc_tb)

    def shaken_hands(self) -> None:
        """From now on a failed request is its own affair."""
        if self._client is not None:
            self._client.connected = True

    def fault(self, data: object) -> HttpFault | None:
        """The fault behind the `data` of an error that answered a request; None if the server sent it."""
        return self._client.fault(data) if self._client is not None else None

    async def describe_end(self) -> str:
        """What the last failed request was told."""
        fault = self._client.last_fault if self._client is not None else None
        return fault.why if fault is not None else ""
