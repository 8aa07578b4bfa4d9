"""Step 1 over the shared and the own questions, and the rules one by one."""

from __future__ import annotations

import sys

import pytest

from case_rows import Row, accepted_names, expected_version, fold, rows, same_version
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.steps.queries.split import split
from docs_researcher.steps.question.identify import Identification, identify
from docs_researcher.steps.question.mentions import known_identifiers
from docs_researcher.steps.report import identification_report

CATALOGUE = Catalogue.load()
FILES = ("questions", "own_questions", "fresh_questions", "typed_questions")
EACH = [pytest.param(row, id=row["id"]) for name in FILES for row in rows(name)]


def read(question: str, library: str | None = None) -> Identification:
    return identify(question, CATALOGUE, library)


def named(question: str) -> list[tuple[str, str | None]]:
    return [(library.name, library.version) for library in read(question).libraries]


def first(question: str) -> tuple[str, str | None] | None:
    found = named(question)
    return found[0] if found else None


@pytest.mark.parametrize("row", EACH)
def test_the_asked_library_of_every_row_is_found(row: Row) -> None:
    asked = read(row["question"]).asked
    assert (fold(asked.name) if asked else None) in accepted_names(row)


@pytest.mark.parametrize("row", EACH)
def test_every_version_of_a_row_stays_with_its_library(row: Row) -> None:
    libraries = read(row["question"]).libraries
    asked = libraries[0] if libraries else None
    assert same_version(asked.version if asked else None, expected_version(row, asked.name if asked else None))
    for library in libraries[1:]:
        for other in row["other_libraries"]:
            if fold(library.name) in accepted_names(other):
                assert same_version(library.version, other["version"])


@pytest.mark.parametrize("row", EACH)
def test_a_lookup_is_made_exactly_where_one_is_due(row: Row) -> None:
    assert read(row["question"]).use_docs is row["use_docs"]


@pytest.mark.parametrize("row", [row for name in FILES for row in rows(name) if row["docs_id"]], ids=lambda row: row["id"])
def test_a_given_id_is_kept_byte_for_byte_and_leaves_the_query(row: Row) -> None:
    found = read(row["question"])
    assert found.docs_id is not None
    assert found.docs_id.text == row["docs_id"]
    assert row["docs_id"] not in found.query
    assert "context7" not in found.query


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("react router v7 loaders", ("React Router", "v7")),
        ("react router and react: which version?", ("React Router", None)),
        ("Spring Security 6 filter chain", ("Spring Security", "6")),
        ("fast api dependency override in tests", ("FastAPI", None)),
        ("Vue3 composable with TypeScript", ("Vue.js", "3")),
    ],
)
def test_the_longest_name_wins(question: str, expected: tuple[str, str | None]) -> None:
    assert first(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("import { useQuery } from '@tanstack/react-query'\nhow do I refetch on focus?", ("TanStack Query", None)),
        ("const z = require('zod')\nhow do I make a field optional?", ("Zod", None)),
        ("from flask import Flask\nhow do I stream a response?", ("Flask", None)),
        ("from sklearn.pipeline import Pipeline\nhow do I cache a step?", ("scikit-learn", None)),
        ("npm i next@15.1.0 fails with a peer conflict, how do I override it?", ("Next.js", "15.1.0")),
        ("pip install pytest==9.2.0 then how do I select tests by marker?", ("pytest", "9.2.0")),
        ("npx prisma@latest migrate dev hangs", ("Prisma", None)),
    ],
)
def test_packages_are_read_from_code_and_commands(question: str, expected: tuple[str, str | None]) -> None:
    assert first(question) == expected


@pytest.mark.parametrize(
    ("question", "library"),
    [
        ("What is the difference between useEffect and useLayoutEffect?", "React"),
        ("get_object_or_404 with two lookups", "Django"),
        ("how do I order several SecurityFilterChain beans?", "Spring Security"),
        ("MissingGreenlet when I print a related object", "SQLAlchemy"),
    ],
)
def test_an_identifier_that_one_library_has_names_it(question: str, library: str) -> None:
    found = first(question)
    assert found is not None and found[0] == library


@pytest.mark.parametrize(
    "question",
    [
        "We plan a spring release, go/no-go, express lane, what comes next?",
        "Who will react first, and should we click together over a rich lunch?",
        "Let's flask the rest of the coffee and dash to the next meeting.",
    ],
)
def test_english_words_alone_are_no_libraries(question: str) -> None:
    found = read(question)
    assert found.libraries == ()
    assert not found.use_docs


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How do I express a join in gin 1.9 with GORM?", ("Gin", "1.9")),
        ("express: error handler is never called for async routes", ("Express", None)),
        ("How do I test an endpoint in Flask?", ("Flask", None)),
        ("click 8.1 option with several values", ("Click", "8.1")),
        ("Why does `requests.get` ignore my proxy?", ("Requests", None)),
    ],
)
def test_a_word_with_evidence_is_a_library(question: str, expected: tuple[str, str | None]) -> None:
    assert first(question) == expected


