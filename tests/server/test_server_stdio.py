"""The manners of our server on standard input and output, line by line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mcp_example
from docs_researcher.server import pipes
from docs_researcher.server.stdio import Served
from mcp_example import RESULTS, ExampleDocs
from mcp_lines import HELLO, LIMIT, READY, by_id, call, exchange, line


def _exchange(*lines: bytes) -> list[dict[str, Any]]:
    return exchange(Served(ExampleDocs()), *lines)


def test_calls_in_flight_are_answered_after_input_has_ended() -> None:
    answers = by_id(_exchange(HELLO + b"\n", READY + b"\n", call(2, "slow") + b"\n", call(3, "nothing")))
    assert set(answers) == {1, 2, 3}
    assert answers[2]["result"]["content"][0]["text"] == RESULTS["passages"].text
    assert answers[3]["result"]["content"][0]["text"] == RESULTS["nothing"].text


def test_a_byte_order_mark_carriage_returns_and_blank_lines_are_read_over() -> None:
    answers = by_id(_exchange(b"\xef\xbb\xbf", HELLO + b"\r\n", b"\r\n\n", READY + b"\r\n", line(2, "tools/list") + b"\r\n"))
    assert answers[1]["result"]["serverInfo"]["name"] == "docs-researcher"
    assert len(answers[2]["result"]["tools"]) == 2


def test_a_line_that_is_not_json_is_refused_and_the_next_is_answered() -> None:
    answers = _exchange(
        HELLO + b"\n", b"hello?\n", b'{"jsonrpc":"2.0","id":7,"method":5}\n', b"[]\n", READY + b"\n", call(2, "nothing")
    )
    refused = [(answer["id"], answer["error"]["code"]) for answer in answers if "error" in answer]
    assert refused == [(None, -32700), (7, -32600), (None, -32600)]
    assert by_id(answers)[2]["result"]["content"][0]["text"] == RESULTS["nothing"].text


@pytest.mark.parametrize("odd", ["1.5", "null", "{}", "[1]"])
def test_a_request_with_an_id_that_cannot_be_one_is_refused_and_not_left_without_an_answer(odd: str) -> None:
    asked = f'{{"jsonrpc":"2.0","id":{odd},"method":"tools/list"}}\n'.encode()
    answers = _exchange(HELLO + b"\n", READY + b"\n", asked, call(2, "nothing") + b"\n")
    assert [answer["error"]["code"] for answer in answers if answer["id"] is None] == [-32600]
    assert by_id(answers)[2]["result"]


@pytest.mark.parametrize(
    "odd",
    [
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":3}}',
        b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"query-docs","arguments":[]}}',
        b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"_meta":5}}',
        b'{"jsonrpc":"2.0","id":9,"method":"shutdown"}',
        b'{"jsonrpc":"2.0","id":9,"result":{}}',
        b'{"jsonrpc":"2.0","id":9,"error":{"code":"x"}}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled"}',
    ],
    ids=lambda odd: odd[:60].decode(),
)
def test_no_line_ends_the_server(odd: bytes) -> None:
    answers = by_id(_exchange(b"\n".join([HELLO, READY, odd, call(2, "nothing"), b""])))
    assert answers[2]["result"]["content"][0]["text"] == RESULTS["nothing"].text


def test_bytes_that_are_not_utf8_and_lone_surrogates_are_replaced() -> None:
    odd = call(2, "nothing").replace(b"/a/b", b"/a/\xff\xfe")
    surrogate = call(3, "nothing").replace(b"/a/b", b"/a/\\ud800")
    answers = by_id(_exchange(HELLO + b"\n", READY + b"\n", odd + b"\n", surrogate + b"\n"))
    assert answers[2]["result"] == answers[3]["result"]


def test_a_very_long_request_is_read_and_answered() -> None:
    answers = by_id(_exchange(HELLO + b"\n", READY + b"\n", call(2, "x" * 3_000_000) + b"\n"))
    assert answers[2]["result"]["content"][0]["text"] == RESULTS["passages"].text


def test_a_line_without_end_is_refused_and_costs_no_more_than_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes, "MAX_LINE", 100_000)
    answers = _exchange(HELLO + b"\n", READY + b"\n", call(2, "x" * 300_000) + b"\n", call(3, "nothing") + b"\n")
    assert [answer["error"]["code"] for answer in answers if "error" in answer] == [-32700]
    assert by_id(answers)[3]["result"]["content"][0]["text"] == RESULTS["nothing"].text


def test_an_answer_with_a_lone_surrogate_is_an_error_and_not_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(mcp_example.RESULTS, "nothing", mcp_example.ToolResult("broken \ud800"))
    answers = by_id(_exchange(HELLO + b"\n", READY + b"\n", call(2, "nothing") + b"\n"))
    assert answers[2]["error"]["code"] == -32603


def test_a_client_that_leaves_without_a_word_ends_the_server() -> None:
    assert _exchange() == []


@pytest.mark.parametrize("modern", [True, False])
def test_a_cancelled_call_gets_no_result_and_holds_nothing_up(modern: bool, caplog: pytest.LogCaptureFixture) -> None:
    first = [] if modern else [HELLO, READY]
    cancel = line(None, "notifications/cancelled", requestId=2)
    calls = [call(2, "stuck", modern=modern), cancel, call(3, "nothing", modern=modern), b""]
    answers = by_id(_exchange(b"\n".join([*first, *calls])))
    assert "result" not in answers.get(2, {})
    assert answers[3]["result"]["content"][0]["text"] == RESULTS["nothing"].text
    assert "are given up" not in caplog.text


@pytest.mark.interop
def test_a_process_writes_nothing_but_messages_on_stdout() -> None:
    script = Path(mcp_example.__file__)
    lines = b"\n".join([HELLO, READY, call(2, "nothing"), b""])
    done = subprocess.run([sys.executable, str(script)], input=lines, capture_output=True, timeout=LIMIT, check=True)
    assert [json.loads(text)["id"] for text in done.stdout.splitlines()] == [1, 2]
    assert b"a line on stdout" in done.stderr


@pytest.mark.interop
@pytest.mark.timeout(25)
def test_a_process_is_gone_soon_after_its_input_ended_although_a_call_is_stuck_in_a_thread() -> None:
    script = Path(mcp_example.__file__)
    lines = b"\n".join([HELLO, READY, call(2, "stuck thread"), call(3, "nothing"), b""])
    done = subprocess.run([sys.executable, str(script)], input=lines, capture_output=True, timeout=LIMIT, check=True)
    answers = by_id([json.loads(text) for text in done.stdout.splitlines()])
    assert answers[3]["result"]["content"][0]["text"] == RESULTS["nothing"].text
    assert "result" not in answers.get(2, {})
