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


def test_what_a_package_without_a_guide_was_answered_from_is_not_said_twice() -> None:
    found = passage(SESSIONS, "README.md"), passage("```ts\nfunction createSession(id: number): void\n```", "index.d.ts")
    summary = answer("How do I create a session?", *found, only_reference=True)
    assert "guide" not in summary.text, "the provider's own sentence opens the answer"
    assert summary.lacking == ""


def test_a_guide_is_not_said_to_be_missing() -> None:
    assert "guide" not in answer("How do I create a session?", passage(SESSIONS, "docs/sessions.md")).text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How do I create a session and call renewSession?", "does not mention `renewSession`"),
        ("SessionError session token is malformed", "The message “session token is malformed” stands nowhere in what was read."),
        ("SessionError: No session named 'visitor_settings'", "The message “No session named 'visitor_settings'” stands nowhere"),
    ],
)
def test_what_is_asked_for_and_stands_nowhere_in_a_thin_source_is_said_and_makes_it_lacking(question: str, told: str) -> None:
    summary = answer(question, passage(SESSIONS, "index.d.ts", 0.3), only_reference=True)
    assert told in summary.text
    assert told in summary.lacking


def test_a_readme_that_shows_no_code_for_what_is_to_be_done_lacks_it() -> None:
    summary = answer("How do I create a session?", passage("Ask us how to create a session.", "README.md"))
    assert "It shows no code for this." in summary.lacking


def test_code_in_the_next_section_of_a_readme_is_code_for_it() -> None:
    told = passage(
        "Create a session for each visitor that signs in, and renew the session of each visitor once a day.", "README.md"
    )
    shown = passage("Create a session:\n\n```js\ncreateSession(id)\n```\n", "README.md")
    summary = answer("How do I create a session for each visitor that signs in and renew it?", told, shown)
    assert "createSession(id)" in summary.text
    assert "shows no code" not in summary.text


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


def test_a_comparison_that_the_documentation_does_not_make_is_said_not_to_be_there_and_both_sides_are_shown() -> None:
    words = "An HTTP client with connection pooling, redirects and cookies that are kept between requests."
    sides = [
        Passage(
            f"acme > acme.{name}", f"## acme.{name}\n\n{words}", f"pkg:pypi/acme@1#{name}.py", "/acme/acme", path=f"{name}.py"
        )
        for name in ("Client", "AsyncClient")
    ]
    text = answer("What is the difference between acme.Client and acme.AsyncClient?", *sides).text
    assert "What was read does not compare “acme.Client” and “acme.AsyncClient”" in text
    assert text.count(words) == 2


def test_a_comparison_that_is_made_is_not_said_to_be_missing() -> None:
    told = passage("Use `Client` in scripts. `AsyncClient`, unlike `Client`, needs an event loop.", "docs/clients.md")
    assert "does not compare" not in answer("What is the difference between Client and AsyncClient?", told).text


def test_each_of_several_names_that_are_asked_about_gets_its_section() -> None:
    found = [
        Passage(f"acme > {name}", f"```ts\nfunction {name}(): void\n```\n\n{text}", f"pkg:npm/acme@1#{name}", "/acme/acme")
        for name, text in (("useEffect", "Runs code that touches the outside."), ("useState", "Gives a value and its setter."))
    ]
    text = answer("useState and useEffect", *found).text
    assert "Runs code" in text
    assert "Gives a value" in text


def test_a_dotted_name_that_is_documented_under_another_object_is_not_said_to_be_missing() -> None:
    found = passage("`VitestUtils.doMock`: Mocks every later import.", "index.d.ts")
    assert "does not mention" not in answer("How do I use vi.doMock?", found).text


def test_a_how_to_that_only_notes_on_an_upgrade_speak_of_is_a_weak_match() -> None:
    notes = passage("Inserting an empty array throws now. Rename `Config`.", "UPGRADING.md", 0.27)
    assert answer("Insert a row or update it on a conflict of keys", notes).weak
