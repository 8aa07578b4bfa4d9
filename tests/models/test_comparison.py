"""Several libraries side by side: each is read, each has its section and its sources, within one answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.core.answer import Answer
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sources.base import SourceInfo
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.runtime.research import research
from docs_researcher.runtime.timeline import read_timeline
from docs_researcher.steps.question.asked_apart import asked_apart
from docs_researcher.steps.question.compared_libraries import compared_libraries
from docs_researcher.steps.question.identify import identify
from docs_researcher.steps.question.sides import sides_of
from pages_source import PagesSource

HONO = "app.get('/users/:id', (c) => c.text('hono'))"
EXPRESS = "router.get('/users/:id', (req, res) => res.send('express'))"
FASTIFY = "fastify.get('/users/:id', async () => 'fastify')"
LIBRARIES = {"hono": ("/honojs/hono", HONO), "express": ("/expressjs/express", EXPRESS), "fastify": ("/fastify/fastify", FASTIFY)}
Ask = Callable[..., Answer]


def install(name: str) -> None:
    library_id, code = LIBRARIES[name]
    entry = Catalogue.load().find(name)
    assert entry is not None
    pages = {
        "docs/index.md": f"# Introduction\n\n{name.title()} is a web framework. This is an overview of it.\n",
        "docs/routing.md": f"# Routing\n\nRouting in {name.title()} maps a path to a handler:\n\n```js\n{code}\n```\n",
    }
    info = SourceInfo(name, "4.0.0", entry.id or library_id, purl=f"pkg:npm/{name}@4.0.0", title=name.title())
    store = Store()
    build_docset(PagesSource(pages, info), store, replace=True)
    store.close()


@pytest.fixture
def ask(home: Path) -> Ask:
    for name in LIBRARIES:
        install(name)

    def run(question: str, **options: Any) -> Answer:
        return asyncio.run(research(question, offline=True, model="extractive", **options))

    return run


def sections(answer: Answer) -> dict[str, str]:
    parts = f"\n{answer.text}".split("\n## ")[1:]
    return {title: body for title, _, body in (part.partition("\n") for part in parts)}


@pytest.mark.parametrize(
    "question",
    [
        "compare hono and express for routing",
        "hono vs express: routing",
        "Hono or Express for routing?",
        "hono routing vs express routing",
    ],
)
def test_both_libraries_are_read_and_cited_in_a_section_each(ask: Ask, question: str) -> None:
    answer = ask(question)
    assert answer.status == "complete"
    found = sections(answer)
    assert list(found) == ["Hono", "Express"]
    assert HONO in found["Hono"]
    assert answer.text.startswith("What was read does not compare them: each is answered from its own documentation.")
    assert EXPRESS not in found["Hono"]
    assert EXPRESS in found["Express"]
    assert HONO not in found["Express"]
    assert {example.code for example in answer.examples} == {HONO, EXPRESS}
    assert len({reference.library_id for reference in answer.references}) == 2


def test_a_comparison_without_a_topic_says_what_each_is(ask: Ask) -> None:
    found = sections(ask("hono vs express"))
    assert "Hono is a web framework" in found["Hono"]
    assert "Express is a web framework" in found["Express"]


def test_three_libraries_share_the_calls_and_the_tokens_of_one_answer(ask: Ask, tmp_path: Path) -> None:
    trace = tmp_path / "run.jsonl"
    answer = ask("hono vs express vs fastify for routing", answer_tokens=600, trace=trace)
    assert list(sections(answer)) == ["Hono", "Express", "Fastify"]
    assert estimate_tokens(answer.text) <= 600
    assert [code in answer.text for code in (HONO, EXPRESS, FASTIFY)] == [True, True, True]
    called = [step.tool for step in read_timeline(trace).steps if step.kind == "tool"]
    assert called.count("query-docs") <= 3


@pytest.mark.parametrize("other", ["koa", "frobnik"])
def test_a_side_that_is_not_found_makes_the_answer_partial_and_is_named(ask: Ask, other: str) -> None:
    answer = ask(f"hono vs {other} for routing")
    assert answer.status == "partial"
    found = sections(answer)
    assert HONO in found["Hono"]
    assert other in found[next(name for name in found if name.lower() == other)].lower()
    assert answer.exit_code == 4


def test_of_two_sides_that_are_not_found_none_is_an_answer(ask: Ask) -> None:
    answer = ask("koa vs restify for routing")
    assert answer.status not in ("complete", "partial")
    assert "Koa" in answer.text


def test_more_libraries_than_there_are_calls_are_named_as_left_out(ask: Ask) -> None:
    answer = ask("hono vs express vs fastify vs koa for routing")
    assert answer.status == "partial"
    assert "Not looked up, ask again for: Koa." in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "react-router v6 to v7",
        "migrate from flask to fastapi",
        "use zod with fastify",
        "How do I validate a body with zod in hono?",
        "How do React and Redux work together?",
        "differences between useState and useReducer in react",
        "Celery: Redis vs RabbitMQ as a broker?",
        "difference between click and change events in React",
        "Is Next.js faster than before?",
    ],
)
def test_one_library_with_its_surroundings_is_no_comparison(question: str) -> None:
    catalogue = Catalogue.load()
    understood = identify(question, catalogue)
    assert compared_libraries(understood.query, understood, catalogue) == ()


def test_the_library_that_the_asker_fixes_is_the_only_one(ask: Ask) -> None:
    answer = ask("hono vs express for routing", library="express")
    assert EXPRESS in answer.text
    assert "## Hono" not in answer.text


def test_a_version_stays_with_its_library() -> None:
    catalogue = Catalogue.load()
    text = "express 5 vs fastify 4: error handling"
    sides = compared_libraries(text, identify(text, catalogue), catalogue)
    assert [identify(side.question, catalogue, side.library).libraries[0].version for side in sides] == ["5", "4"]


def test_different_things_asked_of_two_libraries_are_read_in_both(ask: Ask) -> None:
    answer = ask("routing in hono and an overview of express")
    assert answer.status == "complete"
    found = sections(answer)
    assert list(found) == ["Hono", "Express"]
    assert HONO in found["Hono"]
    assert "Express is a web framework" in found["Express"]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("how do I use useState in react and redirects in next.js", ["how do I use useState in react", "redirects in next.js"]),
        (
            "upgrade from pydantic 1 to 2 and sqlalchemy 1.4 to 2.0",
            ["upgrade from pydantic 1 to 2", "upgrade from sqlalchemy 1.4 to 2.0"],
        ),
        ("pydantic BaseModel validation and sqlalchemy session", ["pydantic BaseModel validation", "sqlalchemy session"]),
        ("use zod with fastify and hook form", []),
        ("connect express and mongodb", []),
        ("set up prisma with next.js and auth", []),
        ("validate forms in react and send them to express", []),
        ("langchain-openai structured output and pydantic v2", []),
        ("typeorm migration:generate finds no changes, nestjs monorepo", []),
        ("use celery tasks in django and redis together", []),
    ],
)
def test_each_part_is_asked_of_its_own_library_and_what_libraries_do_together_stays_whole(
    question: str, parts: list[str]
) -> None:
    understood = identify(question, Catalogue.load())
    assert [side.question for side in asked_apart(understood.query, understood)] == parts


def test_what_nobody_knows_as_a_library_is_looked_for_in_the_documentation_of_the_other_side() -> None:
    catalogue = Catalogue.load()
    known, unknown = sides_of(identify("attrs vs dataclasses", catalogue), catalogue)
    assert (known.library, known.question) == ("attrs", "attrs vs dataclasses")
    assert unknown.library == "dataclasses"
