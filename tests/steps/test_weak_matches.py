"""What a weak match shows: in short what stands near the question, pointers where nearly nothing does."""

from __future__ import annotations

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.summarise import ConceptEvidence, Summary, summarise

SESSIONS = "Sessions keep a visitor signed in.\n\nCall `createSession` with an id:\n\n```ts\ncreateSession(1)\n```\n"


def passage(content: str, confidence: float) -> Passage:
    return Passage(
        "Sessions > Create a session", content, "pkg:npm/acme@3.1.0#docs/sessions.md", "/acme/acme", confidence=confidence
    )


def answer(question: str, page: Passage) -> Summary:
    library = AnsweredLibrary("Acme", "/acme/acme", "3.1.0", "newest with docs")
    return summarise(question, [ConceptEvidence(question, (page,))], budget=1_500, library=library)


def test_a_weak_match_quotes_what_it_found_where_something_of_the_question_stands_there_and_only_points_otherwise() -> None:
    lines = "".join(f"session.set('key{number}', value{number})\n" for number in range(20))
    page = passage(f"A session keeps values.\n\n```ts\n{lines}```\n", 0.1)
    near = answer("How do I create a session on two graphics cards with Kafka nightly?", page)
    far = answer("How do I compile vertex shaders on two graphics cards with Kafka?", page)
    assert near.weak
    assert far.weak
    assert "session.set('key7', value7)" in near.text
    assert "session.set" not in far.text


def test_a_number_that_stands_nowhere_is_no_missing_name() -> None:
    assert "does not mention" not in answer("How do I keep sessions in 503 nightly?", passage(SESSIONS, 0.5)).text
