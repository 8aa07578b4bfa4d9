"""What the product and its documentation say about installing an extra works from a clone: nothing is published yet."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
TOLD = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for pattern in ("README.md", "docs/*.md", "agent/docs_researcher/**/*.py", "plugins/**/*.md")
    for path in ROOT.glob(pattern)
}


def test_no_text_installs_the_product_from_a_registry() -> None:
    command = re.compile(r"\b(?:pipx?|uv tool) install\s+(?:-\S+\s+)*[\"']?docs-research(?:er)?\b")
    assert [name for name, text in TOLD.items() if command.search(text)] == []


def test_an_extra_is_installed_from_the_clone_into_its_environment() -> None:
    told = [(name, line) for name, text in TOLD.items() for line in text.splitlines() if re.search(r'"\.\[[\w-]+\]"', line)]
    assert {name for name, _ in told} >= {"docs/semantic.md", "docs/claude-agent-sdk.md", "docs/cli.md"}
    for name, line in told:
        assert re.search(r'\.venv/bin/pip install --editable "\.\[([\w-]+)\]"', line), name
        assert re.findall(r'"\.\[([\w-]+)\]"', line)[0] in DECLARED, name
