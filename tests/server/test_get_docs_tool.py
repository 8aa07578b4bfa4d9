"""`get_docs`: the installed libraries as an enumeration, a search in one of them as JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client, types

from docs_researcher.docsets.installed.store import Installed, Store
from docs_researcher.server import get_docs
from docs_researcher.server.docsets import Docsets
from docs_researcher.server.get_docs import get_docs_spec

AskServer = Callable[..., Any]
Install = Callable[..., Installed]


def _call(ask_server: AskServer, **arguments: Any) -> tuple[dict[str, Any], bool]:
    async def ask(client: Client) -> types.CallToolResult:
        return await client.call_tool("get_docs", arguments)

    result = ask_server(ask)
    assert len(result.content) == 1
    return json.loads(result.content[0].text), bool(result.is_error)


def _library(ask_server: AskServer, mode: str = "auto") -> dict[str, Any]:
    async def ask(client: Client) -> dict[str, Any]:
        listed = await client.list_tools()
        return next(tool.input_schema for tool in listed.tools if tool.name == "get_docs")["properties"]["library"]

    return ask_server(ask, mode=mode)


def test_the_library_is_one_of_those_installed_newest_version_first(ask_server: AskServer, install: Install) -> None:
    for name, version in (("signer", "2.1.0"), ("signer", "10.0.0"), ("acme", "1.0.0")):
        install(name, version)
    assert _library(ask_server)["enum"] == ["acme@1.0.0", "signer@10.0.0", "signer@2.1.0"]


def test_two_packages_of_one_name_and_version_are_told_apart(ask_server: AskServer, install: Install) -> None:
    install("redis", "5.0.0", kind="npm")
    install("redis", "5.0.0", {"a.md": "# Pipelines\n\nUse `pipeline`.\n"}, kind="pypi")
    assert _library(ask_server)["enum"] == ["npm:redis@5.0.0", "pypi:redis@5.0.0"]
    found, _ = _call(ask_server, library="pypi:redis@5.0.0", topic="pipeline")
    assert found["results"][0]["title"].startswith("Pipelines")


def test_with_nothing_installed_the_library_is_free_text_and_a_call_says_how_to_install(ask_server: AskServer) -> None:
    assert "enum" not in _library(ask_server)
    said, failed = _call(ask_server, library="next@16", topic="routing")
    assert failed
    assert "docs-research add" in said["error"]


def test_more_libraries_than_a_list_can_hold_are_free_text(
    install: Install, home: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(get_docs, "MAX_LISTED", 2)
    for name in ("a1", "a2", "a3"):
        install(name, "1.0.0")
    library = get_docs_spec(Docsets(Store)).input_schema["properties"]["library"]
    assert "enum" not in library
    assert "a1@1.0.0" in library["description"]


def test_an_answer_has_the_form_of_the_context_project_s(ask_server: AskServer, signer: Installed) -> None:
    found, failed = _call(ask_server, library="signer@2.1.0", topic="sign request")
    assert not failed
    assert (found["library"], found["version"]) == ("signer@2.1.0", "2.1.0")
    assert found["results"][0]["title"].startswith("Signing requests")
    assert found["results"][0]["source"] == "docs/signing.md"
    assert 'header = sign_request(secret="s", body=b"{}")' in found["results"][0]["content"]
    assert {key for row in found["results"] for key in row} == {"title", "content", "source"}


def test_nothing_found_is_no_failure_and_says_what_to_try(ask_server: AskServer, signer: Installed) -> None:
    found, failed = _call(ask_server, library="signer@2.1.0", topic="kubernetes")
    assert (found["results"], failed) == ([], False)
    assert "different keywords" in found["message"]


@pytest.mark.parametrize(
    "name", ["signer", "Signer", "signer@2", "/npm/signer", "/npm/signer/2.1.0", "npm:signer", " signer@2.1.0 "]
)
def test_a_library_may_be_named_less_strictly_than_it_is_listed(ask_server: AskServer, signer: Installed, name: str) -> None:
    found, failed = _call(ask_server, library=name, topic="sign request")
    assert not failed
    assert found["library"] == "signer@2.1.0"


def test_a_library_is_named_here_as_on_the_command_line(ask_server: AskServer, install: Install) -> None:
    install("next", "16.2.0")
    for name in ("next==16", "NEXT@16.2.0", "/npm/next/16", "pkg:npm/next@16.2.0", "npm:next"):
        found, failed = _call(ask_server, library=name, topic="sign request")
        assert not failed, name
        assert found["library"] == "next@16.2.0"


@pytest.mark.parametrize("name", ["signer@3", "/npm/signer/9.9.9", "other", "npm:other@1", "@", "/", "../../etc"])
def test_what_is_not_installed_is_refused_with_what_is(ask_server: AskServer, signer: Installed, name: str) -> None:
    said, failed = _call(ask_server, library=name, topic="x")
    assert failed
    assert "signer@2.1.0" in said["error"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "needs the argument 'library', and it is missing or empty"),
        ({"library": "signer@2.1.0"}, "needs the argument 'topic', and it is missing or empty"),
        ({"topic": "x"}, "needs the argument 'library', and it is missing or empty"),
        ({"library": 5, "topic": "x"}, "'library' of get_docs cannot be 5. Give it a string."),
        ({"library": "signer", "topic": "x", "limit": 3}, "no argument 'limit'. get_docs takes library, topic;"),
    ],
)
def test_an_argument_that_cannot_be_used_is_named(
    ask_server: AskServer, signer: Installed, arguments: dict[str, Any], said: str
) -> None:
    answer, failed = _call(ask_server, **arguments)
    assert failed
    assert said in answer["error"]


def test_a_library_that_is_installed_later_is_in_the_next_list(ask_server: AskServer, install: Install) -> None:
    async def ask(client: Client) -> list[list[str]]:
        seen: list[list[str]] = []
        for version in ("1.0.0", "2.0.0"):
            await asyncio.to_thread(install, "signer", version)
            listed = await client.list_tools()
            tool = next(tool for tool in listed.tools if tool.name == "get_docs")
            seen.append(tool.input_schema["properties"]["library"]["enum"])
        return seen

    assert ask_server(ask, mode="legacy") == [["signer@1.0.0"], ["signer@2.0.0", "signer@1.0.0"]]
