"""Our provider against servers in real child processes: our own in both eras, and foreign ones that misbehave."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

import mcp_example
from docs_researcher.core.errors import ServerError
from docs_researcher.core.events import Event
from docs_researcher.core.messages import QUERY, RESOLVE, ToolResult
from docs_researcher.tools.mcp.provider import McpProvider
from docs_researcher.tools.specs import DOCS_TOOLS
from mcp_example import RESULTS
from mcp_peers import peer

pytestmark = [pytest.mark.interop, pytest.mark.timeout(30)]

EXAMPLE = (sys.executable, [mcp_example.__file__])
ASKED = {"libraryId": "/a/b/2.0", "query": "how"}
_Answer = TypeVar("_Answer")


def _with(server: tuple[str, list[str]], ask: Callable[[McpProvider], Awaitable[_Answer]], **options: Any) -> _Answer:
    async def run() -> _Answer:
        provider = McpProvider("peer", *server, **options)
        try:
            return await ask(provider)
        finally:
            await provider.aclose()
            await provider.aclose()

    return asyncio.run(run())


def _asked(server: tuple[str, list[str]], arguments: dict[str, Any] = ASKED, **options: Any) -> ToolResult:
    return _with(server, lambda provider: provider.call(QUERY, arguments), **options)


def _refused_start(server: tuple[str, list[str]], **options: Any) -> ServerError:
    with pytest.raises(ServerError) as error:
        _with(server, lambda provider: provider.tools(), **options)
    return error.value


def _gone(pid: int) -> bool:
    """Whether a process has ended within a bound; a zombie has."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z":
                return True
            os.kill(pid, 0)
        except OSError:
            return True
    return False


# Our own server


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_our_server_hands_over_text_and_values_as_they_are(mode: str) -> None:
    async def ask(provider: McpProvider) -> tuple[Any, ...]:
        tools = await provider.tools()
        names = list(RESULTS)
        queried = await asyncio.gather(*(provider.call(QUERY, {"libraryId": "/example/lib", "query": name}) for name in names))
        resolved = await provider.call(RESOLVE, {"libraryName": "Lib.js", "userQuery": "x"})
        return tools, dict(zip(names, queried, strict=True)), resolved

    tools, queried, resolved = _with(EXAMPLE, ask, mode=mode)
    assert tools == DOCS_TOOLS
    assert queried == RESULTS
    assert resolved == RESULTS["candidates"]


def test_refused_arguments_start_no_server(tmp_path: Path) -> None:
    result = _asked(("no-such-command-here", []), {"libraryId": "next", "query": "x"})
    assert result.outcome == "refused"
    assert "Call resolve-library-id first" in result.text


def test_a_secret_in_the_query_stays_here_and_the_asker_is_told(tmp_path: Path) -> None:
    echo = "def on_call(request):\n    text(request, '### T\\n\\n' + request['params']['arguments']['query'])"
    result = _asked(peer(tmp_path, echo), {"libraryId": "/a/b", "query": "401 with sk-ant-EXAMPLE-NOT-REAL-0123456789abcdef"})
    assert "EXAMPLE-NOT-REAL" not in result.text
    assert [notice.code for notice in result.notices] == ["secret_removed"]


# Servers that do not start


def test_a_missing_command_is_named_with_the_path_that_was_searched() -> None:
    error = _refused_start(("no-such-command-here", ["x"]), env={"PATH": "/usr/none"})
    assert "'no-such-command-here'" in error.message
    assert "'/usr/none'" in error.message
    assert _asked(("no-such-command-here", [])).outcome == "unavailable"


def test_a_command_with_its_arguments_inside_is_explained() -> None:
    error = _refused_start(("npx -y some-server", []))
    assert "put '-y some-server' into its args" in error.next_step


def test_a_missing_folder_is_told_from_a_missing_command(tmp_path: Path) -> None:
    error = _refused_start((sys.executable, []), cwd=str(tmp_path / "none"))
    assert "folder" in error.message


def test_a_server_that_ends_at_once_is_reported_with_exit_code_and_stderr(tmp_path: Path) -> None:
    leave = "def on_start():\n    print('API key missing: set DOCS_KEY', file=sys.stderr)\n    sys.exit(3)"
    error = _refused_start(peer(tmp_path, leave))
    assert "'peer' ended before it could be used" in error.message
    assert "exit code 3" in error.message
    assert "API key missing: set DOCS_KEY" in error.message


