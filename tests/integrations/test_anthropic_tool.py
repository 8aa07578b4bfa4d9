"""The tool in the shapes of the anthropic SDK, against a Messages API on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import anthropic
import pytest

from docs_researcher import Researcher
from docs_researcher.integrations import anthropic_tool
from docs_researcher.testing.messages_api import ScriptedMessagesApi, Text, ToolUse, Turn

QUESTION = "How do I sign a request with parcelo?"
MODEL = "claude-haiku-5-5"
CALL = Turn((ToolUse("toolu_1", "research-library-docs", {"question": QUESTION}),), stop_reason="tool_use")
LOOSE = Turn(
    (ToolUse("toolu_1", "research-library-docs", {"query": QUESTION, "version": 2, "answer_tokens": "400", "library": ""}),),
    stop_reason="tool_use",
)
REFUSED = Turn((ToolUse("toolu_1", "research-library-docs", {"question": ""}),), stop_reason="tool_use")
DONE = Turn((Text("Sign it."),))


def result(api: ScriptedMessagesApi) -> Mapping[str, Any]:
    """The one tool result that the parent's second request holds."""
    blocks = api.requests[1].body["messages"][-1]["content"]
    return next(block for block in blocks if block["type"] == "tool_result")


def said(block: Mapping[str, Any]) -> str:
    content = block["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


async def plain(client: anthropic.AsyncAnthropic, researcher: Researcher | None) -> None:
    tool = anthropic_tool(researcher)
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    while True:
        reply = await client.messages.create(model=MODEL, max_tokens=1_000, messages=messages, tools=[tool.param])
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            return
        messages += [reply.to_param(), {"role": "user", "content": [await tool.result(call) for call in calls]}]


async def runner(client: anthropic.AsyncAnthropic, researcher: Researcher | None) -> None:
    tools = [anthropic_tool(researcher).runner_tool()]
    asked: list[Any] = [{"role": "user", "content": QUESTION}]
    await client.beta.messages.tool_runner(model=MODEL, max_tokens=1_000, messages=asked, tools=tools, thread=False).until_done()


@pytest.mark.parametrize("form", [plain, runner])
@pytest.mark.parametrize("own", [True, False])
def test_the_parent_is_given_the_answer_and_nothing_else(parcelo: str, form: Any, own: bool) -> None:
    async def talk(url: str) -> None:
        async with anthropic.AsyncAnthropic(api_key="test", base_url=url, max_retries=0) as client, Researcher() as researcher:
            await form(client, researcher if own else None)

    with ScriptedMessagesApi([CALL, DONE]) as api:
        asyncio.run(talk(api.url))
    api.check_finished()
    assert [tool["name"] for tool in api.requests[0].body["tools"]] == ["research-library-docs"]
    assert api.requests[0].body["tools"][0]["input_schema"]["required"] == ["question"]
    block = result(api)
    assert block["tool_use_id"] == "toolu_1"
    assert not block.get("is_error")
    assert parcelo in said(block)
    assert "References:" in said(block)
    assert "\\n" not in said(block)


@pytest.mark.parametrize("form", [plain, runner])
def test_arguments_are_taken_as_models_write_them(parcelo: str, form: Any) -> None:
    async def talk(url: str) -> None:
        async with anthropic.AsyncAnthropic(api_key="test", base_url=url, max_retries=0) as client, Researcher() as researcher:
            await form(client, researcher)

    with ScriptedMessagesApi([LOOSE, DONE]) as api:
        asyncio.run(talk(api.url))
    assert not result(api).get("is_error")
    assert parcelo in said(result(api))


@pytest.mark.parametrize("form", [plain, runner])
def test_a_refused_call_is_an_error_block(parcelo: str, form: Any) -> None:
    async def talk(url: str) -> None:
        async with anthropic.AsyncAnthropic(api_key="test", base_url=url, max_retries=0) as client:
            await form(client, None)

    with ScriptedMessagesApi([REFUSED, DONE]) as api:
        asyncio.run(talk(api.url))
    block = result(api)
    assert block["is_error"] is True
    assert "question" in said(block)


def test_the_synchronous_forms_give_the_same(parcelo: str) -> None:
    tool = anthropic_tool()
    texts: list[str] = []
    for use_runner in (False, True):
        with ScriptedMessagesApi([CALL, DONE]) as api, anthropic.Anthropic(api_key="test", base_url=api.url) as client:
            asked: list[Any] = [{"role": "user", "content": QUESTION}]
            if use_runner:
                tools = [tool.runner_tool_sync()]
                client.beta.messages.tool_runner(
                    model=MODEL, max_tokens=1_000, messages=asked, tools=tools, thread=False
                ).until_done()
            else:
                reply = client.messages.create(model=MODEL, max_tokens=1_000, messages=asked, tools=[tool.param])
                results = [tool.result_sync(block) for block in reply.content if block.type == "tool_use"]
                asked += [reply.to_param(), {"role": "user", "content": results}]
                client.messages.create(model=MODEL, max_tokens=1_000, messages=asked, tools=[tool.param])
        texts.append(said(result(api)))
    assert parcelo in texts[0]
    assert texts[0] == texts[1]
