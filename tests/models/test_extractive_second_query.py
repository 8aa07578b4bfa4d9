"""When the extractive model asks a second time, with which words, and what becomes of the two results."""

from __future__ import annotations

from dataclasses import replace

from docs_researcher.core.limits import Limits, Meter
from docs_researcher.core.messages import (
    QUERY,
    ToolResult,
)
from extractive_talk import LIBRARY, PASSAGE, found, queried, resolved


def test_a_weak_result_is_asked_for_once_more_in_other_words() -> None:
    one = resolved("How do I stop a running thing in Next.js?")
    one.answer_with(one.turn(), found(replace(PASSAGE, confidence=0.4)))
    reply = one.turn()
    (query,) = queried(reply)
    assert "cancel" in query
    one.answer_with(reply, found(replace(PASSAGE, confidence=0.4)))
    assert one.turn().tool_calls == ()


def test_the_opening_of_a_guide_is_read_on_from() -> None:
    opening = replace(PASSAGE, content="Call `redirect` in a page, an action or a route handler to send a visitor on.")
    further = replace(PASSAGE, title="redirect > In a page", content="In a page:\n\n```tsx\nredirect('/further')\n```")
    stranger = replace(
        further, title="Other", source="pkg:npm/next@15.1.8#docs/other.md", path="docs/other.md", content="```tsx\nstrange()\n```"
    )
    one = resolved()
    one.answer_with(one.turn(), found(opening))
    reply = one.turn()
    assert "handler" in queried(reply)[0]
    one.answer_with(reply, found(stranger, further))
    text = one.turn().text
    assert "redirect('/further')" in text
    assert "strange()" not in text


def test_nothing_matching_is_asked_for_once_in_other_words_and_then_not_found() -> None:
    one = resolved("How do I stop a running thing in Next.js?")
    nothing = ToolResult("Nothing matches.", outcome="not_found", library=LIBRARY)
    one.answer_with(one.turn(), nothing)
    reply = one.turn()
    assert [call.id for call in reply.tool_calls] == ["query-1-other-words", "query-1-opening"]
    one.answer_with(reply, nothing, nothing)
    last = one.turn()
    assert last.status == "not_found"
    assert "Tried: “How do I stop a running thing in Next.js?”, and other words for the same." in last.text


def test_a_documentation_of_a_page_or_two_is_answered_from_as_a_weak_match() -> None:
    one = resolved("How do I stop a running thing in Next.js?")
    nothing = ToolResult("Nothing matches.", outcome="not_found", library=LIBRARY)
    one.answer_with(one.turn(), nothing)
    one.answer_with(one.turn(), nothing, found(PASSAGE))
    last = one.turn()
    assert last.status == "partial"
    assert "Weak match" in last.text
    assert "redirect('/login')" in last.text


def test_the_opening_of_a_large_documentation_is_no_answer() -> None:
    one = resolved("How do I stop a running thing in Next.js?")
    nothing = ToolResult("Nothing matches.", outcome="not_found", library=LIBRARY)
    one.answer_with(one.turn(), nothing)
    pages = [replace(PASSAGE, path=f"docs/{number}.md", source=f"pkg:npm/next#{number}") for number in range(4)]
    one.answer_with(one.turn(), nothing, found(*pages))
    assert one.turn().status == "not_found"


def test_what_is_described_is_looked_up_once_more_by_its_name() -> None:
    one = resolved("How do I run code before each request in Next.js?")
    one.answer_with(one.turn(), found(PASSAGE))
    reply = one.turn()
    assert "hooks" in queried(reply)[0]
    hook = replace(PASSAGE, title="Hooks", content="Add a hook to run code before a request.", path="docs/hooks.md", source="h")
    one.answer_with(reply, found(hook))
    assert "Add a hook to run code before a request." in one.turn().text


def test_no_second_query_is_made_when_none_is_left() -> None:
    one = resolved("How do I stop a running thing in Next.js?")
    one.answer_with(one.turn(), ToolResult("Nothing matches.", outcome="not_found", library=LIBRARY))
    one.meter = Meter(Limits(query_calls=1), calls={QUERY: 1})
    assert one.turn().status == "not_found"


def test_the_other_changes_of_an_upgrade_are_read_beside_the_best_one() -> None:
    best = replace(PASSAGE, title="Upgrade 14 to 15 > Routing changes > Params are promises", content="Await `params`.")
    one = resolved("What changed for params between version 14 and 15 of Next.js?")
    one.answer_with(one.turn(), found(best))
    reply = one.turn()
    assert [call.id for call in reply.tool_calls] == ["query-1-rest-of-page"]
    assert queried(reply)[0] == "Upgrade 14 to 15 Routing changes"


def test_an_unsure_match_is_complete_and_says_that_it_is_unsure() -> None:
    one = resolved("How do I let the pool drain gently in Next.js?")
    unsure = found(replace(PASSAGE, title="Pools", content="The pool of workers grows by night, with a limit.", confidence=0.2))
    one.answer_with(one.turn(), unsure)
    one.answer_with(one.turn(), unsure)
    last = one.turn()
    assert "Unsure match" in last.text
    assert last.status == "complete"
    assert [notice.code for notice in last.notices] == ["weak_match"]


def test_two_things_that_are_asked_for_at_once_are_each_looked_up_and_answered() -> None:
    guest = replace(PASSAGE, title="Guests > Greet", content="Greet a visitor by name:\n\n```tsx\ngreet(visitor)\n```")
    cookie = replace(
        PASSAGE,
        title="Cookies > Long",
        content="Keep the cookie for a year:\n\n```tsx\nkeep(cookie, { years: 1 })\n```",
        source="pkg:npm/next@15.1.8#docs/cookies.md",
        path="docs/cookies.md",
    )
    one = resolved("Next.js: greet a visitor by name, and keep the cookie for a whole year")
    one.answer_with(one.turn(), found(guest))
    reply = one.turn()
    assert queried(reply) == ["greet a visitor by name", "keep the cookie for a whole year"]
    one.answer_with(reply, found(guest), found(cookie))
    text = one.turn().text
    assert "greet(visitor)" in text
    assert "keep(cookie, { years: 1 })" in text
