"""Step 1 where a text is about a name outright: it begins with it, asks what it is, or is asked by someone who has it."""

from __future__ import annotations

import pytest

from docs_researcher.library.catalogue import Catalogue
from docs_researcher.steps.queries.split import split
from docs_researcher.steps.question.identify import identify

CATALOGUE = Catalogue.load()


def named(question: str, *have: str) -> list[str]:
    """The libraries of a question, asked by somebody who has those of these names."""
    ids = [entry.id for name in have if (entry := CATALOGUE.by_name(name)) is not None]
    return [one.name for one in identify(question, CATALOGUE.extended((), ids)).libraries]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("flask how to register a blueprint", "Flask"),
        ("celery how do I retry a task with backoff", "Celery"),
        ("celery why does my task run twice", "Celery"),
        ("click option prompt password", "Click"),
        ("rich progress bar several tasks", "Rich"),
        ("express where do I put the error handler", "Express"),
    ],
)
def test_a_word_that_a_text_begins_with_is_the_library_where_a_question_or_a_search_follows(question: str, name: str) -> None:
    assert named(question) == [name]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("rich text editor in tiptap", "Tiptap"),
        ("requests per second limit in fastapi", "FastAPI"),
        ("validate requests and responses in fastapi", "FastAPI"),
        ("express an interval in luxon", "Luxon"),
        ("click the button in playwright", "Playwright"),
        ("handle failed requests with httpx", "HTTPX"),
        ("how do I express a duration in luxon", "Luxon"),
    ],
)
@pytest.mark.parametrize("have", [(), ("rich", "requests", "express", "click", "responses")], ids=["nothing", "all of them"])
def test_a_word_is_no_library_where_another_one_holds_what_it_means(question: str, name: str, have: tuple[str, ...]) -> None:
    assert named(question, *have) == [name]


def test_the_place_that_a_library_runs_in_takes_nothing_from_it() -> None:
    assert named("express sessions in docker")[0] == "Express"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("requests retry with backoff", "Requests"),
        ("print a coloured table with rich", "Rich"),
        ("color text using rich", "Rich"),
        ("click run something before each command", "Click"),
        ("next how do I deploy this", "Next.js"),
    ],
)
def test_what_the_asker_has_is_meant_by_less(question: str, name: str) -> None:
    assert named(question, "requests", "rich", "click", "next") == [name]


def test_an_adverb_before_a_question_is_no_library_of_somebody_who_has_none() -> None:
    assert named("next how do I deploy this") == []


@pytest.mark.parametrize(
    "question",
    [
        "What is Scrapy?",
        "what is scrapy",
        "whats scrapy used for?",
        "tell me about scrapy",
        "explain scrapy",
        "what does scrapy do?",
    ],
)
def test_what_a_library_is_is_worth_a_lookup_of_its_introduction(question: str) -> None:
    found = identify(question, CATALOGUE)
    assert found.use_docs
    assert [one.name for one in found.libraries] == ["Scrapy"]
    assert "introduction" in split(question, found).concepts[0]


@pytest.mark.parametrize("question", ["what is express", "What is click?", "what is next"])
def test_what_an_everyday_word_means_is_asked_of_the_library_that_the_asker_has(question: str) -> None:
    assert named(question) == []
    assert len(named(question, "express", "click", "next")) == 1


@pytest.mark.parametrize(
    "question", ["What is a linked list?", "what is rest", "what is the next step", "explain what express means here"]
)
def test_what_a_plain_word_is_stays_no_question_about_a_library(question: str) -> None:
    assert named(question) == []


@pytest.mark.parametrize(
    ("question", "version"),
    [
        ("fastify 4 to 5", "5"),
        ("react-router v6 to v7", "v7"),
        ("vuetify2 to vuetify3", "3"),
        ("express 4 -> 5 breaking changes", "5"),
        ("migrate from pydantic v1 to v2", "v2"),
    ],
)
def test_a_move_between_two_versions_is_a_question_about_the_newer_one_that_stays_whole(question: str, version: str) -> None:
    found = identify(question, CATALOGUE)
    assert found.use_docs
    assert found.asked is not None
    assert found.asked.version == version
    (concept,) = split(question, found).concepts
    assert concept.startswith(question)
    assert "migration" in concept


def test_a_move_of_a_part_is_asked_of_the_newer_version() -> None:
    assert [one.version for one in identify("Next.js 13 pages to 15 app", CATALOGUE).libraries] == ["15"]
    assert [one.version for one in identify("vue 2 mixins to 3 composables", CATALOGUE).libraries] == ["3"]


@pytest.mark.parametrize(
    ("question", "version"),
    [("react 18 list to 20 items", "18"), ("pandas 2 convert column to 15 digits", "2"), ("next 15 images to 16 columns", "15")],
)
def test_a_number_that_counts_things_is_no_version_to_move_to(question: str, version: str) -> None:
    assert [one.version for one in identify(question, CATALOGUE).libraries] == [version]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("express serve static files under a prefix", "Express"),
        ("express render a template", "Express"),
        ("react render a list of items with keys", "React"),
        ("yup when other field is set", "Yup"),
        ("poetry add dependency from a private index", "Poetry"),
        ("poetry add dev dependency", "Poetry"),
        ("expresss async error handling", "Express"),
    ],
)
def test_before_a_verb_or_a_question_word_only_a_name_stands(question: str, name: str) -> None:
    assert named(question) == [name]


@pytest.mark.parametrize(
    "text", ["next add a footer", "click the save button", "play record a video", "react when the door opens"]
)
def test_a_word_that_tells_what_to_do_is_no_name(text: str) -> None:
    assert named(text) == []


def test_what_came_back_is_no_library() -> None:
    assert named("got 404 from axios but the address is right") == ["Axios"]


def test_two_libraries_joined_at_the_beginning_are_both_named() -> None:
    assert named("black and isort together") == ["Black", "isort"]


def test_the_last_of_some_search_words_is_the_library() -> None:
    assert named("copy and paste from clipboard playwright") == ["Playwright"]


@pytest.mark.parametrize(
    ("question", "libraries"),
    [
        ("npm:commander requiredOption", ["Commander.js"]),
        ("npm:debug namespaces", ["debug"]),
        ("how do I use npm:left-pad with pypi:rich?", ["left-pad", "Rich"]),
        ("npm: install a package globally", ["npm"]),
    ],
)
def test_the_short_form_of_a_package_names_that_package_and_not_its_registry(question: str, libraries: list[str]) -> None:
    assert [one.name for one in identify(question, CATALOGUE).libraries] == libraries
