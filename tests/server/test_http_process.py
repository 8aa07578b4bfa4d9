"""The server as a process of its own: how it starts, shares between workers, and ends."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from docs_researcher.cli.commands import load_command
from docs_researcher.cli.main import run
from docs_researcher.core.errors import UsageError
from docs_researcher.server.http.run import listen
from docs_researcher.server.http.settings import HttpSettings, parse_address
from docs_researcher.server.http.tokens import TokenFile
from permissions import POSIX, without_rights

FIXTURE = Path(__file__).parents[1] / "conformance_fixture.py"
SERVE = [sys.executable, "-m", "docs_researcher", "serve", "--http", "127.0.0.1:0", "--offline"]
SIGN = {"libraryId": "/local/signpost", "query": "sign a request"}
JSON = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
WAIT_SECONDS = 30
children = pytest.mark.interop


@contextmanager
def started(command: list[str], docs: Path) -> Generator[tuple[subprocess.Popen[str], httpx2.Client]]:
    """A server process, and a client of it."""
    environment = {**os.environ, "DOCS_RESEARCH_HOME": str(docs)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    try:
        said = ""
        address = None
        for line in process.stdout:
            said += line
            address = re.search(r"http://[^/\s]+", line)
            if address is not None:
                break
        assert address is not None, said
        with httpx2.Client(base_url=address.group(), timeout=WAIT_SECONDS, trust_env=False) as client:
            yield process, client
    finally:
        process.kill()
        process.stdout.close()
        process.wait(WAIT_SECONDS)


@children
def test_a_call_in_flight_is_answered_after_sigterm_and_the_process_ends_with_0(docs: Path) -> None:
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "test_tool_with_progress", "arguments": {}, "_meta": {"progressToken": 1}},
    }
    with started([sys.executable, str(FIXTURE), "0"], docs) as (process, client):
        with client.stream("POST", "/mcp", json=call, headers=JSON) as answer:
            lines = answer.iter_lines()
            first = next(line for line in lines if line.startswith("data:") and "progress" in line)
            process.send_signal(signal.SIGTERM)
            last = [json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:")][-1]
        assert process.wait(WAIT_SECONDS) == 0
    assert '"progress":0' in first.replace(" ", "")
    assert last["result"]["content"][0]["text"] == "done"


@children
def test_workers_share_the_rate_and_the_counters(docs: Path, tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "tokens.json")
    busy, monitor = ({"Authorization": f"Bearer {file.create(name)}"} for name in ("busy", "monitor"))
    options = ["--workers", "2", "--rate", "20", "--metrics", "--tokens", str(file.path)]
    with started([*SERVE, *options], docs) as (process, client):
        statuses: list[int] = []
        for _ in range(24):  # each on a connection of its own, so that both workers get some
            with httpx2.Client(base_url=client.base_url, timeout=WAIT_SECONDS, trust_env=False) as other:
                statuses.append(other.get("/api/v2/context", params=SIGN, headers=busy).status_code)
        texts: set[str] = set()
        for _ in range(4):
            with httpx2.Client(base_url=client.base_url, timeout=WAIT_SECONDS, trust_env=False) as other:
                counted = other.get("/metrics", headers=monitor).text
            texts.add(next(line for line in counted.splitlines() if 'route="context",status="200"' in line))
        process.send_signal(signal.SIGTERM)
        assert process.wait(WAIT_SECONDS) == 0
    answered = statuses.count(200)
    assert 20 <= answered <= 22  # a little may have come back meanwhile
    assert set(statuses) == {200, 429}
    assert texts == {f'docs_researcher_http_requests_total{{route="context",status="200"}} {answered}'}


@children
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_workers_do_not_outlive_a_parent_that_was_killed(docs: Path) -> None:
    with started([*SERVE, "--workers", "2"], docs) as (process, client):
        port = client.base_url.port
        assert port is not None
        assert client.get("/healthz").status_code == 200
        with socket.create_connection(("127.0.0.1", port), WAIT_SECONDS) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert connection.recv(4_096).startswith(b"HTTP/1.1 200")
            process.kill()
            process.wait(WAIT_SECONDS)
            while connection.recv(4_096):
                pass


@children
def test_the_address_is_said_on_stderr_and_nothing_on_stdout(docs: Path) -> None:
    environment = {**os.environ, "DOCS_RESEARCH_HOME": str(docs)}
    with subprocess.Popen(SERVE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        process.send_signal(signal.SIGTERM)  # at once: it must not be lost while the server is still starting
        out, err = process.communicate(timeout=WAIT_SECONDS)
    assert line.startswith("MCP at http://127.0.0.1:")
    assert (process.returncode, out) == (0, ""), err


def test_a_port_that_is_taken_is_said_with_what_to_do(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert run(["serve", "--http", f"127.0.0.1:{taken.getsockname()[1]}", "--offline"]) == 2
    said = capsys.readouterr().err
    assert "cannot be listened on" in said and "another program listens there already" in said
    assert "port 0 takes a free one" in said


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("192.0.2.1:8700", "this machine has no such address"),
        ("nowhere.invalid:8700", "no such host is known"),
        ("[::1", "brackets"),
    ],
)
def test_an_address_that_is_not_of_this_machine_is_told_and_nobody_is_said_to_be_answered(
    home: Path, capsys: pytest.CaptureFixture[str], address: str, said: str
) -> None:
    assert run(["serve", "--http", address, "--offline"]) == 2
    told = capsys.readouterr().err
    assert said in told and "is answered" not in told


@POSIX
def test_a_port_of_the_superuser_is_told_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    first_free = int(Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text()) if sys.platform == "linux" else 1024
    if first_free < 2:
        pytest.skip("every port is everybody's here")
    with without_rights(), pytest.raises(UsageError) as caught:
        listen("127.0.0.1", 1)
    assert "superuser" in caught.value.why and "--http 127.0.0.1:8700" in caught.value.next_step


@pytest.mark.parametrize("option", [["--rate", "5"], ["--metrics"], ["--tokens"], ["--allow-host", "x"], ["--workers", "2"]])
def test_an_option_of_http_without_http_is_refused(home: Path, option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", *option]) == 2
    assert f"{option[0]} says something only together with --http" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:8700", ("127.0.0.1", 8700)),
        ("0.0.0.0:80", ("0.0.0.0", 80)),
        ("8080", ("127.0.0.1", 8080)),
        (":8080", ("127.0.0.1", 8080)),
        ("localhost", ("localhost", 8700)),
        ("[::1]:9000", ("::1", 9000)),
        ("[::1]", ("::1", 8700)),
        ("::1", ("::1", 8700)),
    ],
)
def test_an_address_may_leave_out_what_is_usual(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["127.0.0.1:99999", "host:port", "http://127.0.0.1:80", "a b", "host:-1"])
def test_what_is_no_address_is_refused(home: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--http", text]) == 2
    assert "is not an address" in capsys.readouterr().err


def test_small_answers_are_sent_at_once() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()), listener.accept()[0] as accepted:
        assert accepted.proto == socket.IPPROTO_TCP  # what the event loop looks at before it turns the delay off


def test_every_option_on_the_page_about_http_is_there_and_none_is_missing() -> None:
    page = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")
    known = {name for command in ("serve", "token") for option in load_command(command).params for name in option.opts}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page))
    assert named - known == {"--base-url", "--strict"}  # options of ctx7 and of the MCP inspector
    http = {
        "--http",
        "--tokens",
        "--allow-host",
        "--allow-origin",
        "--rate",
        "--workers",
        "--metrics",
        "--log-queries",
        "--docset",
    }
    assert http <= named & known


def test_only_this_machine_is_answered_unless_told_otherwise() -> None:
    assert HttpSettings().host == "127.0.0.1"