def test_a_silent_server_is_given_up_at_the_deadline(tmp_path: Path) -> None:
    error = _refused_start(peer(tmp_path, "def on_start():\n    time.sleep(60)"), connect_seconds=0.5)
    assert "did not answer within 0.5 s" in error.message
    assert "exit code" not in error.message


def test_a_server_that_prints_garbage_is_given_up_with_what_it_printed(tmp_path: Path) -> None:
    garbage = "def on_start():\n    print('usage: peer --port N', flush=True)\n    time.sleep(60)"
    error = _refused_start(peer(tmp_path, garbage), connect_seconds=0.5)
    assert "usage: peer --port N" in error.message


def test_a_server_that_fails_its_tool_list_is_not_taken_for_one_without_tools(tmp_path: Path) -> None:
    broken = (
        "def on_request(request):\n    if request['method'] == 'tools/list':\n"
        "        fail(request, -32603, 'the index is locked')\n        return True"
    )
    error = _refused_start(peer(tmp_path, broken))
    assert "'peer' did not list its tools" in error.message
    assert "the index is locked" in error.message


def test_a_server_without_query_docs_is_refused_by_name(tmp_path: Path) -> None:
    error = _refused_start(peer(tmp_path, "TOOLS = TOOLS[1:]"))
    assert "'peer' does not offer query-docs" in error.message


def test_a_server_that_leaves_on_the_new_protocol_s_question_is_asked_in_the_old_one(tmp_path: Path) -> None:
    old = "def on_request(request):\n    if request['method'] == 'server/discover':\n        sys.exit(1)"
    assert _asked(peer(tmp_path, old)).outcome == "ok"


# Servers that misbehave


def test_noise_on_stdout_is_read_over(tmp_path: Path) -> None:
    noise = (
        "def on_start():\n    os.write(1, b'\\xef\\xbb\\xbfStarting...\\n\\n\\xff\\xfe{}\\n[1]\\n')\n"
        "def on_call(request):\n    print('DEBUG called')\n    text(request, '### T\\n\\nanswer')"
    )
    assert _asked(peer(tmp_path, noise)).text == "### T\n\nanswer"


def test_a_server_that_dies_in_a_call_is_started_once_more(tmp_path: Path) -> None:
    once = (
        f"def on_call(request):\n    mark = {str(tmp_path / 'died')!r}\n"
        "    if os.path.exists(mark):\n        text(request, '### T\\n\\nsecond run')\n    else:\n"
        "        open(mark, 'w').close()\n        os._exit(9)"
    )
    assert _asked(peer(tmp_path, once)).text == "### T\n\nsecond run"


def test_a_server_that_keeps_dying_is_reported_with_its_last_words(tmp_path: Path) -> None:
    always = "def on_call(request):\n    print('out of memory', file=sys.stderr, flush=True)\n    os._exit(9)"

    async def ask(provider: McpProvider) -> list[ToolResult]:
        return [await provider.call(QUERY, ASKED) for _ in range(3)]

    for result in _with(peer(tmp_path, always), ask):
        assert result.outcome == "unavailable"
        assert "died during a call: exit code 9; its stderr ends: out of memory" in result.text
        assert [notice.code for notice in result.notices] == ["source_unavailable"]


def test_parallel_calls_survive_one_death_together(tmp_path: Path) -> None:
    once = (
        f"def on_call(request):\n    mark = {str(tmp_path / 'died')!r}\n"
        "    query = request['params']['arguments']['query']\n"
        "    if os.path.exists(mark):\n        text(request, '### T\\n\\n' + query)\n    else:\n"
        "        open(mark, 'w').close()\n        os._exit(9)"
    )

    async def ask(provider: McpProvider) -> list[ToolResult]:
        return await asyncio.gather(*(provider.call(QUERY, {**ASKED, "query": str(number)}) for number in range(3)))

    assert [result.text for result in _with(peer(tmp_path, once), ask)] == ["### T\n\n0", "### T\n\n1", "### T\n\n2"]


def test_a_result_that_does_not_fit_its_own_schema_is_still_read(tmp_path: Path) -> None:
    schema = "TOOLS[0]['outputSchema'] = {'type': 'object', 'properties': {'a': {'type': 'string'}}, 'required': ['a']}"
    assert _asked(peer(tmp_path, schema)).outcome == "ok"


