"""The port through which documentation comes: two read-only tools, whoever serves them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from docs_researcher.core.messages import ToolResult, ToolSpec


class DocsProvider(Protocol):
    """A place that answers `resolve-library-id` and `query-docs`.

    A provider is used inside one event loop and may be called in parallel. It never raises for what a model can be told:
    unknown libraries, refused arguments and unreachable places come back as a `ToolResult` with its outcome.
    """

    @property
    def name(self) -> str:
        """A short name for notices and traces: "local", or the MCP server's name."""
        ...

    async def tools(self) -> tuple[ToolSpec, ...]:
        """The tools that this provider offers, in a stable order.

        Raises:
            ServerError: the server cannot be started or reached, or offers neither of the two tools.
        """
        ...

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call one tool. `arguments` may use the known aliases."""
        ...

    async def aclose(self) -> None:
        """Release connections and child processes. Safe to call twice."""
        ...


class ProviderAround:
    """Another provider, closed together with this one. A subclass puts something around its calls."""

    def __init__(self, inner: DocsProvider) -> None:
        self.inner = inner

    @property
    def name(self) -> str:
        """The name of the provider inside."""
        return self.inner.name

    async def tools(self) -> tuple[ToolSpec, ...]:
        """The tools of the provider inside."""
        return await self.inner.tools()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """What the provider inside answers."""
        return await self.inner.call(name, arguments)

    async def aclose(self) -> None:
        """Close the provider inside."""
        await self.inner.aclose()


@runtime_checkable
class ToldByServers(Protocol):
    """A provider whose server says something about its own use."""

    async def server_notes(self) -> Mapping[str, str]:
        """What each server says, by its name; cleaned and cut. Text from outside. Empty where nothing is said or reached."""
        ...


@runtime_checkable
class Fetches(Protocol):
    """A provider that may have to fetch documentation before it can answer."""

    def late(self, library_id: str) -> str:
        """What is said of a query that was given up while the documentation was still being fetched, and what to do.

        Empty where that is not why no answer came.
        """
        ...
