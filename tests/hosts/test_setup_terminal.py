"""`docs-research setup` at a terminal: it shows what it would do and asks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from terminals import at_a_terminal

Files = Callable[[Path], dict[str, bytes]]

pytestmark = [
    pytest.mark.interop,
    pytest.mark.skipif(not sys.platform.startswith(("linux", "darwin")), reason="needs a pseudo-terminal"),
]


def _answered(reply: str) -> tuple[int, str]:
    """The exit code and the screen of a set-up whose question is answered so."""
    return at_a_terminal(sys.executable, "-m", "docs_researcher", "setup", "claude-code", replies=f"{reply}\n")


@pytest.mark.usefixtures("project")
def test_a_yes_is_asked_for_after_the_change_was_shown(user: Path, files: Files) -> None:
    (user / ".claude.json").write_text('{\n  "theme": "dark"\n}\n', encoding="utf-8")
    before = files(user)
    code, screen = _answered("n")
    assert code == 130
    assert '+  "mcpServers": {' in screen.partition("Make these changes? [y/N]")[0]
    assert files(user) == before
    code, screen = _answered("y")
    assert code == 0
    assert "agent: " in screen and "written" in screen
    assert set(files(user)) > set(before)
