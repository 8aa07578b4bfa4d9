"""Callers that are slow, leave, or write what is not quite JSON: none holds the server up, and each hears what is wrong."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.server.http import body, connection
from docs_researcher.server.http.settings import HttpSettings
from http_running import TEST_SECONDS, Running, install_docs, running

HEAD = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nContent-Type: application/json\r\n"
ASK = (
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
    b'"params":{"name":"query-docs","arguments":{"libraryId":"/local/screen","query":"draw Q"}}}'
)


@pytest.fixture(scope="module")
def served(docs: Path) -> Iterator[Running]:
    with running(docs, HttpSettings(max_body=10_000)) as server:
        yield server


def _raw(served: Running, *sent: bytes, leave: bool = False) -> bytes:
    """Everything that comes back until the server closes the connection."""
    port = served.client.base_url.port
    assert port is not None
    with socket.create_connection(("127.0.0.1", port), TEST_SECONDS) as caller:
        with contextlib.suppress(ConnectionError):
            for part in sent:
                caller.sendall(part)
        if leave:
            caller.shutdown(socket.SHUT_WR)
        received = b""
        # A connection that is closed before all was read of it is reset; what had been answered is there all the same.
        with contextlib.suppress(ConnectionResetError):
            while chunk := caller.recv(65_536):
                received += chunk
    return received


def _error(received: bytes) -> tuple[int, Any]:
    head, _, content = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(content)["error"]


def _post(served: Running, content: bytes) -> dict[str, Any]:
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    return served.client.post("/mcp", content=content, headers=headers).json()


def test_a_body_that_does_not_come_is_given_up(served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "BODY_SECONDS", 0.1)
    status, error = _error(_raw(served, HEAD, b"Content-Length: 500\r\n\r\n{"))
    assert status == 408
    assert "did not arrive in time" in error["message"]


@pytest.mark.parametrize("sent", [b"", b"POST /mc", HEAD])
def test_a_head_that_does_not_come_costs_the_connection(served: Running, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.1)
    assert _raw(served, sent) == b""


def test_a_second_head_that_does_not_come_costs_it_too(served: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.5)
    port = served.client.base_url.port
    assert port is not None
    with socket.create_connection(("127.0.0.1", port), TEST_SECONDS) as caller:
        caller.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received = b""
        while not received.endswith(b"}"):
            received += caller.recv(65_536)
        caller.sendall(b"GET /hea")
        assert caller.recv(65_536) == b""


def test_a_body_over_the_bound_is_an_error_of_the_protocol_and_ends_the_connection(served: Running) -> None:
    declared = _error(_raw(served, HEAD, b"Content-Length: 20000\r\n\r\n", b" " * 10))
    chunked = _error(_raw(served, HEAD, b"Transfer-Encoding: chunked\r\n\r\n", b"2ee0\r\n", b" " * 12_000, b"\r\n"))
    assert declared == chunked
    assert (declared[0], declared[1]["message"]) == (413, "The body of the request is too large.")


def test_a_caller_that_leaves_in_the_middle_is_no_fault_of_ours(served: Running, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert _raw(served, HEAD, b"Content-Length: 500\r\n\r\n{", leave=True) == b""
    assert _post(served, ASK)["result"]
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize(
    "sent",
    [b"\xef\xbb\xbf" + ASK, ASK.replace(b"Q", b"\\ud800"), ASK.replace(b"Q", b"\xff"), ASK.replace(b'"jsonrpc":"2.0",', b"")],
)
def test_what_careless_writers_write_is_read(served: Running, sent: bytes) -> None:
    assert "<Suspense>" in _post(served, sent)["result"]["content"][0]["text"]


@pytest.mark.parametrize(
    ("sent", "code", "number"),
    [
        (b"", -32700, None),
        (b"[" * 5_000, -32700, None),
        (b"[" + ASK + b"]", -32600, None),
        (ASK.replace(b'"id":1', b'"id":1.5'), -32600, None),
        (ASK.replace(b'"id":1', b'"id":null'), -32600, None),
        (b'{"jsonrpc":"2.0","id":7,"method":5}', -32600, 7),
    ],
)
def test_what_is_no_message_is_refused_in_our_own_words(served: Running, sent: bytes, code: int, number: int | None) -> None:
    answer = _post(served, sent)
    assert (answer["error"]["code"], answer["id"]) == (code, number)
    assert "pydantic" not in answer["error"]["message"]


def test_the_server_ends_at_once_although_a_caller_has_not_said_what_it_wants(tmp_path: Path) -> None:
    with running(install_docs(tmp_path / "home", tmp_path / "pages")) as server:
        port = server.client.base_url.port
        assert port is not None
        slow = socket.create_connection(("127.0.0.1", port), TEST_SECONDS)
        slow.sendall(HEAD)
        assert server.client.get("/healthz").status_code == 200
    with slow:
        assert slow.recv(1) == b""
