"""What early and careless clients write is answered all the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs_researcher.server.stdio import Served
from mcp_example import RESULTS, ExampleDocs
from mcp_lines import HELLO, MODERN, READY, by_id, call, exchange, line


def _answers(*messages: bytes | dict[str, Any]) -> dict[Any, dict[str, Any]]:
    lines = [message if isinstance(message, bytes) else json.dumps(message).encode() for message in messages]
    return by_id(exchange(Served(ExampleDocs()), b"\n".join([*lines, b""])))


@pytest.mark.parametrize(
    "params",
    [
        None,
        {},
        {"capabilities": {}, "clientInfo": {"name": "early", "version": "1"}},
        {"protocolVersion": "2024-11-05"},
        {"protocolVersion": None, "capabilities": None, "clientInfo": None},
        {"protocolVersion": 1, "capabilities": [], "clientInfo": "early"},
        {"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": {"name": "early", "version": "1"}},
    ],
)
def test_an_incomplete_handshake_is_completed(params: dict[str, Any] | None) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize"} | ({} if params is None else {"params": params})
    answers = _answers(hello, READY, line(2, "tools/list"))
    result = answers[1]["result"]
    assert result["capabilities"]["tools"] == {"listChanged": False}
    assert result["serverInfo"]["name"] == "docs-researcher"
    assert result["protocolVersion"] in ("2024-11-05", "2025-11-25")
    assert len(answers[2]["result"]["tools"]) == 2


@pytest.mark.parametrize(
    "request_",
    [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": []},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": None},
        {"jsonrpc": "1.0", "id": 1, "method": "tools/list"},
    ],
)
def test_a_plain_request_without_a_handshake_is_answered(request_: dict[str, Any]) -> None:
    answers = _answers(request_)
    assert set(answers) == {1}
    assert len(answers[1]["result"]["tools"]) == 2


def test_the_four_plain_requests_of_an_early_client_are_answered_in_a_row() -> None:
    answers = _answers(
        {"id": "a", "method": "initialize"},
        {"id": "b", "method": "tools/list"},
        {"id": "c", "method": "tools/call", "params": {"name": "query-docs", "arguments": {"libraryId": "/a/b", "query": "x"}}},
        {"id": "d", "method": "ping"},
    )
    assert set(answers) == {"a", "b", "c", "d"}
    assert answers["a"]["result"]["capabilities"]["tools"] == {"listChanged": False}
    assert answers["c"]["result"]["content"][0]["text"] == RESULTS["passages"].text
    assert answers["d"]["result"] == {}


def test_a_call_before_any_handshake_is_answered_and_a_later_handshake_still_works() -> None:
    answers = _answers(call(1, "nothing"), HELLO.replace(b'"id": 1', b'"id": 5'), READY, call(6, "nothing"))
    assert set(answers) == {1, 5, 6}
    assert answers[5]["result"]["protocolVersion"] == "2025-06-18"
    assert answers[1]["result"] == answers[6]["result"]


@pytest.mark.parametrize("first", [[HELLO, READY], []])
def test_a_shutdown_request_is_confirmed_and_what_follows_is_still_answered(first: list[bytes]) -> None:
    answers = _answers(*first, line(8, "shutdown"), call(9, "nothing"))
    assert answers[8]["result"] == {}
    assert "result" in answers[9]


@pytest.mark.parametrize("method", ["shutdown", "exit"])
def test_a_goodbye_ends_the_server_after_what_it_was_asked_before(method: str) -> None:
    answers = _answers(HELLO, READY, call(2, "slow"), line(None, method), call(3, "nothing"))
    assert set(answers) == {1, 2}
    assert "result" in answers[2]


def test_a_probe_of_the_newer_protocol_decides_nothing_for_an_older_client() -> None:
    answers = _answers(
        {"jsonrpc": "2.0", "id": 1, "method": "server/discover"}, HELLO.replace(b'"id": 1', b'"id": 2'), READY, call(3, "x")
    )
    assert answers[1]["error"]["code"] == -32601
    assert "result" in answers[2]
    assert "result" in answers[3]


def test_a_client_of_the_newer_protocol_needs_no_handshake_and_gets_none() -> None:
    answers = _answers(line(1, "server/discover", _meta=MODERN), line(2, "tools/list", _meta=MODERN), call(3, "x", modern=True))
    assert answers[1]["result"]["supportedVersions"] == ["2026-07-28"]
    assert answers[1]["result"]["capabilities"]["tools"] == {"listChanged": False}
    assert answers[2]["result"]["resultType"] == "complete"
    assert (answers[2]["result"]["ttlMs"], answers[2]["result"]["cacheScope"]) == (3_600_000, "public")
    assert answers[3]["result"]["content"][0]["text"] == RESULTS["passages"].text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=True) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
METHODS = st.sampled_from(
    [
        "initialize", "ping", "tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list", "resources/read",
        "resources/templates/list", "completion/complete", "server/discover", "notifications/initialized",
        "notifications/cancelled", "notifications/progress", "logging/setLevel", "subscriptions/listen", "nonsense",
    ]
)  # fmt: skip
MESSAGE = st.fixed_dictionaries(
    {"method": METHODS | JSON},
    optional={
        "jsonrpc": st.just("2.0") | JSON,
        "id": st.integers(10, 99) | JSON,
        "params": st.fixed_dictionaries(
            {},
            optional={
                "name": st.sampled_from(["query-docs", "docs", ""]) | JSON,
                "arguments": JSON,
                "_meta": st.just(MODERN) | JSON,
                "cursor": JSON,
                "uri": JSON,
                "requestId": st.integers(10, 99) | JSON,
                "ref": JSON,
                "argument": JSON,
                "protocolVersion": JSON,
            },
        )
        | JSON,
        "result": JSON,
        "error": JSON,
    },
)
ODD_LINES = st.lists(st.one_of(MESSAGE.map(lambda value: json.dumps(value).encode()), st.binary(max_size=60)), max_size=6)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ODD_LINES)
def test_no_sequence_of_messages_keeps_the_next_request_from_being_answered(lines: list[bytes]) -> None:
    """Every line that goes out is a JSON-RPC message, and the server lives on, whatever came in after the handshake."""
    lines = [one for one in lines if b'"shutdown"' not in one and b'"exit"' not in one]
    answers = exchange(Served(ExampleDocs()), b"\n".join([HELLO, READY, *lines, line(12345, "tools/list"), b""]))
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert by_id(answers)[12345]["result"]["tools"]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ODD_LINES)
def test_no_first_messages_keep_a_handshake_from_being_made(lines: list[bytes]) -> None:
    modern = [one for one in lines if b"io.modelcontextprotocol" in one]
    lines = [one for one in lines if one not in modern]
    answers = exchange(Served(ExampleDocs()), b"\n".join([*lines, HELLO.replace(b'"id": 1', b'"id": 12345'), b""]))
    assert by_id(answers)[12345]["result"]["capabilities"]["tools"] == {"listChanged": False}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder of first answers for every example, so that those of one are there for the next."""
    return tmp_path_factory.mktemp("kept")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ODD_LINES, st.booleans())
def test_no_sequence_of_messages_makes_a_server_with_kept_answers_give_one_twice_or_none(
    kept: Path, lines: list[bytes], late: bool
) -> None:
    lines = [one for one in lines if b'"shutdown"' not in one and b'"exit"' not in one and b"12345" not in one]
    opening = [*lines, HELLO, READY] if late else [HELLO, READY, *lines]
    answers = exchange(Served(ExampleDocs()), b"\n".join([*opening, line(12345, "tools/list"), b""]), kept=kept)
    assert [("result" in answer or "error" in answer) for answer in answers if answer.get("id") == 12345] == [True]
