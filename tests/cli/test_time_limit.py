"""The limit of seconds bounds a whole question: a fetch that does not end is given up, and nobody waits for its thread."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from docs_researcher.core.events import Event
from docs_researcher.docsets.installed.store import Store
from docs_researcher.runtime.research import research_sync
from docs_researcher.tools.detached import Stopped, any_left, check_stopped, detached
from loopback_npm import Files, LoopbackNpm, npm_registry, page

PACKAGES: Mapping[str, Mapping[str, Files]] = {
    "turbine": {"1.0.0": {"docs/turn.md": page("Turning", "A turbine turns by wind.")}}
}
QUESTION = "How does a turbine turn?"
PATIENCE = 30.0
"""Seconds after which a test that hangs has failed."""


class SlowNpm(LoopbackNpm):
    """A registry that sends no archive before it is told to."""

    def __init__(self, packages: Mapping[str, Mapping[str, Files]]) -> None:
        super().__init__(packages)
        self.gate = threading.Event()

    def answer(
        self, path: str, packages: Mapping[str, Mapping[str, Files]], archives: Mapping[tuple[str, str], bytes]
    ) -> bytes | None:
        if path.startswith("archives/"):
            self.gate.wait(2 * PATIENCE)
        return super().answer(path, packages, archives)


@pytest.fixture
def slow(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowNpm]:
    with SlowNpm(PACKAGES) as registry:
        monkeypatch.setenv("npm_config_registry", registry.url)
        try:
            yield registry
        finally:
            registry.gate.set()
            join_detached()


def join_detached() -> None:
    for thread in threading.enumerate():
        if thread.name == "detached":
            thread.join(PATIENCE)


def test_a_command_ends_at_its_limit_whatever_its_fetch_is_doing(slow: SlowNpm) -> None:
    command = [sys.executable, "-m", "docs_researcher", QUESTION, "--library", "npm:turbine", "--seconds", "3", "--json"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE)
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["status"]) == (4, "partial")
    assert "docs-research add npm:turbine;" in answer["text"]
    assert {notice["code"] for notice in answer["notices"]} == {"fetching", "limit_reached"}
    assert not Store().installed()


def test_a_fetch_that_was_given_up_ends_at_the_next_thing_that_it_reports(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    def hold(event: Event) -> None:
        if event.kind in ("fetch", "build"):
            gate.wait(PATIENCE)

    with npm_registry(monkeypatch, PACKAGES):
        answer = research_sync(QUESTION, library="npm:turbine", model="extractive", limits={"seconds": 1}, listener=hold)
        assert (answer.status, any_left()) == ("partial", True)
        gate.set()
        join_detached()
        assert not any_left()
        assert not Store().installed()
        again = research_sync(QUESTION, library="npm:turbine", model="extractive")
    assert again.status == "complete"


def test_detached_work_returns_raises_and_is_told_to_stop() -> None:
    began, gate, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        began.set()
        gate.wait(PATIENCE)
        try:
            check_stopped()
        except Stopped:
            ended.set()
            raise

    async def call() -> None:
        assert await detached(lambda: 7) == 7
        with pytest.raises(ZeroDivisionError):
            await detached(lambda: 1 // 0)
        task = asyncio.create_task(detached(work))
        await asyncio.to_thread(began.wait, PATIENCE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert any_left()

    asyncio.run(call())
    gate.set()
    assert ended.wait(PATIENCE)
    join_detached()
    assert not any_left()