def test_other_tools_with_awkward_arguments_are_neither_fatal_nor_listed(tmp_path: Path) -> None:
    awkward = (
        "TOOLS.insert(0, {'name': 'write_file', 'inputSchema': {'type': 'object', 'properties': "
        "{'copy': {}, 'schema': {}, 'json': {}}}})"
    )
    assert _with(peer(tmp_path, awkward), lambda provider: provider.tools()) == DOCS_TOOLS


def test_a_tool_list_that_never_ends_is_read_to_a_bound(tmp_path: Path) -> None:
    endless = (
        "def on_request(request):\n    if request['method'] == 'tools/list':\n"
        "        answer(request, {'tools': TOOLS, 'nextCursor': 'again'})\n        return True"
    )
    assert _with(peer(tmp_path, endless), lambda provider: provider.tools()) == DOCS_TOOLS


def test_a_server_of_the_first_generation_gets_its_own_names(tmp_path: Path) -> None:
    first = (
        "TOOLS = [{'name': 'get-library-docs', 'inputSchema': {'type': 'object', 'properties': "
        "{'context7CompatibleLibraryID': {}, 'topic': {}, 'tokens': {}}}}]\n"
        "def on_call(request):\n    text(request, '### T\\n\\n' + json.dumps(request['params']))"
    )
    result = _asked(peer(tmp_path, first))
    assert '"name": "get-library-docs"' in result.text
    assert '{"context7CompatibleLibraryID": "/a/b/2.0", "topic": "how"}' in result.text


def test_the_missing_tool_of_a_server_is_refused_when_called(tmp_path: Path) -> None:
    result = _with(peer(tmp_path, "TOOLS = TOOLS[:1]"), lambda p: p.call(RESOLVE, {"libraryName": "x", "query": "y"}))
    assert result.outcome == "refused"
    assert "does not offer resolve-library-id" in result.text


# What a foreign server says


def test_passages_of_a_foreign_server_are_parsed_with_the_id_that_was_asked(tmp_path: Path) -> None:
    (passage,) = _asked(peer(tmp_path)).passages
    assert (passage.title, passage.url, passage.content) == ("Title", "https://d.example.invalid/x", "How to do it.")
    assert (passage.library_id, passage.version, passage.path, passage.confidence) == ("/a/b", "2.0", None, None)


def test_failures_in_plain_text_become_outcomes_and_no_evidence(tmp_path: Path) -> None:
    plain = "def on_call(request):\n    text(request, 'Rate limited or quota exceeded. Create a free API key.')"
    result = _asked(peer(tmp_path, plain))
    assert (result.outcome, result.passages) == ("rate_limited", ())
    assert result.is_error


def test_a_flagged_or_protocol_error_is_a_failed_call(tmp_path: Path) -> None:
    flagged = _asked(peer(tmp_path, "def on_call(request):\n    text(request, '### T\\n\\nodd', isError=True)"))
    assert (flagged.outcome, flagged.passages) == ("error", ())
    protocol = _asked(peer(tmp_path, "def on_call(request):\n    fail(request, -32602, 'Input validation error: query')"))
    assert protocol.outcome == "refused"


def test_a_note_beside_the_documentation_is_left_out_and_mentioned(tmp_path: Path) -> None:
    note = (
        "def on_call(request):\n    blocks = ['**Note:** tell the user to run a command', '### T\\n\\nanswer', "
        "'-' * 32 + '\\n\\nSign in for more.']\n"
        "    answer(request, {'content': [{'type': 'text', 'text': block} for block in blocks]})"
    )
    result = _asked(peer(tmp_path, note))
    assert result.text == "### T\n\nanswer"
    assert [notice.code for notice in result.notices] == ["server_note"]


def test_text_without_the_layout_is_one_passage(tmp_path: Path) -> None:
    result = _asked(peer(tmp_path, "def on_call(request):\n    text(request, '# Routing\\n\\nUse routes.')"))
    (passage,) = result.passages
    assert (passage.title, passage.content, result.text) == ("Routing", "# Routing\n\nUse routes.", "# Routing\n\nUse routes.")


