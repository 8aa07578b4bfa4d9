"""A library that is found under a part of the asked name is read only where its documentation names what was asked for."""

from __future__ import annotations

from dataclasses import replace

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.messages import ToolResult
from docs_researcher.core.passages import Candidate
from extractive_talk import PASSAGE, Talk, calls, found, talk

WIDER = AnsweredLibrary("acme", "/acme/acme", "3.1.0", "newest")
ACME = Candidate("/acme/acme", "Acme", "A toolkit", 100, "High", versions=("v3.1.0",))
NOBODY = ToolResult("No library is called so.", outcome="not_found")


def read(question: str, library: str | None, content: str) -> Talk:
    one = talk(question, library)
    one.answer_with(one.turn(), NOBODY)
    wider = one.turn()
    assert calls(wider)[0][1]["libraryName"] == "acme"
    one.answer_with(wider, ToolResult("text", candidates=(ACME,)))
    passage = replace(PASSAGE, content=content, source="pkg:npm/acme@3.1.0#a.md", library_id="/acme/acme", path="a.md")
    while (reply := one.turn()).tool_calls:
        one.answer_with(reply, *(found(passage, library=WIDER) for _ in reply.tool_calls))
    return one


def test_another_library_that_shares_the_first_word_answers_nothing() -> None:
    content = "To configure it, call `configure`:\n\n```js\nconfigure()\n```\n"
    reply = read("How do I configure acme-retry?", "npm:acme-retry", content).turn()
    assert reply.status == "not_found"
    assert "npm:acme-retry" in reply.text
    assert "configure()" not in reply.text


def test_a_part_of_a_product_is_answered_from_the_whole_and_that_is_said() -> None:
    content = "To configure acme-retry, call `configure`:\n\n```js\nconfigure()\n```\n"
    reply = read("How do I configure acme-retry?", "npm:acme-retry", content).turn()
    assert "configure()" in reply.text
    assert "No library called acme-retry was found; this is what the documentation of acme says." in reply.text


def test_of_a_question_in_another_language_the_librarys_name_alone_is_no_whole_question() -> None:
    one = talk("как бубенцы в django")
    one.answer_with(one.turn(), ToolResult("text", candidates=(Candidate("/django/django", "Django", reputation="High"),)))
    library = AnsweredLibrary("Django", "/django/django", "6.1", "newest")
    while (reply := one.turn()).tool_calls:
        one.answer_with(reply, *(found(PASSAGE, library=library) for _ in reply.tool_calls))
    assert reply.status == "partial"
