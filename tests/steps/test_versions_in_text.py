"""Which version a question is about: the one that belongs to its library, and of several the one that is moved to."""

from __future__ import annotations

import pytest

from docs_researcher.library.catalogue import Catalogue
from docs_researcher.steps.question.identify import identify

CATALOGUE = Catalogue.load()


def first(question: str) -> tuple[str, str | None] | None:
    asked = identify(question, CATALOGUE).asked
    return (asked.name, asked.version) if asked else None


@pytest.mark.parametrize(
    ("question", "version"),
    [
        ("Moving from webpack 4 to 5: polyfills", "5"),
        ("I went from Tailwind 3.4.17 to v4.1 and dark mode broke", "v4.1"),
        ("pydantic v1 → v2 validators", "v2"),
        ("React 18 から 19 に上げたら警告が出ます", "19"),
        ("migrate to Vue 3 from Vue 2", "3"),
        ("supabase-js 2.0.0-rc.10 cookies", "2.0.0-rc.10"),
        ("numpy 2.0.0rc2 wheels", "2.0.0rc2"),
        ("What changed in version 5 of Express for wildcards?", "5"),
        ("Express 404 handler for unknown routes", None),
        ("celery 5 minutes countdown for one task", None),
        ("Next.js dev server on port 3001", None),
        ("docker compose with version '3.8' in the file", None),
        ("npx create-next-app@latest with Prisma", None),
    ],
)
def test_the_version_is_the_one_that_was_written_for_it(question: str, version: str | None) -> None:
    found = first(question)
    assert found is not None and found[1] == version


@pytest.mark.parametrize(
    ("question", "version"),
    [
        ("What changed in the AI SDK between version 4 and 5 for useChat?", "5"),
        ("What changed between v4 and v5 of the AI SDK?", "v5"),
        ("migrate from version 4 of the AI SDK to version 5", "5"),
        ("AI SDK v4 useChat has input; what replaces it in v5?", "v5"),
        ("How do I upgrade React Router from v6 to v7?", "v7"),
        ("upgrade Django 4.2 to 5.2", "5.2"),
        ("Django 4.2 vs 5.2: async views", "5.2"),
        ("Django 5.2 vs 4.2: async views", "5.2"),
        ("SQLAlchemy 1.4 style query, how in 2.0?", "2.0"),
        ("We are on Express 4 and want to move to 5. What changes for wildcards?", "5"),
        ("Our app uses webpack 4, how do we get to 5?", "5"),
        ("between 18 and 19, what changed for refs in React?", "19"),
        ("What is new in Pydantic 2 compared to 1?", "2"),
        ("Was ist neu in Django zwischen 4.2 und 5.2?", "5.2"),
        ("Wir nutzen Angular 16 und wollen auf 17 wechseln. Was ändert sich?", "17"),
        ("¿Qué cambió en Laravel entre la versión 10 y la 11?", "11"),
        ("Как перейти с Django 4.2 на 5.2?", "5.2"),
        ("从 Vue 2 迁移到 3 需要改什么？", "3"),
        ("Vue 2 と 3 の違いは？", "3"),
        ("Downgrade Next.js 15 to 14: what about cookies()?", "14"),
    ],
)
def test_a_question_about_a_move_is_answered_for_the_version_that_is_moved_to(question: str, version: str) -> None:
    found = first(question)
    assert found is not None and found[1] == version


@pytest.mark.parametrize(
    ("question", "version"),
    [
        ("httpx: raise the timeout from 1.5 to 2.5 for one call", None),
        ("celery: change the retries from 3 to 5", None),
        ("numpy: random float between 0.5 and 1.5", None),
        ("zod: how do I validate a number between 1 and 100?", None),
        ("pandas 2.2: move to 3 decimals", "2.2"),
        ("Tailwind 4: how do I get to 2 columns in a grid?", "4"),
        ("docker compose v2: the file says version 3.8, is it still read?", "v2"),
    ],
)
def test_amounts_that_change_are_no_versions(question: str, version: str | None) -> None:
    found = first(question)
    assert found is not None and found[1] == version


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("jinja2: what does the sandbox protect against", ("Jinja", None)),
        ("Jinja 2: what does the sandbox protect against", ("Jinja", None)),
        ("Beautiful Soup 4: select the next sibling", ("Beautiful Soup", None)),
        ("boto 3 retries", ("Boto3", None)),
        ("psycopg 2 cursor", ("psycopg2", None)),
        ("Jinja 2.11 sandbox", ("Jinja", "2.11")),
        ("Jinja 2.x filters", ("Jinja", "2.x")),
        ("Jinja2 3.1 sandbox", ("Jinja", "3.1")),
        ("Jinja 3 sandbox", ("Jinja", "3")),
        ("migrate from Jinja 2 to 3", ("Jinja", "3")),
        ("Vue 3 watch", ("Vue.js", "3")),
        ("MySQL 2 tables in a join", ("MySQL", "2")),
        ("select 2 columns in pandas", ("pandas", None)),
    ],
)
def test_the_digit_of_a_package_name_is_no_version(question: str, expected: tuple[str, str | None]) -> None:
    assert first(question) == expected
