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
SHORTEST_TURN_SECONDS = 1.0
"""A last turn gets this much even when a slow tool has used up the rest."""


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
    opening: UserMessage,
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
    run = Run(Reply(), [], None)
    _append(run, opening, on_message)
    while True:
        run.stopped_by = meter.reached()
        if run.stopped_by is None and deadline.remaining <= keep:
            run.stopped_by = f"the limit of {meter.limits.seconds:g} seconds"
        reply = await _turn(model, runner, run, system, question, tools, run.stopped_by)
        if run.stopped_by or not reply.tool_calls:
            _append(run, AssistantMessage(reply.text, raw=reply.raw), on_message)
            return run
        _append(run, AssistantMessage(reply.text, reply.tool_calls, reply.raw), on_message)
        _append(run, await runner.run(reply.tool_calls), on_message)


async def one_more_turn(
    model: Model,
    runner: ToolRunner,
    run: Run,
    *,
    system: str,
    question: Question,
    tools: tuple[ToolSpec, ...],
    said: str,
    closed_because: str,
    on_message: Callable[[Message], None],
) -> Reply:
    """One further turn, without tools, behind a finished run: the model is told `said` and answers.

    The run's messages, usage and turns grow; its reply and what stopped it stay for the caller to change.
    """
    first = run.reply
    _append(run, UserMessage(said), on_message)
    reply = await _turn(model, runner, run, system, question, tools, closed_because)
    _append(run, AssistantMessage(reply.text, raw=reply.raw), on_message)
    run.reply = first
    return reply


def _append(run: Run, message: Message, on_message: Callable[[Message], None]) -> None:
    run.messages.append(message)
    on_message(message)


async def _turn(
    model: Model,
    runner: ToolRunner,
    run: Run,
    system: str,
    question: Question,
    tools: tuple[ToolSpec, ...],
    closed_because: str | None,
) -> Reply:
    """One turn of the model, counted; without tools if `closed_because`. A turn beyond the deadline is an empty, cut reply."""
    seconds = runner.deadline.remaining
    request = ModelRequest(
        system,
        question,
        tuple(run.messages),
        () if closed_because else tools,
        runner.ledger,
        runner.meter,
        closed_because,
        offered=tools,
        seconds_left=seconds,
    )
    try:
        async with asyncio.timeout(max(seconds, SHORTEST_TURN_SECONDS) if closed_because else seconds):
            reply = await model.reply(request)
    except TimeoutError:
        reply = Reply(stop="cut")
    runner.meter.turns += 1
    run.reply = reply
    run.usage = _add(run.usage, reply.usage)
    runner.listener(Event("turn", f"turn {runner.meter.turns}", done=runner.meter.turns))
    return reply


def _add(first: ModelUsage, second: ModelUsage) -> ModelUsage:
    return ModelUsage(
        first.input_tokens + second.input_tokens,
        first.output_tokens + second.output_tokens,
        first.cache_read_tokens + second.cache_read_tokens,
        first.cache_write_tokens + second.cache_write_tokens,
    )
