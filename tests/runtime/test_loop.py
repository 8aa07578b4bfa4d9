"""The loop and its tool runner, driven by a scripted model through the public facade over a provider with known passages."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.core.answer import Answer, AnsweredLibrary
from docs_researcher.core.errors import UsageError
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.core.layout import render_candidates, render_passages
from docs_researcher.core.limits import Limits
from docs_researcher.core.messages import QUERY, RESOLVE, Reply, ToolCall, ToolMessage, ToolResult, ToolSpec, UserMessage
from docs_researcher.core.passages import Candidate, Passage
from docs_researcher.models.base import ModelRequest
from docs_researcher.models.scripted import ScriptedModel, ScriptError
from docs_researcher.runtime.researcher import Researcher
from docs_researcher.tools.specs import DOCS_TOOLS

ACME = Candidate("/local/acme", "Acme")
CODE = "client = Client(token)"
PASSAGE = Passage(
    "Acme > Clients", f"Create a client:\n\n```python\n{CODE}\n```", "docs/clients.md", "/local/acme", path="docs/clients.md"
)


class KnownPassages:
    """A provider with one library. A query named "hang" never ends, one named "break" raises nothing but fails."""

    name = "known"

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.closed = False

    async def tools(self) -> tuple[ToolSpec, ...]:
        return DOCS_TOOLS

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        self.calls.append((name, dict(arguments)))
        if name == RESOLVE:
            return ToolResult(render_candidates([ACME]), candidates=(ACME,))
        if arguments["query"] == "hang":
            await asyncio.Event().wait()
        if arguments["query"] == "break":
            return ToolResult("The server is away.", outcome="unavailable")
        library = AnsweredLibrary("Acme", "/local/acme", None, "newest installed")
        return ToolResult(render_passages([PASSAGE]), passages=(PASSAGE,), library=library)

    async def aclose(self) -> None:
        self.closed = True


def query(text: str, number: int = 1, name: str = QUERY) -> ToolCall:
    return ToolCall(f"call_{number}", name, {"libraryId": "/local/acme", "query": text})


def calls(*tool_calls: ToolCall) -> Reply:
    return Reply(tool_calls=tool_calls, stop="tool_calls")


FINAL = Reply(f"Make a client.\n\n```python\n{CODE}\n```\n")


def run(
    model: ScriptedModel,
    provider: KnownPassages | None = None,
    *,
    limits: Limits | None = None,
    listener: Listener = ignore,
    question: str = "How do I make a client in Acme?",
    trace: Path | None = None,
) -> Answer:
    async def answer() -> Answer:
        async with Researcher(provider=provider or KnownPassages(), model=model, limits=limits, listener=listener) as researcher:
            return await researcher.research(question, trace=trace)

    result = asyncio.run(answer())
    model.check_finished()
    return result


def results_seen(request: ModelRequest) -> list[ToolResult]:
    last = request.messages[-1]
    assert isinstance(last, ToolMessage)
    return [result for _, result in last.results]


def test_code_from_the_documentation_becomes_an_example_and_a_reference() -> None:
    answer = run(ScriptedModel([calls(query("client")), FINAL]))
    assert answer.status == "complete"
    assert [example.code.strip() for example in answer.examples] == [CODE]
    assert [reference.path for reference in answer.references] == ["docs/clients.md"]
    assert answer.library is not None
    assert answer.library.name == "Acme"
    assert (answer.usage.turns, answer.usage.tool_calls, answer.usage.model) == (2, 1, "scripted")
    assert 0 < answer.usage.tokens_returned < answer.usage.tokens_read + 100


def test_an_answer_for_which_nothing_was_read_is_never_complete() -> None:
    answer = run(ScriptedModel([Reply("Just call Client(token).")]))
    assert (answer.status, answer.exit_code, answer.references) == ("partial", 4, ())


def test_parallel_calls_are_answered_in_their_order_and_one_failure_spares_the_others() -> None:
    model = ScriptedModel([calls(query("break", 1), query("client", 2), query("more", 3)), FINAL])
    run(model)
    assert [result.outcome for result in results_seen(model.requests[1])] == ["unavailable", "ok", "ok"]
    assert [call.id for call, _ in model.requests[1].messages[-1].results] == ["call_1", "call_2", "call_3"]  # type: ignore[union-attr]  # a ToolMessage


def test_the_fourth_query_is_not_made() -> None:
    provider = KnownPassages()
    model = ScriptedModel([calls(*(query(f"topic {number}", number) for number in range(1, 5))), FINAL])
    run(model, provider)
    assert [result.outcome for result in results_seen(model.requests[1])] == ["ok", "ok", "ok", "limit"]
    assert len(provider.calls) == 3


def test_refused_arguments_cost_no_call() -> None:
    provider = KnownPassages()
    bad = ToolCall("c1", QUERY, {"libraryId": "acme", "query": "client"})
    model = ScriptedModel([calls(bad), calls(*(query(f"topic {number}", number) for number in range(1, 4))), FINAL])
    run(model, provider)
    assert [result.outcome for result in results_seen(model.requests[1])] == ["refused"]
    assert [result.outcome for result in results_seen(model.requests[2])] == ["ok", "ok", "ok"]


def test_an_unknown_tool_is_answered_with_the_tools_there_are() -> None:
    model = ScriptedModel([calls(ToolCall("c1", "browse", {"url": "x"})), calls(query("client")), FINAL])
    answer = run(model)
    (result,) = results_seen(model.requests[1])
    assert result.outcome == "refused"
    assert QUERY in result.text
    assert RESOLVE in result.text
    assert answer.status == "complete"


def test_arguments_under_their_old_names_reach_the_provider_under_the_right_ones() -> None:
    provider = KnownPassages()
    old = ToolCall("c1", QUERY, {"context7CompatibleLibraryID": "/local/acme", "userQuery": "client"})
    run(ScriptedModel([calls(old), FINAL]), provider)
    assert provider.calls == [(QUERY, {"libraryId": "/local/acme", "query": "client"})]


def test_a_repeated_call_is_answered_from_memory_once_and_then_refused() -> None:
    provider = KnownPassages()
    model = ScriptedModel([calls(query("client")), calls(query("client", 2)), calls(query("client", 3)), FINAL])
    run(model, provider)
    seen = [results_seen(request)[0] for request in model.requests[1:]]
    assert [result.outcome for result in seen] == ["ok", "ok", "refused"]
    assert len(provider.calls) == 1


def test_a_secret_never_reaches_the_provider() -> None:
    provider = KnownPassages()
    secret = "ghp_" + "a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6"
    answer = run(ScriptedModel([calls(query(f"use {secret}")), FINAL]), provider)
    assert secret not in json.dumps(provider.calls)
    assert "secret_removed" in [notice.code for notice in answer.notices]


def test_at_the_turn_limit_there_is_one_last_turn_without_tools() -> None:
    model = ScriptedModel([calls(query("client")), calls(query("more", 2)), FINAL])
    answer = run(model, limits=Limits(turns=2))
    assert [bool(request.tools) for request in model.requests] == [True, True, False]
    assert "2 model turns" in (model.requests[-1].stopped_by or "")
    assert (answer.status, answer.exit_code) == ("partial", 4)
    assert "limit_reached" in [notice.code for notice in answer.notices]


def test_a_model_that_says_nothing_at_the_limit_still_gives_what_was_found() -> None:
    model = ScriptedModel([calls(query("client")), calls(query("more", 2))])
    answer = run(model, limits=Limits(turns=1))
    assert answer.status == "partial"
    assert CODE in answer.text


def test_a_query_that_never_ends_is_cut_off_by_the_deadline() -> None:
    model = ScriptedModel([calls(query("hang", 1), query("client", 2)), FINAL])
    answer = run(model, limits=Limits(seconds=0.5))
    assert [result.outcome for result in results_seen(model.requests[1])] == ["unavailable", "ok"]
    assert answer.status == "partial"
    assert CODE in answer.text


def test_the_conversation_only_grows_at_its_end() -> None:
    model = ScriptedModel([calls(query("a")), calls(query("b", 2)), FINAL])
    run(model)
    for before, after in zip(model.requests, model.requests[1:], strict=False):
        assert after.messages[: len(before.messages)] == before.messages
        assert (after.system, after.tools) == (before.system, before.tools)


def test_every_call_has_exactly_one_result() -> None:
    model = ScriptedModel([calls(query("a", 1), query("a", 2), ToolCall("call_3", "browse", {})), FINAL])
    run(model)
    tool_message = model.requests[1].messages[-1]
    assert isinstance(tool_message, ToolMessage)
    assert [call.id for call, _ in tool_message.results] == ["call_1", "call_2", "call_3"]


def test_the_provider_is_closed_and_the_listener_hears_each_lookup() -> None:
    provider = KnownPassages()
    heard: list[Event] = []
    run(ScriptedModel([calls(query("client")), FINAL]), provider, listener=heard.append)
    assert provider.closed
    assert [event.text for event in heard if event.kind == "step"] == ["reading /local/acme: client"]


def test_the_transcript_holds_every_step_and_no_secret(tmp_path: Path) -> None:
    secret = "sk-ant-" + "api03-abcdefghijklmnopqrstuv"
    trace = tmp_path / "trace.jsonl"
    run(ScriptedModel([calls(query("client")), FINAL]), question=f"Why does {secret} fail in Acme?", trace=trace)
    lines = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    assert [line["kind"] for line in lines] == ["question", "user", "assistant", "tool", "assistant", "answer"]
    assert secret not in trace.read_text(encoding="utf-8")


def test_a_question_of_a_whole_file_is_refused_with_its_size() -> None:
    with pytest.raises(UsageError, match="characters"):
        run(ScriptedModel([]), question="x" * 30_000)


def test_control_characters_of_a_model_never_reach_the_asker() -> None:
    answer = run(ScriptedModel([calls(query("client")), Reply("Make\u202e a \x1b[31mclient.")]))
    assert answer.text.startswith("Make a client.")


def test_a_script_with_steps_left_over_fails() -> None:
    model = ScriptedModel([Reply("Done."), FINAL])
    with pytest.raises(ScriptError, match="1 of 2"):
        run(model)


INVENTED = Reply("Make a client.\n\n```python\nAcme.connect(magic=True)\n```\n\nSee https://acme.invalid/made-up.")


def test_invented_code_and_links_are_shown_to_the_model_which_may_take_them_back() -> None:
    model = ScriptedModel([calls(query("client")), INVENTED, FINAL])
    answer = run(model)
    said = model.requests[2].messages[-1]
    assert isinstance(said, UserMessage)
    assert "Acme.connect(magic=True)" in said.text
    assert "https://acme.invalid/made-up" in said.text
    assert model.requests[2].tools == ()
    assert (answer.status, [example.code.strip() for example in answer.examples]) == ("complete", [CODE])
    assert not {"code_left_out", "link_left_out"} & {notice.code for notice in answer.notices}


def test_what_a_model_insists_on_inventing_is_left_out_and_counted() -> None:
    answer = run(ScriptedModel([calls(query("client")), INVENTED, INVENTED]))
    assert "magic" not in answer.text
    assert "acme.invalid" not in answer.text
    assert {"code_left_out", "link_left_out"} <= {notice.code for notice in answer.notices}


def test_code_that_was_only_adapted_is_marked_and_kept() -> None:
    long = "client = Client(token, timeout=30, retries=3, region='eu', verify=True, pool=10, debug=False, name='a')"
    passage = replace(PASSAGE, content=f"Create it:\n\n```python\n{long}\n```")

    class Longer(KnownPassages):
        async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
            return ToolResult(render_passages([passage]), passages=(passage,))

    adapted = long.replace("name='a'", "name='b'")
    answer = run(ScriptedModel([calls(query("client")), Reply(f"So:\n\n```python\n{adapted}\n```")]), Longer())
    assert adapted in answer.text
    assert "Adapted from the documentation" in answer.text
    assert "code_adapted" in [notice.code for notice in answer.notices]
