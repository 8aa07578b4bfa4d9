"""What a person at a terminal sees, tried on a pseudo-terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

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
