"""How an extractive answer is put together: its first line, its sections, its references, and that it stays within its budget."""

from __future__ import annotations

import pytest

from acme_answers import LIBRARY, SESSIONS, STEPS, answer, passage
from docs_researcher.core.passages import Passage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer.summarise import ConceptEvidence, summarise


def test_the_first_line_names_library_version_and_source() -> None:
    first = answer("How do I create a session?", passage(SESSIONS)).text.splitlines()[0]
    assert first == "**Acme 3.1.0** (`/acme/acme`), from pkg:npm/acme@3.1.0"


def test_what_has_to_be_said_first_comes_right_behind_it() -> None:
    lead = "You asked for Acme 2; this is from 3.1.0."
    text = answer("How do I create a session?", passage(SESSIONS), lead=[lead]).text
    assert text.split("\n\n")[1] == lead


@pytest.mark.parametrize("budget", [1, 5, 20, 60, 120, 250, 400, 700, 1_500])
def test_the_budget_holds_whatever_it_is(budget: int) -> None:
    passages = (passage(SESSIONS), passage(STEPS, "Deploying", "docs/deploy.md"))
    evidence = [ConceptEvidence("create a session", passages), ConceptEvidence("deploy an application", passages)]
    text = summarise("q", evidence, budget=budget, library=LIBRARY, lead=["Said first."], left_out=["caching"]).text
    assert estimate_tokens(text) <= budget
    assert text.count("```") % 2 == 0


def test_several_concepts_get_a_section_each_and_nothing_is_said_twice() -> None:
    evidence = [
        ConceptEvidence("create a session", (passage(SESSIONS),)),
        ConceptEvidence("deploy an application", (passage(STEPS, "Deploying", "docs/deploy.md"), passage(SESSIONS))),
    ]
    text = summarise("How do I create a session, and how do I deploy?", evidence, budget=1_500, library=LIBRARY).text
    assert text.index("## Create a session") < text.index("createSession") < text.index("## Deploy an application")
    assert text.index("## Deploy an application") < text.index("2. Upload")
    assert text.count("To create a session") == 1
    assert text.count("await createSession(userId, { maxAge: 3600 })") == 1


def test_references_name_each_page_once_and_come_last() -> None:
    parts = (passage(SESSIONS), passage("To create a session in a test, call `fakeSession`.", "Sessions > Testing"))
    text = answer("How do I create a session in a test?", *parts).text
    listed = text.split("References:\n")[1].splitlines()
    assert listed == ["- [Sessions](https://acme.example/docs/sessions)"]


def test_a_page_without_an_address_is_cited_by_its_package_and_path() -> None:
    bare = Passage(
        "Sessions", SESSIONS, "pkg:npm/acme@3.1.0#docs/sessions.md", "/acme/acme", path="docs/sessions.md", version="3.1.0"
    )
    text = answer("How do I create a session?", bare).text
    assert text.endswith("- Sessions: pkg:npm/acme@3.1.0#docs/sessions.md")


def test_concepts_that_were_not_looked_up_or_brought_nothing_are_named() -> None:
    evidence = [ConceptEvidence("create a session", (passage(SESSIONS),)), ConceptEvidence("dark mode", ())]
    text = summarise("q", evidence, budget=1_500, library=LIBRARY, left_out=["caching", "e-mail"]).text
    assert "Nothing was found for: dark mode." in text
    assert "Not looked up, ask again for: caching, e-mail." in text


def test_the_same_evidence_gives_the_same_answer() -> None:
    first = answer("How do I create a session?", passage(SESSIONS), passage(STEPS, "Deploying", "docs/deploy.md"))
    second = answer("How do I create a session?", passage(SESSIONS), passage(STEPS, "Deploying", "docs/deploy.md"))
    assert first == second


def test_the_passages_used_are_those_quoted() -> None:
    used = answer("How do I create a session?", passage(SESSIONS), passage("Unrelated prose.", "Other", "docs/o.md")).used
    assert [one.path for one in used] == ["docs/sessions.md"]


def test_nothing_found_gives_no_section_and_no_reference() -> None:
    summary = summarise("q", [ConceptEvidence("dark mode", ())], budget=300, library=LIBRARY)
    assert summary.used == ()
    assert "Nothing was found for: dark mode." in summary.text
    assert "References" not in summary.text


@pytest.mark.parametrize("budget", [100, 120, 160])
def test_a_small_answer_still_says_one_sentence(budget: int) -> None:
    long = "\n".join(f"session.step_{number}(value_{number}, option={number})" for number in range(60))
    content = (
        f"Sessions are created by the server when a visitor comes. To create a session, run these calls:\n\n```py\n{long}\n```\n"
    )
    text = answer("How do I create a session?", passage(content), budget=budget).text
    assert "Sessions are created by the server" in text
    assert estimate_tokens(text) <= budget


def test_a_sentence_that_is_longer_than_a_small_answer_is_begun() -> None:
    content = "To create a session, " + "call the function that creates it and then wait, " * 40 + "and be done."
    text = answer("How do I create a session?", passage(content), budget=100).text
    assert "To create a session, call the function" in text
    assert "…" in text


def test_an_answer_out_of_nothing_but_a_readme_says_so() -> None:
    text = answer("How do I create a session?", passage(SESSIONS, "acme", "README.md")).text
    assert text.split("\n\n")[1] == "The package ships no guide; this is from its README."
    assert "No guide" not in answer("How do I create a session?", passage(SESSIONS, "acme", "docs/README.md")).text


def test_a_section_s_heading_has_no_loose_end() -> None:
    evidence = [ConceptEvidence("create a session with the", (passage(SESSIONS),)), ConceptEvidence("x", ())]
    text = summarise("q", evidence, budget=1_500, library=LIBRARY).text
    assert "## Create a session\n" in text
