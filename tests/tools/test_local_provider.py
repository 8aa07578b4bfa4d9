"""The two tools over docsets in process, on real docset files built from a folder."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.core.layout import parse_candidates, parse_passages
from docs_researcher.core.messages import QUERY, RESOLVE, ToolResult
from docs_researcher.docsets.acquiring.acquire import FetchPolicy
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.runtime.research import research
from docs_researcher.tools.local import LocalProvider
from loopback_npm import npm_registry, page


@pytest.fixture
def acme(home: Path, tmp_path: Path) -> Path:
    """A small library, installed as /local/acme."""
    docs = tmp_path / "acme" / "docs"
    docs.mkdir(parents=True)
    (docs / "client.md").write_text(
        page(
            "Clients",
            "Create a client with a token:\n\n```python\nclient = Client(token)\n```\n\n## Timeouts\n\nThey default to 30 s.",
        ),
        encoding="utf-8",
    )
    (docs / "errors.md").write_text(page("Errors", "`RetryError` means that the server was busy."), encoding="utf-8")
    add_source(str(tmp_path / "acme"), store=Store(), catalogue=Catalogue.load(), pkg_version="2.1.0")
    return docs


def call(name: str, arguments: Mapping[str, Any], **options: Any) -> ToolResult:
    async def answer() -> ToolResult:
        provider = LocalProvider(Store(), Catalogue.load(), policy=FetchPolicy(offline=True), **options)
        try:
            return await provider.call(name, arguments)
        finally:
            await provider.aclose()

    return asyncio.run(answer())


def resolve(name: str) -> ToolResult:
    return call(RESOLVE, {"libraryName": name, "query": "x"})


def test_an_installed_library_is_offered_with_its_version_and_snippets(acme: Path) -> None:
    result = resolve("acme")
    (candidate,) = result.candidates
    assert (candidate.id, candidate.versions, candidate.snippets, candidate.source) == ("/local/acme", ("2.1.0",), 1, "folder")
    assert candidate.score is None
    assert parse_candidates(result.text) == result.candidates


@pytest.mark.parametrize("name", ["Next.js", "nextjs", "next js", "npm:next", "/vercel/next.js"])
def test_a_library_of_the_catalogue_is_offered_without_any_fetch(home: Path, name: str) -> None:
    (candidate,) = resolve(name).candidates
    assert (candidate.id, candidate.title, candidate.reputation) == ("/vercel/next.js", "Next.js", "High")
    assert not home.exists()


def test_the_clients_of_a_library_at_both_registries_are_told_apart_by_their_language(home: Path) -> None:
    titles = {candidate.id: candidate.title for candidate in resolve("Twilio").candidates}
    assert sorted(titles.values()) == ["Twilio (JavaScript)", "Twilio (Python)"]
    assert titles["/pypi/twilio"] == "Twilio (Python)"


def test_a_misspelled_name_gets_the_near_ones(home: Path) -> None:
    assert "SQLAlchemy" in [candidate.title for candidate in resolve("sqlalchmey").candidates]


def test_an_unknown_name_is_not_found_and_says_what_to_do(home: Path) -> None:
    result = resolve("qqqqzzzz")
    assert (result.outcome, result.candidates) == ("not_found", ())
    assert "npm:NAME" in result.text


def test_a_query_returns_passages_and_the_same_in_the_known_layout(acme: Path) -> None:
    result = call(QUERY, {"libraryId": "/local/acme", "query": "client token"})
    first = result.passages[0]
    assert (first.path, first.version, first.library_id) == ("docs/client.md", "2.1.0", "/local/acme")
    assert "client = Client(token)" in first.content
    assert first.confidence is not None
    assert [passage.content for passage in parse_passages(result.text)] == [passage.content for passage in result.passages]
    assert result.library is not None
    assert result.library.version_choice == "newest installed"


def test_a_query_with_a_version_in_the_id_finds_that_version(acme: Path) -> None:
    result = call(QUERY, {"libraryId": "/local/acme/2.1.0", "query": "timeouts"})
    assert result.outcome == "ok"
    assert result.library is not None
    assert result.library.version_choice == "asked for"


def test_another_version_is_answered_with_a_note_that_a_plain_client_sees(acme: Path) -> None:
    result = call(QUERY, {"libraryId": "/local/acme/3", "query": "timeouts"})
    assert result.outcome == "ok"
    assert result.text.startswith("**Note:** You asked for acme 3;")
    assert [notice.code for notice in result.notices] == ["version_substituted"]


def test_nothing_found_is_a_result_and_no_passage(acme: Path) -> None:
    result = call(QUERY, {"libraryId": "/local/acme", "query": "quaternion"})
    assert (result.outcome, result.passages) == ("not_found", ())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [({"libraryId": "acme", "query": "x"}, "resolve-library-id"), ({"libraryId": "/local/acme"}, "query"), ({}, "libraryId")],
)
def test_arguments_that_cannot_be_used_say_which_can(acme: Path, arguments: dict[str, str], words: str) -> None:
    result = call(QUERY, arguments)
    assert result.outcome == "refused"
    assert words in result.text


def test_an_id_that_nobody_knows_is_not_found(home: Path) -> None:
    assert call(QUERY, {"libraryId": "/nobody/nothing", "query": "x"}).outcome == "not_found"


def test_offline_is_unavailable_and_names_the_command(home: Path) -> None:
    result = call(QUERY, {"libraryId": "/fastify/fastify", "query": "x"})
    assert result.outcome == "unavailable"
    assert "docs-research add npm:fastify" in result.text


def test_a_result_keeps_to_its_budget(acme: Path) -> None:
    for number in range(40):
        (acme / f"topic{number}.md").write_text(page(f"Topic {number}", f"client token topic{number} " * 120), encoding="utf-8")
    add_source(str(acme.parent), store=Store(), catalogue=Catalogue.load(), pkg_version="2.2.0")
    small = call(QUERY, {"libraryId": "/local/acme", "query": "client token"}, result_tokens=1_000)
    large = call(QUERY, {"libraryId": "/local/acme", "query": "client token"}, result_tokens=6_000)
    assert 0 < len(small.passages) < len(large.passages)


def test_a_first_query_fetches_and_tells_how_long_it_took(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> ToolResult:
        provider = LocalProvider(Store(), Catalogue.load())
        return await provider.call(QUERY, {"libraryId": "/fastify/fastify", "query": "validation"})

    with npm_registry(monkeypatch, {"fastify": {"5.0.0": {"docs/Reference/Validation.md": page("Validation", "Use a schema.")}}}):
        result = asyncio.run(ask())
    assert result.outcome == "ok"
    assert result.fetch_seconds > 0
    assert [notice.code for notice in result.notices] == ["fetched"]
    assert result.passages[0].path == "docs/Reference/Validation.md"


def test_a_version_that_is_not_installed_is_never_promised(home: Path) -> None:
    """What the registry has is known when it is asked; until then only what is installed is listed."""
    (candidate,) = resolve("Next.js").candidates
    assert candidate.versions == ()


def test_a_major_version_is_the_newest_release_of_it_whatever_ships_documentation_first(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = {"dist/docs/01-app/index.md": page("App Router", "Routing with folders.")}
    with npm_registry(monkeypatch, {"next": {"16.2.0": docs, "16.4.6": docs}}):
        answer = asyncio.run(research("How does routing work in Next.js 16?", model="extractive"))
    assert answer.library is not None
    assert answer.library.version == "16.4.6"
