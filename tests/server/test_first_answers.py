"""First answers that were kept are those that the SDK gives, for real hosts in both eras, and are made anew when they are not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs_researcher.docsets.installed.store import Installed
from docs_researcher.server.first_answers import MOST_KEPT, FirstAnswers, circumstances
from docs_researcher.server.stdio import Served
from mcp_example import ExampleDocs
from mcp_lines import HELLO, LIMIT, MODERN, READY, by_id, call, exchange, line

Install = Callable[..., Installed]

OPENINGS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "recorded" / "openings.json").read_text(encoding="utf-8"))
"""What real hosts write before their first call, recorded on 2026-11-30."""
HOSTS = pytest.mark.parametrize("opening", OPENINGS, ids=lambda opening: opening["host"])
ASK = line(77, "tools/call", name="get_docs", arguments={"library": "signer@2.1.0", "topic": "sign a request"})
SERVE = ("-m", "docs_researcher", "serve", "--offline")
ended = pytest.mark.interop


def _lines(opening: dict[str, Any]) -> list[bytes]:
    return [json.dumps(message).encode() for message in opening["messages"]]


def _serve(*lines: bytes, options: tuple[str, ...] = (), python: tuple[str, ...] = ()) -> tuple[list[dict[str, Any]], str]:
    """What a server process answers to these lines, and what it says on stderr."""
    command = [sys.executable, *python, *SERVE, *options]
    done = subprocess.run(command, input=b"\n".join([*lines, b""]), capture_output=True, timeout=LIMIT, check=True)
    return [json.loads(text) for text in done.stdout.splitlines()], done.stderr.decode()


def _same(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> bool:
    return sorted(json.dumps(answer, sort_keys=True) for answer in one) == sorted(
        json.dumps(answer, sort_keys=True) for answer in other
    )


@ended
@HOSTS
def test_a_host_gets_from_what_is_kept_what_the_sdk_answers(signer: Installed, opening: dict[str, Any]) -> None:
    lines = _lines(opening)
    by_the_sdk, _ = _serve(*lines, options=("--log-level", "debug"))
    first, _ = _serve(*lines)
    again, imported = _serve(*lines, python=("-X", "importtime"))
    assert len(by_the_sdk) == sum("id" in message for message in opening["messages"])
    assert _same(first, by_the_sdk)
    assert _same(again, by_the_sdk)
    if any("error" in answer for answer in by_the_sdk):
        return  # an error is not kept, so the SDK is needed from there on
    names = {text.rpartition("|")[2].strip() for text in imported.splitlines()}
    assert "docs_researcher.server.first_answers" in names
    assert not names & {"mcp", "mcp_types", "pydantic", "asyncio", "docs_researcher.server.app"}


@ended
@HOSTS
def test_the_call_after_them_is_answered_as_ever_and_nothing_twice(signer: Installed, opening: dict[str, Any]) -> None:
    ask = json.loads(ASK)
    ask["params"]["_meta"] = opening["messages"][-1].get("params", {}).get("_meta", {})
    lines = [*_lines(opening), json.dumps(ask).encode()]
    first, _ = _serve(*lines)
    again, log = _serve(*lines)
    assert _same(again, first)
    assert [answer["id"] for answer in again][-1] == 77
    assert "sign_request" in again[-1]["result"]["content"][0]["text"]
    assert log == ""


@ended
def test_what_the_answers_depend_on_makes_them_anew(signer: Installed, install: Install) -> None:
    def tools(*options: str) -> dict[str, Any]:
        answers, _ = _serve(HELLO, READY, line(2, "tools/list"), options=options)
        return {tool["name"]: tool for tool in by_id(answers)[2]["result"]["tools"]}

    assert list(tools()) == list(tools())
    assert list(tools("--tools", "context")) == ["get_docs"]
    install("acme", "1.0.0")
    assert tools()["get_docs"]["inputSchema"]["properties"]["library"]["enum"] == ["acme@1.0.0", "signer@2.1.0"]


@ended
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"jsonrpc":"2.0","result":{"tools":[]}}'])
def test_a_kept_answer_that_is_wrong_is_put_right(home: Path, content: bytes) -> None:
    lines = [HELLO, READY, line(2, "tools/list"), line(3, "completion/complete")]
    _serve(*lines)
    files = {file: file.read_bytes() for file in (home / "cache" / "first-answers").iterdir()}
    assert len(files) == 2
    for file in files:
        file.write_bytes(content)
    answers, log = _serve(*lines)
    assert sorted(by_id(answers)) == [1, 2, 3]
    assert {file: file.read_bytes() for file in files} == files
    assert log.count("no longer right") == (2 if b"result" in content else 0)


@ended
@pytest.mark.skipif(sys.platform == "win32" or os.getuid() == 0, reason="nothing is unwritable here")
def test_a_home_that_cannot_be_written_keeps_nothing_and_answers(home: Path) -> None:
    home.mkdir()
    home.chmod(0o500)
    answers, log = _serve(HELLO, READY, line(2, "tools/list"))
    assert by_id(answers)[2]["result"]["tools"]
    assert log == ""


def test_a_home_that_is_a_file_keeps_nothing_and_answers(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("", encoding="utf-8")
    answers = exchange(Served(ExampleDocs()), b"\n".join([HELLO, READY, line(2, "tools/list"), b""]), kept=taken / "answers")
    assert by_id(answers)[2]["result"]["tools"]


def test_no_more_is_kept_than_some_hosts_need(tmp_path: Path) -> None:
    for number in range(MOST_KEPT + 5):
        first = FirstAnswers(tmp_path, f"circumstances {number}", lambda line: None)
        first.came(line(1, "ping"))
        assert not first.went(1, '{"jsonrpc":"2.0","id":1,"result":{}}')
    assert len(list(tmp_path.iterdir())) == MOST_KEPT


def test_the_code_and_the_options_are_among_the_circumstances() -> None:
    assert "first_answers.py" in circumstances([])
    assert "mcp-" in circumstances([])
    assert circumstances([{"tools": "all"}]) != circumstances([{"tools": "context"}])


def test_an_error_is_not_kept(tmp_path: Path) -> None:
    lines = [HELLO, READY, line(2, "prompts/list", cursor=5)]
    for _ in range(2):
        answers = exchange(Served(ExampleDocs()), b"\n".join([*lines, b""]), kept=tmp_path)
        assert "error" in by_id(answers)[2]
    assert len(list(tmp_path.iterdir())) == 1


QUESTION = st.tuples(
    st.sampled_from(["tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover", "ping"]),
    st.sampled_from([{}, {"_meta": MODERN}, {"_meta": {"progressToken": 0}}]),
)
OPENING = st.tuples(
    st.lists(QUESTION, max_size=4),
    st.sampled_from([(), (HELLO,), (HELLO, READY), (HELLO.replace(b"2025-06-18", b"2024-11-05"), READY)]),
    st.lists(QUESTION, max_size=4),
    st.lists(st.just(call(90, "x")), max_size=1),
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for every opening, so that what was kept of one may answer another."""
    return tmp_path_factory.mktemp("kept")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(OPENING)
def test_any_opening_is_answered_alike_with_and_without_what_is_kept(
    kept: Path,
    opening: tuple[list[tuple[str, dict[str, Any]]], tuple[bytes, ...], list[tuple[str, dict[str, Any]]], list[bytes]],
) -> None:
    before, handshake, after, calls = opening
    questions = [line(10 + number, method, **params) for number, (method, params) in enumerate([*before, *after])]
    lines = b"\n".join([*questions[: len(before)], *handshake, *questions[len(before) :], *calls, b""])
    by_the_sdk = exchange(Served(ExampleDocs()), lines)
    first = exchange(Served(ExampleDocs()), lines, kept=kept)
    again = exchange(Served(ExampleDocs()), lines, kept=kept)
    assert _same(first, by_the_sdk)
    assert _same(again, by_the_sdk)
