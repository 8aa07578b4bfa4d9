"""The in-process MCP server for the Claude Agent SDK. `scripts/check-hosts` runs these with the SDK and its program."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from claude_code import scripted_claude
from docs_researcher import Researcher
from docs_researcher.core.errors import UsageError
from docs_researcher.integrations import claude_agent_sdk_server, claude_agent_sdk_tool_name
from docs_researcher.testing.messages_api import Body, Text, ToolUse, Turn

INSTALLED = importlib.util.find_spec("claude_agent_sdk") is not None
QUESTION = "How do I sign a request with parcelo?"


def test_the_name_for_allowed_tools_follows_the_server() -> None:
    assert claude_agent_sdk_tool_name() == "mcp__docs-researcher__research-library-docs"
    assert claude_agent_sdk_tool_name("docs") == "mcp__docs__research-library-docs"


@pytest.mark.skipif(INSTALLED, reason="the SDK is installed")
def test_without_the_sdk_the_error_says_what_to_install() -> None:
    with pytest.raises(UsageError) as raised:
        claude_agent_sdk_server()
    assert 'pip install --editable ".[claude-agent-sdk]"' in raised.value.next_step


@pytest.mark.interop
@pytest.mark.skipif(not INSTALLED, reason="claude-agent-sdk is not installed; scripts/check-hosts has it")
def test_claude_code_is_given_the_answer(parcelo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import claude_agent_sdk as sdk  # pyright: ignore[reportMissingImports] -- an optional extra

    def reply(body: Body) -> Turn:
        """Claude Code shows the tools of MCP servers by name only, until the model asks for their schemas."""
        done = str(body["messages"])
        if "toolu_m2" in done:
            return Turn((Text("Sign it."),))
        if "toolu_m1" in done:
            return Turn((ToolUse("toolu_m2", claude_agent_sdk_tool_name(), {"question": QUESTION}),), stop_reason="tool_use")
        search = {"query": f"select:{claude_agent_sdk_tool_name()}", "max_results": 1}
        return Turn((ToolUse("toolu_m1", "ToolSearch", search),), stop_reason="tool_use")

    async def talk() -> list[Any]:
        researcher = Researcher()  # the extractive model: the key in the environment is the parent's
        options: Any = sdk.ClaudeAgentOptions(  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType] -- see above
            mcp_servers={"docs-researcher": claude_agent_sdk_server(researcher)},
            allowed_tools=[claude_agent_sdk_tool_name()],
            setting_sources=[],
            cwd=str(tmp_path),
        )
        async with researcher:
            return [message async for message in sdk.query(prompt=QUESTION, options=options)]  # pyright: ignore -- see above

    with scripted_claude(monkeypatch, tmp_path / "claude", reply) as api:
        asyncio.run(asyncio.wait_for(talk(), 50))
    given = [
        block
        for request in api.requests
        for message in request.body["messages"]
        for block in (message["content"] if isinstance(message["content"], list) else ())
        if block["type"] == "tool_result" and block["tool_use_id"] == "toolu_m2"
    ]
    assert given
    text = "".join(part["text"] for part in given[0]["content"])
    assert parcelo in text
    assert "\\n" not in text
