"""Which tools each choice offers, and how they are published."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, types

from docs_researcher.docsets.installed.store import Installed
from docs_researcher.server.instructions import instructions
from docs_researcher.server.tools import OFFERED

PUBLISHED = Path(__file__).parent / "schemas.json"
ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])
AskServer = Callable[..., Any]


async def _tools(client: Client) -> types.ListToolsResult:
    return await client.list_tools()


@ERAS
def test_the_published_list_is_the_committed_one(ask_server: AskServer, signer: Installed, mode: str) -> None:
    """A host may keep what it was told: a change here is a change for every user, so it is made on purpose."""
    listed: types.ListToolsResult = ask_server(_tools, mode=mode)
    now = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed.tools]
    assert now == json.loads(PUBLISHED.read_text(encoding="utf-8"))


@ERAS
@pytest.mark.parametrize("choice", OFFERED)
def test_each_choice_lists_its_tools_in_one_order(ask_server: AskServer, mode: str, choice: str) -> None:
    async def ask(client: Client) -> tuple[list[str], str | None]:
        return [tool.name for tool in (await client.list_tools()).tools], client.instructions

    names, told = ask_server(ask, mode=mode, tools=choice)
    assert names == list(OFFERED[choice])  # type: ignore[index] -- a choice out of the list of choices
    assert told == instructions(names)
    assert all(name in (told or "") for name in names)


@pytest.mark.parametrize("choice", OFFERED)
def test_instructions_fit_into_what_hosts_keep_and_say_when_not_to_use_it(choice: Any) -> None:
    told = instructions(OFFERED[choice])  # type: ignore[index] -- a choice out of the list of choices
    assert len(told.encode()) <= 2_048
    assert "Do not use it for refactoring" in told
    assert "well-known libraries" in told


def test_every_description_fits_into_what_hosts_keep_and_schemas_are_flat(ask_server: AskServer, signer: Installed) -> None:
    listed: types.ListToolsResult = ask_server(_tools)
    for tool in listed.tools:
        assert len((tool.description or "").encode()) <= 2_048
        assert tool.input_schema["type"] == "object"
        assert set(tool.input_schema["required"]) <= set(tool.input_schema["properties"])
        assert not {"$ref", "$defs", "anyOf", "oneOf"} & set(_keys(tool.input_schema))
        assert tool.title
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,60}", tool.name)
        assert tool.output_schema is None  # a result with structured content only when asked for could not keep one
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint


def _keys(value: object) -> list[str]:
    if isinstance(value, dict):
        return [key for name, item in value.items() for key in (str(name), *_keys(item))]  # type: ignore[misc] -- plain JSON
    if isinstance(value, list):
        return [key for item in value for key in _keys(item)]  # type: ignore[misc] -- plain JSON
    return []


@pytest.mark.parametrize(
    ("choice", "ttl", "scope"),
    [("research", 3_600_000, "public"), ("context7", 3_600_000, "public"), ("context", 30_000, "private")],
)
def test_a_fixed_list_may_be_kept_by_everybody_and_one_of_what_is_installed_not(
    ask_server: AskServer, choice: str, ttl: int, scope: str
) -> None:
    listed: types.ListToolsResult = ask_server(_tools, tools=choice)
    assert (listed.ttl_ms, listed.cache_scope) == (ttl, scope)


@ERAS
def test_a_tool_that_was_not_chosen_is_unknown_and_the_error_names_those_that_are(ask_server: AskServer, mode: str) -> None:
    async def ask(client: Client) -> MCPError:
        with pytest.raises(MCPError) as error:
            await client.call_tool("query-docs", {"libraryId": "/a/b", "query": "x"})
        return error.value

    error = ask_server(ask, mode=mode, tools="research")
    assert error.code == types.INVALID_PARAMS
    assert "research-library-docs" in error.message


@pytest.mark.parametrize(("old", "arguments"), [("research", {"question": ""}), ("get-docs", {}), ("get-library-docs", {})])
def test_an_old_name_of_a_tool_is_answered(ask_server: AskServer, old: str, arguments: dict[str, Any]) -> None:
    async def ask(client: Client) -> types.CallToolResult:
        return await client.call_tool(old, arguments)

    assert ask_server(ask).is_error
