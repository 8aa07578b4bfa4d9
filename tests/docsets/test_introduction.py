"""What a library is, is found where its documentation begins, not where its name stands most often."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.searching.defining import DOES, IS_A, defines
from docs_researcher.docsets.searching.introduction import INTRODUCTION_WORDS, asks_what_it_is, page_worth

Make = Callable[..., Docset]

PAGES: Mapping[str, str] = {
    "docs/plugins.md": "# Plugins\n\n" + "".join(f"- acme-{word}: acme acme acme for acme.\n" for word in ("a", "b", "c", "d")),
    "docs/migration.md": "# Porting\n\nAcme is a drop-in replacement for Zebra.\n",
    "docs/index.md": "# Welcome\n\nAcme is a job queue that keeps its jobs on disk.\n\n## Features\n\n- Retries\n",
}


@pytest.mark.parametrize(
    "query",
    [
        "what is acme",
        "What is Acme?",
        "explain acme",
        f"What is Acme? {INTRODUCTION_WORDS} Jobs",
        f"What is? {INTRODUCTION_WORDS}",
    ],
)
def test_the_index_that_defines_a_library_comes_before_the_page_that_repeats_its_name(make_docset: Make, query: str) -> None:
    found = make_docset(PAGES).search(query)
    assert found.hits[0].path == "docs/index.md"
    assert "Acme is a job queue" in found.hits[0].content
    assert found.confidence > 0.9


def test_a_question_about_a_part_of_the_library_is_searched_by_its_words(make_docset: Make) -> None:
    assert make_docset(PAGES).search("what is the acme replacement for Zebra").hits[0].path == "docs/migration.md"


@pytest.mark.parametrize("question", ["what is an acme plugin", "how do I acme", "acme", "what is zebra", ""])
def test_what_is_asked_of_something_else_asks_not_what_the_library_is(question: str) -> None:
    assert not asks_what_it_is(question, ("Acme",))


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("Acme is a queue.", IS_A),
        ("**Acme** (/ˈakmi/) is an application framework.", IS_A),
        ("The Acme SQL Toolkit and Mapper\nis a set of tools.", IS_A),
        ("Welcome to the docs. Acme is a light queue.", IS_A),
        ("Blueprints are groups of acmes. Acmes are groups of views.", IS_A),
        ("The `acme` framework makes it easy to write tests.", DOES),
        ("The two parts of\nAcme are the core and the shell.", 0.0),
        ("Acme\n\nTesting is the subject of this page.", 0.0),
        ("Acme is fast.", 0.0),
        ("Install acme first.", 0.0),
    ],
)
def test_a_sentence_defines_what_is_its_subject(text: str, worth: float) -> None:
    assert defines(text, ["acme"]) == worth


def test_a_page_is_the_nearer_to_the_beginning_the_higher_it_stands() -> None:
    paths = ("README.md", "docs/intro/overview.rst", "docs/tutorial.md", "docs/api/hooks.md")
    worths = [page_worth(path) for path in paths]
    assert worths == sorted(worths, reverse=True)
    assert worths[-1] == 0.0
