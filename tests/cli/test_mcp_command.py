"""`docs-research mcp` and `auth`: what is configured, what goes over the wire, who may use it."""

from __future__ import annotations

import json
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.definition.places import config_file
from mcp_peers import peer
from mcp_web_peers import DOCS, Reply, Seen, text, web_peer

Run = Any  # tests/cli/conftest.py: a call that gives code, out, err and value

pytestmark = [pytest.mark.interop, pytest.mark.timeout(40)]

SECRET = "sk-ant-EXAMPLE-NOT-REAL-0123456789abcdef"


@pytest.fixture
def project(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.chdir(folder)
    return folder


def configure(lines: str) -> None:
    config_file().parent.mkdir(parents=True, exist_ok=True)
    config_file().write_text(lines, encoding="utf-8")


def stdio(tmp_path: Path, changes: str = "") -> None:
    command, args = peer(tmp_path, changes)
    configure(f"[mcp_servers.docs]\ncommand = {json.dumps(command)}\nargs = {json.dumps(args)}\n")


def test_every_server_is_listed_with_its_state_and_what_is_wrong_with_it(project: Path, docs_research: Run) -> None:
    configure('[mcp_servers.good]\ncommand = "x"\n[mcp_servers.off]\nurl = "https://h/mcp"\nenabled = false\n')
    servers = {"theirs": {"command": "y", "env": {"TOKEN": SECRET}}, "wrong": {"command": "npx -y z"}}
    (project / ".mcp.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    (project / ".cursor").mkdir()
    (project / ".cursor" / "mcp.json").write_text("{", encoding="utf-8")
    shown = docs_research("mcp", "list")
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[0].split() == ["good", "ready", "x", f"({config_file()}:1)"]
    assert [line.split()[1] for line in lines[:3]] == ["ready", "off", "not"]
    assert 'args ["-y", "z"]' in shown.out
    assert f"Skipped {project / '.cursor' / 'mcp.json'}: line 1" in shown.err
    assert SECRET not in shown.out + shown.err
    value = docs_research("mcp", "list", "--json").value
    assert [row["state"] for row in value["servers"]] == ["ready", "off", "not approved", "wrong"]
    assert value["skipped"][0]["reason"].startswith("line 1")


def test_tools_are_shown_with_their_arguments_and_every_message_with_its_time(
    tmp_path: Path, project: Path, docs_research: Run
) -> None:
    stdio(tmp_path)
    shown = docs_research("mcp", "tools", "docs")
    assert shown.code == 0
    assert "query-docs([libraryId], [query])" in shown.out
    assert "s -> server/discover" in shown.err
    assert "s <- error" in shown.err
    assert "It is peer 1 and speaks 2025-11-25." in shown.err
    value = docs_research("mcp", "tools", "docs", "--json").value
    assert [tool["name"] for tool in value["tools"]] == ["query-docs", "resolve-library-id"]
    sent = [item["message"].get("method") for item in value["messages"] if item["direction"] == "sent"]
    assert sent == ["server/discover", "initialize", "notifications/initialized", "tools/list"]
    times = [item["at"] for item in value["messages"]]
    assert times == sorted(times)


def test_a_tool_is_called_with_exactly_these_arguments(project: Path, docs_research: Run) -> None:
    def answer(seen: Seen) -> Reply | None:
        return text(seen, json.dumps(seen.message["params"]["arguments"])) if seen.method == "tools/call" else None

    with web_peer("legacy", answer) as server:
        configure(f'[mcp_servers.docs]\nurl = "{server.url}"\nheaders = {{ X-Key = "{SECRET}" }}\n')
        shown = docs_research("mcp", "call", "docs", "any-tool", '{"odd name": [1, null]}')
        assert (shown.code, shown.out.strip()) == (0, '{"odd name": [1, null]}')
        assert f"Contacting {server.url}" in shown.err
        assert "with the headers X-Key" in shown.err
        assert SECRET not in shown.out + shown.err
        assert docs_research("mcp", "call", "docs", "any-tool", "--json").value["result"]["content"][0]["text"] == "{}"
    assert server.seen[0].headers["x-key"] == SECRET


def test_a_call_that_the_server_calls_failed_ends_with_1(tmp_path: Path, project: Path, docs_research: Run) -> None:
    stdio(tmp_path, "def on_call(request):\n    text(request, 'no such thing', isError=True)")
    shown = docs_research("mcp", "call", "docs", "query-docs", "{}")
    assert (shown.code, shown.out.strip()) == (1, "no such thing")


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        (("call", "docs", "t", "{"), "Write an object"),
        (("call", "docs", "t", "[]"), "Write an object"),
        (("call", "docs"), "mcp call NAME TOOL JSON"),
        (("list", "x"), "mcp list"),
        (("start", "x"), "If it was a question"),
        (("tools", "nope"), "docs-research mcp list"),
    ],
)
def test_wrong_words_are_refused_with_the_right_ones(project: Path, docs_research: Run, words: tuple[str, ...], fix: str) -> None:
    configure('[mcp_servers.docs]\ncommand = "x"\n')
    shown = docs_research("mcp", *words)
    assert shown.code == 2
    assert fix in shown.err


