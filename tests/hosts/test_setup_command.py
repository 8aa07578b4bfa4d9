"""`docs-research setup`: which hosts, which files, what is asked, and what `--remove` leaves alone."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.definition.loader import load_definition
from docs_researcher.hosts.clients import HOSTS, NAMES, Host, targets
from docs_researcher.hosts.snippets import SNIPPETS

Run = Callable[..., Any]
Files = Callable[[Path], dict[str, bytes]]


def _actions(shown: Any) -> dict[str, str]:
    return {Path(change["path"]).name: change["action"] for change in shown.value["changes"]}


def test_without_a_host_those_are_set_up_that_are_installed(user: Path, docs_research: Run) -> None:
    (user / ".cursor").mkdir()
    (user / ".codex").mkdir()
    shown = docs_research("setup", "--dry-run", "--json")
    assert shown.code == 0
    assert {change["host"] for change in shown.value["changes"]} == {"cursor", "codex"}


def test_no_host_at_all_is_said_with_what_to_name(docs_research: Run) -> None:
    shown = docs_research("setup", "--dry-run")
    assert shown.code == 2
    assert "docs-research setup claude-code" in shown.err


def test_for_all_projects_and_for_one_at_once_is_refused(user: Path, docs_research: Run) -> None:
    (user / ".cursor").mkdir()
    shown = docs_research("setup", "--user", "--project", "--dry-run")
    assert (shown.code, shown.out) == (2, "")
    assert "--user and --project" in shown.err


@pytest.mark.parametrize("host", HOSTS)
def test_a_project_is_set_up_and_taken_out_again(host: str, project: Path, docs_research: Run, files: Files) -> None:
    (project / "AGENTS.md").write_text("# Rules\n\nBe brief.\n", encoding="utf-8")
    before = files(project)
    assert docs_research("setup", host, "--project", "--yes").code == 0
    written = files(project)
    assert len(written) >= len(before) + 3
    for name in set(written) - set(before):
        text = written[name].decode()
        assert str(project) not in text and str(Path.home()) not in text, name
    assert docs_research("setup", host, "--project", "--remove", "--yes").code == 0
    assert files(project) == before
    assert [path.name for path in project.iterdir() if path.is_dir()] == [".git"]


def test_the_dry_run_writes_nothing_and_shows_the_change(user: Path, docs_research: Run, files: Files) -> None:
    (user / ".claude.json").write_text('{\n  "theme": "dark"\n}\n', encoding="utf-8")
    before = files(user)
    shown = docs_research("setup", "claude-code", "--dry-run")
    assert shown.code == 0
    assert '+    "docs-researcher": {' in shown.out
    assert "would be written" in shown.out
    assert files(user) == before


def test_a_diff_shows_no_secret_that_stands_beside_the_change(user: Path, docs_research: Run) -> None:
    (user / ".cursor").mkdir()
    text = '{"mcpServers": {\n"a": {"env": {"API_KEY": "sk-ant-abcdefghijklmnop1234"}}}}\n'
    (user / ".cursor" / "mcp.json").write_text(text, encoding="utf-8")
    shown = docs_research("setup", "cursor", "--dry-run")
    assert "API_KEY" in shown.out
    assert "abcdefghijklmnop" not in shown.out


def test_nothing_is_written_where_nobody_can_be_asked(user: Path, docs_research: Run, files: Files) -> None:
    shown = docs_research("setup", "claude-code")
    assert shown.code == 2
    assert "--yes" in shown.err
    assert files(user) == {}


def test_the_conversation_of_claude_code_gets_the_research_and_the_agent_alone_the_pages(user: Path, docs_research: Run) -> None:
    docs_research("setup", "claude-code", "--yes")
    entry = json.loads((user / ".claude.json").read_text("utf-8"))["mcpServers"]
    assert entry == {"docs-researcher": {"type": "stdio", "command": "docs-research", "args": ["serve", "--tools", "research"]}}
    agent = load_definition(user / ".claude" / "agents" / "docs-researcher.md")
    assert agent.tools == ("mcp__docs-pages__resolve-library-id", "mcp__docs-pages__query-docs")
    [scoped] = agent.unknown["mcpServers"]
    assert scoped == {"docs-pages": {"type": "stdio", "command": "docs-research", "args": ["serve", "--tools", "context7"]}}


def test_the_folder_that_claude_code_is_told_to_use_is_used(
    user: Path, docs_research: Run, monkeypatch: pytest.MonkeyPatch, files: Files
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(user / "other"))
    assert docs_research("setup", "claude-code", "--yes").code == 0
    assert sorted(files(user)) == [
        "other/.claude.json",
        "other/agents/docs-researcher.md",
        "other/rules/docs-researcher.md",
        "other/skills/library-docs/SKILL.md",
    ]


def test_the_agent_of_codex_is_valid_and_holds_the_whole_prompt(user: Path, docs_research: Run) -> None:
    docs_research("setup", "codex", "--yes", "claude-code")
    agent = tomllib.loads((user / ".codex" / "agents" / "docs-researcher.toml").read_text("utf-8"))
    other = load_definition(user / ".claude" / "agents" / "docs-researcher.md")
    assert agent["developer_instructions"].strip() == other.prompt.strip()
    assert agent["description"] == other.description


def test_in_cli_mode_a_skill_runs_the_command_and_no_server_is_written(user: Path, docs_research: Run, files: Files) -> None:
    assert docs_research("setup", "claude-code", "--mode", "cli", "--yes").code == 0
    written = files(user)
    assert sorted(written) == [".claude/rules/docs-researcher.md", ".claude/skills/library-docs/SKILL.md"]
    assert b"docs-research ask" in written[".claude/skills/library-docs/SKILL.md"]


def test_another_mode_takes_out_what_it_does_not_need(user: Path, docs_research: Run, files: Files) -> None:
    docs_research("setup", "claude-code", "--yes")
    assert docs_research("setup", "claude-code", "--mode", "cli", "--yes").code == 0
    assert sorted(files(user)) == [".claude/rules/docs-researcher.md", ".claude/skills/library-docs/SKILL.md"]
    assert docs_research("setup", "claude-code", "--remove", "--yes").code == 0
    assert files(user) == {}


def test_an_agent_of_the_same_name_that_the_user_wrote_is_left_alone(user: Path, docs_research: Run) -> None:
    mine = user / ".claude" / "agents" / "docs-researcher.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("---\nname: docs-researcher\ndescription: mine\n---\nMine.\n", encoding="utf-8")
    shown = docs_research("setup", "claude-code", "--yes", "--json")
    assert shown.code == 1
    [agent] = [change for change in shown.value["changes"] if change["what"] == "agent"]
    assert (agent["action"], agent["path"]) == ("skip", str(mine))
    assert "not written by setup" in agent["reason"]
    assert "Mine." in mine.read_text("utf-8")
    docs_research("setup", "claude-code", "--remove", "--yes")
    assert "Mine." in mine.read_text("utf-8")


def test_a_file_that_the_user_changed_since_is_not_deleted(user: Path, docs_research: Run) -> None:
    docs_research("setup", "claude-code", "--yes")
    skill = user / ".claude" / "skills" / "library-docs" / "SKILL.md"
    skill.write_text(skill.read_text("utf-8") + "\nMy own addition.\n", encoding="utf-8")
    shown = docs_research("setup", "claude-code", "--remove", "--yes", "--json")
    assert shown.code == 1
    assert _actions(shown)["SKILL.md"] == "skip"
    assert skill.is_file()
    assert not (user / ".claude.json").exists()


def test_servers_that_were_added_since_stay(user: Path, docs_research: Run) -> None:
    file = user / ".claude.json"
    file.write_text('{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}', encoding="utf-8")
    docs_research("setup", "claude-code", "--yes")
    changed = json.loads(file.read_text("utf-8"))
    changed["mcpServers"]["b"] = {"command": "y"}
    changed["numStartups"] = 4
    file.write_text(json.dumps(changed, indent=2), encoding="utf-8")  # as Claude Code writes it
    assert docs_research("setup", "claude-code", "--remove", "--yes").code == 0
    assert json.loads(file.read_text("utf-8")) == {
        "mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}},
        "numStartups": 4,
    }


def test_a_server_that_was_added_to_a_file_of_ours_stays(user: Path, docs_research: Run) -> None:
    file = user / ".cursor" / "mcp.json"
    docs_research("setup", "cursor", "--yes")
    text = file.read_text("utf-8").rstrip()
    file.write_text(text.removesuffix("  }\n}").rstrip() + ',\n    "b": {"command": "y"}\n  }\n}\n', encoding="utf-8")
    assert docs_research("setup", "cursor", "--remove", "--yes").code == 0
    assert file.read_text("utf-8") == '{\n  "mcpServers": {\n    "b": {"command": "y"}\n  }\n}\n'


def test_an_entry_that_was_changed_since_is_not_taken_out(user: Path, docs_research: Run) -> None:
    file = user / ".claude.json"
    file.write_text('{\n  "mcpServers": {\n    "a": {}\n  }\n}', encoding="utf-8")
    docs_research("setup", "claude-code", "--yes")
    changed = file.read_text("utf-8").replace('"serve"', '"serve",\n        "--offline"')
    file.write_text(changed, encoding="utf-8")
    shown = docs_research("setup", "claude-code", "--remove", "--yes", "--json")
    [server] = [change for change in shown.value["changes"] if change["what"] == "server"]
    assert server["action"] == "skip"
    assert "mcpServers.docs-researcher by hand" in server["reason"]
    assert file.read_text("utf-8") == changed


def test_a_skill_that_two_hosts_share_goes_with_the_last_of_them(user: Path, docs_research: Run, files: Files) -> None:
    docs_research("setup", "codex", "vscode", "--yes")
    skill = user / ".agents" / "skills" / "library-docs" / "SKILL.md"
    shown = docs_research("setup", "codex", "--remove", "--yes", "--json")
    assert _actions(shown)["SKILL.md"] == "keep"
    assert skill.is_file()
    docs_research("setup", "vscode", "--remove", "--yes")
    assert files(user) == {}


def test_all_hosts_at_once_leave_nothing_behind(user: Path, docs_research: Run, files: Files) -> None:
    docs_research("setup", "claude-code", "cursor", "codex", "vscode", "--yes")
    assert docs_research("setup", "--remove", "--yes").code == 0
    assert files(user) == {}


@pytest.mark.parametrize(
    ("host", "path"), [("claude-code", ".claude.json"), ("codex", ".codex/config.toml"), ("codex", ".codex/AGENTS.md")]
)
def test_what_the_user_took_out_by_hand_is_put_in_again_or_forgotten(
    user: Path, host: str, path: str, docs_research: Run
) -> None:
    file = user / path
    file.parent.mkdir(exist_ok=True)
    before = {".json": '{"a": 1}', ".toml": 'a = "1"\n', ".md": "# Mine\n"}[file.suffix]
    file.write_text(before, encoding="utf-8")
    docs_research("setup", host, "--yes")
    changed = before.replace("1", "2").replace("Mine", "Ours")
    file.write_text(changed, encoding="utf-8")
    shown = docs_research("setup", host, "--yes", "--json")
    assert _actions(shown)[file.name] == "write"
    file.write_text(changed, encoding="utf-8")
    assert docs_research("setup", host, "--remove", "--yes").code == 0
    assert file.read_text("utf-8") == changed


def test_a_broken_file_of_one_host_keeps_no_other_from_being_set_up(user: Path, docs_research: Run) -> None:
    (user / ".claude.json").write_text('{ "mcpServers": { ', encoding="utf-8")
    shown = docs_research("setup", "claude-code", "cursor", "--yes")
    assert shown.code == 1
    assert f"{user / '.claude.json'}: left as it is (line 1" in shown.out
    assert (user / ".cursor" / "mcp.json").is_file()
    assert (user / ".claude" / "agents" / "docs-researcher.md").is_file()


def test_a_file_that_broke_since_is_skipped_and_the_rest_is_taken_out(user: Path, docs_research: Run, files: Files) -> None:
    file = user / ".claude.json"
    file.write_text("{}", encoding="utf-8")
    docs_research("setup", "claude-code", "--yes")
    file.write_text('{ "mcpServers": { ', encoding="utf-8")
    shown = docs_research("setup", "--remove", "--yes")
    assert shown.code == 1
    assert f"{file}: left as it is (line 1" in shown.out
    assert files(user) == {".claude.json": b'{ "mcpServers": { '}


def test_the_copy_of_a_file_is_for_its_owner_alone_and_goes_when_it_is_not_needed(
    user: Path, home: Path, docs_research: Run
) -> None:
    (user / ".claude.json").write_text('{"oauth": "secret"}', encoding="utf-8")
    docs_research("setup", "claude-code", "--yes")
    [kept] = (home / "config" / "setup-backups").iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    docs_research("setup", "claude-code", "--remove", "--yes")
    assert list((home / "config" / "setup-backups").iterdir()) == []


def test_without_the_list_of_what_was_written_nothing_is_taken_out(user: Path, home: Path, docs_research: Run) -> None:
    docs_research("setup", "claude-code", "--yes")
    (home / "config" / "setup.json").write_text("[{", encoding="utf-8")
    shown = docs_research("setup", "claude-code", "--remove", "--yes")
    assert shown.code == 1
    assert "setup.json" in shown.err
    assert (user / ".claude.json").is_file()


@pytest.mark.parametrize("host", SNIPPETS)
def test_what_a_host_needs_can_be_printed(host: str, docs_research: Run) -> None:
    shown = docs_research("setup", "--print", host)
    assert shown.code == 0
    assert "docs-research" in shown.out and "serve" in shown.out
    if shown.out.startswith("{"):
        json.loads(shown.out)


@pytest.mark.parametrize("host", HOSTS)
def test_what_is_printed_is_what_would_be_written(host: Host, user: Path, docs_research: Run) -> None:
    docs_research("setup", host, "--yes")
    file = targets(host, "user", user)[0].path
    written, printed = file.read_text("utf-8"), docs_research("setup", "--print", host).out
    parse = tomllib.loads if file.suffix == ".toml" else json.loads
    assert parse(written) == parse(printed)


@pytest.mark.parametrize(("name", "host"), [("claude", "claude-code"), ("Claude Code", "claude-code"), ("VS-Code", "vscode")])
def test_a_host_may_be_called_as_people_call_it(user: Path, docs_research: Run, name: str, host: str) -> None:
    assert docs_research("setup", "--print", name).out == docs_research("setup", "--print", host).out
    assert docs_research("setup", name, "--yes").out.startswith(f"{host}  server: ")


def test_print_goes_with_nothing_else(docs_research: Run) -> None:
    assert docs_research("setup", "cursor", "--print", "codex").code == 2
    assert docs_research("setup", "--remove", "--print", "codex").code == 2


def test_a_host_that_is_not_written_for_is_answered_with_print(docs_research: Run) -> None:
    assert "setup --print gemini" in docs_research("setup", "gemini").err
    assert "claude-code" in docs_research("setup", "emacs").err
    assert docs_research("setup", "--print", "emacs").code == 2
    assert set(NAMES) == set(HOSTS) <= set(SNIPPETS)


def test_what_an_older_release_wrote_is_brought_up_to_date_and_still_taken_out(
    user: Path, home: Path, docs_research: Run, files: Files
) -> None:
    (user / ".claude.json").write_text('{\n  "a": 1\n}\n', encoding="utf-8")
    before = files(user)
    docs_research("setup", "claude-code", "--yes")
    up_to_date = files(user)
    _as_if_older(user, home)
    assert files(user) != up_to_date
    shown = docs_research("setup", "claude-code", "--yes", "--json")
    assert [change["action"] for change in shown.value["changes"]] == ["write"] * 4
    assert files(user) == up_to_date
    assert docs_research("setup", "claude-code", "--remove", "--yes").code == 0
    assert files(user) == before


def _as_if_older(user: Path, home: Path) -> None:
    """Files and notes as a release would have left them whose texts were others."""
    note = home / "config" / "setup.json"
    receipts = json.loads(note.read_text("utf-8"))
    for receipt in receipts:
        path = Path(receipt["path"])
        receipt["piece"] = receipt["piece"].replace("research", "look-up")
        path.write_text(path.read_text("utf-8").replace("research", "look-up"), encoding="utf-8")
        receipt["entry"] = [name.replace("research", "look-up") for name in receipt["entry"]]
        receipt["after"] = hashlib.sha256(path.read_bytes()).hexdigest()
    note.write_text(json.dumps(receipts), encoding="utf-8")


def test_what_is_left_alone_is_said_once_and_taking_out_says_nothing_of_the_path(user: Path, docs_research: Run) -> None:
    (user / ".cursor").mkdir()
    (user / ".cursor" / "mcp.json").write_text("{ broken", encoding="utf-8")
    shown = docs_research("setup", "cursor", "--yes")
    assert shown.code == 1
    assert (shown.out + shown.err).count("mcp.json") == 1
    assert "PATH" in shown.err
    assert "PATH" not in docs_research("setup", "cursor", "--remove", "--yes").err
