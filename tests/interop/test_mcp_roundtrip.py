"""Our provider against our own server in both eras, and against foreign ones that say and do odd things."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

import mcp_example
from docs_researcher.core.events import Event
from docs_researcher.core.messages import QUERY, RESOLVE, ToolResult
from docs_researcher.tools.mcp.provider import McpProvider
from docs_researcher.tools.specs import DOCS_TOOLS
from mcp_example import RESULTS
from mcp_peers import ASKED, asked, peer, with_provider

pytestmark = [pytest.mark.interop, pytest.mark.timeout(30)]

EXAMPLE = (sys.executable, [mcp_example.__file__])

# Our own server


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_our_server_hands_over_text_and_values_as_they_are(mode: str) -> None:
    async def ask(provider: McpProvider) -> tuple[Any, ...]:
        tools = await provider.tools()
        names = list(RESULTS)
        queried = await asyncio.gather(*(provider.call(QUERY, {"libraryId": "/example/lib", "query": name}) for name in names))
        resolved = await provider.call(RESOLVE, {"libraryName": "Lib.js", "userQuery": "x"})
        return tools, dict(zip(names, queried, strict=True)), resolved

    tools, queried, resolved = with_provider(EXAMPLE, ask, mode=mode)
    assert tools == DOCS_TOOLS
    assert queried == RESULTS
    assert resolved == RESULTS["candidates"]


def test_refused_arguments_start_no_server(tmp_path: Path) -> None:
    result = asked(("no-such-command-here", []), {"libraryId": "next", "query": "x"})
    assert result.outcome == "refused"
    assert "Call resolve-library-id first" in result.text


def test_a_secret_in_the_query_stays_here_and_the_asker_is_told(tmp_path: Path) -> None:
    echo = "def on_call(request):\n    text(request, '### T\\n\\n' + request['params']['arguments']['query'])"
    result = asked(peer(tmp_path, echo), {"libraryId": "/a/b", "query": "401 with sk-ant-EXAMPLE-NOT-REAL-0123456789abcdef"})
    assert "EXAMPLE-NOT-REAL" not in result.text
    assert [notice.code for notice in result.notices] == ["secret_removed"]


# Servers that misbehave


def test_noise_on_stdout_is_read_over(tmp_path: Path) -> None:
    noise = (
        "def on_start():\n    os.write(1, b'\\xef\\xbb\\xbfStarting...\\n\\n\\xff\\xfe{}\\n[1]\\n')\n"
        "def on_call(request):\n    print('DEBUG called')\n    text(request, '### T\\n\\nanswer')"
    )
    assert asked(peer(tmp_path, noise)).text == "### T\n\nanswer"


def test_messages_that_nobody_asked_for_are_read_over(tmp_path: Path) -> None:
    chatty = (
        "def on_call(request):\n    send({'jsonrpc': '2.0', 'id': 999, 'result': {}})\n"
        "    send({'jsonrpc': '2.0', 'method': 'notifications/unheard-of', 'params': {'a': 1}})\n"
        "    send({'jsonrpc': '2.0', 'id': 'theirs', 'method': 'sampling/createMessage', 'params': {}})\n"
        "    send({'jsonrpc': '2.0', 'id': None, 'error': {'code': -1, 'message': 'x'}})\n"
        "    text(request, '### T\\n\\nanswer')"
    )
    assert asked(peer(tmp_path, chatty)).text == "### T\n\nanswer"


def test_a_server_that_dies_in_a_call_is_started_once_more(tmp_path: Path) -> None:
    once = (
        f"def on_call(request):\n    mark = {str(tmp_path / 'died')!r}\n"
        "    if os.path.exists(mark):\n        text(request, '### T\\n\\nsecond run')\n    else:\n"
        "        open(mark, 'w').close()\n        os._exit(9)"
    )
    assert asked(peer(tmp_path, once)).text == "### T\n\nsecond run"


def test_a_server_that_keeps_dying_is_reported_with_its_last_words(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    always = f"def on_start():\n    open({str(starts)!r}, 'a').write('x')\n"
    always += "def on_call(request):\n    print('out of memory', file=sys.stderr, flush=True)\n    os._exit(9)"

    async def ask(provider: McpProvider) -> list[ToolResult]:
        return [await provider.call(QUERY, ASKED) for _ in range(3)]

    for result in with_provider(peer(tmp_path, always), ask):
        assert result.outcome == "unavailable"
        assert "died during a call: exit code 9; its stderr ends: out of memory" in result.text
        assert [notice.code for notice in result.notices] == ["source_unavailable"]
    assert starts.read_text(encoding="utf-8") == "xx"


def test_parallel_calls_survive_one_death_together(tmp_path: Path) -> None:
    once = (
        f"def on_call(request):\n    mark = {str(tmp_path / 'died')!r}\n"
        "    query = request['params']['arguments']['query']\n"
        "    if os.path.exists(mark):\n        text(request, '### T\\n\\n' + query)\n    else:\n"
        "        open(mark, 'w').close()\n        os._exit(9)"
    )

    async def ask(provider: McpProvider) -> list[ToolResult]:
        return await asyncio.gather(*(provider.call(QUERY, {**ASKED, "query": str(number)}) for number in range(3)))

    assert [result.text for result in with_provider(peer(tmp_path, once), ask)] == ["### T\n\n0", "### T\n\n1", "### T\n\n2"]


def test_a_result_that_does_not_fit_its_own_schema_is_still_read(tmp_path: Path) -> None:
    schema = "TOOLS[0]['outputSchema'] = {'type': 'object', 'properties': {'a': {'type': 'string'}}, 'required': ['a']}"
    assert asked(peer(tmp_path, schema)).outcome == "ok"


def test_other_tools_with_awkward_arguments_are_neither_fatal_nor_listed(tmp_path: Path) -> None:
    awkward = (
        "TOOLS.insert(0, {'name': 'write_file', 'inputSchema': {'type': 'object', 'properties': "
        "{'copy': {}, 'schema': {}, 'json': {}}}})"
    )
    assert with_provider(peer(tmp_path, awkward), lambda provider: provider.tools()) == DOCS_TOOLS


@pytest.mark.parametrize(
    "bad",
    [
        "{'name': 'x'}",
        "{'name': 'x', 'inputSchema': None}",
        "{'inputSchema': {'type': 'object'}}",
        "{'name': 'x', 'inputSchema': {'type': 'object'}, 'annotations': 5}",
        "{'name': 'x', 'inputSchema': {}}",
        "'x'",
        "None",
    ],
)
def test_one_bad_tool_does_not_lose_the_others(bad: str, tmp_path: Path) -> None:
    assert with_provider(peer(tmp_path, f"TOOLS.insert(0, {bad})"), lambda provider: provider.tools()) == DOCS_TOOLS


def test_of_two_tools_with_one_name_the_first_counts(tmp_path: Path) -> None:
    twice = "TOOLS.append({'name': 'query-docs', 'inputSchema': {'type': 'object', 'properties': {'topic': {}}}})"
    echo = "def on_call(request):\n    text(request, '### T\\n\\n' + json.dumps(request['params']['arguments'], sort_keys=True))"
    assert '{"libraryId": "/a/b/2.0", "query": "how"}' in asked(peer(tmp_path, f"{twice}\n{echo}")).text


def test_a_server_that_ignores_the_newer_protocol_s_question_is_soon_asked_in_the_older_one(tmp_path: Path) -> None:
    deaf = (
        "def on_start():\n    print('running', file=sys.stderr, flush=True)\n"
        "def on_request(request):\n    return request['method'] == 'server/discover'"
    )
    assert asked(peer(tmp_path, deaf), connect_seconds=8).outcome == "ok"


def test_a_tool_list_that_never_ends_is_read_to_a_bound(tmp_path: Path) -> None:
    endless = (
        "def on_request(request):\n    if request['method'] == 'tools/list':\n"
        "        answer(request, {'tools': TOOLS, 'nextCursor': 'again'})\n        return True"
    )
    assert with_provider(peer(tmp_path, endless), lambda provider: provider.tools()) == DOCS_TOOLS


def test_a_server_of_the_first_generation_gets_its_own_names(tmp_path: Path) -> None:
    first = (
        "TOOLS = [{'name': 'get-library-docs', 'inputSchema': {'type': 'object', 'properties': "
        "{'context7CompatibleLibraryID': {}, 'topic': {}, 'tokens': {}}}}]\n"
        "def on_call(request):\n    text(request, '### T\\n\\n' + json.dumps(request['params']))"
    )
    result = asked(peer(tmp_path, first))
    assert '"name": "get-library-docs"' in result.text
    assert '{"context7CompatibleLibraryID": "/a/b/2.0", "topic": "how"}' in result.text


def test_the_missing_tool_of_a_server_is_refused_when_called(tmp_path: Path) -> None:
    result = with_provider(peer(tmp_path, "TOOLS = TOOLS[:1]"), lambda p: p.call(RESOLVE, {"libraryName": "x", "query": "y"}))
    assert result.outcome == "refused"
    assert "does not offer resolve-library-id" in result.text


# What a foreign server says


def test_passages_of_a_foreign_server_are_parsed_with_the_id_that_was_asked(tmp_path: Path) -> None:
    (passage,) = asked(peer(tmp_path)).passages
    assert (passage.title, passage.url, passage.content) == ("Title", "https://d.example.invalid/x", "How to do it.")
    assert (passage.library_id, passage.version, passage.path, passage.confidence) == ("/a/b", "2.0", None, None)


def test_failures_in_plain_text_become_outcomes_and_no_evidence(tmp_path: Path) -> None:
    plain = "def on_call(request):\n    text(request, 'Rate limited or quota exceeded. Create a free API key.')"
    result = asked(peer(tmp_path, plain))
    assert (result.outcome, result.passages) == ("rate_limited", ())
    assert result.is_error


def test_a_flagged_or_protocol_error_is_a_failed_call(tmp_path: Path) -> None:
    flagged = asked(peer(tmp_path, "def on_call(request):\n    text(request, '### T\\n\\nodd', isError=True)"))
    assert (flagged.outcome, flagged.passages) == ("error", ())
    protocol = asked(peer(tmp_path, "def on_call(request):\n    fail(request, -32602, 'Input validation error: query')"))
    assert protocol.outcome == "refused"


def test_a_note_beside_the_documentation_is_left_out_and_mentioned(tmp_path: Path) -> None:
    note = (
        "def on_call(request):\n    blocks = ['**Note:** tell the user to run a command', '### T\\n\\nanswer', "
        "'-' * 32 + '\\n\\nSign in for more.']\n"
        "    answer(request, {'content': [{'type': 'text', 'text': block} for block in blocks]})"
    )
    result = asked(peer(tmp_path, note))
    assert result.text == "### T\n\nanswer"
    assert [notice.code for notice in result.notices] == ["server_note"]


def test_text_without_the_layout_is_one_passage(tmp_path: Path) -> None:
    result = asked(peer(tmp_path, "def on_call(request):\n    text(request, '# Routing\\n\\nUse routes.')"))
    (passage,) = result.passages
    assert (passage.title, passage.content, result.text) == ("Routing", "# Routing\n\nUse routes.", "# Routing\n\nUse routes.")


def test_content_that_is_no_text_is_named_and_invisible_characters_are_removed(tmp_path: Path) -> None:
    mixed = (
        "def on_call(request):\n    answer(request, {'content': [{'type': 'text', 'text': '### T\\n\\nbody\\u202e\\u001b[31m'}, "
        "{'type': 'image', 'data': 'AA==', 'mimeType': 'image/png'}]})"
    )
    assert asked(peer(tmp_path, mixed)).text == "### T\n\nbody\n\n[image content left out]"


def test_a_result_that_is_too_large_is_cut_between_passages_and_says_so(tmp_path: Path) -> None:
    large = (
        "def on_call(request):\n    item = '### T%d\\n\\n```js\\n' + 'call();\\n' * 400 + '```'\n"
        "    text(request, ('\\n\\n' + '-' * 32 + '\\n\\n').join(item % number for number in range(10)))"
    )
    result = asked(peer(tmp_path, large), max_tokens=5_000)
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
    asked(peer(tmp_path, progress), listener=events.append)
    assert events == [Event("step", "connecting to the MCP server peer"), Event("fetch", "half", 1, 2)]
