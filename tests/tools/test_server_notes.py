"""What a documentation server says about its own use: passed on once, labelled, and only where somebody reads it."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.core.messages import ToolResult, ToolSpec
from docs_researcher.models.anthropic.model import ClaudeModel
from docs_researcher.runtime.researcher import Researcher
from docs_researcher.testing.messages_api import ScriptedMessagesApi, Text, Turn
from docs_researcher.tools.cache import CachedProvider
from docs_researcher.tools.specs import DOCS_TOOLS


class Telling:
    """A provider whose server says something, and counts how often it is asked."""

    name = "docs server"

    def __init__(self) -> None:
        self.asked = 0

    async def tools(self) -> tuple[ToolSpec, ...]:
        return DOCS_TOOLS

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        return ToolResult("nothing", outcome="not_found")

    async def server_notes(self) -> Mapping[str, str]:
        self.asked += 1
        return {"docs server": "Search with two words."}

    async def aclose(self) -> None: ...


def system_prompt(*, server_notes: bool) -> str:
    async def ask(url: str) -> None:
        model = ClaudeModel(base_url=url)
        async with Researcher(provider=Telling(), model=model, look_ahead=False, server_notes=server_notes) as researcher:
            await researcher.research("How do hooks work in Fastify?")

    with pytest.MonkeyPatch.context() as environment, ScriptedMessagesApi([Turn((Text("I do not know."),))]) as api:
        environment.setenv("ANTHROPIC_API_KEY", "test-key")
        asyncio.run(ask(api.url))
        return json.dumps(api.requests[0].body["system"])


def test_it_stands_in_the_prompt_under_the_servers_name() -> None:
    prompt = system_prompt(server_notes=True)
    assert "docs server" in prompt
    assert "Search with two words." in prompt


def test_it_can_be_left_out() -> None:
    assert "Search with two words." not in system_prompt(server_notes=False)


def test_it_is_kept_with_the_results_and_starts_no_server_again(tmp_path: Path) -> None:
    async def twice() -> tuple[Mapping[str, str], Mapping[str, str], int]:
        server = Telling()
        cached = CachedProvider(server, tmp_path / "results.db")
        first, second = await cached.server_notes(), await cached.server_notes()
        await cached.aclose()
        return first, second, server.asked

    first, second, asked = asyncio.run(twice())
    assert first == second == {"docs server": "Search with two words."}
    assert asked == 1
