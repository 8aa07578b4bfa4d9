"""Calls from Python that cannot be made so: each says what to do instead."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from docs_researcher.core.errors import UsageError
from docs_researcher.integrations.anthropic_sdk import anthropic_tool
from docs_researcher.integrations.plain import call_tool_sync
from docs_researcher.runtime.research import research_sync
from docs_researcher.runtime.researcher import Researcher


@pytest.mark.parametrize(
    ("call", "instead"),
    [
        (lambda: research_sync("How do I retry in acme?", offline=True), r"await research\(\.\.\.\)"),
        (lambda: call_tool_sync({"question": "How do I retry in acme?"}), r"await call_tool\(\.\.\.\)"),
        (lambda: anthropic_tool().result_sync(None), r"await tool\.result\(\.\.\.\)"),  # type: ignore[arg-type]
    ],
    ids=["research_sync", "call_tool_sync", "result_sync"],
)
def test_inside_an_event_loop_the_function_to_await_is_named(home: object, call: Callable[[], object], instead: str) -> None:
    async def run() -> None:
        call()

    with pytest.raises(RuntimeError, match=instead):
        asyncio.run(run())


@pytest.mark.parametrize("library", ["", "  "])
def test_an_empty_library_is_refused(home: object, library: str) -> None:
    async def ask() -> None:
        async with Researcher() as researcher:
            await researcher.research("How do I retry in acme?", library=library)

    with pytest.raises(UsageError, match="it takes a name, name@version"):
        research_sync("How do I retry in acme?", library=library, offline=True)
    with pytest.raises(UsageError, match="library cannot be"):
        asyncio.run(ask())
    called = call_tool_sync({"question": "How do I retry in acme?", "library": library})
    assert "empty" not in called.text, "a model fills in every argument that a schema has"


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ({"answer_tokens": 5}, "it takes a whole number of at least 100"),
        ({"limits": {"seconds": 0}}, "it takes seconds a number above 0"),
    ],
)
def test_a_number_out_of_range_is_refused_with_the_range(home: object, options: dict[str, Any], allowed: str) -> None:
    with pytest.raises(UsageError, match=allowed):
        research_sync("How do I retry in acme?", offline=True, **options)
