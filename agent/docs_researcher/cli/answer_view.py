"""An answer as the user sees it: Markdown on a terminal, the same Markdown as text elsewhere, or JSON."""

from __future__ import annotations

import sys
from collections.abc import Collection

from docs_researcher.cli.output import Output, is_terminal, one_line
from docs_researcher.core.answer import Answer, AnswerUsage
from docs_researcher.core.clean import clean


def show_answer(answer: Answer, output: Output, *, plain: bool, said: Collection[str] = ()) -> None:
    """Write an answer to stdout, and to stderr its cost and those notices that were not `said` and do not stand in it."""
    if output.json:
        output.value(answer.to_dict())
        return
    if plain or not is_terminal(sys.stdout):
        output.text(answer.text)
    else:
        print_markdown(clean(answer.text))
    shown = one_line(answer.text)
    for sentence in (one_line(notice.text) for notice in answer.notices):
        if sentence not in said and sentence.rstrip(".") not in shown:
            output.note(f"Note: {sentence}")
    output.note(usage_line(answer.usage))


def usage_line(usage: AnswerUsage) -> str:
    """What an answer cost, in one line."""
    calls = f"{usage.tool_calls} tool call{'' if usage.tool_calls == 1 else 's'}"
    parts = [
        usage.model,
        calls,
        f"{usage.tokens_read:,} tokens read, {usage.tokens_returned:,} returned",
        f"{usage.seconds:.2f} s",
        "" if usage.cost is None else f"{usage.cost:.4f} USD",
    ]
    return " · ".join(part for part in parts if part)


def print_markdown(text: str) -> None:
    """Render Markdown on a terminal. Tags, square brackets and colons are shown as they are written."""
    from markdown_it import MarkdownIt
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(markup=False, emoji=False, highlight=False)
    page = Markdown("", hyperlinks=False)
    page.parsed = MarkdownIt("commonmark", {"html": False}).enable("table").enable("strikethrough").parse(text)
    console.print(page)
