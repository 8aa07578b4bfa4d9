"""`research-library-docs` over MCP: one text, on time, told as it goes on, stopped when nobody wants it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, types

from docs_researcher.core.answer import Answer, Notice
from docs_researcher.core.messages import ToolResult, ToolSpec
from docs_researcher.docsets.acquiring.acquire import FetchPolicy
from docs_researcher.docsets.installed.store import Installed, Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.server import research_tool
from docs_researcher.server.research_tool import ANSWER_KEY, ResearchTool, host_project, whole_text
from docs_researcher.tools.local import LocalProvider
from docs_researcher.tools.specs import DOCS_TOOLS

AskServer = Callable[..., Any]
Install = Callable[..., Installed]
ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])
QUESTION = "How do I sign a request with signer?"
TOOL = "research-library-docs"


def _call(ask_server: AskServer, arguments: dict[str, Any], **options: Any) -> types.CallToolResult:
    async def ask(client: Client) -> types.CallToolResult:
        return await client.call_tool(TOOL, arguments)

    return ask_server(ask, **options)


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
        ({"question": "How do I sort a list?"}, "with the argument `library`"),
        ({"question": "How do I route?", "library": "npm:fastify"}, "the server runs with --offline"),
    ],
)
def test_what_to_do_next_is_said_in_the_words_of_the_tool(
    ask_server: AskServer, home: Path, arguments: dict[str, Any], said: str
) -> None:
    text = _text(_call(ask_server, arguments))
    assert said in text
    assert "--library" not in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "question"),
        ({"question": "  "}, "question"),
        ({"question": 123}, "the argument 'question' of research-library-docs cannot be 123.\n\nGive it a string."),
        ({"question": QUESTION, "library": ["x"]}, "'library'"),
        (
            {"question": QUESTION, "depth": "deep"},
            "has no argument 'depth'.\n\nresearch-library-docs takes question, library, version, "
            "answer_tokens, project_dir, format; question must be given.",
        ),
        ({"question": QUESTION, "answer_tokens": 3}, "answer_tokens"),
        (
            {"question": QUESTION, "format": "xml"},
            "'format' of research-library-docs cannot be 'xml'.\n\nGive it 'text' or 'json'.",
        ),
        ({"question": QUESTION, "project_dir": 5}, "'project_dir'"),
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


def test_what_the_configuration_says_in_vain_is_told(ask_server: AskServer, tmp_path: Path, signer: Installed) -> None:
    config = tmp_path / "config.toml"
    config.write_text('docs_from = "mcp:other"\nanswer_tokns = 5\n', encoding="utf-8")
    result = _call(ask_server, {"question": QUESTION, "format": "json"}, config=config)
    assert result.structured_content is not None
    notices: list[dict[str, str]] = result.structured_content["notices"]
    told = [notice["text"] for notice in notices if notice["code"] == "configuration"]
    assert len(told) == 2
    assert "answer_tokns" in told[0]
    assert "mcp:other" in told[1]


def test_the_settings_of_the_project_count(ask_server: AskServer, tmp_path: Path, signer: Installed) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("[tool.docs-research]\nanswer_tokens = 120\n", encoding="utf-8")
    result = _call(ask_server, {"question": QUESTION, "project_dir": str(project), "format": "json"})
    assert (result.structured_content or {})["usage"]["tokens_returned"] <= 120


def test_the_version_that_the_project_uses_counts(
    ask_server: AskServer, install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("signer", "2.1.0")
    install("signer", "3.0.0")
    project = tmp_path / "project"
    project.mkdir()
    (project / "package.json").write_text('{"name": "app", "dependencies": {"signer": "2.1.0"}}', encoding="utf-8")

    def version(**arguments: Any) -> str:
        result = _call(ask_server, {"question": QUESTION, "format": "json", **arguments})
        assert result.structured_content is not None
        return str(result.structured_content["library"]["version"])

    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    monkeypatch.chdir(project)
    assert version() == "3.0.0"
    assert version(project_dir=str(project)) == "2.1.0"
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    assert version() == "2.1.0"


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
    async def ask(client: Client) -> tuple[types.CallToolResult, types.CallToolResult]:
        other = {"question": "How do I rotate the secret of signer?"}
        return await asyncio.gather(client.call_tool(TOOL, {"question": QUESTION}), client.call_tool(TOOL, other))

    first, second = ask_server(ask)
    assert "sign_request" in _text(first)
    assert "rotate_secret" in _text(second)


def test_an_answer_over_the_wire_is_plain_json(ask_server: AskServer, signer: Installed) -> None:
    result = _call(ask_server, {"question": QUESTION, "format": "json"})
    assert json.loads(json.dumps(result.structured_content)) == result.structured_content


@ERAS
def test_the_two_documentation_tools_say_what_the_local_provider_says_byte_for_byte(
    ask_server: AskServer, signer: Installed, mode: str
) -> None:
    calls = [
        ("resolve-library-id", {"libraryName": "signer", "query": "sign"}),
        ("resolve-library-id", {"libraryName": "nothing-of-it", "query": "sign"}),
        ("query-docs", {"libraryId": "/npm/signer", "query": "sign a request"}),
        ("query-docs", {"libraryId": "/npm/signer/1.0", "query": "sign a request"}),
        ("query-docs", {"libraryId": "/npm/signer", "query": "kubernetes"}),
        ("query-docs", {"libraryId": "signer", "query": "x"}),
    ]

    async def ask(client: Client) -> list[str]:
        return [_text(await client.call_tool(name, arguments)) for name, arguments in calls]

    async def local() -> list[str]:
        provider = LocalProvider(Store(), Catalogue.load(), policy=FetchPolicy(offline=True))
        try:
            return [(await provider.call(name, arguments)).text for name, arguments in calls]
        finally:
            await provider.aclose()

    assert ask_server(ask, mode=mode) == asyncio.run(local())


def test_a_call_that_takes_its_time_says_so_again_and_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(research_tool, "HEARTBEAT_SECONDS", 0.02)
    monkeypatch.setattr(research_tool, "SHORTEST_INTERVAL", 0.0)
    heard: list[float] = []
    enough = asyncio.Event()

    async def told(progress: float, total: float | None, message: str) -> None:
        heard.append(progress)
        if len(heard) == 3:
            enough.set()

    async def work() -> None:
        tool = ResearchTool(lambda settings, named, project, tokens: Waiting(enough), Store)
        await tool.call({"question": "How do I sign?", "library": "/npm/signer"}, told)
        await tool.aclose()

    asyncio.run(asyncio.wait_for(work(), 20))
    assert len(heard) >= 3
    assert heard == sorted(heard)


def test_a_call_that_is_cancelled_stops_its_research(home: Path) -> None:
    async def work() -> Waiting:
        waiting = Waiting(asyncio.Event())
        tool = ResearchTool(lambda settings, named, project, tokens: waiting, Store)
        call = asyncio.ensure_future(tool.call({"question": "How do I sign?", "library": "/npm/signer"}, None))
        await waiting.asked.wait()
        call.cancel()
        await asyncio.wait({call})
        assert call.cancelled()
        return waiting

    assert asyncio.run(asyncio.wait_for(work(), 20)).stopped


def test_a_research_ends_in_its_time_with_what_it_has(home: Path) -> None:
    async def work() -> str:
        tool = ResearchTool(lambda settings, named, project, tokens: Waiting(asyncio.Event()), Store, flags={"seconds": 1.0})
        reply, _ = await tool.call({"question": "How do I sign?", "library": "/npm/signer"}, None)
        await tool.aclose()
        assert reply.answer is not None
        return reply.answer.status

    assert asyncio.run(asyncio.wait_for(work(), 20)) in ("partial", "failed")


class Waiting:
    """A provider whose documentation comes when `ready` is set."""

    name = "waiting"

    def __init__(self, ready: asyncio.Event) -> None:
        self.ready = ready
        self.asked = asyncio.Event()
        self.stopped = False

    async def tools(self) -> tuple[ToolSpec, ...]:
        return DOCS_TOOLS

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        self.asked.set()
        try:
            await self.ready.wait()
        except asyncio.CancelledError:
            self.stopped = True
            raise
        return ToolResult("Nothing of that is documented.", outcome="not_found")

    async def aclose(self) -> None:
        """Nothing to release."""
