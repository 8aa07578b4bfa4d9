"""The check of the question files says which rows do not hold against the pages, and why."""

from __future__ import annotations

import pytest
from question_pages import answer_problems, question_problems
from retrieval import Question

from docs_researcher.runtime.evaluate import Expected

TITLES = {"docs/cache.md": "Keeping results", "docs/sessions.md": "Sessions"}
TEXTS = {
    "docs/cache.md": "Call `purge()`:\n\n```py\ncache.purge()\n```\n",
    "docs/sessions.md": "A session lasts two\nweeks, see `SESSION_AGE`.",
}


def question(text: str, *gold: str, kind: str = "paraphrase") -> Question:
    """A row about the two pages."""
    return Question("q", "pypi:x@1", text, "", gold, kind, "fresh")


def test_a_row_whose_gold_page_exists_and_stays_unnamed_holds() -> None:
    assert question_problems(question("where does a basket live?", "sessions.md"), TITLES) == []


def test_a_gold_page_that_does_not_exist_is_named() -> None:
    assert question_problems(question("anything", "docs/gone.md"), TITLES) == ["docs/gone.md is no page"]


def test_a_paraphrase_that_uses_a_word_of_the_title_is_named_and_a_keyword_row_is_not() -> None:
    asked = "how long is it keeping each result?"
    assert question_problems(question(asked, "cache.md"), TITLES) == ["shares keeping, result with docs/cache.md"]
    assert question_problems(question(asked, "cache.md", kind="keyword"), TITLES) == []


def test_each_group_may_stand_in_another_of_the_cited_pages() -> None:
    row = Expected("a", "?", must=(("two weeks",), ("purge",)), must_code=(("cache.purge()",),), cite=("cache.md", "sessions.md"))
    assert answer_problems(row, TEXTS) == []


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (Expected("a", "?", must=(("three weeks",),), cite=("sessions.md",)), "no 'three weeks'"),
        (Expected("a", "?", must_code=(("SESSION_AGE",),), cite=("sessions.md",)), "no 'SESSION_AGE' in code"),
        (Expected("a", "?", must=(("purge",),), cite=("cache.md", "gone.md")), "gone.md is no page"),
    ],
)
def test_a_string_or_a_page_that_is_not_there_is_named(row: Expected, said: str) -> None:
    assert said in answer_problems(row, TEXTS)
