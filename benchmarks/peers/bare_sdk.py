"""The least that a server on the Python MCP SDK can be: its low-level server, one tool, a fixed text."""

import asyncio
from typing import Any

from mcp import types
from mcp.server import Server
from mcp.server.stdio import stdio_server

TEXT = "word " * 1_500


async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
    """One tool."""
    return types.ListToolsResult(
        tools=[types.Tool(name="query-docs", description="A fixed text.", input_schema={"type": "object"})]
    )


async def call_tool(context: Any, params: Any) -> types.CallToolResult:
    """The same text for every call."""
    return types.CallToolResult(content=[types.TextContent(text=TEXT)])


async def main() -> None:
    """Serve until stdin ends."""
    server: Server[Any] = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


asyncio.run(main())
