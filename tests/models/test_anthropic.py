"""The Claude model over real HTTP and real server-sent events, against a scripted Messages API on loopback."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from docs_researcher.core.errors import ModelError
from docs_researcher.core.events import Event
from docs_researcher.core.ledger import Ledger
from docs_researcher.core.limits import Limits, Meter
from docs_researcher.core.messages import (
    QUERY,
    AssistantMessage,
    Message,
    Reply,
    ToolCall,
    ToolMessage,
    ToolResult,
    UserMessage,
)
from docs_researcher.core.passages import Passage
from docs_researcher.models.anthropic.model import ClaudeModel
from docs_researcher.models.anthropic.names import choose_model
from docs_researcher.models.base import ModelRequest, Question
from docs_researcher.testing.messages_api import ApiStep, HttpError, ScriptedMessagesApi, Text, ToolUse, Turn
from docs_researcher.tools.specs import DOCS_TOOLS

QUESTION = Question("How do I make a client in Acme?")
PASSAGE = Passage("Acme > Clients", "Create it with `Client(token)`.", "docs/clients.md", "/local/acme")
CALL = ToolCall("toolu_1", QUERY, {"libraryId": "/local/acme", "query": "client"})
ASKED = UserMessage(QUESTION.text)
CALLED = AssistantMessage("", (CALL,))
READ = ToolMessage(((CALL, ToolResult("### Acme > Clients", (PASSAGE,))),))
DONE = Turn((Text("Use Client(token)."),))


@pytest.fixture(autouse=True)
def a_key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
    yield


class Run:
    """One or more turns against a script; `waits` are the seconds that retries would have waited."""

    def __init__(self, *steps: ApiStep, model: str = "haiku") -> None:
        self.api = ScriptedMessagesApi(steps)
        self.events: list[Event] = []
        self.waits: list[float] = []
        self._model = model

    def turns(self, *requests: ModelRequest) -> list[Reply]:
        async def wait(seconds: float) -> None:
            self.waits.append(seconds)

        async def talk() -> list[Reply]:
            model = ClaudeModel(self._model, base_url=self.api.url, listener=self.events.append, sleep=wait)
            try:
                return [await model.reply(request) for request in requests]
            finally:
                await model.aclose()

        with self.api:
            replies = asyncio.run(talk())
        self.api.check_finished()
        return replies

    def one(self, request: ModelRequest) -> Reply:
        return self.turns(request)[0]


def request(*messages: Message, closed: str | None = None, seconds_left: float = 30.0) -> ModelRequest:
    ledger = Ledger()
    ledger.add([PASSAGE])
    return ModelRequest(
        "You research documentation.",
        QUESTION,
        messages or (ASKED,),
        () if closed else DOCS_TOOLS,
        ledger,
        Meter(Limits()),
        closed,
        offered=DOCS_TOOLS,
        seconds_left=seconds_left,
    )


def test_a_turn_is_streamed_and_counted() -> None:
    run = Run(replace(DONE, input_tokens=7, cache_read_tokens=90, output_tokens=5))
    reply = run.one(request())
    assert (reply.text, reply.stop, reply.tool_calls) == ("Use Client(token).", "end", ())
    assert (reply.usage.input_tokens, reply.usage.cache_read_tokens, reply.usage.output_tokens) == (7, 90, 5)
    assert [event.text for event in run.events if event.kind == "text"] == ["Use Client(token)."]
    (received,) = run.api.requests
    assert received.body["stream"] is True
    assert received.body["model"] == "claude-haiku-5-5"
    assert received.headers["authorization"] == "Bearer test-key"


def test_parallel_tool_calls_come_back_as_calls() -> None:
    blocks = tuple(ToolUse(f"toolu_{n}", QUERY, {"libraryId": "/a/b", "query": str(n)}) for n in range(3))
    reply = Run(Turn(blocks, stop_reason="tool_use")).one(request())
    assert [(call.id, call.arguments["query"]) for call in reply.tool_calls] == [
        ("toolu_0", "0"),
        ("toolu_1", "1"),
        ("toolu_2", "2"),
    ]
    assert reply.stop == "tool_calls"


def test_consecutive_requests_extend_one_unchanged_prefix() -> None:
    run = Run(Turn((ToolUse("toolu_1", QUERY, dict(CALL.arguments)),), stop_reason="tool_use"), DONE, DONE)

    def conversation() -> list[ModelRequest]:
        return [request(ASKED), request(ASKED, CALLED, READ), request(ASKED, CALLED, READ, closed="the limit of 2 turns")]

    run.turns(*conversation())
    first, second, third = (received.body for received in run.api.requests)
    assert first["tools"] == second["tools"] == third["tools"]
    assert first["system"] == second["system"] == third["system"]
    assert second["messages"][: len(first["messages"])] == first["messages"]
    assert third["messages"][:2] == second["messages"][:2]
    assert [tool["name"] for tool in first["tools"]] == sorted(tool["name"] for tool in first["tools"])
    assert first["system"][0]["cache_control"] == {"type": "ephemeral"}


def test_on_the_last_turn_tools_are_closed_and_the_reason_is_said() -> None:
    run = Run(DONE)
    run.one(request(ASKED, CALLED, READ, closed="the limit of 3 calls"))
    body = run.api.requests[0].body
    assert body["tool_choice"] == {"type": "none"}
    assert "the limit of 3 calls" in body["messages"][-1]["content"][-1]["text"]


def test_passages_are_given_as_citable_search_results_and_citations_become_numbers() -> None:
    run = Run(Turn((Text("Use Client(token).", cites=(("docs/clients.md", "Acme > Clients"),)),)))
    reply = run.one(request(ASKED, CALLED, READ))
    result = run.api.requests[0].body["messages"][-1]["content"][0]
    assert (result["type"], result["tool_use_id"]) == ("tool_result", "toolu_1")
    assert result["content"][0]["type"] == "search_result"
    assert result["content"][0]["citations"] == {"enabled": True}
    assert reply.text == "Use Client(token). [1]"


def test_a_citation_of_something_that_was_not_read_becomes_no_number() -> None:
    reply = Run(Turn((Text("Use X.", cites=(("https://invented.example/", "Invented"),)),))).one(request())
    assert reply.text == "Use X."


def test_a_failed_tool_result_is_marked_as_an_error() -> None:
    run = Run(DONE)
    run.one(request(ASKED, CALLED, ToolMessage(((CALL, ToolResult("The server is away.", outcome="unavailable")),))))
    result = run.api.requests[0].body["messages"][-1]["content"][0]
    assert result["is_error"] is True
    assert result["content"] == [{"type": "text", "text": "The server is away."}]


def test_another_vendors_model_gets_only_plain_fields() -> None:
    run = Run(DONE, model="qwen3:8b")
    run.one(request(ASKED, CALLED, READ))
    body = run.api.requests[0].body
    assert body["model"] == "qwen3:8b"
    assert not {"cache_control", "output_config"} & body.keys()
    assert body["messages"][-1]["content"][0]["content"][0]["type"] == "text"


@pytest.mark.parametrize("ending", ["error", "cut", "clean"])
def test_a_stream_that_breaks_off_is_tried_again_as_a_whole(ending: str) -> None:
    run = Run(Turn((Text("Half an"),), ending=ending), DONE)
    assert run.one(request()).text == "Use Client(token)."
    assert run.waits == [0.5]


def test_an_overloaded_api_is_named_in_plain_words_and_its_wait_is_kept() -> None:
    run = Run(HttpError(529, "overloaded_error", retry_after="3"), HttpError(429, "rate_limit_error", retry_after="2"), DONE)
    run.one(request())
    assert run.waits == [3.0, 2.0]
    notices = [event.text for event in run.events if event.kind == "notice"]
    assert notices[0] == "the API is overloaded (not your machine); try 2 of 5 in 3 s"
    assert "rate limit" in notices[1]


def test_waits_double_and_five_failures_end_the_turn() -> None:
    run = Run(*[HttpError(500)] * 5)
    with pytest.raises(ModelError, match="5 times in a row"):
        run.one(request())
    assert run.waits == [0.5, 1.0, 2.0, 4.0]


def test_a_wait_beyond_the_runs_time_is_not_begun() -> None:
    run = Run(HttpError(429, "rate_limit_error", retry_after="60"))
    with pytest.raises(ModelError, match="no time left to wait 60 s"):
        run.one(request(seconds_left=20.0))
    assert run.waits == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (HttpError(401, "authentication_error"), "refused the key"),
        (HttpError(404, "not_found_error"), "knows no model"),
        (HttpError(402, "billing_error"), "no credit"),
        (HttpError(400, "invalid_request_error", "messages: too many"), "messages: too many"),
        (HttpError(413, "request_too_large"), "status 413"),
    ],
)
def test_errors_that_no_retry_can_mend_are_said_at_once(error: HttpError, words: str) -> None:
    run = Run(error)
    with pytest.raises(ModelError, match=words) as caught:
        run.one(request())
    assert run.waits == []
    assert caught.value.next_step


def test_a_gateways_html_page_is_an_error_with_its_status() -> None:
    run = Run(*[HttpError(502, body="<html>Bad gateway</html>")] * 5)
    with pytest.raises(ModelError, match="502") as caught:
        run.one(request())
    assert "<html>" not in caught.value.message


def test_an_unreachable_server_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async def no_wait(seconds: float) -> None: ...

    async def talk() -> None:
        model = ClaudeModel(base_url="http://127.0.0.1:9", sleep=no_wait)
        try:
            await model.reply(request())
        finally:
            await model.aclose()

    with pytest.raises(ModelError, match=r"127\.0\.0\.1:9 cannot be reached"):
        asyncio.run(talk())


def test_without_a_key_the_error_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    run = Run()
    with pytest.raises(ModelError, match="no key") as caught:
        run.one(request())
    assert "ANTHROPIC_API_KEY" in caught.value.next_step


def test_a_refusal_is_told_apart_with_its_category() -> None:
    reply = Run(Turn((), stop_reason="refusal", stop_details={"type": "refusal", "category": "cyber"})).one(request())
    assert reply.stop == "refused"
    assert "cyber" in reply.text
    assert [notice.code for notice in reply.notices] == ["model_refused"]


def test_a_call_cut_by_max_tokens_is_never_run_but_asked_for_again_with_more_room() -> None:
    cut = Turn((ToolUse("toolu_1", QUERY, {}, broken_json='{"libraryId": "/a'),), stop_reason="max_tokens")
    whole = Turn((ToolUse("toolu_2", QUERY, {"libraryId": "/a/b", "query": "q"}),), stop_reason="tool_use")
    run = Run(cut, whole)
    reply = run.one(request())
    assert [call.id for call in reply.tool_calls] == ["toolu_2"]
    first, second = (received.body["max_tokens"] for received in run.api.requests)
    assert second > first


def test_a_turn_cut_twice_gives_no_calls() -> None:
    cut = Turn((Text("Let me look."), ToolUse("toolu_1", QUERY, {"query": "q"})), stop_reason="max_tokens")
    reply = Run(cut, cut).one(request())
    assert (reply.stop, reply.tool_calls) == ("max_tokens", ())


def test_a_paused_turn_is_sent_back_and_goes_on() -> None:
    run = Run(Turn((Text("Thinking"),), stop_reason="pause_turn"), DONE)
    assert run.one(request()).text == "Use Client(token)."
    assert run.api.requests[1].body["messages"][-1]["role"] == "assistant"


def test_a_field_that_the_api_refuses_is_given_up_and_said() -> None:
    run = Run(HttpError(400, "invalid_request_error", "output_config: not supported"), DONE, DONE)
    run.turns(request(), request())
    assert ["output_config" in received.body for received in run.api.requests] == [True, False, False]
    assert any("output_config" in event.text for event in run.events if event.kind == "notice")


@pytest.mark.parametrize(
    ("name", "model", "said"),
    [
        ("haiku", "claude-haiku-5-5", False),
        ("Sonnet[1m]", "claude-sonnet-5-5", False),
        ("claude-opus-4-8", "claude-opus-4-8", False),
        ("inherit", "claude-haiku-5-5", True),
        ("auto", "claude-haiku-5-5", False),
    ],
)
def test_names_of_models_are_understood(name: str, model: str, said: bool) -> None:
    choice = choose_model(name)
    assert (choice.id, bool(choice.said)) == (model, said)
