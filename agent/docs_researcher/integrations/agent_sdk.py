"""The tool as an in-process MCP server of the Claude Agent SDK, an optional extra that is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from docs_researcher import __version__
from docs_researcher.core.errors import UsageError
from docs_researcher.core.messages import RESEARCH
from docs_researcher.integrations.plain import call_tool, tool_schema
from docs_researcher.runtime.researcher import Researcher

SERVER = "docs-researcher"
"""The name under which the server is usually put into `mcp_servers`."""


def claude_agent_sdk_server(researcher: Researcher | None = None, *, name: str = SERVER) -> Any:
    """The research as an MCP server that runs in this process, for `ClaudeAgentOptions(mcp_servers={name: ...})`.

    Args:
        researcher: answers the calls and stays open; None builds what is needed for each call, as `research` does.
        name: what the server calls itself.

    Returns:
        The SDK's `McpSdkServerConfig`.

    Raises:
        UsageError: the SDK is not installed.
    """
    try:
        sdk = import_module("claude_agent_sdk")
    except ImportError as error:
        raise UsageError(
            "The Claude Agent SDK is not installed",
            why=str(error),
            next_step='In the clone of docs-researcher: .venv/bin/pip install --editable ".[claude-agent-sdk]"',
        ) from error

    async def answer(arguments: dict[str, Any]) -> dict[str, Any]:
        reply = await call_tool(arguments, researcher=researcher)
        return {"content": [{"type": "text", "text": reply.text}], "is_error": reply.is_error}

    schema = tool_schema()
    annotations = sdk.ToolAnnotations(readOnlyHint=True, openWorldHint=True)
    research = sdk.tool(schema["name"], schema["description"], schema["input_schema"], annotations)(answer)
    return sdk.create_sdk_mcp_server(name, __version__, [research])


def claude_agent_sdk_tool_name(server: str = SERVER) -> str:
    """The tool's full name, for `allowed_tools`, when the server stands under `server` in `mcp_servers`."""
    return f"mcp__{server}__{RESEARCH}"
