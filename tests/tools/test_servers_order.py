"""Places for documentation asked in order, and what is said of those that did not answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.core.answer import Notice
from docs_researcher.core.layout import render_candidates
from docs_researcher.core.messages import QUERY, RESOLVE, ToolOutcome, ToolResult, ToolSpec
from docs_researcher.core.passages import Candidate, Passage
from docs_researcher.definition.places import config_file
from docs_researcher.tools.ordered import OrderedProvider
from docs_researcher.tools.servers.approvals import is_approved
from docs_researcher.tools.servers.configured import configured_servers
from docs_researcher.tools.servers.entries import Origin, ServerEntry
from docs_researcher.tools.servers.providers import headers_of, in_order, provider_for, target_of
from docs_researcher.tools.specs import DOCS_TOOLS

KEY = "ctx7sk-EXAMPLE-NOT-REAL"
ASKED = {"libraryId": "/a/b", "query": "how"}


@dataclass
class Place:
    """A provider that gives one answer to each tool and remembers what it was asked."""

    name: str
    query: ToolResult
    resolve: ToolResult = field(default_factory=lambda: ToolResult("none", outcome="not_found"))
    asked: list[str] = field(default_factory=list[str])
    closed: int = 0

    async def tools(self) -> tuple[ToolSpec, ...]:
        raise AssertionError("no place is opened to list its tools")

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        self.asked.append(name)
        return self.query if name == QUERY else self.resolve

    async def aclose(self) -> None:
        self.closed += 1
        if self.name == "s1":
            raise OSError("closing fails")


def answer(words: str) -> ToolResult:
    return ToolResult(words, passages=(Passage("T", words),))


def failure(outcome: ToolOutcome, words: str, *notices: Notice) -> ToolResult:
    return ToolResult(f"{words}\n\nNext: x", outcome=outcome, notices=notices)


NOTHING = failure("not_found", "nothing")


def places(installed: ToolResult, *servers: ToolResult, fetching: ToolResult = NOTHING) -> tuple[OrderedProvider, list[Place]]:
    own, last = Place("installed", installed), Place("registry", fetching)
    others = [Place(f"s{number}", result) for number, result in enumerate(servers, 1)]
    return OrderedProvider(installed=own, servers=others, fetching=last), [own, *others, last]


def query(provider: OrderedProvider) -> ToolResult:
    return asyncio.run(provider.call(QUERY, ASKED))


def test_an_installed_docset_of_the_right_version_is_never_passed_over() -> None:
    provider, (_, server, registry) = places(answer("mine"), answer("theirs"))
    assert query(provider) == answer("mine")
    assert server.asked == registry.asked == []


def test_a_server_comes_before_a_fetch_and_is_named() -> None:
    provider, (*_, registry) = places(NOTHING, answer("theirs"))
    found = query(provider)
    assert found.text == "theirs"
    assert [(notice.code, notice.text) for notice in found.notices] == [("source_used", "Read from the MCP server s1.")]
    assert registry.asked == []


def test_why_a_server_did_not_answer_is_said_whoever_did() -> None:
    down = Notice("source_unavailable", "s3 is down.")
    servers = (NOTHING, failure("unauthorised", "wrong key"), failure("unavailable", "s3 is down", down))
    provider, _ = places(NOTHING, *servers, fetching=answer("fetched"))
    found = query(provider)
    assert found.text == "fetched"
    assert [(notice.code, notice.text) for notice in found.notices] == [
        ("source_unavailable", "The MCP server s1 has nothing for /a/b."),
        ("source_unavailable", "The MCP server s2 did not answer: wrong key"),
        ("source_unavailable", "s3 is down."),
    ]


def test_where_nobody_answers_the_last_word_is_the_registry_s() -> None:
    provider, _ = places(NOTHING, NOTHING, fetching=failure("unavailable", "offline"))
    found = query(provider)
    assert (found.outcome, found.text) == ("unavailable", "offline\n\nNext: x")


def resolved(local: list[Candidate], server: list[Candidate]) -> tuple[ToolResult, Place]:
    provider, (_, other, last) = places(NOTHING, NOTHING)
    last.resolve = ToolResult(render_candidates(local), candidates=tuple(local)) if local else NOTHING
    other.resolve = ToolResult(render_candidates(server), candidates=tuple(server)) if server else NOTHING
    return asyncio.run(provider.call(RESOLVE, {"libraryName": "b", "query": "x"})), other


def test_a_library_that_is_installed_is_found_without_asking_a_server() -> None:
    found, server = resolved([Candidate("/a/b", "B", snippets=3)], [Candidate("/x/b", "B")])
    assert [candidate.id for candidate in found.candidates] == ["/a/b"]
    assert server.asked == []


def test_a_server_s_libraries_come_before_those_that_could_be_fetched() -> None:
    found, _ = resolved([Candidate("/a/b", "B"), Candidate("/c/b", "B")], [Candidate("/a/b", "B", score=80)])
    assert [(candidate.id, candidate.score) for candidate in found.candidates] == [("/a/b", 80), ("/c/b", None)]
    assert found.text == render_candidates(found.candidates)


def test_without_a_server_s_answer_the_catalogue_s_libraries_are_offered() -> None:
    found, _ = resolved([Candidate("/a/b", "B")], [])
    assert [candidate.id for candidate in found.candidates] == ["/a/b"]
    assert [notice.code for notice in found.notices] == ["source_unavailable"]


def test_wrong_arguments_reach_no_place() -> None:
    provider, others = places(answer("mine"), answer("theirs"))
    assert asyncio.run(provider.call(QUERY, {"query": "x"})).outcome == "refused"
    assert not any(place.asked for place in others)


def test_every_place_is_closed_whatever_happens_with_one() -> None:
    provider, others = places(NOTHING, NOTHING, NOTHING)
    assert asyncio.run(provider.tools()) == DOCS_TOOLS
    asyncio.run(provider.aclose())
    assert [place.closed for place in others] == [1, 1, 1, 1]


# Out of a configuration


def test_without_a_server_of_our_own_nothing_is_put_in_between(project: Path) -> None:
    (project / ".mcp.json").write_text('{"docs": {"command": "x"}}', encoding="utf-8")
    installed, fetching = Place("installed", NOTHING), Place("registry", NOTHING)
    assert in_order(installed, fetching) is fetching


def test_a_server_that_cannot_work_is_left_out_with_its_reason(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UNSET_X", raising=False)
    config_file().parent.mkdir(parents=True)
    config_file().write_text('[mcp_servers.docs]\nurl = "https://${UNSET_X}/mcp"\n', encoding="utf-8")
    provider = in_order(Place("installed", NOTHING), Place("registry", answer("fetched")))
    found = asyncio.run(provider.call(QUERY, ASKED))
    assert found.text == "fetched"
    ((notice),) = found.notices
    assert "UNSET_X is not set" in notice.text


def entry(name: str, url: str, **headers: str) -> ServerEntry:
    return ServerEntry(name, Origin(Path("/c.toml"), "own", "docs-researcher"), url=url, headers=headers)


@pytest.mark.parametrize(
    ("server", "sent"),
    [
        (entry("context7", "https://docs.example.invalid/mcp"), True),
        (entry("docs", "https://mcp.context7.com/mcp"), True),
        (entry("context7", "http://127.0.0.1:8160/mcp"), True),
        (entry("docs", "https://docs.example.invalid/mcp"), False),
        (entry("docs", "https://notcontext7.com/mcp"), False),
        (entry("context7", "http://docs.example.invalid/mcp"), False),
    ],
)
def test_the_key_goes_to_context7_alone_and_never_unencrypted(server: ServerEntry, sent: bool) -> None:
    headers = headers_of(server, {"CONTEXT7_API_KEY": KEY})
    assert headers == ({"Authorization": f"Bearer {KEY}"} if sent else {})


@pytest.mark.parametrize("header", ["Authorization", "X-API-Key", "CONTEXT7_API_KEY"])
def test_a_configured_key_is_not_overruled(header: str) -> None:
    server = entry("context7", "https://mcp.context7.com/mcp", **{header: "own"})
    assert headers_of(server, {"CONTEXT7_API_KEY": KEY}) == {header: "own"}


def test_a_server_s_entry_becomes_what_a_connection_is_made_to(project: Path) -> None:
    config_file().parent.mkdir(parents=True)
    text = (
        '[mcp_servers.a]\ncommand = "x"\nargs = ["1", "2"]\nenv = {E = "v"}\ncwd = "/f"\n[mcp_servers.b]\nurl = "https://h/mcp"\n'
    )
    config_file().write_text(text, encoding="utf-8")
    first, second = configured_servers().entries
    assert is_approved(first.origin)
    launch: Any = target_of(first)
    assert (launch.command, launch.args, launch.env, launch.cwd) == ("x", ("1", "2"), {"E": "v"}, "/f")
    endpoint: Any = target_of(second)
    assert (endpoint.url, endpoint.configured_in, endpoint.auth) == ("https://h/mcp", f"{config_file()}:6", None)
    assert provider_for(second).name == "b"


def test_the_configuration_in_the_documentation_is_read_as_it_is_explained(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "mcp-servers.md").read_text(encoding="utf-8")
    config_file().parent.mkdir(parents=True)
    config_file().write_text(page.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    monkeypatch.setenv("CONTEXT7_API_KEY", KEY)
    monkeypatch.setenv("TEAM_TOKEN", "t0")
    context7, team = configured_servers().ours
    assert (context7.command, context7.args) == ("npx", ("-y", "@upstash/context7-mcp"))
    assert context7.env == {"CONTEXT7_API_KEY": KEY}
    assert (team.url, team.headers) == ("https://docs.example.com/mcp", {"Authorization": "Bearer t0"})
    assert not context7.warnings
    assert not team.warnings
