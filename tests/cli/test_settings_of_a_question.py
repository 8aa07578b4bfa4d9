"""Settings as a question at the command line meets them: which one counts, and what is said about them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.definition.places import config_file

Run = Any  # tests/cli/conftest.py: a call that gives code, out, err and value


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, docs_research: Run, relay: Path) -> Path:
    """A repository that questions are asked in, with one library installed."""
    assert docs_research("add", str(relay), "--offline").code == 0
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    return root


def ask(docs_research: Run, *flags: str) -> Any:
    """A question that the extractive model looks up in a second turn as well, so that a limit of one takes something away."""
    return docs_research("How do I revoke a request?", "--library", "/local/relay", "--json", *flags)


def test_the_users_limits_are_kept(project: Path, home: Path, docs_research: Run) -> None:
    (home / "config").mkdir()
    (home / "config" / "config.toml").write_text("offline = true\n[limits]\nturns = 1\n", encoding="utf-8")
    shown = ask(docs_research)
    assert (shown.code, shown.value["status"]) == (4, "partial")
    assert "limit_reached" in {notice["code"] for notice in shown.value["notices"]}
    assert ask(docs_research, "--turns", "8").value["status"] == "complete"


def test_a_variable_wins_over_the_file(project: Path, home: Path, docs_research: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "config").mkdir()
    (home / "config" / "config.toml").write_text("limits.turns = 1\n", encoding="utf-8")
    monkeypatch.setenv("DOCS_RESEARCH_TURNS", "8")
    assert ask(docs_research, "--offline").code == 0


def test_another_file_can_be_named(project: Path, tmp_path: Path, docs_research: Run) -> None:
    path = tmp_path / "other.toml"
    path.write_text("limits.turns = 1\n", encoding="utf-8")
    assert ask(docs_research, "--config", str(path), "--offline").code == 4
    assert config_file() == path  # where servers are read from
    assert ask(docs_research, "--config", str(tmp_path / "none.toml"), "--offline").code == 2


def test_what_a_file_says_in_vain_stands_in_the_answer(project: Path, docs_research: Run) -> None:
    path = project / "pyproject.toml"
    path.write_text('[tool.docs-research]\ndocs_from = "mcp:evil"\nmodle = "x"\n', encoding="utf-8")
    shown = ask(docs_research, "--offline")
    assert shown.code == 0
    told = [notice["text"] for notice in shown.value["notices"] if notice["code"] == "configuration"]
    assert [text.partition(": ")[0] for text in told] == [f"{path}:3", f"{path}:2"]


def test_a_file_that_cannot_be_used_is_an_error_with_its_place(project: Path, home: Path, docs_research: Run) -> None:
    (home / "config").mkdir()
    path = home / "config" / "config.toml"
    path.write_text("[limits]\nturns = 'x'\n", encoding="utf-8")
    shown = ask(docs_research)
    assert shown.code == 1
    assert shown.value["error"]["code"] == "configuration"
    assert shown.value["error"]["message"].startswith(f"{path}:2: `limits.turns` cannot be 'x'")


def test_the_projects_agent_is_used_by_its_name(project: Path, docs_research: Run) -> None:
    path = project / ".docs-research" / "agents" / "brief.md"
    path.parent.mkdir(parents=True)
    path.write_text(
        "---\nname: brief\ndescription: x\ndocs-research:\n  limits:\n    turns: 1\n---\nBe brief.\n", encoding="utf-8"
    )
    assert ask(docs_research, "--offline", "--agent", "brief").code == 4
    assert ask(docs_research, "--offline", "--agent", str(path)).code == 4
    assert ask(docs_research, "--offline", "--agent", "brief", "--turns", "5").code == 0
    shown = ask(docs_research, "--offline", "--agent", "briefly")
    assert (shown.code, shown.value["error"]["next"]) == (2, "Did you mean `--agent brief`?")


@pytest.mark.parametrize("flags", [("--seconds", "nan"), ("--seconds", "0"), ("--turns", "0")])
def test_a_flag_that_cannot_be_is_a_wrong_argument(project: Path, docs_research: Run, flags: tuple[str, str]) -> None:
    shown = ask(docs_research, *flags)
    assert shown.code == 2
    assert json.loads(shown.out)["error"]["code"] == "usage"
