"""The tool in the shapes of the anthropic SDK: a parameter with a handler, and an object for its tool runner."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from docs_researcher.core.messages import RESEARCH
from docs_researcher.integrations.plain import call_tool, tool_schema
from docs_researcher.runtime.research import refuse_in_a_loop
from docs_researcher.runtime.research_tool import ToolReply
from docs_researcher.runtime.researcher import Researcher

if TYPE_CHECKING:
    from anthropic.lib.tools import BetaAsyncFunctionTool, BetaFunctionTool
    from anthropic.types import ToolParam, ToolResultBlockParam, ToolUseBlock


@dataclass(frozen=True, slots=True)
class AnthropicTool:
    """The research as one tool of a Claude model. Importing and making it does not import the SDK."""

    researcher: Researcher | None = None
    """Answers the calls and stays open; None builds what is needed for each call. The synchronous forms never use it: it lives in
    one event loop, and they make a new one for each call."""
    param: ToolParam = field(default_factory=lambda: _param())
    """For `tools=[...]` of `client.messages.create` and `stream`."""

    @property
    def name(self) -> str:
        """The name by which the model calls it."""
        return RESEARCH

    async def result(self, call: ToolUseBlock) -> ToolResultBlockParam:
        """The `tool_result` block that answers a `tool_use` block of this tool. A failure is a block with `is_error`."""
        return _block(call, await call_tool(call.input, researcher=self.researcher))

    def result_sync(self, call: ToolUseBlock) -> ToolResultBlockParam:
        """`result` for callers without an event loop.

        Raises:
            RuntimeError: when called from inside a running event loop, where `await tool.result(call)` does it.
        """
        refuse_in_a_loop("result_sync", "tool.result")
        return _block(call, asyncio.run(call_tool(call.input)))

    def runner_tool(self) -> BetaAsyncFunctionTool[Any]:
        """For `tools=[...]` of an `AsyncAnthropic` client's `beta.messages.tool_runner`."""
        from anthropic import beta_async_tool

        async def research(**arguments: Any) -> str:
            return _text(await call_tool(arguments, researcher=self.researcher))

        return beta_async_tool(research, **tool_schema())

    def runner_tool_sync(self) -> BetaFunctionTool[Any]:
        """For `tools=[...]` of an `Anthropic` client's `beta.messages.tool_runner`."""
        from anthropic import beta_tool

        def research(**arguments: Any) -> str:
            refuse_in_a_loop("A tool of runner_tool_sync", "tool.result")
            return _text(asyncio.run(call_tool(arguments)))

        return beta_tool(research, **tool_schema())


def anthropic_tool(researcher: Researcher | None = None) -> AnthropicTool:
    """The research as one tool for the anthropic SDK.

    Args:
        researcher: answers the calls and stays open; None builds what is needed for each call, as `research` does.
    """
    return AnthropicTool(researcher)


def _param() -> ToolParam:
    schema = tool_schema()
    return {"name": schema["name"], "description": schema["description"], "input_schema": schema["input_schema"]}


def _block(call: ToolUseBlock, reply: ToolReply) -> ToolResultBlockParam:
    return {"type": "tool_result", "tool_use_id": call.id, "content": reply.text, "is_error": reply.is_error}


def _text(reply: ToolReply) -> str:
    """What the tool runner passes on; its own error makes the block one with `is_error`."""
    if reply.is_error:
        from anthropic.lib.tools import ToolError

        raise ToolError(reply.text)
    return reply.text
