"""`docs-research agents`: what is listed, what is checked, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

Run = Any  # tests/cli/conftest.py: a call that gives code, out, err and value


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that the commands are run in, for a user without agents."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "nobody"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.chdir(root)
    return root


def write(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "\n".join(["---", f"name: {path.stem}", "description: Use it.", *lines, "---", "Do it.", ""]), encoding="utf-8"
    )
    return path


def test_the_built_in_agent_is_listed(project: Path, docs_research: Run) -> None:
    shown = docs_research("agents", "list")
    assert shown.code == 0
    assert shown.out.split("\n")[0].split() == "docs-researcher built in inherit resolve-library-id query-docs".split()


def test_every_agent_is_listed_with_what_is_known_of_it(project: Path, docs_research: Run) -> None:
    path = write(project / ".claude/agents/demo.md", "model: haiku", "tools: Read, query-docs", "skills: [x]", "made_up: 1")
    value = docs_research("agents", "list", "--json").value
    demo = value["agents"][0]
    assert demo["repairs"][0].keys() == {"line", "column", "text", "is_fault"}
    assert [repair["is_fault"] for repair in demo.pop("repairs")] == [False, True]
    assert demo == {
        "name": "demo",
        "description": "Use it.",
        "path": str(path),
        "found": "project, .claude",
        "shadowed_by": None,
        "model": "haiku",
        "tools": ["query-docs"],
        "cannot_run": None,
        "warnings": ["the tool 'Read' of the agent 'demo' is not offered here and was ignored"],
        "unknown": ["made_up", "skills"],
    }
    assert [agent["name"] for agent in value["agents"]] == ["demo", "docs-researcher"]


def test_a_shadowed_agent_says_which_file_its_name_stands_for(project: Path, docs_research: Run) -> None:
    first = write(project / ".docs-research/agents/demo.md")
    write(project / ".claude/agents/demo.md")
    shown = docs_research("agents", "list")
    assert shown.out.count("\ndemo") + shown.out.startswith("demo") == 2
    assert f"not used: the name stands for {first}" in shown.out


def test_an_agent_without_documentation_tools_is_listed_as_such(project: Path, docs_research: Run) -> None:
    write(project / ".claude/agents/coder.md", "tools: Read, Write")
    shown = docs_research("agents", "list")
    assert "no documentation tools" in shown.out
    assert "cannot run here: none of Read, Write is offered here" in shown.out


def test_a_list_tells_broken_files_and_is_still_a_list(project: Path, docs_research: Run) -> None:
    write(project / ".claude/agents/good.md")
    (project / ".claude/agents/bad.md").write_text("---\nname: bad\n---\nx\n", encoding="utf-8")
    (project / ".claude/agents/README.md").write_text("# About\n", encoding="utf-8")
    shown = docs_research("agents", "list")
    assert shown.code == 0
    assert "good" in shown.out
    assert "bad.md:2:1: the frontmatter has no `description`" in shown.err
    assert "README.md" in shown.err


def test_agents_in_order_are_valid(project: Path, docs_research: Run) -> None:
    write(project / ".claude/agents/demo.md")
    shown = docs_research("agents", "validate", "--strict")
    assert (shown.code, shown.out) == (0, "")
    assert shown.err == "1 checked: 0 cannot be loaded, 0 to be corrected.\n"


def test_one_that_cannot_be_loaded_fails_with_its_place_and_the_way_out(project: Path, docs_research: Run) -> None:
    write(project / ".claude/agents/good.md")
    bad = project / ".claude/agents/bad.md"
    bad.write_text("---\nname: bad\n---\nx\n", encoding="utf-8")
    shown = docs_research("agents", "validate")
    assert shown.code == 1
    assert f"error: {bad}:2:1: the frontmatter has no `description`" in shown.out
    assert 'Write `description: "When to use this agent."`' in shown.out


def test_a_repair_fails_only_a_strict_check(project: Path, docs_research: Run) -> None:
    path = write(project / "agent.md", "color: red", "argument: use it: now")
    assert docs_research("agents", "validate", str(path)).code == 0
    shown = docs_research("agents", "validate", str(path), "--strict")
    assert shown.code == 1
    assert f"warning: {path}:5:" in shown.out


def test_a_key_of_another_host_passes_a_strict_check(project: Path, docs_research: Run) -> None:
    path = write(project / "agent.md", "skills: [x]")
    shown = docs_research("agents", "validate", str(path), "--strict")
    assert shown.code == 0
    assert shown.out.startswith(f"note: {path}:4:1: `skills` has no effect here")


def test_the_json_of_a_check_tells_the_broken_files_and_the_good_ones(project: Path, docs_research: Run) -> None:
    good = write(project / "agents/good.md")
    bad = project / "agents/bad.md"
    bad.write_text("---\nname: bad\n---\nx\n", encoding="utf-8")
    shown = docs_research("agents", "validate", str(project / "agents"), "--json")
    assert shown.code == 1
    value = shown.value
    assert value["valid"] is False
    assert [agent["path"] for agent in value["agents"]] == [str(good)]
    broken = value["broken"][0]
    assert (broken["path"], broken["found"], broken["line"], broken["column"]) == (str(bad), "file", 2, 1)
    assert broken["next"]


def test_a_named_file_without_frontmatter_is_an_error_and_one_in_a_folder_is_documentation(
    project: Path, docs_research: Run
) -> None:
    path = project / "agents" / "README.md"
    path.parent.mkdir()
    path.write_text("# About\n", encoding="utf-8")
    assert docs_research("agents", "validate", str(path)).code == 1
    shown = docs_research("agents", "validate", str(path.parent), "--json")
    assert (shown.code, shown.value["documents"]) == (0, [str(path)])


def test_a_path_that_is_not_there_fails(project: Path, docs_research: Run) -> None:
    shown = docs_research("agents", "validate", "none.md", "--json")
    assert shown.code == 2
    assert shown.value["error"]["message"] == "There is no none.md"


def test_the_definition_of_this_package_is_valid_in_the_strict_sense(project: Path, docs_research: Run) -> None:
    builtin = docs_research("agents", "list", "--json").value["agents"][-1]
    assert docs_research("agents", "validate", builtin["path"], "--strict").code == 0


@pytest.mark.parametrize("words", [("in", "langchain"), ("list", "here"), ("list", "--strict")])
def test_words_that_are_no_action_are_wrong_arguments(project: Path, docs_research: Run, words: tuple[str, ...]) -> None:
    shown = docs_research("agents", *words, "--json")
    assert shown.code == 2
    assert json.loads(shown.out)["error"]["next"]
