"""More faults of servers that are started here: large, broken and endless answers, and what is left after a signal."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from docs_researcher.core.errors import ServerError
from docs_researcher.tools.mcp.child import FETCHING_CONNECT_SECONDS, Launch, windows_program
from docs_researcher.tools.mcp.connection import Connection
from docs_researcher.tools.mcp.watch import Watch
from mcp_peers import asked, gone, peer, with_provider

pytestmark = [pytest.mark.interop, pytest.mark.timeout(45)]


def timed_out(tmp_path: Path, changes: str, seconds: float = 1.0) -> ServerError:
    """The error of one tool list whose answer is waited for `seconds`."""
    command, args = peer(tmp_path, changes)

    async def run() -> None:
        connection = Connection(Launch("peer", command, tuple(args)), mode="legacy", read_seconds=seconds)
        try:
            await connection.call(lambda client: client.list_tools())
        finally:
            await connection.aclose()

    with pytest.raises(ServerError) as error:
        asyncio.run(run())
    return error.value


def test_an_answer_of_20_megabytes_is_read_and_cut(tmp_path: Path) -> None:
    large = (
        "ITEM = '### Title\\n\\nSource: https://d.example.invalid/x\\n\\n' + 'word ' * 2000\n"
        "def on_call(request):\n    text(request, ('\\n\\n' + '-' * 32 + '\\n\\n').join([ITEM] * 2000))"
    )
    result = asked(peer(tmp_path, large))
    assert (result.outcome, len(result.passages)) == ("ok", 4)
    assert [notice.code for notice in result.notices] == ["result_cut"]


def test_bytes_that_are_no_utf8_and_half_characters_cost_no_answer(tmp_path: Path) -> None:
    broken = r"""
def on_call(request):
    words = b"### T\\n\\nA \\ud800 b \xff\xfe c"
    answer = b'{"jsonrpc": "2.0", "id": %d, "result": {"content": [{"type": "text", "text": "%s"}]}}\r\n'
    os.write(1, answer % (request["id"], words))
"""
    result = asked(peer(tmp_path, broken))
    assert result.outcome == "ok"
    assert result.passages[0].content.startswith("A \ufffd b \ufffd")


def test_an_answer_over_several_lines_is_named_as_the_cause(tmp_path: Path) -> None:
    pretty = (
        "def on_request(request):\n    if request['method'] == 'tools/list':\n"
        "        print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': {}}, indent=1), flush=True)\n"
        "        return True"
    )
    error = timed_out(tmp_path, pretty)
    assert error.what == "the MCP server 'peer' gave no answer within 1 s"
    assert "its stdout held no message but: {" in error.why


def test_progress_does_not_put_off_the_deadline_for_ever(tmp_path: Path) -> None:
    busy = (
        "import threading\n"
        "def on_request(request):\n    if request['method'] == 'tools/list':\n"
        "        def tell():\n"
        "            while True:\n"
        "                send({'jsonrpc': '2.0', 'method': 'notifications/progress', "
        "'params': {'progressToken': request['id'], 'progress': 1}})\n"
        "                time.sleep(0.05)\n"
        "        threading.Thread(target=tell, daemon=True).start()\n        return True"
    )
    assert "gave no answer within 0.5 s" in timed_out(tmp_path, busy, 0.5).what


def test_a_command_that_may_fetch_the_server_first_gets_more_time() -> None:
    for command in ("npx", "/usr/bin/uvx", "docker", "NPX.CMD"):
        assert Launch("a", command).connect_seconds == FETCHING_CONNECT_SECONDS
    assert Launch("a", "/opt/server").connect_seconds < FETCHING_CONNECT_SECONDS


def test_a_bare_command_on_windows_is_the_file_with_the_first_ending_on_the_path(tmp_path: Path) -> None:
    for name in ("a/npx", "b/npx.cmd", "b/npx.exe", "c/node.exe"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    env = {"Path": ";".join(str(tmp_path / name) for name in "abc"), "PathExt": ".COM;.EXE;.CMD"}
    assert windows_program("npx", env) == str(tmp_path / "b" / "npx.exe")
    assert windows_program("npx.cmd", env) == str(tmp_path / "b" / "npx.cmd")
    assert windows_program(str(tmp_path / "c" / "node"), env) == str(tmp_path / "c" / "node.exe")
    assert windows_program("uvx", env) == "uvx"
    assert windows_program("npx", {"PATH": str(tmp_path / "b")}).endswith("npx.exe")


def test_what_a_server_says_about_itself_is_passed_on_clean_and_short(tmp_path: Path) -> None:
    words = r"""
