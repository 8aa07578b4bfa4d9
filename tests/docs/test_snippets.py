"""Every Python block of README.md and docs/*.md runs, page by page, over a small docset and a Messages API on loopback."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from claude_code import scripted_claude
from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sources.base import SourceInfo
from docs_researcher.docsets.sources.folder import FolderSource
from docs_researcher.testing.messages_api import Body, Text, ToolUse, Turn

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"^(?P<fence>`{3,})(?:python|py)\n(?P<code>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)

RESEARCH = "research-library-docs"
QUESTION = "How do I validate a query string in fastify?"
CODE = "fastify.get('/', { schema: { querystring: { type: 'object' } } }, handler)"
PAGE = f"""\
# Validation

A route validates its query string by a JSON schema under `querystring`.

```js
{CODE}
```

## Hooks

Write a hook with `addHook`.

```js
fastify.addHook('onRequest', async (request) => {{}})
```
"""


def blocks(page: Path) -> list[str]:
    """The Python blocks of a page, each moved down to its own lines so that an error names them."""
    text = page.read_text(encoding="utf-8")
    return ["\n" * text[: found.start("code")].count("\n") + found["code"] for found in BLOCK.finditer(text)]


WITH_PYTHON = [page for page in PAGES if blocks(page)]


def parent(body: Body) -> Turn:
    """A model that looks for the tool where it has to, calls it, and says what it was told."""
    for message in reversed(body["messages"]):
        for block in message["content"] if isinstance(message["content"], list) else ():
            if block["type"] == "tool_result" and block["tool_use_id"] == "toolu_2":
                parts = block["content"]
                return Turn((Text(parts if isinstance(parts, str) else "".join(part["text"] for part in parts)),))
    names = [tool["name"] for tool in body.get("tools", ())]
    if "toolu_1" in str(body["messages"]) or RESEARCH in names:
        name = RESEARCH if RESEARCH in names else f"mcp__docs-researcher__{RESEARCH}"
        return Turn((ToolUse("toolu_2", name, {"question": QUESTION}),), stop_reason="tool_use")
    if "ToolSearch" in names:
        search = {"query": f"select:mcp__docs-researcher__{RESEARCH}", "max_results": 1}
        return Turn((ToolUse("toolu_1", "ToolSearch", search),), stop_reason="tool_use")
    return Turn((Text(f"```js\n{CODE}\n```"),))


@pytest.fixture
def surroundings(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a reader has: an installed library, a key, a folder to work in. Nothing of the user's own is read."""
    folder = tmp_path / "fastify"
    folder.mkdir()
    (folder / "validation.md").write_text(PAGE, encoding="utf-8")
    info = SourceInfo("fastify", "5.6.0", "/fastify/fastify", "pkg:npm/fastify@5.6.0", "Fastify")
    build_docset(FolderSource(folder, info=info), Store())
    monkeypatch.chdir(tmp_path)
    with scripted_claude(monkeypatch, tmp_path / "user", parent):
        yield


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.name)
def test_the_python_of_a_page_runs_and_prints_an_answer(
    page: Path, surroundings: None, capsys: pytest.CaptureFixture[str]
) -> None:
    snippets = blocks(page)
    if any("from claude_agent_sdk import" in code for code in snippets):
        pytest.importorskip("claude_agent_sdk", reason="scripts/check-hosts has it")
    names: dict[str, object] = {"__name__": "__main__"}
    for code in snippets:
        exec(compile(code, str(page), "exec"), names)
    assert CODE in capsys.readouterr().out


def test_the_pages_for_python_parents_have_python() -> None:
    assert {"python.md", "anthropic-sdk.md", "claude-agent-sdk.md"} <= {page.name for page in WITH_PYTHON}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_to_a_page_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []
