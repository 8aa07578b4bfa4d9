"""Of a reference section with many entries, such as the parameters of a function, an answer quotes those that are asked about."""

from __future__ import annotations

import pytest

from acme_answers import answer, passage

NAMES = ("path", "tags", "summary", "operation_id", "responses", "callbacks", "deprecated", "response_class", "status_code")
"""The entry that is asked for stands last: what is cut at its end would lose it."""
ABOUT = {
    "operation_id": "A custom identifier of the operation. It is returned with the schema.",
    "responses": "Further answers that may be returned by the operation, with a custom text each.",
    "status_code": "The number that goes into the first line of the answer.",
}
PLAIN = "Kept with the operation and shown by the pages that are made of it, in the order in which it was given there."
ENTRIES = "\n\n".join(f"`{name}`: {ABOUT.get(name, PLAIN)}\n\nShown with the operation `{name}` on every page." for name in NAMES)
ROUTE = f"Declare a route.\n\n{ENTRIES}\n"


def entries_in(text: str) -> list[str]:
    return [name for name in NAMES if f"`{name}`: " in text]


def quoted(question: str, content: str = ROUTE) -> str:
    return answer(question, passage(content, "acme.routing > App.route", "acme/routing.py"), budget=330).text


def test_of_many_parameters_the_one_whose_name_is_asked_for_is_quoted_alone_with_what_belongs_to_it() -> None:
    text = quoted("Acme: how do I return a custom status code?")
    assert entries_in(text) == ["status_code"]
    assert "The number that goes into the first line" in text
    assert "Shown with the operation `status_code` on every page." in text


def test_where_no_name_is_asked_for_the_parameters_whose_descriptions_match_best_are_quoted() -> None:
    assert entries_in(quoted("Acme: which identifier is put into the schema?")) == ["operation_id"]


def test_what_stands_before_the_first_parameter_belongs_to_all_of_them() -> None:
    assert "Declare a route." in quoted("Acme: declare a route with a status code")


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_section_of_few_parameters_is_read_as_a_whole(count: int) -> None:
    few = "Declare a route.\n\n" + "\n\n".join(f"`{name}`: {ABOUT.get(name, PLAIN)}" for name in NAMES[-count:])
    assert entries_in(quoted("Acme: how do I return a custom status code?", few)) == list(NAMES[-count:])