def on_request(request):
    if request["method"] == "initialize":
        about = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "p", "version": "1"}}
        answer(request, {**about, "instructions": "\x1b[31mAsk twice. " + "x" * 5000})
        return True
"""
    said = with_provider(peer(tmp_path, words), lambda provider: provider.instructions())
    assert said.startswith("Ask twice. xxx")
    assert len(said) == 2_000
    assert with_provider(peer(tmp_path), lambda provider: provider.instructions()) == ""


BUSY = """
import signal, subprocess
def on_call(request):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(60)'], stdin=subprocess.DEVNULL)
    with open(PIDS + '.part', 'w') as file:
        file.write(f'{os.getpid()} {child.pid}')
    os.replace(PIDS + '.part', PIDS)
    time.sleep(60)
"""
"""A server that hears neither the end of its input nor SIGTERM, and a child of it that reads nothing."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=["INT", "TERM", "KILL"])
def test_no_server_is_left_when_the_client_is_ended(number: signal.Signals, tmp_path: Path, home: Path) -> None:
    pids = tmp_path / "pids"
    command, args = peer(tmp_path, f"PIDS = {str(pids)!r}\n{BUSY}")
    config = home / "config" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f"[mcp_servers.docs]\ncommand = {json.dumps(command)}\nargs = {json.dumps(args)}\n", encoding="utf-8")
    client = _client(os.environ)
    try:
        deadline = time.monotonic() + 20
        while not pids.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        server, child = map(int, pids.read_text(encoding="utf-8").split())
        client.send_signal(number)
        client.wait(timeout=10)
        assert gone(server)
        assert gone(child)
    finally:
        client.kill()
        client.communicate()


def test_a_watch_that_is_told_of_the_end_leaves_the_group_alone() -> None:
    server = subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
    watch = Watch(server.pid)
    assert watch.end()
    assert not watch.end()
    server.communicate(b"\n", timeout=10)
    assert server.returncode == 0


def test_where_there_is_no_shell_a_server_is_started_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs_researcher.tools.mcp.watch.SHELL", str(tmp_path / "none"))
    assert asked(peer(tmp_path)).outcome == "ok"


def test_a_client_that_ends_without_cleaning_up_still_kills_its_servers(tmp_path: Path, home: Path) -> None:
    config = home / "config" / "config.toml"
    config.parent.mkdir(parents=True)
    command, args = peer(tmp_path, "def on_start():\n    signal.signal(signal.SIGTERM, signal.SIG_IGN)\nimport signal")
    config.write_text(f"[mcp_servers.docs]\ncommand = {json.dumps(command)}\nargs = {json.dumps(args)}\n", encoding="utf-8")
    code = (
        "import asyncio, os, signal\n"
        "from docs_researcher.cli import interrupts\n"
        "from docs_researcher.tools.servers.providers import provider_named\n"
        "from docs_researcher.tools.mcp import child\n"
        "interrupts.GRACE = 0.2\n"
        "async def main():\n"
        "    provider = provider_named('docs')\n"
        "    await provider.tools()\n"
        "    print(*child._running, flush=True)\n"
        "    interrupts._leave_late(signal.SIGTERM)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=40, check=False)
    assert done.returncode == 143
    assert gone(int(done.stdout))


def _client(environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """A client in the middle of a call that is not answered."""
    code = (
        "import asyncio, sys\n"
        "from docs_researcher.cli.interrupts import catch_signals\n"
        "from docs_researcher.tools.servers.providers import provider_named\n"
        "catch_signals()\n"
        "async def main():\n"
        "    provider = provider_named('docs')\n"
        "    try:\n"
        "        await provider.call('query-docs', {'libraryId': '/a/b', 'query': 'x'})\n"
        "        await asyncio.sleep(60)\n"
        "    finally:\n"
        "        await provider.aclose()\n"
        "asyncio.run(main())\n"
    )
    return subprocess.Popen([sys.executable, "-c", code], env=dict(environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
