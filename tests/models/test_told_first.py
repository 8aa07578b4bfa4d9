"""Which notices an answer opens with."""

from __future__ import annotations

from docs_researcher.core.answer import Notice
from docs_researcher.core.messages import QUERY, ToolCall, ToolMessage, ToolResult
from docs_researcher.models.conversation import Conversation

AWAY = Notice("source_unavailable", "The guide of Acme could not be read: acme.example cannot be found.")
NO_GUIDE = Notice("reference_only", "The package of Acme ships no guide; its README is searched instead.")
ADVICE = Notice("guide_elsewhere", "The guide of Acme is at acme.example; to read it: docs-research add /acme/acme")


def told(*notices: Notice) -> tuple[str, ...]:
    call = ToolCall("query-1", QUERY, {"libraryId": "/acme/acme", "query": "x"})
    return Conversation.of([ToolMessage(((call, ToolResult("", notices=notices)),))]).told_first


def test_that_there_is_no_guide_is_said_in_the_answer_once_and_the_reason_beside_it() -> None:
    assert told(AWAY, NO_GUIDE, ADVICE) == (NO_GUIDE.text,)


def test_a_source_that_did_not_answer_is_told_where_a_guide_answers_in_its_place() -> None:
    assert told(AWAY) == (AWAY.text,)
