"""Our MCP server over any provider, asked by the SDK's own client in both protocol eras."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from mcp import Client, MCPError, types

from docs_researcher.core.messages import QUERY, RESOLVE
from docs_researcher.server.app import build_server
from docs_researcher.server.instructions import instructions
from docs_researcher.tools.mcp.wire import RESULT_KEY, from_wire
from docs_researcher.tools.specs import DOCS_TOOLS
from mcp_example import RESULTS, ExampleDocs

ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])


def _ask(mode: str, ask: Callable[[Client], Awaitable[Any]], docs: ExampleDocs | None = None) -> Any:
    async def run() -> Any:
        async with Client(build_server(docs or ExampleDocs()), mode=mode, read_timeout_seconds=5) as client:
            return await ask(client)

    return asyncio.run(run())


def _call(mode: str, name: str, arguments: dict[str, Any], docs: ExampleDocs | None = None) -> types.CallToolResult:
    return _ask(mode, lambda client: client.call_tool(name, arguments), docs)


@ERAS
def test_the_tool_list_is_exactly_the_two_tools(mode: str) -> None:
    listed: types.ListToolsResult = _ask(mode, lambda client: client.list_tools())
    assert [tool.name for tool in listed.tools] == [RESOLVE, QUERY]
    for tool, spec in zip(listed.tools, DOCS_TOOLS, strict=True):
        assert (tool.title, tool.description, tool.input_schema) == (spec.title, spec.description, spec.input_schema)
        assert tool.output_schema is None
        hints = tool.annotations
        assert hints is not None
        assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint) == (
            True,
            False,
            True,
            True,
        )


def test_a_list_may_be_kept_by_everybody_for_an_hour() -> None:
    listed: types.ListToolsResult = _ask("auto", lambda client: client.list_tools())
    assert (listed.ttl_ms, listed.cache_scope) == (3_600_000, "public")


@ERAS
@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_the_provider_s_text_byte_for_byte_with_its_values_beside_it(mode: str, name: str) -> None:
    result = _call(mode, QUERY, {"libraryId": "/example/lib", "query": name})
    expected = RESULTS[name]
    assert [block.text for block in result.content if isinstance(block, types.TextContent)] == [expected.text]
    assert len(result.content) == 1
    assert result.structured_content is None
    assert result.is_error == expected.is_error
    assert from_wire(expected.text, (result.meta or {})[RESULT_KEY]) == expected


@ERAS
def test_arguments_reach_the_provider_as_they_were_written(mode: str) -> None:
    docs = ExampleDocs()
    arguments = {"libraryName": "/vercel/next.js", "question": "routing", "tokens": 5000}
    _call(mode, QUERY, arguments, docs)
    assert docs.calls == [(QUERY, arguments)]


def test_the_old_tool_name_is_still_answered() -> None:
    docs = ExampleDocs()
    _call("legacy", "get-library-docs", {"context7CompatibleLibraryID": "/a/b"}, docs)
    assert docs.calls[0][0] == QUERY


@ERAS
def test_an_unknown_tool_is_a_protocol_error(mode: str) -> None:
    async def ask(client: Client) -> MCPError:
        with pytest.raises(MCPError) as error:
            await client.call_tool("browse", {})
        return error.value

    error = _ask(mode, ask)
    assert error.code == types.INVALID_PARAMS
    assert QUERY in error.message


@ERAS
def test_lists_that_we_have_nothing_for_are_empty_and_not_an_error(mode: str) -> None:
    async def ask(client: Client) -> list[int]:
        resources, templates = await client.list_resources(), await client.list_resource_templates()
        completed = await client.complete(types.PromptReference(name="docs"), {"name": "library", "value": ""})
        return [len(resources.resources), len(templates.resource_templates), len(completed.completion.values)]

    assert _ask(mode, ask) == [0, 0, 0]


@ERAS
def test_instructions_say_when_and_when_not_within_two_kilobytes(mode: str) -> None:
    async def ask(client: Client) -> tuple[str | None, types.ServerCapabilities]:
        return client.instructions, client.server_capabilities

    told, capabilities = _ask(mode, ask)
    assert told == instructions([RESOLVE, QUERY])
    assert capabilities.tools is not None
    assert not capabilities.tools.list_changed


@ERAS
def test_a_provider_s_error_becomes_a_failed_call_that_says_what_to_do(mode: str) -> None:
    result = _call(mode, QUERY, {"query": "raise"})
    assert result.is_error
    assert result.content[0] == types.TextContent(text="the source is away: no network.\n\nNext: Try again online.")


@ERAS
def test_a_fault_of_ours_is_logged_and_not_shown(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    result = _call(mode, QUERY, {"query": "crash"})
    assert result.is_error
    assert "a fault of ours" not in str(result.content)
    assert "a fault of ours" in caplog.text


@ERAS
def test_calls_in_parallel_are_answered_each_with_its_own(mode: str) -> None:
    async def ask(client: Client) -> list[types.CallToolResult]:
        return await asyncio.gather(*(client.call_tool(QUERY, {"query": name}) for name in ["slow", "nothing", "offline"]))

    assert [result.is_error for result in _ask(mode, ask)] == [False, False, True]
