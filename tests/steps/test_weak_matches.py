"""When an answer is called a weak match, and what it shows then: in short what stands near, else only pointers."""

from __future__ import annotations

from dataclasses import replace

from acme_answers import SESSIONS, answer, passage
from docs_researcher.core.passages import Passage


def test_a_weak_match_is_said_with_what_is_missing_and_what_to_try() -> None:
    summary = answer(
        "How do I compile vertex shaders for a session on two graphics cards nightly?", passage(SESSIONS, confidence=0.1)
    )
    assert summary.weak
    assert "Weak match" in summary.text
    assert "“compile”" in summary.text
    assert "Ask next for “Create a session”" in summary.text


def test_what_is_right_in_part_says_which_name_it_does_not_mention_and_is_not_called_weak() -> None:
    summary = answer("How do I keep sessions in Redis nightly?", passage(SESSIONS, confidence=0.5))
    assert not summary.weak
    assert "What was read does not mention “Redis”." in summary.text


def test_a_strong_match_is_not_called_weak() -> None:
    summary = answer("How do I create a session?", passage(SESSIONS, confidence=0.9))
    assert not summary.weak
    assert "Weak match" not in summary.text


def test_without_a_provider_s_confidence_the_words_decide() -> None:
    foreign = Passage("Sessions", SESSIONS, "https://acme.example/sessions", "/acme/acme", "https://acme.example/sessions")
    assert not answer("How do I create a session?", foreign).weak
    assert answer("How do I compile shaders quickly?", foreign).weak


def test_places_that_are_all_alike_and_hold_little_of_it_are_a_weak_match() -> None:
    pages = [
        replace(passage(f"Run the {word} of the code by night.", f"About {word}", f"docs/{word}.md"), score=5 - number / 10)
        for number, word in enumerate(["build", "deployment", "benchmark", "formatter"])
    ]
    summary = answer("How do I run something whenever a visitor signs up?", *pages)
    assert summary.weak
    assert "Weak match" in summary.text


def test_the_page_of_the_asked_name_is_no_weak_match_though_other_words_are_missing() -> None:
    found = passage("`makeMeta` fills the head of a page.", "makeMeta", "docs/meta.md", confidence=0.3)
    assert not answer("makeMeta after a form submission", found).weak


def test_a_weak_match_quotes_what_it_found_where_something_of_the_question_stands_there_and_only_points_otherwise() -> None:
    lines = "".join(f"session.set('key{number}', value{number})\n" for number in range(20))
    page = passage(f"A session keeps values.\n\n```ts\n{lines}```\n", confidence=0.1)
    near = answer("How do I create a session on two graphics cards with Kafka nightly?", page)
    far = answer("How do I compile vertex shaders on two graphics cards with Kafka?", page)
    assert near.weak
    assert far.weak
    assert "session.set('key7', value7)" in near.text
    assert "session.set" not in far.text


def test_a_number_that_stands_nowhere_is_no_missing_name() -> None:
    assert "does not mention" not in answer("How do I keep sessions in 503 nightly?", passage(SESSIONS, confidence=0.5)).text
