"""The tool for any parent: a schema to show to its model, and a callable for what the model writes."""

from __future__ import annotations

import asyncio
from copy import deepcopy
from dataclasses import replace
from typing import Any

from docs_researcher.core.answer import Answer
from docs_researcher.runtime.research import refuse_in_a_loop, research
from docs_researcher.runtime.research_tool import RESEARCH_SPEC, ResearchArguments, ToolReply, answer_call
from docs_researcher.runtime.researcher import Researcher
from docs_researcher.server.research_tool import whole_text


def tool_schema() -> dict[str, Any]:
    """The tool as `name`, `description` and `input_schema` (a JSON Schema). A fresh value, to be changed at will."""
    return {
        "name": RESEARCH_SPEC.name,
        "description": RESEARCH_SPEC.description,
        "input_schema": deepcopy(dict(RESEARCH_SPEC.input_schema)),
    }


async def call_tool(arguments: object, *, researcher: Researcher | None = None) -> ToolReply:
    """Answer one call of the tool. May run many times at once.

    Args:
        arguments: what the model wrote: a mapping, or the JSON text of one.
        researcher: answers the question and stays open. Without one, everything is built for this call as `research` does it,
            and closed behind it.

    Returns:
        The text for the model: the answer, and of one that is not complete also its notices. What goes wrong is in it too, with
        `is_error`: arguments that cannot be used, a model that cannot be reached. Only faults of this package are raised.
    """

    async def ask(asked: ResearchArguments) -> Answer:
        if researcher is None:
            return await research(asked.question, library=asked.library, answer_tokens=asked.answer_tokens)
        return await researcher.research(asked.question, library=asked.library, answer_tokens=asked.answer_tokens)

    reply = await answer_call(ask, arguments)
    return reply if reply.answer is None else replace(reply, text=whole_text(reply.answer))


def call_tool_sync(arguments: object) -> ToolReply:
    """`call_tool` for callers without an event loop.

    Raises:
        RuntimeError: when called from inside a running event loop, where `await call_tool(...)` does it.
    """
    refuse_in_a_loop("call_tool_sync", "call_tool")
    return asyncio.run(call_tool(arguments))
