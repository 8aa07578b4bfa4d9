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


@dataclass(frozen=True, slots=True)
class Loop:
    """One research conversation: who thinks, with which tools, about what."""

    model: Model
    runner: ToolRunner
    system: str
    question: Question
    tools: tuple[ToolSpec, ...]
    on_message: Callable[[Message], None]
    """Told each message as it is added; the conversation only ever grows at its end."""
    cost_of: Callable[[ModelUsage], float | None]
    """US dollars for tokens of this model; None where the user gave no price for it."""

    async def run(self, opening: UserMessage) -> Run:
        """Let the model answer, within the limits of the runner's meter and deadline.

        At a limit the model gets one last turn without tools. A turn that does not end within the deadline gives an empty reply
        with `stop="cut"`; what was read stays in the runner's ledger.

        Raises:
            ModelError: the model cannot be reached or used.
        """
        keep = min(LAST_TURN_SECONDS, self.runner.deadline.remaining * LAST_TURN_SHARE)
        run = Run(Reply(), [], None)
        self._append(run, opening)
        while True:
            run.stopped_by = self.limit_reached(run, keep)
            run.reply = reply = await self._turn(run, run.stopped_by)
            if run.stopped_by or not reply.tool_calls:
                self._append(run, AssistantMessage(reply.text, raw=reply.raw))
                return run
            self._append(run, AssistantMessage(reply.text, reply.tool_calls, reply.raw))
            self._append(run, await self.runner.run(reply.tool_calls))

    async def one_more_turn(self, run: Run, said: str, closed_because: str) -> Reply:
        """One further turn, without tools, behind a finished run: the model is told `said` and answers.

        The run's messages, usage and turns grow; its reply stays for the caller to replace.

        Raises:
            ModelError: as in `run`.
        """
        self._append(run, UserMessage(said))
        reply = await self._turn(run, closed_because)
        self._append(run, AssistantMessage(reply.text, raw=reply.raw))
        return reply

    def limit_reached(self, run: Run, keep: float = 0.0) -> str | None:
        """The limit that forbids a further turn with tools now, in words; `keep` seconds belong to the last turn."""
        limits = self.runner.meter.limits
        if self.runner.deadline.remaining <= keep:
            return f"the limit of {limits.seconds:g} seconds"
        cost = self.cost_of(run.usage) if limits.cost is not None else None
        if limits.cost is not None and cost is not None and cost >= limits.cost:
            return f"the limit of {limits.cost:g} US dollars"
        return self.runner.meter.reached()

    def _append(self, run: Run, message: Message) -> None:
        run.messages.append(message)
        self.on_message(message)

    async def _turn(self, run: Run, closed_because: str | None) -> Reply:
        """One turn of the model, counted; without tools if `closed_because`. Beyond the deadline it is an empty, cut reply."""
        runner, seconds = self.runner, self.runner.deadline.remaining
        request = ModelRequest(
            self.system,
            self.question,
            tuple(run.messages),
            () if closed_because else self.tools,
            runner.ledger,
            runner.meter,
            closed_because,
            offered=self.tools,
            seconds_left=seconds,
        )
        try:
            async with asyncio.timeout(max(seconds, SHORTEST_TURN_SECONDS) if closed_because else seconds):
                reply = await self.model.reply(request)
        except TimeoutError:
            reply = Reply(stop="cut")
        runner.meter.turns += 1
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
