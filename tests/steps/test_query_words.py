"""What is searched for, and when a second query is worth its call."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.second_query import (
    merged,
    with_rest_of_page,
    words_for_a_weak_result,
    words_of_the_upgrade,
    words_to_read_on,
)
from docs_researcher.steps.queries.developer_words import other_words
from docs_researcher.steps.queries.query_words import query_words
from docs_researcher.steps.queries.question_terms import question_terms, stems_of


def passage(name: str, content: str = "Prose.", score: float | None = None, confidence: float | None = 0.9) -> Passage:
    return Passage(f"{name} > Part", content, f"docs/{name}.md", path=f"docs/{name}.md", score=score, confidence=confidence)


@pytest.mark.parametrize(
    ("concept", "names", "version", "query"),
    [
        ("How do I use redirect in Next.js 15?", ["Next.js"], "15", "How do I use redirect?"),
        ("fastify validation schema for query string", ["fastify"], None, "validation schema for query string"),
        ("With pytest, run failed tests again", ["pytest"], None, "run failed tests again"),
        ("How do I set up auth?", [], None, "implement How do I set up authentication?"),
        ("Where does `auth` come from in next/headers?", ["next"], None, "Where does `auth` come from in next/headers?"),
        ("Next.js", ["Next.js"], None, "Next.js"),
        ("django many to many field", ["django"], None, "many-to-many field"),
        ("how do I frob?", ["frob"], None, "how do I frob?"),
        ("what changed in django 6", ["django"], "6", "what's new in 6 release notes"),
        ("What's new in Flask 3.1?", ["Flask"], "3.1", "what's new in 3.1 release notes"),
        ("How do I handle a click in Click?", ["Click"], None, "How do I handle a click?"),
    ],
)
def test_a_query_keeps_the_question_s_words_and_drops_what_the_id_says(
    concept: str, names: list[str], version: str | None, query: str
) -> None:
    assert query_words(concept, names, version) == query


def test_other_words_are_those_of_the_same_group() -> None:
    words = other_words("How do I cancel a job?")
    assert {"stop", "kill", "worker"} & set(words)
    assert "cancel" not in words
    assert other_words("zebra crossing") == ()


def test_only_a_weak_result_is_asked_for_again() -> None:
    assert words_for_a_weak_result("cancel a job", [passage("a", confidence=0.3)]) is not None
    assert words_for_a_weak_result("cancel a job", [passage("a", confidence=0.8)]) is None
    assert words_for_a_weak_result("cancel a job", [passage("a", confidence=None)]) is None
    assert words_for_a_weak_result("zebra crossing", [passage("a", confidence=0.3)]) is None


def test_a_guide_s_opening_without_code_is_read_on_from_in_its_own_words() -> None:
    words = words_to_read_on("How do I sign visitors in?", [passage("auth", "Use `createSession` to sign visitors in.")])
    assert words is not None
    assert "createSession" in words


def test_a_page_that_brought_code_is_enough() -> None:
    parts = [passage("auth", "Prose."), passage("auth", "```js\nsignIn()\n```")]
    assert words_to_read_on("How do I sign visitors in?", parts) is None


def test_reading_on_adds_only_the_same_page() -> None:
    first = [passage("auth", "one"), passage("other", "two")]
    joined = with_rest_of_page(first, [passage("stranger", "three"), passage("auth", "four")])
    assert [one.content for one in joined] == ["one", "four", "two"]


def test_two_results_become_one_in_the_order_of_their_shares_without_repeats() -> None:
    first = [passage("a", "a", 20.0), passage("b", "b", 4.0)]
    second = [passage("c", "c", 2.0), passage("a", "a", 1.0)]
    assert [one.content for one in merged(first, second)] == ["a", "c", "b"]


def test_a_relation_is_one_word_however_it_is_written() -> None:
    asked = question_terms("django many to many field").stems
    assert set(asked) <= stems_of("A ManyToManyField joins two django models") | stems_of("field")
    assert set(asked) <= stems_of("Many-to-many relationships have a field, in Django")
    assert not set(asked) <= stems_of("Many fields go to many forms of Django")


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("timezone", "Time zones"),
        ("time zones", "a timezone"),
        ("subcommands", "Stand-alone (sub)commands"),
        ("data frame", "DataFrame"),
    ],
)
def test_what_is_written_as_one_word_or_two_is_one_thing(asked: str, written: str) -> None:
    assert set(question_terms(asked).stems) <= stems_of(written)


def test_cors_is_no_core() -> None:
    assert stems_of("cors").isdisjoint(stems_of("core cores"))


def test_of_a_guide_to_an_upgrade_the_sections_beside_the_best_one_are_asked_for() -> None:
    guide = Passage("Migrating from Acme 7 to 8 > Before you upgrade", "Read on.", "s", path="docs/migrating.md", confidence=0.2)
    words = words_of_the_upgrade("upgrade acme to 8 what breaks", [guide])
    assert words is not None
    assert words.startswith("Migrating from Acme 7 to 8")
    assert words_of_the_upgrade("how do I migrate a table?", [replace(guide, title="Tables > Migrate a table")]) is None
    assert words_of_the_upgrade("how do I draw a line?", [guide]) is None
