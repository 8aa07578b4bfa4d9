"""Server processes: those that do not start, those that will not leave, and what is left of them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from docs_researcher.core.messages import QUERY, ToolResult
from docs_researcher.tools.mcp.provider import McpProvider
from mcp_peers import ASKED, Server, asked, gone, peer, refused_start, with_provider

pytestmark = [pytest.mark.interop, pytest.mark.timeout(30)]

# Servers that do not start


def test_a_missing_command_is_named_with_the_path_that_was_searched() -> None:
    error = refused_start(("no-such-command-here", ["x"]), env={"PATH": "/usr/none"})
    assert "'no-such-command-here'" in error.message
    assert "'/usr/none'" in error.message
    assert asked(("no-such-command-here", [])).outcome == "unavailable"


def test_a_command_with_its_arguments_inside_is_explained() -> None:
    error = refused_start(("npx -y some-server", []))
    assert "put '-y some-server' into its args" in error.next_step


def test_a_missing_folder_is_told_from_a_missing_command(tmp_path: Path) -> None:
    error = refused_start((sys.executable, []), cwd=str(tmp_path / "none"))
    assert "folder" in error.message


def test_a_server_that_ends_at_once_is_reported_with_exit_code_and_stderr(tmp_path: Path) -> None:
    leave = "def on_start():\n    print('API key missing: set DOCS_KEY', file=sys.stderr)\n    sys.exit(3)"
    error = refused_start(peer(tmp_path, leave))
    assert "'peer' ended before it could be used" in error.message
    assert "exit code 3" in error.message
    assert "API key missing: set DOCS_KEY" in error.message


def test_a_silent_server_is_given_up_at_the_deadline(tmp_path: Path) -> None:
    error = refused_start(peer(tmp_path, "def on_start():\n    time.sleep(60)"), connect_seconds=0.5)
    assert "did not answer within 0.5 s" in error.message
    assert "exit code" not in error.message


def test_a_server_that_could_not_be_used_is_not_tried_again_by_every_call(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    silent = f"def on_start():\n    open({str(starts)!r}, 'a').write('x')\n    time.sleep(60)"

    async def ask(provider: McpProvider) -> list[ToolResult]:
        return await asyncio.gather(*(provider.call(QUERY, ASKED) for _ in range(3)))

    results = with_provider(peer(tmp_path, silent), ask, connect_seconds=1)
    assert [result.outcome for result in results] == ["unavailable"] * 3
    assert starts.read_text(encoding="utf-8") == "x"


def test_a_server_that_prints_garbage_is_given_up_with_what_it_printed(tmp_path: Path) -> None:
    garbage = "def on_start():\n    print('usage: peer --port N', flush=True)\n    time.sleep(60)"
    error = refused_start(peer(tmp_path, garbage), connect_seconds=0.5)
    assert "usage: peer --port N" in error.message


def test_a_server_that_fails_its_tool_list_is_not_taken_for_one_without_tools(tmp_path: Path) -> None:
    broken = (
        "def on_request(request):\n    if request['method'] == 'tools/list':\n"
        "        fail(request, -32603, 'the index is locked')\n        return True"
    )
    error = refused_start(peer(tmp_path, broken))
    assert "'peer' did not list its tools" in error.message
    assert "the index is locked" in error.message


def test_a_server_without_query_docs_is_refused_by_name(tmp_path: Path) -> None:
    error = refused_start(peer(tmp_path, "TOOLS = TOOLS[1:]"))
    assert "'peer' does not offer query-docs" in error.message


def test_a_server_that_leaves_on_the_new_protocol_s_question_is_asked_in_the_old_one(tmp_path: Path) -> None:
    old = "def on_request(request):\n    if request['method'] == 'server/discover':\n        sys.exit(1)"
    assert asked(peer(tmp_path, old)).outcome == "ok"


# Processes


def test_the_child_gets_our_environment_without_our_keys_and_the_configuration_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "HTTPS_PROXY", "DOCS_MODE"]
    for name in names:
        monkeypatch.setenv(name, "ours")
    show = f"def on_call(request):\n    text(request, '### T\\n\\n' + str([os.environ.get(name) for name in {names}]))"
    result = asked(peer(tmp_path, show), env={"DOCS_MODE": "theirs"})
    assert result.text == "### T\n\n[None, None, 'ours', 'theirs']"
    result = asked(peer(tmp_path, show), env={"ANTHROPIC_API_KEY": "given"})
    assert "['given', None" in result.text


STUBBORN = """
import signal, subprocess
def on_start():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(60)'])
    with open(PIDS, 'w') as file:
        file.write(f'{os.getpid()} {child.pid}')
