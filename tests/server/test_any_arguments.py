"""Whatever arguments a model writes, each tool, prompt, resource and completion answers, and no call is a fault of ours."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client, MCPError, types

from docs_researcher.docsets.installed.store import Installed
from docs_researcher.server.app import build_server
from docs_researcher.server.resources import BASE, TEMPLATE
from docs_researcher.server.service import Service

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    [
        "signer", "signer@2.1.0", "/npm/signer", "/npm/signer/9", "npm:signer", "pkg:npm/signer@2.1.0", "/", "@", "//",
        "/a/b/c/d", "How do I sign a request with signer?", "use context7", "%", "%2e%2e", '"', "a OR b*", "NEAR(", "json",
        "text", "\x00", "\u202e",
    ]
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
KEYS = (
    "question", "library", "version", "project_dir", "answer_tokens", "format", "libraryName", "query", "libraryId", "topic",
    "tokens", "context7CompatibleLibraryID",
)  # fmt: skip
ARGUMENTS = st.dictionaries(st.sampled_from(KEYS) | TEXT, TEXT | JSON, max_size=5)
TOOL = st.sampled_from(["research-library-docs", "resolve-library-id", "query-docs", "get_docs", "get-library-docs"])
CALL = st.tuples(TOOL, ARGUMENTS)
OTHER = st.one_of(
    st.tuples(st.just("prompt"), TEXT | st.just("docs"), st.dictionaries(st.sampled_from(["library", "topic"]), TEXT)),
    st.tuples(st.just("read"), TEXT | TEXT.map(lambda text: BASE + text), st.none()),
    st.tuples(st.just("list"), TEXT, st.none()),
    st.tuples(st.just("complete"), st.sampled_from(["library", "path", "topic"]), st.tuples(TEXT, TEXT)),
)
MANY = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def _ask(ask: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        service = Service(offline=True)
        server = build_server(service.provider, research=service.research, docsets=service.docsets)
        try:
            async with Client(server, mode="legacy", read_timeout_seconds=20) as client:
                return await ask(client)
        finally:
            await service.aclose()

    return asyncio.run(run())


@MANY
@given(st.lists(CALL, min_size=1, max_size=4))
def test_any_call_of_a_tool_is_answered_with_one_text(signer: Installed, calls: list[tuple[str, dict[str, Any]]]) -> None:
    async def ask(client: Client) -> list[types.CallToolResult]:
        return [await client.call_tool(name, arguments) for name, arguments in calls]

    for result in _ask(ask):
        assert len(result.content) == 1
        assert result.content[0].text.strip()
        assert "a fault of the server" not in result.content[0].text


@MANY
@given(st.lists(OTHER, min_size=1, max_size=4))
def test_anything_else_is_answered_or_refused_for_its_parameters(
    signer: Installed, caplog: pytest.LogCaptureFixture, requests: list[tuple[str, str, Any]]
) -> None:
    async def ask(client: Client) -> list[int]:
        refused: list[int] = []
        for kind, text, more in requests:
            try:
                if kind == "prompt":
                    await client.get_prompt(text, more)
                elif kind == "read":
                    await client.read_resource(text)
                elif kind == "list":
                    await client.list_resources(cursor=text)
                else:
                    template, prompt = types.ResourceTemplateReference(uri=TEMPLATE), types.PromptReference(name="docs")
                    for ref in (template, prompt):
                        await client.complete(ref, {"name": text, "value": more[0]}, context_arguments={"library": more[1]})
            except MCPError as error:
                refused.append(error.code)
        return refused

    with caplog.at_level(logging.ERROR):
        assert set(_ask(ask)) <= {types.INVALID_PARAMS}
    assert not caplog.records
