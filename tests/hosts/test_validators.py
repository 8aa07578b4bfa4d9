"""The public validators of skills and plugins, as PyPI serves them, over the committed folders."""

from __future__ import annotations

import os
import shutil
import subprocess
import venv
from pathlib import Path

import pytest

from docs_researcher.hosts.texts import skill_for_commands

ROOT = Path(__file__).parents[2]
INSTALL_SECONDS = 240
"""Making the environment took 15 s on two cores."""
FOLDERS = ("claude", "cursor", "portable")

pytestmark = [pytest.mark.registry, pytest.mark.timeout(2 * INSTALL_SECONDS), pytest.mark.xdist_group("validators")]


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the validators' commands, in an environment of their own."""
    place = tmp_path_factory.mktemp("validators") / "venv"
    venv.create(place, with_pip=True)
    folder = place / ("Scripts" if os.name == "nt" else "bin")
    command = [str(folder / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "skills-ref", "skillsaw"]
    done = subprocess.run(command, capture_output=True, timeout=INSTALL_SECONDS, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return folder


@pytest.fixture
def market(tmp_path: Path) -> Path:
    """The marketplace by itself, as a repository that holds nothing else."""
    for part in (".claude-plugin", ".cursor-plugin", ".agents", "plugins"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_skill_is_valid(commands: Path, market: Path, folder: str) -> None:
    skill = market / "plugins" / folder / "docs-researcher" / "skills" / "library-docs"
    code, said = _run([commands / "agentskills", "validate", skill])
    assert code == 0, said
    (skill / "SKILL.md").write_text("---\nname: other\n---\n", encoding="utf-8")
    assert _run([commands / "agentskills", "validate", skill])[0] == 1


def test_the_skill_that_runs_our_command_is_valid(commands: Path, tmp_path: Path) -> None:
    skill = tmp_path / "library-docs"
    skill.mkdir()
    (skill / "SKILL.md").write_text(skill_for_commands(), encoding="utf-8")
    code, said = _run([commands / "agentskills", "validate", skill])
    assert code == 0, said


def test_the_linter_finds_no_error(commands: Path, market: Path) -> None:
    code, said = _run([commands / "skillsaw", "lint", market])
    assert code == 0, said
    assert "cursor-plugin" in said and "marketplace" in said
    (market / "plugins" / "claude" / "docs-researcher" / ".claude-plugin" / "plugin.json").write_text("{", encoding="utf-8")
    assert _run([commands / "skillsaw", "lint", market])[0] != 0


def _run(command: list[Path | str]) -> tuple[int, str]:
    done = subprocess.run([str(word) for word in command], capture_output=True, timeout=60, check=False)
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")
