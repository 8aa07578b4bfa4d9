"""What a conversation has brought so far, read out of its messages: candidates, passages, faults."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from docs_researcher.core.answer import AnsweredLibrary, Notice
from docs_researcher.core.messages import QUERY, RESOLVE, Message, ToolCall, ToolMessage, ToolResult
from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.answer_text import page_of
from docs_researcher.steps.answer.second_query import BESIDE_NAMED, merged, with_a_side, with_a_task, with_rest_of_page

SecondQuery = Literal[
    "other-words", "by-name", "rest-of-page", "opening", "definition", "side-1", "side-2", "side-3", "task-1", "task-2"
]
SIDES: tuple[SecondQuery, ...] = ("side-1", "side-2", "side-3")
"""Queries for the things that a question compares."""
TASKS: tuple[SecondQuery, ...] = ("task-1", "task-2")
"""Queries for the things that a question asks for at once."""

Called = tuple[ToolCall, ToolResult]

PAGES_OF_A_SMALL_ONE = 2
PASSAGES_OF_A_SMALL_ONE = 6
"""A documentation of which the words of every beginning find no more is read whole rather than called empty."""

_NO_GUIDE = "reference_only"
_AWAY = "source_unavailable"
_TOLD_FIRST = ("version_substituted", "library_assumed", "stale", _AWAY, _NO_GUIDE)
"""Codes of the notices whose sentences open the answer."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """The calls made so far with their results, in order, and how often passages were asked for."""

    resolved: tuple[Called, ...]
    queried: tuple[Called, ...]
    rounds: int
    """Turns that called `query-docs`."""

    @classmethod
    def of(cls, messages: Iterable[Message]) -> Conversation:
        """Read the tool messages of a conversation."""
        turns = [message.results for message in messages if isinstance(message, ToolMessage)]
        calls = [called for results in turns for called in results]
        return cls(
            tuple(called for called in calls if called[0].name == RESOLVE),
            tuple(called for called in calls if called[0].name == QUERY),
            sum(any(call.name == QUERY for call, _ in results) for results in turns),
        )

    @property
    def library(self) -> AnsweredLibrary | None:
        """The library that the passages come from, where a provider knows it; of a result with passages, if there is one."""
        known = sorted((not result.passages, number) for number, (_, result) in enumerate(self.queried) if result.library)
        return self.queried[known[0][1]][1].library if known else None

    @property
    def library_id(self) -> str:
        """The id that was queried last; empty when none was."""
        return str(self.queried[-1][0].arguments.get("libraryId", "")) if self.queried else ""

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Every notice of the results, each once."""
        return tuple(dict.fromkeys(notice for _, result in (*self.resolved, *self.queried) for notice in result.notices))

    @property
    def told_first(self) -> tuple[str, ...]:
        """The sentences of the notices that an answer has to open with; why there is no guide is left to its notices."""
        told = [notice for notice in self.notices if notice.code in _TOLD_FIRST]
        no_guide = any(notice.code == _NO_GUIDE for notice in told)
        return tuple(notice.text for notice in told if not (no_guide and notice.code == _AWAY))

    @property
    def concepts_asked(self) -> int:
        """How many concepts had a query of their own; the calls allowed may have been fewer than the concepts."""
        ids = {call.id for call, _ in self.queried}
        return next(number for number in range(len(ids) + 1) if call_id(number) not in ids)

    def passages_for(self, number: int) -> tuple[Passage, ...]:
        """The passages found for concept `number` (from 0) by its first query and by those that followed."""
        found = self._by_two(number)
        for side in SIDES:
            wanted = second_id(number, side)
            name = next((str(call.arguments.get("query", "")) for call, _ in self.queried if call.id == wanted), "")
            found = with_a_side(found, self._found(wanted), name)
        for task in TASKS:
            found = with_a_task(found, self._found(second_id(number, task)))
        return with_rest_of_page(found, self._found(second_id(number, "definition")))

    def _by_two(self, number: int) -> tuple[Passage, ...]:
        first = self._found(call_id(number))
        page = self._found(second_id(number, "rest-of-page"))
        if page:
            return with_rest_of_page(first, page)
        by_name = self._found(second_id(number, "by-name"))
        if by_name:
            return merged(by_name, first, BESIDE_NAMED)
        again = self._found(second_id(number, "other-words")) or self._small(second_id(number, "opening"))
        return merged(first, again) if again and first else first or again

    def _small(self, wanted: str) -> tuple[Passage, ...]:
        """The opening of a documentation, if that is about all there is of it; no evidence that it answers."""
        found = self._found(wanted)
        small = len({page_of(passage) for passage in found}) <= PAGES_OF_A_SMALL_ONE and len(found) <= PASSAGES_OF_A_SMALL_ONE
        return tuple(replace(passage, confidence=0.0) for passage in found) if small else ()

    def _found(self, wanted: str) -> tuple[Passage, ...]:
        found = [result.passages for call, result in self.queried if call.id == wanted and result.outcome == "ok"]
        return tuple(passage for passages in found for passage in passages)

    def faults(self) -> tuple[ToolResult, ...]:
        """The results of the queries that failed for another reason than that nothing matches."""
        return tuple(result for _, result in self.queried if result.outcome not in ("ok", "not_found"))


def call_id(number: int) -> str:
    """The id of the query for concept `number`."""
    return f"query-{number + 1}"


def second_id(number: int, why: SecondQuery) -> str:
    """The id of the second query for concept `number`."""
    return f"{call_id(number)}-{why}"
