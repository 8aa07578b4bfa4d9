"""A question that is looked up as a whole, and asks for two things: each is a query of its own."""

from __future__ import annotations

import pytest

from docs_researcher.steps.queries.joined_tasks import joined_tasks


@pytest.mark.parametrize(
    ("question", "tasks"),
    [
        (
            "Acme: answer with status 404 from a loader, and set Cache-Control on the response",
            ("answer with status 404 from a loader", "set Cache-Control on the response"),
        ),
        (
            "Acme: cut out a region of the picture and turn it into grayscale",
            ("cut out a region of the picture", "turn it into grayscale cut region picture"),
        ),
        (
            "How do I read the config file, and then watch the folder in Acme?",
            ("read the config file", "watch the folder in Acme"),
        ),
    ],
)
def test_the_two_things_asked_for_are_told_with_the_subject_of_the_first_where_the_second_leans_on_it(
    question: str, tasks: tuple[str, ...]
) -> None:
    assert joined_tasks(question, ("Acme",)) == tasks


@pytest.mark.parametrize(
    "question",
    [
        "How do I store a session?",
        "Acme: drag and drop files",
        "What is the difference between a hook of the server and a hook of the client?",
        "Acme: open the file and the folder together",
        "Acme with typed routes and zod",
        "Acme: seal the letter, stamp the letter, and send the letter, and burn the copy",
    ],
)
def test_a_question_that_asks_for_one_thing_has_no_tasks(question: str) -> None:
    assert joined_tasks(question, ("Acme",)) == ()
