"""A look at a server as it is, for a person who wants to know why it does not do what it should: nothing is adapted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from docs_researcher.core.errors import ServerError
from docs_researcher.tools.mcp.connection import Connection
from docs_researcher.tools.mcp.link import Target
from docs_researcher.tools.mcp.tap import Recorder

if TYPE_CHECKING:
    from mcp import Client

MAX_PAGES = 20
"""Pages of a tool list that are read."""

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class About:
    """What a server says of itself."""

    protocol: str
    name: str | None
    version: str | None
    instructions: str | None


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools of a server as JSON values, as it sent them."""

    about: About
    tools: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Called:
    """The result of one call as JSON values, as the server sent it."""

    about: About
    result: Mapping[str, Any]

    @property
    def is_error(self) -> bool:
        """Whether the server says that the call failed."""
        return bool(self.result.get("isError"))

    @property
    def text(self) -> str:
        """The text in the result."""
        blocks: list[Any] = list(self.result.get("content") or ())
        return "\n\n".join(str(block.get("text") or f"[{block.get('type')}]") for block in blocks)


async def look_at_tools(target: Target, recorder: Recorder, *, connect_seconds: float | None = None) -> Tools:
    """All tools of a server.

    Raises:
        ServerError: it cannot be started or reached, or answers with an error.
    """

    async def ask(client: Client) -> Tools:
        tools: list[Mapping[str, Any]] = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page = await client.list_tools(cursor=cursor)
            tools += [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in page.tools]
            cursor = page.next_cursor
            if not cursor:
                break
        return Tools(_about(client), tuple(tools))

    return await _asked(target, recorder, ask, connect_seconds)


async def call_tool(
    target: Target, tool: str, arguments: dict[str, Any], recorder: Recorder, *, connect_seconds: float | None = None
) -> Called:
    """Call one tool with these arguments, as they are.

    Raises:
        ServerError: the server cannot be started or reached, or answers with an error of the protocol.
    """

    async def ask(client: Client) -> Called:
        from mcp import types

        params = types.CallToolRequestParams(name=tool, arguments=arguments)
        request = types.CallToolRequest(params=params)
        result = await client.session.send_request(request, types.CallToolResult)
        return Called(_about(client), result.model_dump(by_alias=True, mode="json", exclude_none=True))

    return await _asked(target, recorder, ask, connect_seconds)


async def _asked(
    target: Target, recorder: Recorder, ask: Callable[[Client], Awaitable[_Found]], connect_seconds: float | None
) -> _Found:
    from mcp import MCPError

    connection = Connection(target, connect_seconds=connect_seconds, recorder=recorder)
    try:
        return await connection.call(ask)
    except (MCPError, ValueError) as error:  # a ValueError: an answer that does not fit the protocol
        code = f" {error.code}" if isinstance(error, MCPError) else ""
        raise ServerError(
            f"the MCP server {target.name!r} answered with an error{code}", why=" ".join(str(error).split())[:500]
        ) from error
    finally:
        await connection.aclose()


def _about(client: Client) -> About:
    info = client.server_info
    return About(client.protocol_version, info.name if info else None, info.version if info else None, client.instructions)
