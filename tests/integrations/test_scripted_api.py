"""The public Messages API fake: what a client other than our own needs of it."""

from __future__ import annotations

import asyncio

import anthropic
import httpx2
import pytest

from docs_researcher.testing.messages_api import Body, HttpError, ScriptedMessagesApi, Text, ToolUse, Turn

MODEL = "claude-haiku-5-5"
TURN = Turn((Text("Look it up."), ToolUse("toolu_1", "look", {"a": [1]})), stop_reason="tool_use", output_tokens=7)


@pytest.mark.parametrize("streamed", [True, False])
def test_a_turn_is_the_same_streamed_or_whole(streamed: bool) -> None:
    with ScriptedMessagesApi([TURN]) as api, anthropic.Anthropic(api_key="test", base_url=api.url) as client:
        if streamed:
            with client.messages.stream(model=MODEL, max_tokens=9, messages=[{"role": "user", "content": "q"}]) as stream:
                message = stream.get_final_message()
        else:
            message = client.messages.create(model=MODEL, max_tokens=9, messages=[{"role": "user", "content": "q"}])
    assert message.model == MODEL
    assert message.stop_reason == "tool_use"
    assert (message.usage.input_tokens, message.usage.output_tokens) == (100, 7)
    text, call = message.content
    assert text.type == "text"
    assert text.text == "Look it up."
    assert call.type == "tool_use"
    assert (call.id, call.name, call.input) == ("toolu_1", "look", {"a": [1]})


def test_one_function_answers_any_number_of_requests_at_once() -> None:
    def answer(body: Body) -> Turn | HttpError:
        question = body["messages"][0]["content"]
        return HttpError(400, message="not you") if question == "7" else Turn((Text(question),))

    async def ask(client: anthropic.AsyncAnthropic, number: int) -> str:
        try:
            reply = await client.messages.create(model=MODEL, max_tokens=9, messages=[{"role": "user", "content": str(number)}])
        except anthropic.BadRequestError as error:
            return str(error)
        return "".join(block.text for block in reply.content if block.type == "text")

    async def all_of_them(url: str) -> list[str]:
        async with anthropic.AsyncAnthropic(api_key="test", base_url=url) as client:
            return await asyncio.gather(*(ask(client, number) for number in range(20)))

    with ScriptedMessagesApi.answering(answer) as api:
        said = asyncio.run(all_of_them(api.url))
    assert [text for number, text in enumerate(said) if number != 7] == [str(number) for number in range(20) if number != 7]
    assert "not you" in said[7]
    assert len(api.requests) == 20


def test_counting_tokens_and_a_sign_of_life_play_no_step() -> None:
    with ScriptedMessagesApi([TURN]) as api, anthropic.Anthropic(api_key="test", base_url=api.url) as client:
        counted = client.messages.count_tokens(model=MODEL, messages=[{"role": "user", "content": "word " * 100}])
        assert counted.input_tokens > 100
        assert httpx2.head(api.url).status_code == 200
        assert api.requests == []
        with pytest.raises(AssertionError, match="1 of 1"):
            api.check_finished()
