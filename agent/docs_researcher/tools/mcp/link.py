"""What a connection needs to know of the way to its server, so that a child process and an address are used alike."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams


class Link(Protocol):
    """One run of a transport for the SDK's `Client`: started, entered and left once, by one task."""

    ended: asyncio.Event
    """Set when nothing more can come from the server."""

    async def start(self) -> None:
        """Begin with what takes its time and needs no SDK, before `__aenter__`. What was begun is ended by `__aexit__`.

        Raises:
            ServerError: the server cannot be started.
        """
        ...

    async def __aenter__(self) -> TransportStreams:
        """Open it.

        Raises:
            ServerError: the server cannot be started.
        """
        ...

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        """Close it, within a bounded time. Safe to call twice, and without having entered."""
        ...

    def shaken_hands(self) -> None:
        """Told once the server has answered and the two sides agree on a protocol."""
        ...

    async def describe_end(self) -> str:
        """What is known about a server that failed, as a phrase without secrets; empty if nothing is."""
        ...


class Target(Protocol):
    """A configured server: opens links to it, and has the words for what may go wrong."""

    @property
    def name(self) -> str:
        """The server's name, for messages. It is never sent."""
        ...

    @property
    def connect_seconds(self) -> float:
        """How long the start and the handshake may take."""
        ...

    @property
    def silence(self) -> str:
        """Words behind "did not answer within N s" while connecting."""
        ...

    @property
    def loss(self) -> str:
        """What happened to a server whose connection broke during a call, twice."""
        ...

    @property
    def next_step(self) -> str:
        """What the user can do about a server that fails."""
        ...

    @property
    def mode(self) -> str:
        """The SDK's mode to begin with: "auto", or the one protocol that such a server can speak."""
        ...

    @property
    def renews(self) -> bool:
        """Whether a success earns the connection another new start: sessions at an address end now and then, by rule."""
        ...

    def link(self) -> Link:
        """A new link. Nothing is started or sent before it is entered."""
        ...
