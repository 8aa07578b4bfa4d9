"""`research-library-docs` over MCP: one text, on time, told as it goes on, stopped when nobody wants it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, types

from docs_researcher.core.answer import Answer, Notice
from docs_researcher.docsets.store import Installed
from docs_researcher.server.research_tool import ANSWER_KEY, host_project, whole_text

AskServer = Callable[..., Any]
ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])
QUESTION = "How do I sign a request with signer?"
TOOL = "research-library-docs"


def _call(ask_server: AskServer, arguments: dict[str, Any], **options: Any) -> types.CallToolResult:
    return ask_server(lambda client: client.call_tool(TOOL, arguments), **options)


def _text(result: types.CallToolResult) -> str:
    assert len(result.content) == 1
    assert isinstance(result.content[0], types.TextContent)
    return result.content[0].text


@ERAS
def test_an_answer_is_one_block_of_text_with_code_from_the_documentation(
    ask_server: AskServer, signer: Installed, mode: str
) -> None:
    result = _call(ask_server, {"question": QUESTION}, mode=mode)
    assert not result.is_error
    assert result.structured_content is None
    assert 'header = sign_request(secret="s", body=b"{}")' in _text(result)
    assert (result.meta or {})[ANSWER_KEY]["status"] == "complete"
    assert (result.meta or {})[ANSWER_KEY]["library"] == {"id": "/npm/signer", "version": "2.1.0"}


@ERAS
def test_only_json_adds_the_whole_answer_as_structured_content(ask_server: AskServer, signer: Installed, mode: str) -> None:
    plain = _call(ask_server, {"question": QUESTION, "format": "text"}, mode=mode)
    result = _call(ask_server, {"question": QUESTION, "format": "json"}, mode=mode)
    assert plain.structured_content is None
    assert result.structured_content is not None
    assert result.structured_content["status"] == "complete"
    assert result.structured_content["text"] == _text(result) == _text(plain)
    assert set(result.structured_content) == set(Answer("complete", "").to_dict())


def test_a_library_and_a_version_fix_what_is_read(ask_server: AskServer, signer: Installed) -> None:
    asked = {"question": "How do I sign a request?", "library": "signer", "version": "2"}
    result = _call(ask_server, {**asked, "format": "json"})
    assert (result.structured_content or {})["library"]["version"] == "2.1.0"


def test_the_size_of_the_answer_can_be_given(ask_server: AskServer, signer: Installed) -> None:
    result = _call(ask_server, {"question": QUESTION, "answer_tokens": 100, "format": "json"})
    assert (result.structured_content or {})["usage"]["tokens_returned"] <= 100


@pytest.mark.parametrize(
    ("arguments", "status"),
    [({"question": "How do I sort a list?"}, "needs_input"), ({"question": "routes?", "library": "nothing-of-it"}, "not_found")],
)
def test_a_question_back_and_nothing_found_are_ordinary_texts_that_say_so(
    ask_server: AskServer, home: Path, arguments: dict[str, Any], status: str
) -> None:
    result = _call(ask_server, arguments)
    assert not result.is_error
    assert (result.meta or {})[ANSWER_KEY]["status"] == status
    assert _text(result)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "question"),
        ({"question": "  "}, "question"),
        ({"question": 5.5, "library": ["x"]}, "library"),
        ({"question": QUESTION, "answer_tokens": 3}, "answer_tokens"),
        ({"question": QUESTION, "format": "xml"}, "format"),
        ({"question": QUESTION, "project_dir": "not/absolute"}, "project_dir"),
        ({"question": QUESTION, "project_dir": "/nowhere/of/all"}, "project_dir"),
        ({"question": "x" * 30_000}, "Ask for one thing"),
    ],
)
def test_arguments_that_cannot_be_used_fail_with_what_to_do(ask_server: AskServer, arguments: dict[str, Any], said: str) -> None:
    result = _call(ask_server, arguments)
    assert result.is_error
    assert result.structured_content is None
    assert said in _text(result)


def test_a_broken_configuration_is_told_and_not_a_fault_of_the_server(
    ask_server: AskServer, tmp_path: Path, signer: Installed
) -> None:
    broken = tmp_path / "config.toml"
    broken.write_text("turns = \n", encoding="utf-8")
    result = _call(ask_server, {"question": QUESTION}, config=broken)
    assert result.is_error
    assert "config.toml" in _text(result)


def test_the_settings_of_the_project_count(ask_server: AskServer, tmp_path: Path, signer: Installed) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("[tool.docs-research]\nanswer_tokens = 120\n", encoding="utf-8")
    result = _call(ask_server, {"question": QUESTION, "project_dir": str(project), "format": "json"})
    assert (result.structured_content or {})["usage"]["tokens_returned"] <= 120


def test_the_project_is_the_host_s_and_never_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    assert host_project() is None
    for useless in ("", "relative", "/nowhere/of/all"):
        monkeypatch.setenv("CLAUDE_PROJECT_DIR", useless)
        assert host_project() is None
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path))
    assert host_project() == tmp_path


def test_an_answer_that_is_not_complete_says_what_is_missing_once() -> None:
    said = Notice("a", "Stopped by the limit of 3 turns.")
    partial = Answer("partial", "What was read. Stopped by the limit of 3 turns.", notices=(said, Notice("b", "No network.")))
    assert whole_text(partial) == "What was read. Stopped by the limit of 3 turns.\n\nNote: No network."
    assert whole_text(Answer("complete", "All.", notices=(said,))) == "All."


@ERAS
def test_a_host_that_asks_for_progress_is_told_what_happens(ask_server: AskServer, signer: Installed, mode: str) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async def ask(client: Client) -> types.CallToolResult:
        return await client.call_tool(TOOL, {"question": QUESTION}, progress_callback=told)

    ask_server(ask, mode=mode)
    assert heard
    assert [progress for progress, _, _ in heard] == sorted({progress for progress, _, _ in heard})
    assert {total for _, total, _ in heard} == {55.0}


def test_two_calls_at_once_get_each_its_own_answer(ask_server: AskServer, signer: Installed) -> None:
    async def ask(client: Client) -> list[types.CallToolResult]:
        other = {"question": "How do I rotate the secret of signer?"}
        return await asyncio.gather(client.call_tool(TOOL, {"question": QUESTION}), client.call_tool(TOOL, other))

    first, second = ask_server(ask)
    assert "sign_request" in _text(first)
    assert "rotate_secret" in _text(second)


def test_an_answer_over_the_wire_is_plain_json(ask_server: AskServer, signer: Installed) -> None:
    result = _call(ask_server, {"question": QUESTION, "format": "json"})
    assert json.loads(json.dumps(result.structured_content)) == result.structured_content
