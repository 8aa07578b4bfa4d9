"""An answer says what it was read from where that is thin, and what of the question stands nowhere in it."""

from __future__ import annotations

import pytest

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.summarise import ConceptEvidence, Summary, summarise

LIBRARY = AnsweredLibrary("Acme", "/acme/acme", "3.1.0", "newest with docs")
SESSIONS = "Call `createSession` with an id to keep a visitor signed in.\n\n```ts\ncreateSession(1)\n```\n"


def passage(content: str, path: str, confidence: float = 0.8) -> Passage:
    source = f"pkg:npm/acme@3.1.0#{path}"
    return Passage("Sessions > Create a session", content, source, "/acme/acme", path=path, confidence=confidence)


def answer(question: str, *passages: Passage, only_reference: bool = False) -> Summary:
    evidence = [ConceptEvidence(question, passages)]
    return summarise(question, evidence, budget=1_500, library=LIBRARY, only_reference=only_reference)


def test_what_a_package_without_a_guide_was_answered_from_is_said_in_one_sentence() -> None:
    found = passage(SESSIONS, "README.md"), passage("```ts\nfunction createSession(id: number): void\n```", "index.d.ts")
    summary = answer("How do I create a session?", *found, only_reference=True)
    assert "The package ships no guide; this is from its README and declarations." in summary.text
    assert summary.lacking == ""


def test_a_guide_is_not_said_to_be_missing() -> None:
    assert "guide" not in answer("How do I create a session?", passage(SESSIONS, "docs/sessions.md")).text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How do I create a session and call renewSession?", "does not mention `renewSession`"),
        ("SessionError session token is malformed", "The message “session token is malformed” stands nowhere in what was read."),
    ],
)
def test_what_is_asked_for_and_stands_nowhere_in_a_thin_source_is_said_and_makes_it_lacking(question: str, told: str) -> None:
    summary = answer(question, passage(SESSIONS, "index.d.ts", 0.3), only_reference=True)
    assert told in summary.text
    assert told in summary.lacking


def test_a_readme_that_shows_no_code_for_what_is_to_be_done_lacks_it() -> None:
    summary = answer("How do I create a session?", passage("Ask us how to create a session.", "README.md"))
    assert "It shows no code for this." in summary.lacking


@pytest.mark.parametrize(
    "question",
    [
        "RuntimeError: Working outside of session context",
        "I get SessionError when I call createSession in a worker",
        "How do I handle an error of a session?",
        'Acme says "the session 4711 is outside of session context", why?',
    ],
)
def test_a_message_that_is_documented_or_not_quoted_is_not_said_to_stand_nowhere(question: str) -> None:
    content = (
        "`RuntimeError`: Working outside of session context. `SessionError` is raised too.\n\n```ts\ncreateSession(1)\n```\n"
    )
    assert "stands nowhere" not in answer(question, passage(content, "docs/errors.md")).text


def test_everyday_words_are_not_listed_as_missing() -> None:
    text = answer(
        "How do I compile vertex shaders twice, one after another, even faster on graphics cards?",
        passage(SESSIONS, "docs/a.md", 0.1),
    ).text
    assert "“compile”" in text
    for word in ("twice", "another", "even", "faster"):
        assert f"“{word}”" not in text
