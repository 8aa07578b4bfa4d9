"""What looking up ahead saves a Claude model, and what it costs when the model wanted something else.

Scripted runs against a Messages API on loopback: the same answer and the same delay a turn, with and without. Three rows: the
lookup was right; it was overridden every time; and from which share of overridden runs on it would cost more than it saves.

    python benchmarks/ahead.py [--delay 0.5]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from docs_researcher.core.messages import QUERY, RESOLVE
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.models.anthropic.model import ClaudeModel
from docs_researcher.runtime.researcher import Researcher
from docs_researcher.testing.messages_api import ScriptedMessagesApi, Text, ToolUse, Turn

QUESTION = "How do I set a timeout in acme?"
CODE = "client = Client(timeout=30)"


@dataclass(frozen=True, slots=True)
class Figures:
    """One run: model turns, tokens of all requests together (estimated), wall seconds."""

    turns: int
    input_tokens: int
    seconds: float


def docs(folder: Path, name: str) -> None:
    """A library with eight pages of some 400 tokens, as passages are in practice."""
    (folder / name).mkdir()
    for number in range(8):
        filler = f"Page {number} of {name} says more about timeouts, retries and clients. " * 25
        text = f"# Timeouts {number}\n\nSet a timeout:\n\n```python\n{CODE}\n```\n\n{filler}\n"
        (folder / name / f"page{number}.md").write_text(text, encoding="utf-8")
    add_source(str(folder / name), store=Store(), catalogue=Catalogue.load())


def lookup(name: str, delay: float) -> list[Turn]:
    """The two turns in which a model looks a library up by itself."""
    resolve = ToolUse("toolu_r", RESOLVE, {"libraryName": name, "query": QUESTION})
    query = ToolUse("toolu_q", QUERY, {"libraryId": f"/local/{name}", "query": "set timeout"})
    return [Turn((block,), stop_reason="tool_use", delay=delay) for block in (resolve, query)]


async def measure(turns: Sequence[Turn], *, ahead: bool) -> Figures:
    """One run over the script."""
    with ScriptedMessagesApi(turns) as api:
        model = ClaudeModel(base_url=api.url)
        await model.prepare()
        started = time.perf_counter()
        async with Researcher(model=model, look_ahead=ahead) as researcher:
            answer = await researcher.research(QUESTION, library="acme")
        seconds = time.perf_counter() - started
        api.check_finished()
    if answer.status != "complete":
        raise SystemExit(f"the run ended as {answer.status}: {answer.text}")
    tokens = sum(estimate_tokens(json.dumps(request.body, ensure_ascii=False)) for request in api.requests)
    return Figures(len(api.requests), tokens, seconds)


async def compare(delay: float) -> None:
    """Print the table."""
    answer = Turn((Text(f"Set it:\n\n```python\n{CODE}\n```"),), delay=delay)
    plain = await measure([*lookup("acme", delay), answer], ahead=False)
    right = await measure([answer], ahead=True)
    other = await measure([*lookup("other", delay), answer], ahead=False)
    overridden = await measure([*lookup("other", delay), answer], ahead=True)
    print(f"{'run':34} {'turns':>5} {'input tokens':>12} {'seconds':>8}")
    for name, figures in (
        ("without", plain),
        ("looked up ahead, used", right),
        ("without, another library", other),
        ("looked up ahead, overridden", overridden),
    ):
        print(f"{name:34} {figures.turns:5} {figures.input_tokens:12} {figures.seconds:8.2f}")
    saved, lost = plain.input_tokens - right.input_tokens, overridden.input_tokens - other.input_tokens
    print(f"\nBreak-even in input tokens: overridden in {saved / (saved + lost):.0%} of the runs")
    gained, wasted = plain.seconds - right.seconds, overridden.seconds - other.seconds
    print(f"Seconds saved when used: {gained:.2f}; lost when overridden: {wasted:.2f}")


def main() -> None:
    """Measure in a home of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--delay", type=float, default=0.5, help="seconds before each turn's first event")
    arguments = parser.parse_args()
    os.environ["ANTHROPIC_API_KEY"] = "none"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DOCS_RESEARCH_HOME"] = f"{folder}/home"
        for name in ("acme", "other"):
            docs(Path(folder), name)
        asyncio.run(compare(arguments.delay))


if __name__ == "__main__":
    main()
