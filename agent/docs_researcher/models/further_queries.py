"""What the extractive model asks the documentation after its first queries: more of what was found, or the same in other words.

Each concept is asked for again once at most where its result is empty, weak, only the opening of a guide, or lacks one of the
things that are compared; then, once, for what the code found imports.
"""

from __future__ import annotations

from collections.abc import Sequence

from docs_researcher.core.library_id import LibraryId, find_ids
from docs_researcher.core.limits import Meter
from docs_researcher.core.messages import QUERY, Reply, ToolCall, ToolResult
from docs_researcher.models.conversation import SIDES, TASKS, Conversation, SecondQuery, second_id
from docs_researcher.steps.answer.local_imports import words_for_what_is_missing
from docs_researcher.steps.answer.second_query import (
    OPENING_WORDS,
    sides_to_look_up,
    words_developers_use,
    words_for_a_weak_result,
    words_of_the_upgrade,
    words_to_read_on,
)
from docs_researcher.steps.queries.developer_words import other_words
from docs_researcher.steps.queries.joined_tasks import joined_tasks
from docs_researcher.steps.queries.query_words import query_words

_OF_PARTS = frozenset(second_id(0, why) for why in (*SIDES, *TASKS))


class FurtherQueries:
    """The next calls for what a conversation found so far."""

    def __init__(
        self,
        said: Conversation,
        concepts: Sequence[str],
        question: str,
        *,
        meter: Meter,
        ignore: Sequence[str],
        is_foreign: bool,
        strict_version: bool,
    ) -> None:
        """`ignore` are the library's names; `is_foreign` says that the question is not in English."""
        self._said = said
        self._concepts = concepts
        self._question = question
        self._meter = meter
        self._ignore = ignore
        self._is_foreign = is_foreign
        self._strict_version = strict_version

    def reply(self) -> Reply | None:
        """The calls of the next turn; None when there is nothing more to ask, or no call is left."""
        if self._said.rounds > 1:
            return self._definition()
        calls = self._sides() or self._tasks()
        for number, (call, result) in enumerate(self._said.queried):
            found = self._second_query(call, result) if not calls or calls[0].id not in _OF_PARTS else None
            if found is not None and len(calls) < self._meter.remaining_calls(QUERY):
                why, arguments = found
                calls.append(ToolCall(second_id(number, why), QUERY, arguments))
        if calls and len(calls) < self._meter.remaining_calls(QUERY) and self._nothing_matches:
            arguments = {**calls[0].arguments, "query": OPENING_WORDS}
            calls += [ToolCall(second_id(0, "opening"), QUERY, arguments)] if calls[0].id != second_id(0, "opening") else []
        return Reply(tool_calls=tuple(calls), stop="tool_calls") if calls else self._definition()

    def _sides(self) -> list[ToolCall]:
        """A query for each thing that is compared and that heads nothing so far, where one concept is asked for."""
        call, result = self._said.queried[0]
        if len(self._concepts) != 1 or result.outcome != "ok":
            return []
        lacking = sides_to_look_up(self._question, result.passages, self._ignore)[: self._meter.remaining_calls(QUERY)]
        return [
            ToolCall(second_id(0, why), QUERY, {**call.arguments, "query": side})
            for why, side in zip(SIDES, lacking, strict=False)
        ]

    def _tasks(self) -> list[ToolCall]:
        """A query for each of the things that a question asks for at once, where it is looked up as a whole."""
        call, result = self._said.queried[0]
        if len(self._concepts) != 1 or result.outcome != "ok" or self._is_foreign:
            return []
        tasks = joined_tasks(self._question, tuple(self._ignore))
        queries = [query_words(task, set(self._ignore), None) for task in tasks]
        if len(queries) > self._meter.remaining_calls(QUERY):
            return []
        return [
            ToolCall(second_id(0, why), QUERY, {**call.arguments, "query": query})
            for why, query in zip(TASKS, queries, strict=False)
        ]

    def _definition(self) -> Reply | None:
        """A query for what the code found imports out of a file that is not shown, once, where one concept is asked for."""
        words = words_for_what_is_missing(self._said.passages_for(0)) if len(self._concepts) == 1 else None
        if words is None or self._said.rounds > 2 or not self._meter.may_call(QUERY):
            return None
        arguments = {**self._said.queried[0][0].arguments, "query": words}
        return Reply(tool_calls=(ToolCall(second_id(0, "definition"), QUERY, arguments),), stop="tool_calls")

    @property
    def _nothing_matches(self) -> bool:
        """Whether the library is there, and no word of any concept stands in its documentation."""
        return all(result.outcome == "not_found" and result.library is not None for _, result in self._said.queried)

    def _second_query(self, call: ToolCall, result: ToolResult) -> tuple[SecondQuery, dict[str, str]] | None:
        library_id, query = str(call.arguments["libraryId"]), str(call.arguments["query"])
        if result.outcome == "ok" and result.passages:
            if words := words_of_the_upgrade(query, result.passages):
                return "rest-of-page", {"libraryId": library_id, "query": words}
            if words := words_developers_use(query, result.passages):
                return "by-name", {"libraryId": library_id, "query": words}
            if words := words_for_a_weak_result(query, result.passages):
                return "other-words", {"libraryId": library_id, "query": words}
            if words := words_to_read_on(query, result.passages):
                return "rest-of-page", {"libraryId": library_id, "query": words}
            return None
        other_id = self._other_id(library_id, result)
        if other_id is not None:
            return "other-words", {"libraryId": other_id, "query": query}
        if result.outcome != "not_found" or result.library is None:
            return None
        words = self._question if self._is_foreign else " ".join(other_words(query))
        return ("other-words" if words else "opening", {"libraryId": library_id, "query": words or OPENING_WORDS})

    def _other_id(self, library_id: str, result: ToolResult) -> str | None:
        """The id that a redirected one moved to; the id without its version where the version is not there."""
        if result.outcome == "redirected":
            moved = [found for found in find_ids(result.text) if found != library_id]
            return moved[-1] if moved else None
        parsed = LibraryId.try_parse(library_id)
        unknown = result.outcome == "not_found" and result.library is None and not self._strict_version
        return parsed.base if unknown and parsed is not None and parsed.version else None
