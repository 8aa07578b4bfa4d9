"""What people describe is called by its name, where developers have one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.second_query import words_developers_use
from docs_researcher.steps.queries.developer_words import called
from docs_researcher.steps.queries.question_terms import question_terms
from docs_researcher.steps.stems import stem

PASSAGE = Passage("Deployment", "Run code on a server for each request.", "docs/deploy.md", path="docs/deploy.md", confidence=1.0)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("How do I run code before each request?", "How do I request hooks lifecycle before_request?"),
        ("a custom 404 page", "a custom not-found 404 page"),
        ("a page of mine when an address does not exist", "a page of mine when an 404 not found"),
        ("only for signed-in users", "only for login authenticated users"),
        ("an option that can be given several times", "an option that can be given multiple"),
        ("send a value after a while", "send a value after a while"),
        ("version 4.0.404 or 14045", "version 4.0.404 or 14045"),
    ],
)
def test_what_is_described_is_called_by_its_name(question: str, name: str) -> None:
    assert called(question) == name


def test_a_second_query_calls_it_so_where_the_first_page_does_not() -> None:
    query = "run code before each request"
    assert words_developers_use(query, [PASSAGE]) == "request hooks lifecycle before_request"
    assert words_developers_use(query, [replace(PASSAGE, title="Hooks > onRequest")]) is None
    assert words_developers_use("deploy to a server", [PASSAGE]) is None


def test_an_error_is_looked_up_in_its_own_words() -> None:
    assert words_developers_use("The app crashed with an error before each request", [PASSAGE]) is None
    assert stem("hooks") not in question_terms("The app crashed with an error before each request").stems


def test_a_name_of_the_api_counts_for_more_than_its_parts() -> None:
    weights = question_terms("makeMeta with params").weighted(["call makeMeta", "make an image", "meta tags", "params"]).weights
    assert weights[stem("makeMeta")] > 2 * weights[stem("make")]
