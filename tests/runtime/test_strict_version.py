"""`--strict-version` with any model over any server: another version is not read, and no answer is bent to it."""

import asyncio
from collections.abc import Mapping
from typing import Any

from docs_researcher.core.answer import Answer, AnsweredLibrary
from docs_researcher.core.layout import render_candidates, render_passages
from docs_researcher.core.messages import QUERY, RESOLVE, Reply, ToolCall, ToolMessage, ToolResult, ToolSpec
from docs_researcher.core.passages import Candidate, Passage
from docs_researcher.models.base import ModelRequest
from docs_researcher.models.scripted import ScriptedModel
from docs_researcher.runtime.researcher import Researcher
from docs_researcher.tools.specs import DOCS_TOOLS

NEXT = "/vercel/next.js"
QUESTION = "How do I set up middleware in Next.js 15?"
CODE = "export const config = {}"
DONE = Reply(f"Do it:\n\n```ts\n{CODE}\n```")


class Foreign:
    """A server that knows nothing of strictness: it lists versions and answers whatever id it is given."""

    name = "foreign"

    def __init__(self, versions: tuple[str, ...], answers_with: str | None = None) -> None:
        self.calls: list[str] = []
        self._versions = versions
        self._answers_with = answers_with

    async def tools(self) -> tuple[ToolSpec, ...]:
        return DOCS_TOOLS

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        if name == RESOLVE:
            found = Candidate(NEXT, "Next.js", versions=self._versions)
            return ToolResult(render_candidates([found]), candidates=(found,))
        self.calls.append(arguments["libraryId"])
        base, _, version = arguments["libraryId"].rpartition("/") if arguments["libraryId"].count("/") > 2 else (NEXT, "", "")
        passage = Passage("Middleware", f"```ts\n{CODE}\n```", "docs/m.md", base, path="docs/m.md", version=version or None)
        library = AnsweredLibrary("Next.js", NEXT, self._answers_with, "as the server says") if self._answers_with else None
        return ToolResult(render_passages([passage]), passages=(passage,), library=library)

    async def aclose(self) -> None: ...


def query(library_id: str, number: int = 1) -> Reply:
    call = ToolCall(f"call_{number}", QUERY, {"libraryId": library_id, "query": "middleware"})
    return Reply(tool_calls=(call,), stop="tool_calls")


RESOLVED = Reply(tool_calls=(ToolCall("call_0", RESOLVE, {"libraryName": "Next.js", "query": "middleware"}),), stop="tool_calls")


def run(provider: Foreign, *replies: Any, question: str = QUESTION, strict: bool = True) -> Answer:
    async def ask() -> Answer:
        async with Researcher(provider=provider, model=ScriptedModel(list(replies)), look_ahead=False) as researcher:
            return await researcher.research(question, strict_version=strict)

    return asyncio.run(ask())


def told(request: ModelRequest) -> str:
    (message,) = [one for one in request.messages[-1:] if isinstance(one, ToolMessage)]
    return message.results[0][1].text


def test_an_id_without_the_version_is_not_read_and_the_answer_is_refused() -> None:
    provider = Foreign(("v14.3.0", "v13.5.1"))
    heard: list[str] = []

    def gives_up(request: ModelRequest) -> Reply:
        heard.append(told(request))
        return Reply("From memory: export a middleware function.")

    answer = run(provider, RESOLVED, query(NEXT), gives_up)
    assert provider.calls == []
    assert "Only version 15 of Next.js may be read" in heard[0]
    assert "lists v14.3.0, v13.5.1" in heard[0]
    assert (answer.status, answer.exit_code) == ("not_found", 3)
    assert "From memory" not in answer.text
    assert "lists v14.3.0, v13.5.1" in answer.text
    assert "version_not_found" in [notice.code for notice in answer.notices]


def test_the_version_asked_for_is_read_after_a_refused_try() -> None:
    provider = Foreign(("v15.1.8", "v14.3.0"))
    answer = run(provider, RESOLVED, query(NEXT, 1), query(f"{NEXT}/v14.3.0", 2), query(f"{NEXT}/v15.1.8", 3), DONE)
    assert provider.calls == [f"{NEXT}/v15.1.8"]
    assert answer.status == "complete"
    assert "version_not_found" not in [notice.code for notice in answer.notices]


def test_refused_tries_cost_no_call() -> None:
    provider = Foreign(("v15.1.8",))
    tries = [query(f"{NEXT}/v{number}", number) for number in (11, 12, 13, 14)]
    assert run(provider, *tries, query(f"{NEXT}/v15.1.8", 15), DONE).usage.tool_calls == 1


def test_a_server_that_quietly_answers_from_another_version_is_not_believed() -> None:
    provider = Foreign(("v15.1.8",), answers_with="14.3.0")
    answer = run(provider, query(f"{NEXT}/v15.1.8"), DONE)
    assert provider.calls
    assert answer.status == "not_found"
    assert CODE not in answer.text
    assert answer.references == ()


def test_another_library_of_the_question_is_free() -> None:
    provider = Foreign(("v15.1.8",))
    question = "How do I use middleware of Next.js 15 with React?"
    answer = run(provider, query("/facebook/react", 1), query(f"{NEXT}/v15.1.8", 2), DONE, question=question)
    assert provider.calls == ["/facebook/react", f"{NEXT}/v15.1.8"]
    assert answer.status == "complete"


def test_a_part_that_could_not_be_read_makes_the_answer_partial() -> None:
    provider = Foreign(("v14.3.0",))
    question = "How do I use middleware of Next.js 15 with React?"
    answer = run(provider, query("/facebook/react", 1), query(NEXT, 2), DONE, question=question)
    assert provider.calls == ["/facebook/react"]
    assert answer.status == "partial"
    assert "version_not_found" in [notice.code for notice in answer.notices]


def test_without_a_version_in_the_question_or_without_insisting_any_version_is_read() -> None:
    for question, strict in (("How do I set up middleware in Next.js?", True), (QUESTION, False)):
        provider = Foreign(("v14.3.0",))
        assert run(provider, query(NEXT), DONE, question=question, strict=strict).status == "complete"
        assert provider.calls == [NEXT]
