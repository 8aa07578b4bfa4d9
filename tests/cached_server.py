"""A documentation server that answers what it is told to, and a clock that is set by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import ServerError
from docs_researcher.core.messages import ToolResult, ToolSpec
from docs_researcher.tools.specs import DOCS_TOOLS
from mcp_example import RESULTS

ASKED = {"libraryId": "/example/lib", "query": "sessions"}
NAMED = {"libraryName": "Lib.js", "query": "sessions"}
OK = RESULTS["passages"]
AWAY = ToolResult("No network.", outcome="unavailable", notices=(Notice("source_unavailable", "The server is away."),))


class Server:
    """A documentation server that answers what it is told to, and counts how often it was asked."""

    def __init__(self, name: str = "example") -> None:
        self.name = name
        self.answer = OK
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.closed = 0
        self.wait: asyncio.Event | None = None
        self.begun = asyncio.Event()
        self.cancelled = 0
        self.reachable = True
        self.offered = DOCS_TOOLS
        self.listed = 0

    async def tools(self) -> tuple[ToolSpec, ...]:
        if not self.reachable:
            raise ServerError("the server cannot be reached")
        self.listed += 1
        return self.offered

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        self.asked.append((name, dict(arguments)))
        self.begun.set()
        try:
            if self.wait is not None:
                await self.wait.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return self.answer

    async def aclose(self) -> None:
        self.closed += 1


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now
