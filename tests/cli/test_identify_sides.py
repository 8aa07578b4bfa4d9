"""`identify` for a question that is asked of several libraries one by one."""

from __future__ import annotations

import pytest

from command_runs import Run


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("hono vs express for routing", {"Hono": "hono", "Express": "express"}),
        ("useState in React and redirects in Next.js", {"React": "useState", "Next.js": "redirects"}),
    ],
)
def test_each_library_is_shown_with_what_would_be_searched_for_in_it(
    docs_research: Run, question: str, sides: dict[str, str]
) -> None:
    value = docs_research("identify", question, "--json").value
    assert list(value["sides"]) == list(sides)
    for library, word in sides.items():
        assert any(word in concept for concept in value["sides"][library])
    assert value["concepts"] == [concept for concepts in value["sides"].values() for concept in concepts]
    shown = docs_research("identify", question).out
    assert all(f"\n  {library}: {'; '.join(value['sides'][library])}\n" in shown for library in sides)


@pytest.mark.parametrize(
    "arguments", [("redirects in Next.js",), ("Redis streams vs lists",), ("hono vs express", "--library", "hono")]
)
def test_a_question_about_one_library_has_no_sides(docs_research: Run, arguments: tuple[str, ...]) -> None:
    value = docs_research("identify", *arguments, "--json").value
    assert value["sides"] == {}
    assert len(value["concepts"]) == 1