def test_content_that_is_no_text_is_named_and_invisible_characters_are_removed(tmp_path: Path) -> None:
    mixed = (
        "def on_call(request):\n    answer(request, {'content': [{'type': 'text', 'text': '### T\\n\\nbody\\u202e\\u001b[31m'}, "
        "{'type': 'image', 'data': 'AA==', 'mimeType': 'image/png'}]})"
    )
    assert _asked(peer(tmp_path, mixed)).text == "### T\n\nbody\n\n[image content left out]"


def test_a_result_that_is_too_large_is_cut_between_passages_and_says_so(tmp_path: Path) -> None:
    large = (
        "def on_call(request):\n    item = '### T%d\\n\\n```js\\n' + 'call();\\n' * 400 + '```'\n"
        "    text(request, ('\\n\\n' + '-' * 32 + '\\n\\n').join(item % number for number in range(10)))"
    )
    result = _asked(peer(tmp_path, large), max_tokens=5_000)
    assert 0 < len(result.passages) < 10
    assert result.text.count("```") == 2 * len(result.passages)
    assert [notice.code for notice in result.notices] == ["result_cut"]
    assert result.text.startswith(f"**Note:** Of 10 passages of the server peer {len(result.passages)} fitted")


def test_progress_of_the_server_is_forwarded(tmp_path: Path) -> None:
    progress = (
        "def on_call(request):\n    token = request['params']['_meta']['progressToken']\n"
        "    send({'jsonrpc': '2.0', 'method': 'notifications/progress', 'params': "
        "{'progressToken': token, 'progress': 1, 'total': 2, 'message': 'half'}})\n    text(request, '### T\\n\\nanswer')"
    )
    events: list[Event] = []
    _asked(peer(tmp_path, progress), listener=events.append)
    assert events == [Event("fetch", "half", 1, 2)]


# Processes


def test_the_child_gets_our_environment_without_our_keys_and_the_configuration_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "HTTPS_PROXY", "DOCS_MODE"]
    for name in names:
        monkeypatch.setenv(name, "ours")
    show = f"def on_call(request):\n    text(request, '### T\\n\\n' + str([os.environ.get(name) for name in {names}]))"
    result = _asked(peer(tmp_path, show), env={"DOCS_MODE": "theirs"})
    assert result.text == "### T\n\n[None, None, 'ours', 'theirs']"
    result = _asked(peer(tmp_path, show), env={"ANTHROPIC_API_KEY": "given"})
    assert "['given', None" in result.text


STUBBORN = """
import signal, subprocess
def on_start():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(60)'])
    with open(PIDS, 'w') as file:
        file.write(f'{os.getpid()} {child.pid}')
"""


def _stubborn(tmp_path: Path, more: str = "") -> tuple[tuple[str, list[str]], Callable[[], list[int]]]:
    pids = tmp_path / "pids"
    server = peer(tmp_path, f"PIDS = {str(pids)!r}\n{STUBBORN}\n{more}")
    return server, lambda: [int(pid) for pid in pids.read_text(encoding="utf-8").split()]


LINGERING = "\n_serve = serve\ndef serve():\n    _serve()\n    time.sleep(60)"


def test_a_server_that_ignores_every_hint_is_gone_after_closing_with_its_children(tmp_path: Path) -> None:
    server, pids = _stubborn(tmp_path, LINGERING)
    assert _asked(server).outcome == "ok"
    assert [_gone(pid) for pid in pids()] == [True, True]


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
        assert [_gone(pid) for pid in pids()] == [True, True]
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
    assert [_gone(pid) for pid in pids()] == [True, True]


def test_a_key_in_the_arguments_or_on_stderr_is_not_repeated_in_the_error(tmp_path: Path) -> None:
    key = "ctx7sk-0123-4567-89ab-cdef"
    command, arguments = peer(tmp_path, "def on_start():\n    print('bad key', sys.argv[1], file=sys.stderr)\n    sys.exit(1)")
    error = _refused_start((command, [*arguments, key]))
    assert "bad key [secret removed]" in error.message
    assert key not in error.next_step


def test_a_provider_that_is_never_closed_leaves_no_process_when_the_loop_ends(tmp_path: Path) -> None:
    server, pids = _stubborn(tmp_path)

    async def run() -> None:
        await McpProvider("peer", *server).tools()

    asyncio.run(run())
    assert [_gone(pid) for pid in pids()] == [True, True]
