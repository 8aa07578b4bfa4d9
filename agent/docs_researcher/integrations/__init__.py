"""The research as a tool of Python parents: a plain schema and callable, the anthropic SDK, the Claude Agent SDK.

Each name is imported when it is first used; an SDK is imported only by what is made for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docs_researcher.integrations.agent_sdk import claude_agent_sdk_server, claude_agent_sdk_tool_name
    from docs_researcher.integrations.anthropic_sdk import AnthropicTool, anthropic_tool
    from docs_researcher.integrations.plain import call_tool, call_tool_sync, tool_schema
    from docs_researcher.runtime.research_tool import ToolReply

_HOMES = {
    "AnthropicTool": "docs_researcher.integrations.anthropic_sdk",
    "ToolReply": "docs_researcher.runtime.research_tool",
    "anthropic_tool": "docs_researcher.integrations.anthropic_sdk",
    "call_tool": "docs_researcher.integrations.plain",
    "call_tool_sync": "docs_researcher.integrations.plain",
    "claude_agent_sdk_server": "docs_researcher.integrations.agent_sdk",
    "claude_agent_sdk_tool_name": "docs_researcher.integrations.agent_sdk",
    "tool_schema": "docs_researcher.integrations.plain",
}

__all__ = [
    "AnthropicTool",
    "ToolReply",
    "anthropic_tool",
    "call_tool",
    "call_tool_sync",
    "claude_agent_sdk_server",
    "claude_agent_sdk_tool_name",
    "tool_schema",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
