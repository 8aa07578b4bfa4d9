"""A connection that is closed when the head of a request does not arrive: whoever opens many of them would take all there are."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 20.0
"""How long the head of a request may take to arrive, from the connection or from its first byte on."""


class PatientConnection(H11Protocol):
    """The web server's own connection, with that bound."""

    _bound: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] -- as in the class above
        """A caller is there."""
        super().connection_made(transport)
        self._wait_for_a_head()

    def data_received(self, data: bytes) -> None:
        """Bytes of a request."""
        super().data_received(data)
        self._wait_for_a_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """The caller has left."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait_for_a_head(self) -> None:
        if self.cycle and not self.cycle.response_complete:
            self._wait_no_more()
        elif self._bound is None:
            self._bound = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._bound is not None:
            self._bound.cancel()
            self._bound = None
