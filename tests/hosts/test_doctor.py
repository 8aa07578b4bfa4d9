"""`docs-research doctor`: what it says of an installation, of servers and hosts, and that it changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Files = Callable[[Path], dict[str, bytes]]


@pytest.fixture
def found(docs_research: Run) -> Callable[..., list[dict[str, Any]]]:
    """The findings of one run without servers, those of one area if it is named."""

    def call(area: str = "", *arguments: str) -> list[dict[str, Any]]:
        shown = docs_research("doctor", "--json", *(arguments or ["--no-servers"]))
        findings = shown.value["findings"]
        assert shown.code == int(any(item["level"] == "error" for item in findings))
        return [item for item in findings if item["area"] == area or not area]

    return call


Found = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def command(tmp_path: Path, user: Path) -> Path:
    """A file that stands for our command, where the PATH looks."""
    path = tmp_path / "bin" / "docs-research"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_new_installation_is_healthy_and_says_what_is_missing(found: Found, command: Path) -> None:
    findings = found()
    assert {item["level"] for item in findings} == {"ok", "note"}
    assert any("no documentation is installed" in item["text"] for item in findings)
    assert all(item["fix"] for item in findings if item["level"] != "ok")


def test_a_command_that_hosts_cannot_find_is_warned_of_with_the_way_out(found: Found, docs_research: Run) -> None:
    [item] = found("command")
    assert item["level"] == "warning"
    assert docs_research("doctor", "--no-servers").code == 0
    assert "PATH" in item["text"] and "pipx install ." in item["fix"]


def test_of_a_key_only_its_presence_is_told(docs_research: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-never-shown-000000")
    monkeypatch.setenv("CONTEXT7_API_KEY", "ctx7sk-never-shown")
    shown = docs_research("doctor", "--no-servers")
    assert "CONTEXT7_API_KEY is set" in shown.out
    assert "never-shown" not in shown.out + shown.err


def test_a_file_in_the_store_that_is_no_docset_is_named(found: Found, home: Path) -> None:
    broken = home / "docsets" / "npm" / "left@1.0.0.db"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"not a database")
    [item] = [item for item in found("docsets") if item["level"] == "error"]
    assert str(broken) in item["text"]
    assert item["fix"]


@pytest.mark.parametrize("below", ["", "docs", "x" * 300])
def test_a_home_that_cannot_be_made_is_an_error(
    found: Found, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    (tmp_path / "dangling").symlink_to(tmp_path / "gone")
    monkeypatch.setenv("DOCS_RESEARCH_HOME", str(tmp_path / "dangling" / below))
    [item] = [item for item in found("docsets") if item["level"] == "error"]
    assert "cannot be written" in item["text"] and item["fix"]


def test_an_installed_docset_is_opened_and_searched(found: Found, docs_research: Run, tmp_path: Path) -> None:
    folder = tmp_path / "relay"
    folder.mkdir()
    (folder / "signing.md").write_text("# Signing\n\nCall `sign_request`.\n", encoding="utf-8")
    docs_research("add", str(folder), "--offline")
    [item] = found("docsets")
    assert item["level"] == "ok"
    assert item["text"].startswith("1 of 1 docsets are healthy")


def test_settings_that_cannot_be_read_are_an_error_with_the_line(found: Found, home: Path) -> None:
    path = home / "config" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text('model = "haiku\n', encoding="utf-8")
    [item] = [item for item in found("settings") if item["level"] == "error"]
    assert str(path) in item["text"]


def test_a_host_that_knows_nothing_of_us_is_told_with_the_command(found: Found, user: Path) -> None:
    (user / ".cursor").mkdir()
    [item] = found("Cursor")
    assert (item["level"], item["fix"]) == ("note", "docs-research setup cursor")
    [item] = found("Codex")
    assert item["text"] == "was not found on this machine"


def test_a_broken_file_of_a_host_is_skipped_with_path_and_reason_and_never_written(found: Found, user: Path) -> None:
    broken = user / ".claude.json"
    broken.write_text('{ "mcpServers": { ', encoding="utf-8")
    [item] = [item for item in found("Claude Code") if item["level"] == "warning"]
    assert str(broken) in item["text"] and "line 1" in item["text"]
    assert broken.read_text("utf-8") == '{ "mcpServers": { '


def test_what_setup_wrote_is_found_and_a_change_since_is_told(found: Found, docs_research: Run, user: Path) -> None:
    docs_research("setup", "claude-code", "--yes")
    (user / ".claude" / "rules" / "docs-researcher.md").unlink()
    items = found("Claude Code")
    told = {item["text"].split(" for you")[0] for item in items if item["level"] == "ok"}
    assert {"server", "agent", "skill"} <= told
    [missing] = [item for item in items if item["level"] == "warning"]
    assert missing["fix"] == "docs-research setup claude-code"
    assert "rules" in missing["text"]


def test_the_agent_is_told_with_the_rule_by_which_it_is_found(
    found: Found, docs_research: Run, user: Path, project: Path
) -> None:
    docs_research("setup", "claude-code", "--yes")
    own = project / ".claude" / "agents" / "docs-researcher.md"
    own.parent.mkdir(parents=True)
    own.write_text("---\nname: docs-researcher\ndescription: Use for all.\n---\nMine.\n", encoding="utf-8")
    (own.parent / "torn.md").write_text("---\nname: torn\ndescription: [\n", encoding="utf-8")
    texts = [item["text"] for item in found("Claude Code")]
    assert f"the agent docs-researcher is found by the rule `project, .claude`: {own}" in texts
    assert f"{user / '.claude' / 'agents' / 'docs-researcher.md'} is hidden by {own}" in texts
    assert any("torn.md" in text and "does not load" in text for text in texts)


def test_the_folder_of_CLAUDE_CONFIG_DIR_is_looked_into(
    found: Found, docs_research: Run, user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(user / "elsewhere"))
    docs_research("setup", "claude-code", "--yes")
    assert any(str(user / "elsewhere" / "agents") in item["text"] for item in found("Claude Code"))


def test_a_plugin_and_setup_at_once_are_one_too_many(found: Found, docs_research: Run, user: Path) -> None:
    plugins = user / ".claude" / "plugins" / "installed_plugins.json"
    plugins.parent.mkdir(parents=True)
    plugins.write_text(json.dumps({"version": 2, "plugins": {"docs-researcher@docs-researcher": []}}), encoding="utf-8")
    assert any("the plugin is installed" in item["text"] for item in found("Claude Code"))
    docs_research("setup", "claude-code", "--yes")
    [item] = [item for item in found("Claude Code") if item["level"] == "warning"]
    assert "--remove" in item["fix"]


def test_nothing_is_written(found: Found, user: Path, project: Path, files: Files) -> None:
    (user / ".cursor").mkdir()
    before = files(user), files(project)
    found()
    assert (files(user), files(project)) == before


@pytest.mark.interop
def test_servers_are_started_and_their_tools_and_faults_told(found: Found, home: Path, user: Path) -> None:
    path = home / "config" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text('[mcp_servers.gone]\ncommand = "there-is-no-such-program"\n', encoding="utf-8")
    (user / ".cursor").mkdir()
    (user / ".cursor" / "mcp.json").write_text('{"mcpServers": {"theirs": {"command": "x"}}}', encoding="utf-8")
    items = found("servers", "--quiet")
    [own] = [item for item in items if item["level"] == "ok"]
    assert "research-library-docs, resolve-library-id, query-docs" in own["text"]
    [gone] = [item for item in items if item["level"] == "error"]
    assert "gone" in gone["text"] and "there-is-no-such-program" in gone["text"] and gone["fix"]
    [theirs] = [item for item in items if item["level"] == "note"]
    assert "theirs" in theirs["text"]
