"""Several libraries side by side: each is asked about as a question of its own, and the answer has a section for each.

The calls of all sides go out together and share the limits of the run; each section has its part of the answer's tokens, with
its own headline, code and references, so that the statements of one library never stand under the name of another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from docs_researcher.core.answer import Notice, Status
from docs_researcher.core.limits import Meter
from docs_researcher.core.messages import QUERY, RESOLVE, Message, Reply, ToolCall, ToolMessage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.models.base import ModelRequest
from docs_researcher.steps.question.compared_libraries import Side, may_compare

MOST_SIDES = 3
"""So many queries a question has."""
NOT_COMPARED = "What was read does not compare them: each is answered from its own documentation."
_ANSWERED: tuple[Status, ...] = ("complete", "partial")


class Comparison:
    """One turn over all sides of a comparison."""

    def __init__(self, request: ModelRequest, sides: Sequence[Side], ask: Callable[[ModelRequest], Reply]) -> None:
        """`ask` is the turn about one library, a pure function of its request."""
        self._compares = may_compare(request.question.text)
        self._request = request
        self._sides = tuple(sides[:MOST_SIDES])
        self._left_out = tuple(side.library for side in sides[MOST_SIDES:])
        self._ask = ask
        self._messages = [tuple(_own(request.messages, number)) for number in range(len(self._sides))]

    def reply(self) -> Reply:
        """The next calls of all sides that have some, else the answer with a section for each."""
        budget = self._request.question.answer_tokens
        share = (budget - self._heading_tokens()) // len(self._sides)
        left = {tool: self._request.meter.remaining_calls(tool) for tool in (RESOLVE, QUERY)}
        replies: list[Reply] = []
        calls: list[ToolCall] = []
        for number in range(len(self._sides)):
            one = self._reply_of(number, share, {tool: count - self._kept(tool, number) for tool, count in left.items()})
            for call in one.tool_calls:
                left[call.name] -= 1
                calls.append(replace(call, id=f"{_prefix(number)}{call.id}"))
            replies.append(one)
        if calls:
            return Reply(tool_calls=tuple(calls), stop="tool_calls")
        return self._together(self._with_what_is_left(replies, share))

    def _kept(self, tool: str, number: int) -> int:
        """Calls that are kept for the sides behind this one which have made none."""
        made = [any(call.name == tool for call, _ in _results(messages)) for messages in self._messages]
        return sum(not one for one in made[number + 1 :])

    def _reply_of(self, number: int, tokens: int, calls: dict[str, int]) -> Reply:
        side, request = self._sides[number], self._request
        limits = replace(request.meter.limits, resolve_calls=max(0, calls[RESOLVE]), query_calls=max(0, calls[QUERY]))
        question = replace(request.question, text=side.question, library=side.library, answer_tokens=max(1, tokens))
        return self._ask(replace(request, question=question, messages=self._messages[number], meter=Meter(limits)))

    def _with_what_is_left(self, replies: list[Reply], share: int) -> list[Reply]:
        """The sections again where one side takes less than its part, with room for more."""
        answered = [number for number, one in enumerate(replies) if one.status in _ANSWERED]
        spare = sum(share - estimate_tokens(one.text) for one in replies if one.status not in _ANSWERED)
        if not answered or spare <= 0:
            return replies
        room = share + spare // len(answered)
        return [self._reply_of(number, room, _NONE) if number in answered else one for number, one in enumerate(replies)]

    def _together(self, replies: Sequence[Reply]) -> Reply:
        answered = [one for one in replies if one.status in _ANSWERED]
        whole = len(answered) == len(replies) and not self._left_out and all(one.status == "complete" for one in answered)
        notices = [notice for one in replies for notice in one.notices]
        parts = [f"## {side.library}\n\n{one.text}" for side, one in zip(self._sides, replies, strict=True)]
        if answered and self._compares and not any(map(self._names_another, range(len(replies)), replies)):
            parts.insert(0, NOT_COMPARED)
        if self._left_out:
            named = ", ".join(self._left_out)
            parts.append(f"Not looked up, ask again for: {named}.")
            notices.append(Notice("concepts_left_out", f"Not looked up: {named}."))
        return Reply(
            "\n\n".join(parts),
            status="complete" if whole else "partial" if answered else replies[0].status,
            needs=None if answered else replies[0].needs,
            notices=tuple(dict.fromkeys(notices)),
            library=answered[0].library if answered else None,
            is_finished=all(one.is_finished for one in replies),
        )

    def _names_another(self, number: int, reply: Reply) -> bool:
        """Whether what one library's documentation says names another one that it is compared with."""
        others = [side.library for place, side in enumerate(self._sides) if place != number]
        return any(re.search(rf"(?<!\w){re.escape(other)}(?!\w)", reply.text, re.IGNORECASE) for other in others)

    def _heading_tokens(self) -> int:
        return sum(estimate_tokens(f"## {side.library}\n\n\n\n") for side in self._sides) + 30 * (
            bool(self._left_out) + self._compares
        )


_NONE = {RESOLVE: 0, QUERY: 0}


def _prefix(number: int) -> str:
    return f"side-{number + 1}/"


def _own(messages: Sequence[Message], number: int) -> Iterator[Message]:
    """The messages of one side: its calls under their own ids, with their results."""
    prefix = _prefix(number)
    for message in messages:
        if isinstance(message, ToolMessage):
            results = tuple(
                (replace(call, id=call.id.removeprefix(prefix)), result)
                for call, result in message.results
                if call.id.startswith(prefix)
            )
            if results:
                yield ToolMessage(results)


def _results(messages: Sequence[Message]) -> Iterator[tuple[ToolCall, object]]:
    for message in messages:
        if isinstance(message, ToolMessage):
            yield from message.results
