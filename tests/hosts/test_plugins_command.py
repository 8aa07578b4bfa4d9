"""`docs-research plugins`, in process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docs_researcher.cli.main import run
from docs_researcher.hosts.plugins import CLAUDE


def test_check_fails_until_the_folders_are_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plugins", "build", "--check", "--out", str(tmp_path), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["up_to_date"] is False
    assert {"path": f"{CLAUDE}/.mcp.json", "change": "missing"} in told["changes"]
    assert run(["plugins", "build", "--out", str(tmp_path)]) == 0
    assert f"{CLAUDE}/.mcp.json: written\n" in capsys.readouterr().out
    assert run(["plugins", "build", "--check", "--out", str(tmp_path)]) == 0


def test_what_is_built_no_more_is_told_as_deleted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / CLAUDE).mkdir(parents=True)
    (tmp_path / CLAUDE / "old.md").write_text("old", encoding="utf-8")
    assert run(["plugins", "build", "--check", "--out", str(tmp_path)]) == 1
    assert f"{CLAUDE}/old.md: not built any more" in capsys.readouterr().out
    assert run(["plugins", "build", "--out", str(tmp_path)]) == 0
    assert f"{CLAUDE}/old.md: deleted" in capsys.readouterr().out
    assert not (tmp_path / CLAUDE / "old.md").exists()


def test_the_launcher_is_written_into_the_entry(tmp_path: Path) -> None:
    assert run(["plugins", "build", "--launcher", "uvx", "--out", str(tmp_path)]) == 0
    entry = json.loads((tmp_path / CLAUDE / ".mcp.json").read_text("utf-8"))["mcpServers"]["docs"]
    assert entry == {"type": "stdio", "command": "uvx", "args": ["docs-researcher", "serve"]}


def test_a_marketplace_of_somebody_else_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / ".claude-plugin" / "marketplace.json"
    other.parent.mkdir()
    other.write_text('{"name": "tools", "plugins": []}', encoding="utf-8")
    assert run(["plugins", "build", "--out", str(tmp_path)]) == 2
    assert "--out" in capsys.readouterr().err
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [other]


@pytest.mark.parametrize("host", ["claude", "cursor", "portable"])
def test_the_folder_that_comes_with_the_package_is_named(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plugins", "path", host]) == 0
    folder = Path(capsys.readouterr().out.strip())
    assert (folder / "skills" / "library-docs" / "SKILL.md").is_file()


def test_words_that_are_no_action_may_have_been_a_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plugins", "for", "vite"]) == 2
    assert "plugins for vite" in capsys.readouterr().err
