"""The research as a plain tool: the schema, what models write as arguments, what comes back."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from docs_researcher import Researcher
from docs_researcher.core.errors import ArgumentsRefused, ModelError
from docs_researcher.core.limits import Limits
from docs_researcher.core.messages import Reply, ToolCall
from docs_researcher.integrations import ToolReply, call_tool, call_tool_sync, tool_schema
from docs_researcher.models.base import ModelRequest
from docs_researcher.models.scripted import ScriptedModel
from docs_researcher.runtime.research_tool import RESEARCH_SPEC, read_arguments

QUESTION = "How do I sign a request with parcelo?"


def test_the_schema_is_one_that_every_api_takes() -> None:
    schema = tool_schema()
    assert set(schema) == {"name", "description", "input_schema"}
    assert schema["input_schema"]["type"] == "object"
    assert schema["input_schema"]["required"] == ["question"]
    assert set(schema["input_schema"]["properties"]) == {"question", "library", "version", "answer_tokens"}
    assert len(schema["description"].encode()) <= 2_048
    assert json.loads(json.dumps(schema)) == schema


def test_a_schema_that_is_changed_changes_no_other() -> None:
    tool_schema()["input_schema"]["properties"].clear()
    assert tool_schema()["input_schema"]["properties"]
    assert RESEARCH_SPEC.input_schema["properties"]


def test_a_call_gives_the_answer_as_markdown(parcelo: str) -> None:
    reply = call_tool_sync({"question": QUESTION})
    assert parcelo in reply.text
    assert not reply.is_error
    assert reply.answer is not None
    assert (reply.text, reply.answer.status) == (reply.answer.text, "complete")


@pytest.mark.parametrize(
    "arguments",
    [
        {"question": QUESTION, "library": "parcelo", "version": "2.1"},
        {"question": QUESTION, "version": 2},
        {"query": QUESTION, "library": None, "answer_tokens": "500"},
        json.dumps({"question": QUESTION, "library": "/local/parcelo", "version": "2"}),
        {"question": QUESTION, "library": "", "version": "", "answer_tokens": None},
        {"question": QUESTION, "answer_tokens": ""},
        {"question": QUESTION, "answer_tokens": 500.0},
    ],
)
def test_arguments_are_taken_as_models_write_them(parcelo: str, arguments: Any) -> None:
    reply = asyncio.run(call_tool(arguments))
    assert parcelo in reply.text
    assert reply.answer is not None
    assert reply.answer.library is not None
    assert (reply.answer.library.id, reply.answer.library.version) == ("/local/parcelo", "2.1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "question"),
        ({"question": "  "}, "question"),
        ({"question": ["a"]}, "'question' of research-library-docs cannot be ['a'].\n\nGive it a string."),
        ({"question": 123}, "'question' of research-library-docs cannot be 123.\n\nGive it a string."),
        ({"question": QUESTION, "version": 2.1}, "'version' of research-library-docs cannot be 2.1.\n\nGive it a string."),
        ({"question": QUESTION, "library": True}, "'library' of research-library-docs cannot be True"),
        ({"question": QUESTION, "depth": 3}, "no argument 'depth'.\n\nresearch-library-docs takes question, library, version"),
        ("[1]", "not an object"),
        ("no json", "not an object"),
        (None, "not an object"),
        ({"question": QUESTION, "answer_tokens": "many"}, "'many'"),
        ({"question": QUESTION, "answer_tokens": 5}, "Give it a whole number of at least 100."),
        ({"question": QUESTION, "answer_tokens": True}, "Give it a whole number"),
        ({"question": "How do I reverse a list?", "version": "3"}, "library"),
    ],
)
def test_arguments_that_cannot_be_used_become_a_reply_that_says_so(home: object, arguments: Any, said: str) -> None:
    reply = call_tool_sync(arguments)
    assert reply.is_error
    assert said in reply.text
    assert reply.answer is None


@pytest.mark.parametrize(
    ("library", "version", "expected"),
    [
        ("next", "15", "next@15"),
        ("next@16", "15", "next@16"),
        ("@trpc/server", "10", "@trpc/server@10"),
        ("npm:next", "^15", "npm:next@^15"),
        ("npm:next@16.1.0", "15", "npm:next@16.1.0"),
        ("/vercel/next.js", "^15", "/vercel/next.js/15"),
        ("/vercel/next.js/v16.0.0", "15", "/vercel/next.js/v16.0.0"),
    ],
)
def test_a_version_goes_to_its_library(library: str, version: str, expected: str) -> None:
    assert read_arguments({"question": "q", "library": library, "version": version}).library == expected


def test_a_version_alone_goes_to_the_library_of_the_question(home: object) -> None:
    assert read_arguments({"question": "How do redirects work in Next.js?", "version": "15"}).library == "Next.js@15"
    with pytest.raises(ArgumentsRefused):
        read_arguments({"question": "How do I reverse a list?", "version": "15"})


def test_a_budget_is_kept(parcelo: str) -> None:
    reply = call_tool_sync({"question": QUESTION, "answer_tokens": 100})
    assert reply.answer is not None
    assert reply.answer.usage.tokens_returned <= 100


def test_of_an_incomplete_answer_the_model_is_told_why(parcelo: str) -> None:
    async def ask() -> ToolReply:
        limits = Limits(turns=1)
        call = ToolCall("c1", "resolve-library-id", {"libraryName": "parcelo", "query": "sign"})
        model = ScriptedModel([Reply(tool_calls=(call,), stop="tool_calls"), Reply("As far as I got.")])
        async with Researcher(model=model, limits=limits) as researcher:
            return await call_tool({"question": QUESTION}, researcher=researcher)

    reply = asyncio.run(ask())
    assert reply.answer is not None
    assert reply.answer.status == "partial"
    assert reply.text.startswith(reply.answer.text)
    assert "the limit of 1 model turns" in reply.text


def test_a_model_that_cannot_be_reached_becomes_a_reply(parcelo: str) -> None:
    def unreachable(request: ModelRequest) -> Reply:
        raise ModelError("The model is away", next_step="Try again in a minute.")

    async def ask() -> ToolReply:
        async with Researcher(model=ScriptedModel([unreachable])) as researcher:
            return await call_tool({"question": QUESTION}, researcher=researcher)

    reply = asyncio.run(ask())
    assert reply.is_error
    assert "Try again in a minute." in reply.text


def test_one_researcher_answers_two_hundred_questions_at_once(parcelo: str) -> None:
    questions = [("sign a request", parcelo), ("rotate the secret", "rotate_secret(keep_old_for=3600)")] * 100

    async def ask() -> list[ToolReply]:
        async with Researcher() as researcher:
            calls = (call_tool({"question": f"How do I {topic} with parcelo?"}, researcher=researcher) for topic, _ in questions)
            return await asyncio.gather(*calls)

    replies = asyncio.run(ask())
    assert [code in reply.text for reply, (_, code) in zip(replies, questions, strict=True)] == [True] * 200
    assert {reply.answer.status for reply in replies if reply.answer} == {"complete"}
