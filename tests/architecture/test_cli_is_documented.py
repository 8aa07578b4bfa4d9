"""docs/cli.md is written from the real commands, and none is missing."""

from __future__ import annotations

import runpy
from pathlib import Path

import click
import pytest

from docs_researcher.cli.commands import COMMANDS, load_command

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")


def test_the_page_is_what_the_script_writes_now() -> None:
    assert runpy.run_path(str(ROOT / "scripts" / "docs.py"))["page"]() == PAGE


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_on_the_page(name: str) -> None:
    section = PAGE.partition(f"## `docs-research {name}`")[2].partition("\n## ")[0]
    options = [option for option in load_command(name).params if isinstance(option, click.Option)]
    assert [option.name for option in options if not any(word in section for word in option.opts)] == []
    assert all(option.help for option in options)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_the_command_says(name: str) -> None:
    first = (load_command(name).help or "").strip().splitlines()[0]
    assert first == COMMANDS[name]


def test_every_command_has_a_module_of_its_own() -> None:
    folder = ROOT / "agent" / "docs_researcher" / "cli"
    written = {path.stem for path in folder.glob("*.py") if "cls=DocsCommand" in path.read_text(encoding="utf-8")}
    assert written == set(COMMANDS)