@pytest.mark.parametrize(
    ("question", "library"),
    [
        ("sqlalchmey async engine: where do I dispose it?", "SQLAlchemy"),
        ("kuberntes: rolling update without downtime", "Kubernetes"),
        ("tailwnd v4 custom colors", "Tailwind CSS"),
        ("fastpai 0.111 lifespan events", "FastAPI"),
    ],
)
def test_one_or_two_wrong_letters_are_forgiven(question: str, library: str) -> None:
    found = first(question)
    assert found is not None and found[0] == library


@pytest.mark.parametrize(
    "question", ["How do I reverse a list?", "Should I expressly forbid tabs?", "A sprint has two weeks, right?"]
)
def test_a_plain_word_is_not_taken_for_a_misspelt_name(question: str) -> None:
    assert read(question).libraries == ()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Zustand store in a Next.js 15 app", [("Zustand", None), ("Next.js", "15")]),
        ("Spring Boot 3 with Hibernate 6.5: naming strategy", [("Spring Boot", "3"), ("Hibernate ORM", "6.5")]),
        ("How do I migrate from Jest to Vitest 2?", [("Vitest", "2"), ("Jest", None)]),
        ("Prisma or Drizzle for migrations in CI?", [("Prisma", None), ("Drizzle ORM", None)]),
    ],
)
def test_each_of_several_libraries_keeps_its_version_and_the_asked_one_leads(
    question: str, expected: list[tuple[str, str | None]]
) -> None:
    assert named(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "attrs define and attr.s",
        "attrs: what is the difference between define and attr.s",
        "What is the difference between @define and @attr.s in attrs?",
        "should I use attr.s or attrs.define?",
        "attr.s and attr.ib",
    ],
)
def test_two_ways_to_write_one_library_are_one_library(question: str) -> None:
    assert named(question) == [("attrs", None)]


@pytest.mark.parametrize(
    ("question", "library"),
    [
        ("textual: what is a Screen?", "Textual"),
        ("arrow: what does humanize do", "Arrow"),
        ("attrs: why is my converter not called?", "attrs"),
    ],
)
def test_an_everyday_word_before_a_colon_and_a_question_is_a_library(question: str, library: str) -> None:
    assert named(question) == [(library, None)]


def test_a_library_that_nobody_lists_is_named_as_written() -> None:
    found = read("frobnicator-kit 2.1.4: how do I reload its configuration?")
    assert found.use_docs
    assert [(one.name, one.version, one.entry) for one in found.libraries] == [("frobnicator-kit", "2.1.4", None)]


@pytest.mark.parametrize(
    ("library", "name", "version", "docs_id"),
    [
        ("next@15", "Next.js", "15", None),
        ("Next.js", "Next.js", None, None),
        ("npm:next@16.4.6", "Next.js", "16.4.6", None),
        ("pkg:pypi/pytest@9.2.0", "pytest", "9.2.0", None),
        ("@tanstack/react-query@5.60.5", "TanStack Query", "5.60.5", None),
        ("/vercel/next.js/v15.1.8", "Next.js", "v15.1.8", "/vercel/next.js/v15.1.8"),
        ("prisma@latest", "Prisma", None, None),
        ("Jinja 2", "Jinja", None, None),
        ("Jinja 3.1", "Jinja", "3.1", None),
    ],
)
def test_the_library_argument_fixes_the_asked_library(library: str, name: str, version: str | None, docs_id: str | None) -> None:
    found = read("how do I redirect in Flask?", library)
    assert found.asked is not None
    assert (found.asked.name, found.asked.version) == (name, version)
    assert (found.docs_id.text if found.docs_id else None) == docs_id
    assert [one.name for one in found.libraries[1:]] == ["Flask"]


@pytest.mark.parametrize(
    ("question", "query", "docs_id"),
    [
        ("use context7 with /honojs/hono for bearer auth", "bearer auth", "/honojs/hono"),
        ("How do I stream in hono? use context7", "How do I stream in hono?", None),
        ("use library /vercel/ai to stream objects", "stream objects", "/vercel/ai"),
        ("/vercel/next.js how do I use redirect", "how do I use redirect", "/vercel/next.js"),
        ("nginx reads /etc/nginx/nginx.conf twice, why?", "nginx reads /etc/nginx/nginx.conf twice, why?", None),
    ],
)
def test_instructions_are_taken_out_of_the_query(question: str, query: str, docs_id: str | None) -> None:
    found = read(question)
    assert found.query == query
    assert (found.docs_id.text if found.docs_id else None) == docs_id


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("", "too vague"),
        ("help", "no library"),
        ("react", "too vague"),
        ("Refactor this Vue component so that it is shorter", "refactoring"),
        ("Please review my FastAPI code for readability", "review"),
        ("Our invoice total is wrong when a Django order has two discounts", "business"),
        ("How do I sort a dictionary by value in Python?", "general programming"),
        ("Write me a bash script that renames photos", "from scratch"),
    ],
)
def test_no_lookup_is_due_and_the_reason_says_why(question: str, reason: str) -> None:
    found = read(question)
    assert not found.use_docs
    assert reason in found.reason


