"""What an answer says where it more likely does not answer: an unsure match, declarations alone, half of the question missing."""

from __future__ import annotations

from acme_answers import SESSIONS, passage
from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.summarise import ConceptEvidence, Summary, summarise

LIBRARY = AnsweredLibrary("Acme", "/acme/acme", "3.1.0", "newest with docs")
PAGES = [
    passage("The pool of workers grows by night, with a limit.", "Pools", "docs/pools.md", confidence=0.2, score=1.0),
    passage("A worker of the pool sleeps by day.", "Workers", "docs/workers.md", confidence=0.2, score=0.9),
]


def declared(name: str, code: str, told: str = "") -> Passage:
    content = f"{told}\n\n```ts\n{code}\n```\n"
    source = "pkg:npm/acme@3.1.0#dist/guards.d.ts"
    return Passage(f"acme: guards > {name}", content, source, "/acme/acme", path="dist/guards.d.ts", confidence=0.9, score=1.0)


def answer(question: str, *passages: Passage, only_reference: bool = False) -> Summary:
    return summarise(
        question, [ConceptEvidence(question, passages)], budget=1_500, library=LIBRARY, only_reference=only_reference
    )


def test_what_the_search_hardly_found_is_an_unsure_match_that_says_what_it_does_not_mention() -> None:
    summary = answer("How do I let a pool drain before deployment?", *PAGES)
    assert summary.doubtful
    assert "Unsure match: what was found may not answer this." in summary.text
    assert "“drain”" in summary.text


def test_what_the_search_found_is_none() -> None:
    assert not answer("How do I create a session?", passage(SESSIONS, confidence=0.9)).doubtful


def test_a_guide_to_the_upgrade_that_is_asked_about_is_no_unsure_match() -> None:
    guide = passage("The pool was removed.", "Migrating from 2 to 3 > Pools", "docs/migrate.md", confidence=0.2)
    assert not answer("What breaks when I upgrade Acme from 2 to 3?", guide).doubtful


def test_declarations_without_a_word_are_said_to_be_no_more_than_that() -> None:
    bare = [declared(f"Guard{number}", f"interface Guard{number} {{ check(): boolean }}") for number in range(3)]
    summary = answer("acme guards", *bare, only_reference=True)
    assert "Only declarations were found for this" in summary.lacking
    assert not answer("What is a Guard?", *bare, only_reference=True).lacking


def test_a_declaration_that_is_explained_is_more_than_that() -> None:
    told = declared("Guard", "interface Guard { check(): boolean }", "A guard decides whether a request may go on.")
    assert "Only declarations" not in answer("acme guards", told, only_reference=True).text


def test_other_classes_of_a_file_are_quoted_only_where_they_hold_a_word_of_the_question() -> None:
    names = {
        "Timeout": "The request timed out.",
        "ReadTimeout": "No data was sent.",
        "HTTPError": "It went wrong.",
        "URLRequired": "None.",
    }
    content = "\n\n".join(
        f"## acme.{name}\n\n{told}\n\n```python\nclass {name}(AcmeException): ...\n```" for name, told in names.items()
    )
    page = Passage(
        "acme.errors", content, "pkg:pypi/acme@3.1.0#acme/errors.py", "/acme/acme", path="acme/errors.py", confidence=0.9
    )
    text = answer("acme timeout", page).text
    assert "class ReadTimeout" in text
    assert "class HTTPError" not in text
    assert "class URLRequired" not in text
