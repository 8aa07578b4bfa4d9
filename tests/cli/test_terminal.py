"""What a person at a terminal sees, tried on a pseudo-terminal."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mcp_peers import peer
from terminals import at_a_terminal

pytestmark = [
    pytest.mark.interop,
    pytest.mark.skipif(not sys.platform.startswith(("linux", "darwin")), reason="needs a pseudo-terminal"),
]

PAGE = """\
# Drawing the screen

Wrap the tree in `<Suspense>` and index it with `arr[bold]`; <App> and [/x] and [bold] and :smile: are plain text.

```jsx
<App mood=":smile:">{arr[bold]}</App>
```
"""


def _docs_research(*arguments: str, replies: str = "") -> tuple[int, str]:
    return at_a_terminal(sys.executable, "-m", "docs_researcher", *arguments, replies=replies)


@pytest.fixture
def screens(tmp_path: Path, home: Path) -> str:
    folder = tmp_path / "screens"
    folder.mkdir()
    (folder / "screen.md").write_text(PAGE, encoding="utf-8")
    code, screen = _docs_research("add", str(folder), "--offline")
    assert code == 0, screen
    return "/local/screens"


def test_literal_text_of_markdown_is_shown_as_it_is_written() -> None:
    text = "Use <App> and [bold] and [/x] and :smile: here.\n\n<Suspense>\n\n```jsx\n<App>{arr[bold]}</App>\n```\n"
    script = f"from docs_researcher.cli.answer_view import print_markdown\nprint_markdown({text!r})"
    code, screen = at_a_terminal(sys.executable, "-c", script)
    assert code == 0
    for literal in ("<App>", "[bold]", "[/x]", ":smile:", "<Suspense>", "<App>{arr[bold]}</App>"):
        assert literal in screen


def test_an_answer_at_a_terminal_is_rendered_with_its_steps(screens: str) -> None:
    code, screen = _docs_research("How do I draw the screen in Suspense?", "--library", screens, "--offline")
    assert code == 0
    assert '<App mood=":smile:">{arr[bold]}</App>' in screen
    assert "```" not in screen
    assert "tokens read" in screen


def test_markdown_stays_markdown_when_asked_for(screens: str) -> None:
    code, screen = _docs_research("How do I draw the screen in Suspense?", "--library", screens, "--offline", "--markdown")
    assert code == 0
    assert "```jsx" in screen


def test_removing_asks_first(screens: str) -> None:
    code, screen = _docs_research("remove", screens, replies="n\n")
    assert code == 0
    assert "Nothing was removed" in screen
    code, screen = _docs_research("remove", screens, replies="y\n")
    assert code == 0
    assert "Removed" in screen


def test_a_question_back_is_asked_and_its_reply_used(screens: str) -> None:
    code, screen = _docs_research("How do I draw the screen?", "--offline", replies=f"{screens}\n")
    assert code == 0
    assert "<App mood=" in screen


def test_nothing_is_asked_with_json(home: Path) -> None:
    code, screen = _docs_research("How do I draw the screen?", "--offline", "--json")
    assert code == 5
    assert '"status": "needs_input"' in screen


def test_a_batch_at_a_terminal_shows_how_far_it_is(screens: str, tmp_path: Path) -> None:
    file, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    file.write_text(f'{{"question": "How do I draw the screen?", "library": "{screens}"}}\n' * 3, encoding="utf-8")
    code, screen = _docs_research("batch", str(file), "--out", str(out), "--offline")
    assert code == 0
    assert "of 3 questions" in screen
    assert "3 asked: 3 complete" in screen
    assert len(out.read_text(encoding="utf-8").splitlines()) == 3


def test_a_project_s_server_is_asked_about_in_place_once_for_each_content_of_its_file(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    command, args = peer(tmp_path)
    file = project / ".mcp.json"
    servers = {
        "theirs": {"command": command, "args": args, "env": {"KEY": "value-of-key"}},
        "web": {"url": "http://127.0.0.1:9/"},
    }
    file.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    monkeypatch.chdir(project)
    question = ("How to do it?", "--library", "/a/b", "--server", "theirs", "--no-cache")

    code, screen = _docs_research(*question, replies="n\n")
    assert code == 1
    assert f"theirs: {command}" in screen
    assert "(sets KEY)" in screen
    assert "value-of-key" not in screen
    assert "web: http://127.0.0.1:9/" in screen
    assert f"docs-research mcp approve {file}" in screen.replace("\n", " ")

    code, screen = _docs_research(*question, replies="y\n")
    assert code == 0
    assert "How to do it." in screen

    code, screen = _docs_research("mcp", "tools", "theirs")
    assert code == 0
    assert "Allow what" not in screen

    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    code, screen = _docs_research("mcp", "tools", "theirs", replies="n\n")
    assert code == 1
    assert "Allow what" in screen