def test_a_language_alone_is_no_library() -> None:
    found = read("Write me a Python script that renames photos")
    assert (found.use_docs, found.libraries) == (False, ())


def test_a_language_with_a_version_is_worth_a_lookup() -> None:
    found = read("Go 1.22 loop variable semantics")
    assert found.use_docs
    assert found.asked is not None and (found.asked.name, found.asked.version) == ("Go", "1.22")


def test_the_report_has_the_documented_fields() -> None:
    question = "Laravel 11 has no Kernel. Where do I register middleware, and where do scheduled commands go?"
    found = read(question)
    report = identification_report(found, split(question, found))
    assert report["use_docs"] is True
    assert report["libraries"][0]["name"] == "Laravel"
    assert report["libraries"][0]["version"] == "11"
    assert report["libraries"][0]["id"].startswith("/laravel/")
    assert len(report["concepts"]) == 2
    assert report["left_out"] == []


def test_a_question_whose_name_is_known_needs_no_fuzzy_search(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.split(".")[0] == "rapidfuzz"]:
        monkeypatch.delitem(sys.modules, module)
    read("How do I set up auth in Next.js 15?")
    assert "rapidfuzz" not in sys.modules


def test_a_very_long_question_is_read_up_to_a_bound() -> None:
    found = read("How do I paginate in Django 5.1? " + "x y " * 200_000)
    assert found.asked is not None and (found.asked.name, found.asked.version) == ("Django", "5.1")
    assert len(found.query) < 10_000


@pytest.mark.parametrize(
    "question",
    [
        "Why does postgres://app:x@db.example.invalid/prod fail in the Anthropic Python SDK?",
        "Mail jane@react.example.com: how do I set a header in the Anthropic Python SDK?",
    ],
)
def test_addresses_name_no_library(question: str) -> None:
    assert [name for name, _ in named(question)] == ["Anthropic Python SDK"]


def test_the_repository_in_a_url_names_its_library() -> None:
    assert first("https://github.com/vercel/next.js/issues/1 says middleware never fires, why?") == ("Next.js", None)


@pytest.mark.parametrize(
    "piece",
    [
        "react, ", "@a/b ", "react v1 to ", "\n", "(", "中，如何", "please ", "react() and ", "vite... ", "comment et faire ",
        "next@15 ", "zod-x ", "react/vue ", "flask. How? ", "a react, how do I react? ", "import react\n", "jinja 2 ",
    ],
)  # fmt: skip
def test_a_hostile_repetition_costs_no_more_than_its_length(piece: str) -> None:
    short, long = (_steps(piece * (length // len(piece))) for length in (2_000, 8_000))
    assert long < 6 * max(short, 2_000)


def _steps(question: str) -> int:
    """How many calls of Python functions reading a question takes."""
    count = 0

    def seen(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(seen)
    try:
        read(question)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "question",
    [
        "The network is slow and the device fails",
        "I need perfect elements for the guest list",
        "An angle between two vectors in space",
        "Reach the end of the string",
    ],
)
def test_english_words_near_a_name_are_no_typos_of_it(question: str) -> None:
    assert read(question).libraries == ()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("sping boot 3 cors", ("Spring Boot", "3")),
        ("gihub actions cache", ("GitHub Actions", None)),
        ("in djnago, how?", ("Django", None)),
    ],
)
def test_a_misspelt_name_of_two_words_is_read_with_its_version(question: str, expected: tuple[str, str | None]) -> None:
    assert first(question) == expected


def test_every_identifier_belongs_to_a_library_of_the_catalogue() -> None:
    exact, beginnings = known_identifiers()
    owners = {*exact.values(), *(owner for _, owner in beginnings)}
    assert [owner for owner in sorted(owners) if CATALOGUE.by_name(owner) is None] == []


def test_bytes_that_are_no_text_ask_nothing_whatever_names_are_in_them() -> None:
    found = read(b"\xff\xfe\x80 flask \x81\x82\xf0 d1 \xc3(".decode("utf-8", errors="replace"), "flask")
    assert not found.use_docs
    assert found.reason == "the question is no readable text"
