"""The extractive model with an id that the asker gave: which version is read, and what happens where that is not there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from docs_researcher.core.messages import RESOLVE, Reply, ToolResult
from docs_researcher.core.passages import Candidate
from docs_researcher.library.projects.values import Dependency, Project
from docs_researcher.models.base import Question
from extractive_talk import NEXT, PASSAGE, Talk, calls, found, talk

GIVEN = "/vercel/next.js/v15.9.9 how do I redirect a visitor?"
ABSENT = ToolResult("Documentation not found.", outcome="not_found")


def refused_by_id(question: Question) -> tuple[Talk, Reply]:
    """A talk in which the given id is not there at its version, and the turn behind it."""
    one = Talk(question)
    one.answer_with(one.turn(), ABSENT)
    return one, one.turn()


def test_an_id_whose_version_is_not_there_is_looked_up_once_and_what_there_is_is_said() -> None:
    one, looking = refused_by_id(Question(GIVEN))
    assert calls(looking) == [(RESOLVE, {"libraryName": "Next.js", "query": "how do I redirect a visitor?"})]
    one.answer_with(looking, ToolResult("text", candidates=(Candidate("/a/next", "Next.js", "", 9000, "High"), NEXT)))
    again = one.turn()
    assert [arguments["libraryId"] for _, arguments in calls(again)] == ["/vercel/next.js"]
    one.answer_with(again, found(replace(PASSAGE, version=None), library=None))
    text = one.turn().text
    assert "v15.9.9 not indexed" in text and "v15.1.8, v14.3.0" in text


def test_an_id_at_a_version_in_part_is_read_at_the_listed_one() -> None:
    one, looking = refused_by_id(Question("/vercel/next.js/15 how do I redirect a visitor?"))
    one.answer_with(looking, ToolResult("text", candidates=(NEXT,)))
    assert [arguments["libraryId"] for _, arguments in calls(one.turn())] == ["/vercel/next.js/v15.1.8"]


def test_a_strict_asker_gets_the_list_and_no_other_version_than_that_of_the_id() -> None:
    one, looking = refused_by_id(Question(GIVEN, strict_version=True))
    one.answer_with(looking, ToolResult("text", candidates=(NEXT,)))
    reply = one.turn()
    assert (reply.status, reply.tool_calls) == ("not_found", ())
    assert "v15.1.8, v14.3.0" in reply.text


def test_an_id_that_is_in_no_list_is_read_without_its_version() -> None:
    one, looking = refused_by_id(Question(GIVEN))
    one.answer_with(looking, ToolResult("none", outcome="not_found"))
    assert [arguments["libraryId"] for _, arguments in calls(one.turn())] == ["/vercel/next.js"]


def test_an_id_without_a_version_is_read_at_that_of_the_question_or_the_project() -> None:
    asked = talk("How do I redirect a visitor in Next.js 15?", "/vercel/next.js").turn()
    assert calls(asked)[0][1]["libraryId"] == "/vercel/next.js/15"
    dependency = Dependency("npm", "next", "16.2.3", "^16.2.0", True, "package-lock.json", None, False)
    shop = Project(Path("/shop"), (dependency,))
    inside = Talk(Question("/vercel/next.js how do I redirect a visitor?", project=shop)).turn()
    assert calls(inside)[0][1]["libraryId"] == "/vercel/next.js/16.2.3"
    other = Talk(Question("/vercel/next.js/v15.1.8 how do I redirect a visitor?", project=shop)).turn()
    assert calls(other)[0][1]["libraryId"] == "/vercel/next.js/v15.1.8"
