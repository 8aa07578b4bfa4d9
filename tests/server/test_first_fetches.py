"""A first fetch that does not fit into a call is answered at once, goes on behind it, and is made once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, types

from docs_researcher.core.events import Event
from docs_researcher.core.messages import QUERY, ToolResult, ToolSpec
from docs_researcher.server import fetching
from docs_researcher.server.fetching import PatientProvider, relay
from docs_researcher.server.http.backend import LocalBackend
from docs_researcher.server.research_tool import ANSWER_KEY
from docs_researcher.tools.specs import DOCS_TOOLS
from http_running import running
from loopback_npm import Files, LoopbackNpm, page

AskServer = Callable[..., Any]
LIMIT = 20
DOCS: Files = {"docs/Guides/start.md": page("Start", "Call `listen` to start the server.")}
PACKAGES: Mapping[str, Mapping[str, Files]] = {"fastify": {"5.12.8": DOCS}}
ASKED = {"libraryId": "/fastify/fastify", "query": "start the server"}


class GatedNpm(LoopbackNpm):
    """A registry whose archives come when `gate` is opened."""

    def __init__(self) -> None:
        super().__init__(PACKAGES)
        self.gate = threading.Event()

    def answer(self, path: str, packages: Any, archives: Any) -> bytes | None:
        found = super().answer(path, packages, archives)
        if path.startswith("archives/"):
            self.gate.wait(LIMIT)
        return found


@pytest.fixture
def npm(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GatedNpm]:
    registry = GatedNpm()
    with registry:
        monkeypatch.setenv("npm_config_registry", registry.url)
        try:
            yield registry
        finally:
            registry.gate.set()


def _text(result: types.CallToolResult) -> str:
    assert isinstance(result.content[0], types.TextContent)
    return result.content[0].text


def test_a_research_says_when_to_ask_again_and_finds_the_documentation_then(ask_server: AskServer, npm: GatedNpm) -> None:
    question = {"question": "How do I start the server?", "library": "fastify"}

    async def ask(client: Client) -> list[types.CallToolResult]:
        first = await client.call_tool("research-library-docs", question)
        second = await client.call_tool("research-library-docs", question)
        npm.gate.set()
        third = await client.call_tool(QUERY, ASKED)
        return [first, second, third]

    first, second, third = ask_server(ask, offline=False, flags={"seconds": 1.5})
    for waiting in (first, second):
        assert not waiting.is_error
        assert (waiting.meta or {})[ANSWER_KEY]["status"] == "partial"
        assert "Ask again in 30 s" in _text(waiting)
    assert "Call `listen`" in _text(third)
    assert npm.downloads == ["archives/fastify/5.12.8.tgz"]


def test_a_documentation_call_that_waits_too_long_fails_with_when_to_ask_again(
    ask_server: AskServer, npm: GatedNpm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "CALL_SECONDS", 0.5)

    async def ask(client: Client) -> types.CallToolResult:
        result = await client.call_tool(QUERY, ASKED)
        npm.gate.set()  # the end of the loop waits for the thread that fetches
        return result

    result = ask_server(ask, offline=False)
    assert result.is_error
    assert "Ask again in" in _text(result)


class Slow:
    """A provider whose call reports what it is told to, and ends when `done` is set."""

    name = "slow"

    def __init__(self, *events: Event) -> None:
        self.events = events
        self.done = threading.Event()
        self.began = threading.Event()
        self.stopped = threading.Event()
        self.calls = 0

    async def tools(self) -> tuple[ToolSpec, ...]:
        return DOCS_TOOLS

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        self.calls += 1
        return await asyncio.to_thread(self._work)

    def _work(self) -> ToolResult:
        try:
            for event in self.events:
                relay(event)
            while not self.done.wait(0.01):
                self.began.set()
                if self.events:
                    relay(self.events[-1])
        except fetching.FetchStopped:
            self.stopped.set()
            raise
        return ToolResult("read")

    async def aclose(self) -> None:
        """Nothing to release."""


HOPELESS = Event("fetch", "fetching a large package", 1_000, 1_000_000_000)


def _run(work: Callable[[], Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work(), LIMIT))


def test_a_download_that_cannot_end_in_time_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "TRUSTED_SECONDS", 0.0)
    monkeypatch.setattr(fetching, "CALL_SECONDS", 10_000.0)
    inner = Slow(HOPELESS)

    async def work() -> ToolResult:
        try:
            return await PatientProvider(lambda: inner).call(QUERY, ASKED)
        finally:
            inner.done.set()

    result = _run(work)
    assert result.outcome == "not_ready"
    assert "Ask again in 300 s" in result.text
    assert result.ask_again_in == 300
    assert [notice.code for notice in result.notices] == ["fetching"]


def test_one_library_is_fetched_once_however_often_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "CALL_SECONDS", 0.3)
    inner = Slow(HOPELESS)

    async def work() -> list[ToolResult]:
        running: dict[str, Any] = {}
        provider, other = PatientProvider(lambda: inner, running), PatientProvider(lambda: inner, running)
        first = await provider.call(QUERY, ASKED)
        again = await other.call(QUERY, {**ASKED, "libraryId": "/fastify/fastify/5"})
        calls = inner.calls
        inner.done.set()
        monkeypatch.setattr(fetching, "CALL_SECONDS", 10.0)
        last = await other.call(QUERY, ASKED)
        assert calls == 1
        return [first, again, last]

    assert [result.outcome for result in _run(work)] == ["not_ready", "not_ready", "ok"]
    assert inner.calls == 2


def test_a_call_that_is_cancelled_stops_its_fetch() -> None:
    inner = Slow(HOPELESS)

    async def work() -> None:
        task = asyncio.ensure_future(PatientProvider(lambda: inner).call(QUERY, ASKED))
        await asyncio.to_thread(inner.began.wait, LIMIT)
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()
        assert await asyncio.to_thread(inner.stopped.wait, LIMIT)

    _run(work)


def test_closing_stops_what_is_fetched_behind_answered_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "CALL_SECONDS", 0.3)
    inner = Slow(HOPELESS)

    async def work() -> None:
        provider = PatientProvider(lambda: inner)
        assert (await provider.call(QUERY, ASKED)).outcome == "not_ready"
        await provider.aclose()
        assert await asyncio.to_thread(inner.stopped.wait, LIMIT)

    _run(work)


def test_a_fault_of_the_inner_provider_reaches_the_caller() -> None:
    class Broken(Slow):
        async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
            raise RuntimeError("a fault")

    async def work() -> None:
        with pytest.raises(RuntimeError, match="a fault"):
            await PatientProvider(Broken).call(QUERY, ASKED)

    _run(work)


def test_what_happens_during_one_call_is_told_to_that_call_alone() -> None:
    inner = Slow(Event("build", "reading", 1, 2))
    inner.done.set()

    async def one() -> list[Event]:
        heard: list[Event] = []
        fetching.call_listener.set(heard.append)
        await PatientProvider(lambda: inner).call(QUERY, ASKED)
        return heard

    async def work() -> list[list[Event]]:
        return list(await asyncio.gather(one(), one()))

    assert [[event.text for event in heard] for heard in _run(work)] == [["reading"], ["reading"]]


def test_the_api_names_the_same_seconds_in_its_header(home: Path, npm: GatedNpm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "CALL_SECONDS", 0.5)
    with running(home, backend=LocalBackend(home=home)) as server:
        answer = server.client.get("/api/v2/context", params=ASKED)
        npm.gate.set()
    assert (answer.status_code, answer.json()["error"]) == (503, "library_not_finalized")
    assert f"Ask again in {answer.headers['retry-after']} s" in answer.json()["message"]
