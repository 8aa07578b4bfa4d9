"""The cheap steps done ahead of a model's first turn: identify, resolve, pick, the first queries.

They cost milliseconds, and each turn that they spare a model costs seconds and the whole conversation again. The model gets
them as a labelled block of the first message and may override all of it; calls that it did not want are given back.
"""

from __future__ import annotations

from docs_researcher.core.messages import (
    QUERY,
    AssistantMessage,
    Message,
    ToolCall,
    ToolMessage,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from docs_researcher.models.base import ModelRequest, Question
from docs_researcher.runtime.model_choice import extractive
from docs_researcher.runtime.tool_runner import ToolRunner

STEPS = 2
"""Resolve and query. A second round of queries is the model's own business."""


async def look_ahead(
    runner: ToolRunner, question: Question, tools: tuple[ToolSpec, ...]
) -> tuple[tuple[ToolCall, ToolResult], ...]:
    """Make the calls that the extractive model would make first, and return them with their results.

    Empty when it is not sure: no library named, several equally likely, no lookup due. What failed is left out: the model is not
    told of faults that it did not cause, and the calls are given back.
    """
    guide = extractive()
    messages: list[Message] = [UserMessage(question.text)]
    made: list[tuple[ToolCall, ToolResult]] = []
    for _ in range(STEPS):
        reply = await guide.reply(ModelRequest("", question, tuple(messages), tools, runner.ledger, runner.meter))
        if not reply.tool_calls:
            break
        message: ToolMessage = await runner.run(reply.tool_calls)
        messages += [AssistantMessage("", reply.tool_calls), message]
        made += message.results
        if any(call.name == QUERY for call in reply.tool_calls):
            break
    useful = tuple((call, result) for call, result in made if result.outcome == "ok")
    for call, result in made:
        if result.outcome != "ok":
            runner.meter.give_back(call.name, 1)
    runner.made_ahead(useful)
    return useful
