"""`docs-research serve` as a process: what it logs, when it leaves, what it tells, what it imports."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import pytest

from docs_researcher.docsets.installed.store import Installed
from mcp_lines import HELLO, MODERN, READY, by_id, line
from mcp_peers import gone

pytestmark = pytest.mark.interop

LIMIT = 40
Install = Callable[..., Installed]
RESEARCH = "research-library-docs"


def _serve(*lines: bytes, options: tuple[str, ...] = ("--offline",)) -> tuple[list[dict[str, Any]], str]:
    """The messages and the log of a server whose input is these lines."""
    command = [sys.executable, "-m", "docs_researcher", "serve", *options]
    done = subprocess.run(command, input=b"\n".join([*lines, b""]), capture_output=True, timeout=LIMIT, check=True)
    return [json.loads(text) for text in done.stdout.splitlines()], done.stderr.decode()


@contextmanager
def _running(*options: str) -> Generator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "docs_researcher", "serve", *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=LIMIT)


def _write(process: subprocess.Popen[bytes], *lines: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(b"\n".join([*lines, b""]))
    process.stdin.flush()


def _read(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def test_the_log_of_a_debugged_server_holds_each_message_with_id_and_duration_and_no_secret(signer: Installed) -> None:
    secret = "sk-" + "ant-" + "a1b2c3d4e5f6g7h8i9j0"
    ask = line(7, "tools/call", name="query-docs", arguments={"libraryId": "/npm/signer", "query": f"sign with {secret}"})
    answers, log = _serve(HELLO, READY, ask, options=("--offline", "--log-level", "debug"))
    assert "result" in by_id(answers)[7]
    stamped = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} DEBUG docs_researcher\.server\.wire: (<-|->) ", re.MULTILINE)
    assert len(stamped.findall(log)) == 5
    assert re.search(r"<- \{.*\"id\":7,.*tools/call", log)
    assert re.search(r"-> \d+\.\d ms \{.*\"id\":7,", log)
    assert secret not in log
    assert "[secret removed]" in log


def test_a_server_that_nobody_debugs_is_silent(signer: Installed) -> None:
    _, log = _serve(HELLO, READY, line(2, "tools/list"))
    assert log == ""


def test_messages_are_utf8_whatever_the_system_s_code_page_is(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    install("signer", "2.1.0", {"docs/ü.md": "# Größe\n\nDie Größe heißt `größe`, 日本語 “so”.\n"})
    for name, value in (("PYTHONIOENCODING", "cp1252"), ("LC_ALL", "C"), ("PYTHONUTF8", "0")):
        monkeypatch.setenv(name, value)
    ask = line(2, "tools/call", name="get_docs", arguments={"library": "signer@2.1.0", "topic": "Größe"})
    answers, _ = _serve(HELLO, READY, ask.replace(b"\\u00f6", "ö".encode()).replace(b"\\u00df", "ß".encode()))
    assert "Die Größe heißt `größe`, 日本語 “so”." in by_id(answers)[2]["result"]["content"][0]["text"]


ASKED: dict[str, Any] = {"name": RESEARCH, "arguments": {"question": "How do I sign a request with signer?"}}


def _until(process: subprocess.Popen[bytes], number: int) -> list[dict[str, Any]]:
    """The messages up to the answer of this number."""
    read = [_read(process)]
    while read[-1].get("id") != number:
        read.append(_read(process))
    return read


def test_research_over_stdio_is_answered_although_input_has_ended(signer: Installed) -> None:
    with _running("--offline") as process:
        _write(process, HELLO, READY, line(2, "tools/call", **ASKED))
        _until(process, 2)  # the imports of a first research are no part of the time that is left after the end
        _write(process, line(3, "tools/call", **ASKED))
        assert process.stdin is not None
        process.stdin.close()
        answer = _until(process, 3)[-1]
        assert process.wait(LIMIT) == 0
        process.stdin = None
    assert 'header = sign_request(secret="s", body=b"{}")' in answer["result"]["content"][0]["text"]


def test_progress_notes_carry_the_token_and_stand_before_the_answer(signer: Installed) -> None:
    with _running("--offline") as process:
        _write(process, HELLO, READY, line(2, "tools/call", **ASKED, _meta={"progressToken": "t1"}))
        notes = _until(process, 2)[1:-1]
    assert notes
    assert {(note["method"], note["params"]["progressToken"]) for note in notes} == {("notifications/progress", "t1")}


def test_a_client_without_a_progress_token_gets_no_notes(signer: Installed) -> None:
    with _running("--offline") as process:
        _write(process, HELLO, READY, line(2, "tools/call", **ASKED))
        assert [answer.get("id") for answer in _until(process, 2)] == [1, 2]


def test_an_older_client_is_told_when_a_docset_comes(install: Install, signer: Installed) -> None:
    with _running("--offline") as process:
        _write(process, HELLO, READY, line(2, "tools/list"))
        assert _read(process)["result"]["capabilities"]["tools"] == {"listChanged": True}
        assert _read(process)["id"] == 2
        install("acme", "1.0.0")
        told = [_read(process)["method"], _read(process)["method"]]
        _write(process, line(3, "tools/list"))
        tools = {tool["name"]: tool for tool in _read(process)["result"]["tools"]}
    assert told == ["notifications/tools/list_changed", "notifications/resources/list_changed"]
    assert tools["get_docs"]["inputSchema"]["properties"]["library"]["enum"] == ["acme@1.0.0", "signer@2.1.0"]


def test_a_newer_client_learns_by_asking_again_soon(signer: Installed) -> None:
    answers, _ = _serve(line(1, "server/discover", _meta=MODERN), line(2, "tools/list", _meta=MODERN))
    assert by_id(answers)[1]["result"]["capabilities"]["tools"] == {"listChanged": False}
    listed = by_id(answers)[2]["result"]
    assert (listed["ttlMs"], listed["cacheScope"]) == (30_000, "private")


def test_the_process_leaves_with_the_one_that_started_it(home: object) -> None:
    """A child of the host may hold the server's input open after the host is gone."""
    starter = (
        "import subprocess, sys\n"
        f"p = subprocess.Popen([{sys.executable!r}, '-m', 'docs_researcher', 'serve', '--offline'], stdin=0, stdout=1)\n"
        "print(p.pid, file=sys.stderr, flush=True)\n"
        "p.wait()\n"
    )
    command = [sys.executable, "-c", starter]
    host = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert host.stderr is not None
    server = int(host.stderr.readline())
    _write(host, HELLO)
    assert _read(host)["id"] == 1
    try:
        host.send_signal(signal.SIGKILL)
        host.wait(LIMIT)
        assert gone(server, seconds=10)
    finally:
        if not gone(server):
            os.kill(server, signal.SIGKILL)
        host.communicate(timeout=LIMIT)


def test_the_list_of_tools_is_there_before_anything_of_the_research_is_imported(home: object) -> None:
    script = (
        "import sys\n"
        "from docs_researcher.server.service import Service\n"
        "from docs_researcher.server.stdio import Served\n"
        "from docs_researcher.server.app import Handlers\n"
        "import asyncio\n"
        "service = Service()\n"
        "handlers = Handlers(service.provider, 'research', service.research, service.docsets)\n"
        "assert asyncio.run(handlers.list_tools(None, None)).tools\n"
        "heavy = ('steps.', 'models.', 'runtime.researcher', 'docsets.build', 'docsets.fetch', 'tools.local', 'library.')\n"
        "print([name for name in sys.modules if name.startswith(tuple('docs_researcher.' + part for part in heavy))])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=LIMIT, check=True)
    assert done.stdout.decode().strip() == "[]"
