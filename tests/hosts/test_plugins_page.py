"""docs/plugins.md: every command of ours on it runs, in its order, in a throw-away home."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.hosts.clients import HOSTS
from docs_researcher.hosts.snippets import SNIPPETS

PAGE = (Path(__file__).parents[2] / "docs" / "plugins.md").read_text(encoding="utf-8")
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
OURS = [shlex.split(line)[1:] for line in COMMANDS if line.startswith("docs-research ")]


@pytest.mark.interop
@pytest.mark.usefixtures("project")
def test_every_command_on_the_page_runs(docs_research: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "docs-research").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "bin" / "docs-research").chmod(0o755)
    assert len(OURS) >= 10
    ended = {shlex.join(words): docs_research(*words) for words in OURS}
    assert {words: shown.err for words, shown in ended.items() if shown.code != 0} == {}


def test_every_host_is_on_the_page() -> None:
    assert [host for host in HOSTS if f"| `{host}` |" not in PAGE] == []
    flat = PAGE.lower().replace(" ", "-")
    assert [name for name in SNIPPETS if name not in HOSTS and name not in flat] == []
