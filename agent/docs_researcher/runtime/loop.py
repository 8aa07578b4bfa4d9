"""The loop: a model turn, its tool calls, the next turn, until there is a final text or a limit is reached."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from docs_researcher.core.events import Event
from docs_researcher.core.messages import (
    AssistantMessage,
    Message,
    ModelUsage,
    Reply,
    ToolSpec,
    UserMessage,
)
from docs_researcher.models.base import Model, ModelRequest, Question
from docs_researcher.runtime.tool_runner import ToolRunner

LAST_TURN_SHARE = 0.2
"""The share of the run's time that is kept for the last, tool-free turn."""
LAST_TURN_SECONDS = 10.0
"""No more than this is kept for it."""


@dataclass(slots=True)
class Run:
    """What a loop ended with."""

    reply: Reply
    messages: list[Message]
    stopped_by: str | None
    """The limit that ended it, in words, or None."""
    usage: ModelUsage = field(default_factory=ModelUsage)


async def run_loop(
    model: Model,
    runner: ToolRunner,
    *,
    system: str,
    question: Question,
    opening: str,
    tools: tuple[ToolSpec, ...],
    on_message: Callable[[Message], None],
) -> Run:
    """Let `model` answer `question` with `tools`, within the limits of the runner's meter and deadline.

    At a limit the model gets one last turn without tools. The conversation only ever grows at its end. A turn that does not end
    within the deadline gives an empty reply with `stop="cut"`; what was read stays in the runner's ledger.

    Raises:
        ModelError: the model cannot be reached or used.
    """
    meter, deadline = runner.meter, runner.deadline
    keep = min(LAST_TURN_SECONDS, deadline.remaining * LAST_TURN_SHARE)
    messages: list[Message] = []
    usage = ModelUsage()

    def append(message: Message) -> None:
        messages.append(message)
        on_message(message)

    append(UserMessage(opening))
    while True:
        stopped_by = meter.reached()
        if stopped_by is None and deadline.remaining <= keep:
            stopped_by = f"the limit of {meter.limits.seconds:g} seconds"
        request = ModelRequest(
            system,
            question,
            tuple(messages),
            () if stopped_by else tools,
            runner.ledger,
            meter,
            stopped_by,
            offered=tools,
            seconds_left=deadline.remaining,
        )
        reply = await _turn(model, request, deadline.remaining)
        meter.turns += 1
        usage = _add(usage, reply.usage)
        runner.listener(Event("turn", f"turn {meter.turns}", done=meter.turns))
        if stopped_by or not reply.tool_calls:
            append(AssistantMessage(reply.text, raw=reply.raw))
            return Run(reply, messages, stopped_by, usage)
        append(AssistantMessage(reply.text, reply.tool_calls, reply.raw))
        append(await runner.run(reply.tool_calls))


async def _turn(model: Model, request: ModelRequest, seconds: float) -> Reply:
    try:
        async with asyncio.timeout(seconds if request.stopped_by is None else max(seconds, 1.0)):
            return await model.reply(request)
    except TimeoutError:
        return Reply(stop="cut")


def _add(first: ModelUsage, second: ModelUsage) -> ModelUsage:
    return ModelUsage(
        first.input_tokens + second.input_tokens,
        first.output_tokens + second.output_tokens,
        first.cache_read_tokens + second.cache_read_tokens,
        first.cache_write_tokens + second.cache_write_tokens,
    )
