"""A server that offers `get_docs` with an enumeration of installed libraries is read through the two documentation tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docs_researcher.core.messages import QUERY, RESOLVE, ToolResult
from docs_researcher.tools.mcp.get_docs import installed_in, topics
from docs_researcher.tools.mcp.provider import McpProvider
from docs_researcher.tools.specs import DOCS_TOOLS
from mcp_web_peers import Reply, Seen, result, text, web_peer, with_web_provider

pytestmark = [pytest.mark.interop, pytest.mark.timeout(20)]

INSTALLED = ["next@15.1", "next@16.0", "@acme/signer@2.0.1", "ledger@1.0"]
ROWS = [
    {"title": "Auth > Sessions", "content": "Set it up.\n\n```js\nlogin()\n```", "source": "docs/auth.md"},
    {"title": "Auth > Cookies", "content": "Read it.", "source": "https://d.example.invalid/cookies"},
]


def schema(installed: list[str] | None) -> dict[str, Any]:
    library: dict[str, Any] = {"type": "string"} if installed is None else {"type": "string", "enum": installed}
    return {"type": "object", "properties": {"library": library, "topic": {"type": "string"}}, "required": ["library", "topic"]}


class Context:
    """The server: answers `found` topics with rows, and remembers what it was asked."""

    def __init__(self, found: str | None = None, installed: list[str] | None = INSTALLED) -> None:
        self.asked: list[dict[str, str]] = []
        self.found = found
        self.installed = installed

    def answer(self, seen: Seen) -> Reply | None:
        if seen.method == "tools/list":
            tools = [
                {"name": "get_docs", "inputSchema": schema(self.installed)},
                {"name": "download_package", "inputSchema": {"type": "object"}},
            ]
            return result(seen, {"tools": tools})
        if seen.method != "tools/call":
            return None
        asked = seen.message["params"]["arguments"]
        self.asked.append(asked)
        rows = ROWS if self.found in (None, asked["topic"]) else []
        value: dict[str, Any] = {"library": asked["library"], "version": "x", "results": rows}
        return text(seen, json.dumps(value if rows else {**value, "message": "No documentation found."}))


def called(context: Context, tool: str, arguments: dict[str, str]) -> ToolResult:
    with web_peer("legacy", context.answer) as peer:
        return with_web_provider(peer.url, lambda provider: provider.call(tool, arguments))


def test_it_is_offered_as_the_two_tools_and_nothing_else() -> None:
    async def ask(provider: McpProvider) -> Any:
        return await provider.tools()

    with web_peer("legacy", Context().answer) as peer:
        assert with_web_provider(peer.url, ask) == DOCS_TOOLS


@pytest.mark.parametrize(
    ("name", "ids", "versions"),
    [
        ("Next.js", ["/vercel/next.js"], ("16.0", "15.1")),
        ("next", ["/vercel/next.js"], ("16.0", "15.1")),
        ("signer", ["/npm/@acme/signer"], ("2.0.1",)),
        ("Ledger", ["/local/ledger"], ("1.0",)),
    ],
)
def test_the_enumeration_becomes_candidates(name: str, ids: list[str], versions: tuple[str, ...]) -> None:
    found = called(Context(), RESOLVE, {"libraryName": name, "query": "x"})
    assert [candidate.id for candidate in found.candidates] == ids
    assert found.candidates[0].versions == versions
    assert ids[0] in found.text


def test_an_unknown_library_and_an_empty_list_are_not_found() -> None:
    found = called(Context(), RESOLVE, {"libraryName": "flask", "query": "x"})
    assert (found.outcome, found.candidates) == ("not_found", ())
    assert "@acme/signer, ledger, next" in found.text
    assert called(Context(installed=None), RESOLVE, {"libraryName": "next", "query": "x"}).outcome == "not_found"
    context = Context()
    assert called(context, QUERY, {"libraryId": "/pallets/flask", "query": "x"}).outcome == "not_found"
    assert not context.asked


def test_an_answer_becomes_passages_with_their_version_and_path() -> None:
    context = Context()
    found = called(context, QUERY, {"libraryId": "/vercel/next.js/15", "query": "sessions"})
    assert context.asked == [{"library": "next@15.1", "topic": "sessions"}]
    assert [(passage.title, passage.path, passage.url, passage.version) for passage in found.passages] == [
        ("Auth > Sessions", "docs/auth.md", None, "15.1"),
        ("Auth > Cookies", None, "https://d.example.invalid/cookies", "15.1"),
    ]
    assert "```js\nlogin()\n```" in found.passages[0].content
    assert found.text.startswith("### Auth > Sessions\n\nSource: docs/auth.md\n\nSet it up.")
    assert found.library is not None
    assert (found.library.id, found.library.version) == ("/vercel/next.js", "15.1")


def test_a_version_that_is_not_there_is_replaced_and_said() -> None:
    found = called(Context(), QUERY, {"libraryId": "/vercel/next.js/14", "query": "sessions"})
    assert [notice.code for notice in found.notices] == ["version_substituted"]
    assert found.library is not None
    assert found.library.version == "15.1"


def test_a_question_is_asked_again_with_any_of_its_words_when_nothing_has_all() -> None:
    context = Context(found="session OR cookie")
    found = called(context, QUERY, {"libraryId": "/vercel/next.js", "query": "What is the session cookie?"})
    assert [asked["topic"] for asked in context.asked] == ["session cookie", "session OR cookie"]
    assert found.outcome == "ok"
    nothing = called(Context(found="no such topic"), QUERY, {"libraryId": "/vercel/next.js", "query": "session cookie"})
    assert (nothing.outcome, nothing.passages) == ("not_found", ())


def test_a_tool_of_that_name_with_other_arguments_is_another_tool() -> None:
    assert installed_in({"properties": {"library": {"enum": ["a@1"]}}}) is None
    assert installed_in(schema(["a@1", "b", "@c/d@2"])) == ("a@1", "@c/d@2")


def test_many_words_are_not_wanted_all_at_once() -> None:
    assert topics("useChat streaming response handler") == ("useChat OR streaming OR response OR handler",)
    assert topics("of the") == ("of the", "of OR the"), "stop words alone are still a question"
