"""The Claude model: one streamed turn of the Messages API, with retries of our own inside the run's time."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import ModelError
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.core.importing import IMPORTING
from docs_researcher.core.messages import ModelUsage, Reply
from docs_researcher.models.anthropic.credentials import KEY_VARIABLES
from docs_researcher.models.anthropic.names import Features, choose_model
from docs_researcher.models.base import ModelRequest

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import Message

MAX_TOKENS = 4_096
"""The most tokens of one turn: an answer of 1,500 and room to plan."""
ROOMY_TOKENS = 8_192
"""For the one second try of a turn that was cut inside a tool call."""
EFFORT = "low"
"""Where a model takes an effort: choosing what to look up and quoting it needs no long thought."""
ATTEMPTS = 5
FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
"""Seconds between tries when the API names none: doubled each time, up to the longest."""
MAX_PAUSES = 3
"""How often a `pause_turn` is sent back unchanged; it is not the end of a turn, and must not become an endless one."""
READ_SECONDS = 50.0
"""Silence on a stream for this long is a broken connection; the run's own deadline usually ends it before."""


@dataclass(slots=True)
class _Attempt:
    """What one turn is tried with; it changes as the API refuses things."""

    features: Features
    max_tokens: int = MAX_TOKENS


class ClaudeModel:
    """`models.base.Model` over `client.messages.stream`.

    The client is made when it is first needed: importing `anthropic` costs more than everything else that a run imports.
    """

    def __init__(
        self,
        name: str = "auto",
        *,
        base_url: str | None = None,
        listener: Listener = ignore,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._choice = choose_model(name)
        self._features = self._choice.features
        self._base_url = base_url
        self._listener = listener
        self._sleep = sleep
        self._client: AsyncAnthropic | None = None

    @property
    def name(self) -> str:
        """The id that is sent to the API."""
        return self._choice.id

    @property
    def said(self) -> str:
        """What has to be said about how the model was chosen, or an empty string."""
        return self._choice.said

    @property
    def thinks_for_free(self) -> bool:
        """Each turn is a request."""
        return False

    @property
    def only_quotes(self) -> bool:
        """It writes, and may invent."""
        return False

    async def prepare(self) -> None:
        """Import the SDK and make the client in a thread; both take longer than a lookup in local docsets."""
        with contextlib.suppress(Exception):  # the first turn meets the same fault, and says it
            await asyncio.to_thread(self._connected)

    async def aclose(self) -> None:
        """Close the HTTP client. Safe to call twice."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def reply(self, request: ModelRequest) -> Reply:
        """Stream one turn.

        Raises:
            ModelError: no key, no such model, a request that the API refuses, or an API that failed every try.
        """
        from docs_researcher.models.anthropic.wire import message_params

        attempt = _Attempt(self._features)
        usage = ModelUsage()
        appended: list[dict[str, Any]] = []
        for _ in range(MAX_PAUSES + 1):
            params = message_params(request.messages, attempt.features, request.stopped_by)
            message = await self._turn(request, attempt, [*params, *appended])
            usage = _sum(usage, message)
            if message.stop_reason == "pause_turn":
                appended.append(_raw(message))
                continue
            if message.stop_reason == "max_tokens" and _has_calls(message) and attempt.max_tokens < ROOMY_TOKENS:
                attempt.max_tokens = ROOMY_TOKENS  # never run a call that may be cut short: ask again, with more room
                continue
            return self._finished(message, request, usage)
        return Reply(stop="cut", usage=usage)

    def _finished(self, message: Message, request: ModelRequest, usage: ModelUsage) -> Reply:
        from docs_researcher.models.anthropic.wire import reply_calls, reply_stop, reply_text

        stop = reply_stop(message)
        text = reply_text(message, request.ledger)
        notices: tuple[Notice, ...] = ()
        if stop == "refused":
            declined = _refusal(message)
            notices, text = (declined,), text or declined.text
        calls = reply_calls(message)
        return Reply(text, calls, stop, usage, notices=notices, raw=_raw(message) if calls or stop == "end" else None)

    async def _turn(self, request: ModelRequest, attempt: _Attempt, messages: list[dict[str, Any]]) -> Message:
        """One turn with its retries. A try is repeated only as a whole, before anything of it was used."""
        from docs_researcher.models.anthropic.faults import classify

        deadline = asyncio.get_running_loop().time() + request.seconds_left
        for number in range(1, ATTEMPTS + 1):
            try:
                return await self._stream(request, attempt, messages)
            except Exception as error:  # every kind is either classified or raised again
                fault = classify(error, self._address(), self.name)
                if fault is None:
                    raise
                if fault.status == 400 and self._give_up_feature(attempt, fault.detail):
                    continue
                wait = fault.wait if fault.wait is not None else min(LONGEST_WAIT, FIRST_WAIT * 2 ** (number - 1))
                left = deadline - asyncio.get_running_loop().time()
                if not fault.retry or number == ATTEMPTS or wait >= left:
                    raise ModelError(
                        f"The model {self.name} could not answer",
                        why=_why(fault.words, fault.retry, number, wait, left),
                        next_step=fault.next_step or "Try again, or use --model extractive.",
                    ) from error
                self._listener(Event("notice", f"{fault.words}; try {number + 1} of {ATTEMPTS} in {wait:g} s"))
                await self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def _stream(self, request: ModelRequest, attempt: _Attempt, messages: list[dict[str, Any]]) -> Message:
        from docs_researcher.models.anthropic.faults import TurnCut
        from docs_researcher.models.anthropic.wire import system_params, tool_params

        options: dict[str, Any] = {}
        if attempt.features.caching:
            options["cache_control"] = {"type": "ephemeral"}
        if attempt.features.effort:
            options["output_config"] = {"effort": EFFORT}
        if request.offered:
            options["tools"] = tool_params(request.offered)
            if not request.tools:
                options["tool_choice"] = {"type": "none"}
        async with self._connected().messages.stream(
            model=self.name,
            max_tokens=attempt.max_tokens,
            system=system_params(request.system, attempt.features),  # type: ignore[arg-type]  # plain dictionaries of the API's form
            messages=messages,  # type: ignore[arg-type]  # likewise
            **options,
        ) as stream:
            async for event in stream:
                if event.type == "text":
                    self._listener(Event("text", event.text))
            message = await stream.get_final_message()
        if message.stop_reason is None:
            raise TurnCut
        return message

    def _connected(self) -> AsyncAnthropic:
        with IMPORTING:  # `prepare` may still be at it in its thread
            return self._client or self._made()

    def _made(self) -> AsyncAnthropic:
        from anthropic import AsyncAnthropic

        if self._client is None:
            # A server of the user's own may need no key, but the SDK sends no request without one.
            local = bool(os.environ.get("ANTHROPIC_BASE_URL")) and not any(os.environ.get(name) for name in KEY_VARIABLES)
            # No retries inside: ours count against the run's time and are said.
            self._client = AsyncAnthropic(
                max_retries=0, timeout=READ_SECONDS, base_url=self._base_url, api_key="none" if local else None
            )
        return self._client

    def _address(self) -> str:
        return str(self._client.base_url).rstrip("/") if self._client is not None else "the API"

    def _give_up_feature(self, attempt: _Attempt, detail: str) -> bool:
        """Drop the feature that a refused request names, for this model from now on; False when it names none in use."""
        for field, words in (
            ("effort", ("output_config", "effort")),
            ("search_results", ("search_result", "citations")),
            ("caching", ("cache_control",)),
        ):
            if getattr(attempt.features, field) and any(word in detail for word in words):
                attempt.features = self._features = replace(attempt.features, **{field: False})
                self._listener(Event("notice", f"{self.name} takes no {words[0]}; going on without"))
                return True
        return False


def _why(words: str, retried: bool, number: int, wait: float, left: float) -> str:
    if not retried:
        return words
    if wait >= left:
        return f"{words}, and there is no time left to wait {wait:g} s"
    return f"{words}, {number} times in a row"


def _refusal(message: Message) -> Notice:
    details = message.stop_details
    category = getattr(details, "category", None)
    explanation = getattr(details, "explanation", None)
    because = f" ({', '.join(str(part) for part in (category, explanation) if part)})" if category or explanation else ""
    return Notice("model_refused", f"The model declined to answer{because}.")


def _has_calls(message: Message) -> bool:
    return any(block.type == "tool_use" for block in message.content)


def _raw(message: Message) -> dict[str, Any]:
    return dict(message.to_param())


def _sum(usage: ModelUsage, message: Message) -> ModelUsage:
    from docs_researcher.models.anthropic.wire import reply_usage

    added = reply_usage(message)
    return ModelUsage(
        usage.input_tokens + added.input_tokens,
        usage.output_tokens + added.output_tokens,
        usage.cache_read_tokens + added.cache_read_tokens,
        usage.cache_write_tokens + added.cache_write_tokens,
    )
