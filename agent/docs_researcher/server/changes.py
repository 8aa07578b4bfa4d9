"""Tells a client of the older protocol that its lists have changed, when docsets come or go.

Clients of the newer protocol are not told: they ask again when the time that came with a list is over.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from docs_researcher.server.docsets import Docsets

if TYPE_CHECKING:
    from mcp.server.session import ServerSession

WATCH_SECONDS = 2.0
"""How often the folders of docsets are looked at, which costs a fraction of a millisecond."""


class ListChanges:
    """Watches the docsets once a client has asked for a list, until it is closed."""

    def __init__(self, docsets: Docsets, *, first: tuple[str, ...] | None = None) -> None:
        """`first` is the state that the first list is of, where that list was not made now."""
        self._docsets = docsets
        self._first = first
        self._session: ServerSession | None = None
        self._known: tuple[str, ...] = ()
        self._task: asyncio.Task[None] | None = None

    def listed(self, session: ServerSession) -> None:
        """A client was given a list; from now on it is told when that is no longer the right one."""
        self._session = session
        self._known, self._first = self._first or self._docsets.state(), None
        if self._task is None:
            self._task = asyncio.ensure_future(self._watch())

    async def aclose(self) -> None:
        """Tell nobody any more."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            state = self._docsets.state()
            if state != self._known and self._session is not None:
                self._known = state
                with suppress(Exception):  # the client is leaving; the connection's own end says so
                    await self._session.send_tool_list_changed()
                    await self._session.send_resource_list_changed()
