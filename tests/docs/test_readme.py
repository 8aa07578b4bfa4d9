"""README.md: what it shows was printed by the product, and what it names can be run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs_researcher.cli.commands import COMMANDS

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
TRANSCRIPT = re.compile(
    r"^`{5}text\n\$ docs-research \"(?P<question>[^\"]+)\"\n(?P<answer>.*?)\n\nextractive", re.MULTILINE | re.DOTALL
)
TABLE = [line for line in README.splitlines() if line.startswith("| ") and "`docs-research" in line]


def test_every_command_in_the_table_is_one() -> None:
    named = {word for line in TABLE for word in re.findall(r"`docs-research ([a-z]+)", line)}
    assert named >= {"add", "list", "search", "vectors", "outdated", "update", "mcp", "serve", "setup", "doctor"}
    assert named <= set(COMMANDS)


@pytest.mark.registry
@pytest.mark.interop
@pytest.mark.timeout(300)
def test_the_sample_is_what_is_printed(tmp_path: Path) -> None:
    sample = TRANSCRIPT.search(README)
    assert sample
    version = re.search(r"\*\*Next\.js ([\d.]+)\*\*", sample["answer"])
    assert version
    given = {**os.environ, "DOCS_RESEARCH_HOME": str(tmp_path / "home")}

    def printed(*arguments: str) -> str:
        command = [sys.executable, "-m", "docs_researcher", *arguments]
        done = subprocess.run(command, env=given, cwd=tmp_path, capture_output=True, text=True, timeout=250, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    printed("add", f"npm:next@{version[1]}")
    answer = printed(sample["question"], "--offline", "--model", "extractive")
    left_out = [part.strip() for part in sample["answer"].split("[…]")]
    assert len(left_out) > 1 or sample["answer"].strip() == answer.strip()
    for part in left_out:
        assert part in answer