def test_a_project_s_server_is_used_only_after_its_file_was_approved(tmp_path: Path, project: Path, docs_research: Run) -> None:
    command, args = peer(tmp_path)
    file = project / ".mcp.json"
    file.write_text(json.dumps({"mcpServers": {"theirs": {"command": command, "args": args}}}), encoding="utf-8")
    refused = docs_research("mcp", "tools", "theirs")
    assert refused.code == 1
    assert f"docs-research mcp approve {file}" in refused.err
    asked = docs_research("mcp", "approve", str(file))
    assert asked.code == 1
    assert f"theirs: {command}" in asked.err
    assert "--yes" in asked.err
    assert docs_research("mcp", "approve", "--yes", "--json").value == {"approved": [str(file)]}
    assert docs_research("mcp", "tools", "theirs").code == 0
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert docs_research("mcp", "tools", "theirs").code == 1


def test_a_question_is_answered_from_a_named_server(project: Path, docs_research: Run) -> None:
    with web_peer() as server:
        configure(f'[mcp_servers.docs]\nurl = "{server.url}"\n')
        shown = docs_research("How to do it?", "--library", "/a/b", "--server", "docs", "--json", "--no-cache")
    assert shown.code == 0
    assert "How to do it." in shown.value["text"]
    assert shown.value["references"][0]["url"] == "https://d.example.invalid/x"


def test_a_configured_server_comes_before_a_fetch_and_a_silent_one_is_named(project: Path, docs_research: Run) -> None:
    with web_peer() as good, web_peer(answer=lambda seen: Reply(status=503)) as bad:
        configure(f'[mcp_servers.bad]\nurl = "{bad.url}"\n[mcp_servers.good]\nurl = "{good.url}"\n')
        value = docs_research("How to do it?", "--library", "/a/b", "--json").value
        again = docs_research("How to do it?", "--library", "/a/b", "--json").value
        asked = good.methods().count("tools/call")
        offline = docs_research("How to do it?", "--library", "/a/b", "--json", "--offline")
    codes = [notice["code"] for notice in value["notices"]]
    assert value["status"] == "complete", str(value)
    assert {"source_unavailable", "source_used"} <= set(codes)
    assert again["text"] == value["text"]
    assert good.methods().count("tools/call") == asked, "what was read once is kept"
    assert offline.code == 3
    assert DOCS.splitlines()[-1] in value["text"]


def test_a_server_and_a_place_are_not_both_taken(project: Path, docs_research: Run) -> None:
    assert docs_research("x?", "--server", "a", "--docs-from", "local").code == 2


# Signing in


def test_signing_in_is_shown_kept_and_taken_back(project: Path, docs_research: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from interop_sign_in import SignIn

    server = SignIn()
    try:
        configure(f'[mcp_servers.docs]\nurl = "{server.peer.url}"\n')
        assert docs_research("auth", "status", "docs").code == 1
        monkeypatch.setattr("docs_researcher.cli.auth.complain", _visit)
        shown = docs_research("auth", "login", "docs")
        assert (shown.code, shown.out.partition(" until ")[0]) == (0, "Signed in at docs")
        status = docs_research("auth", "status", "docs", "--json").value
        assert (status["signed_in"], status["renewable"]) == (True, True)
        assert docs_research("mcp", "tools", "docs", "--quiet").code == 0
        assert docs_research("auth", "logout", "docs", "--json").value == {"server": "docs", "removed": True}
        assert docs_research("auth", "status", server.peer.url).code == 1
        refused = docs_research("mcp", "tools", "docs")
        assert refused.code == 1
        assert "docs-research auth login docs" in refused.err
    finally:
        server.peer.stop()


def _visit(line: str) -> None:
    """Stands in for the user, who opens what is shown."""
    if line.startswith("http"):
        threading.Thread(target=lambda: urllib.request.urlopen(line, timeout=10).read()).start()


def test_a_server_that_is_started_takes_no_sign_in(project: Path, docs_research: Run) -> None:
    configure(f"[mcp_servers.docs]\ncommand = {json.dumps(sys.executable)}\n")
    shown = docs_research("auth", "login", "docs")
    assert shown.code == 2
    assert f"env in {config_file()}:1" in shown.err