"""


def _stubborn(tmp_path: Path, more: str = "") -> tuple[Server, Callable[[], list[int]]]:
    pids = tmp_path / "pids"
    server = peer(tmp_path, f"PIDS = {str(pids)!r}\n{STUBBORN}\n{more}")
    return server, lambda: [int(pid) for pid in pids.read_text(encoding="utf-8").split()]


LINGERING = "\n_serve = serve\ndef serve():\n    _serve()\n    time.sleep(60)"


def test_a_server_that_ignores_every_hint_is_gone_after_closing_with_its_children(tmp_path: Path) -> None:
    server, pids = _stubborn(tmp_path, LINGERING)
    assert asked(server).outcome == "ok"
    assert [gone(pid) for pid in pids()] == [True, True]


def test_a_call_that_is_cancelled_while_connecting_leaves_no_process(tmp_path: Path) -> None:
    server, pids = _stubborn(tmp_path, "_start = on_start\ndef on_start():\n    _start()\n    time.sleep(60)")

    async def run() -> None:
        provider = McpProvider("peer", *server)
        call = asyncio.create_task(provider.call(QUERY, ASKED))
        while not (tmp_path / "pids").exists() or len(pids()) < 2:
            await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert [gone(pid) for pid in pids()] == [True, True]
        await provider.aclose()

    asyncio.run(run())


def test_a_provider_may_be_closed_by_another_task_and_then_says_so(tmp_path: Path) -> None:
    async def run() -> ToolResult:
        provider = McpProvider("peer", *peer(tmp_path))
        await asyncio.create_task(provider.tools())
        await asyncio.create_task(provider.aclose())
        return await provider.call(QUERY, ASKED)

    result = asyncio.run(run())
    assert result.outcome == "unavailable"
    assert "closed" in result.text


def test_closing_ends_a_server_that_is_just_being_started(tmp_path: Path) -> None:
    server, pids = _stubborn(tmp_path, "_start = on_start\ndef on_start():\n    _start()\n    time.sleep(60)")

    async def run() -> ToolResult:
        provider = McpProvider("peer", *server)
        call = asyncio.create_task(provider.call(QUERY, ASKED))
        while not (tmp_path / "pids").exists() or len(pids()) < 2:
            await asyncio.sleep(0.01)
        await provider.aclose()
        return await call

    result = asyncio.run(run())
    assert result.outcome == "unavailable"
    assert "was closed while it started" in result.text
    assert [gone(pid) for pid in pids()] == [True, True]


def test_a_key_in_the_arguments_or_on_stderr_is_not_repeated_in_the_error(tmp_path: Path) -> None:
    key = "ctx7sk-0123-4567-89ab-cdef"
    command, arguments = peer(tmp_path, "def on_start():\n    print('bad key', sys.argv[1], file=sys.stderr)\n    sys.exit(1)")
    error = refused_start((command, [*arguments, key]))
    assert "bad key [secret removed]" in error.message
    assert key not in error.next_step


def test_a_provider_that_is_never_closed_leaves_no_process_when_the_loop_ends(tmp_path: Path) -> None:
    server, pids = _stubborn(tmp_path)

    async def run() -> None:
        await McpProvider("peer", *server).tools()

    asyncio.run(run())
    assert [gone(pid) for pid in pids()] == [True, True]
