"""`docs-research eval`: the answers to questions whose answers are known, scored."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from docs_researcher.cli.commands import PATH, DocsCommand, common_options
from docs_researcher.cli.failures import code_of_many
from docs_researcher.cli.output import Output, one_line
from docs_researcher.cli.project_options import project_folder, project_options_for_scores
from docs_researcher.cli.research_options import research_options
from docs_researcher.core.answer import Answer

if TYPE_CHECKING:
    from docs_researcher.cli.progress import Narrator
    from docs_researcher.runtime.evaluate import Expected, Scored
    from docs_researcher.runtime.research_tool import ResearchArguments


@click.command("eval", cls=DocsCommand)
@click.argument("file", type=PATH)
@click.option("--install", is_flag=True, help="First install the packages that the rows name.")
@research_options("model", "answer_tokens", model={"help": "Who thinks.", "default": "extractive", "show_default": True})
@project_options_for_scores
@common_options
@click.pass_obj
def eval_command(
    output: Output, file: Path, install: bool, model: str, answer_tokens: int | None, project_dir: Path | None, no_project: bool
) -> int:
    """Ask the questions of a file whose answers are known, and score the answers.

    FILE holds one JSON object a line: `question`; `must` and `must_code` (of each group one string has to stand in the answer, or
    in a block of code of it); `cite` (pages, one of which has to be among the references); `never` (what must not stand in it);
    and where wanted `id`, `kind`, `package`. Questions are asked one after another from what is installed. The exit code says
    nothing about the score: it is 4 when some questions failed, and 1 when all did.

    \b
    A line of FILE:
      {"question": "How do I sign a request in relay?", "must_code": [["sign_request("]], "cite": ["signing.md"]}
    """  # noqa: D301 - click wants the character itself
    from docs_researcher.cli.progress import Narrator
    from docs_researcher.runtime.evaluate import read_expected

    folder = project_folder(project_dir, no_project or project_dir is None)
    rows = read_expected(file)
    with Narrator(output) as narrator:
        if install:
            _install(list(dict.fromkeys(row.package for row in rows if row.package)), narrator)
        scored = asyncio.run(_score(rows, model, answer_tokens, folder, narrator))
    if output.json:
        output.value({"summary": _summary(scored), "rows": [_row(row) for row in scored]})
    else:
        output.text("\n".join(_table(scored)))
    failed = sum(row.status == "failed" for row in scored)
    return code_of_many(len(scored) - failed, failed)


def _install(packages: Sequence[str], narrator: Narrator) -> None:
    """Install packages; one that cannot be had fails its questions, not the others."""
    from docs_researcher.core.errors import DocsResearchError
    from docs_researcher.core.events import Event
    from docs_researcher.docsets.acquiring.add import add_source
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.library.catalogue import Catalogue

    store, catalogue = Store(), Catalogue.load()
    for number, package in enumerate(packages):
        narrator.count("packages", number, len(packages))
        try:
            add_source(package, store=store, catalogue=catalogue, listener=narrator)
        except DocsResearchError as error:
            narrator(Event("notice", f"{package} is not installed. {error.message}. {error.next_step}".strip()))
    narrator.pause()


async def _score(
    rows: Sequence[Expected], model: str, answer_tokens: int | None, folder: Path | None, narrator: Narrator
) -> list[Scored]:
    from docs_researcher.runtime.evaluate import score
    from docs_researcher.runtime.research import make_researcher

    scored: list[Scored] = []
    async with make_researcher(model=model, offline=True, project_dir=folder, listener=narrator.notices_only) as researcher:

        async def ask(asked: ResearchArguments) -> Answer:
            return await researcher.research(asked.question, answer_tokens=answer_tokens)

        for row in rows:
            narrator.count("questions", len(scored), len(rows))
            scored.append(await score(row, ask))
    narrator.pause()
    return scored


def _row(row: Scored) -> dict[str, Any]:
    return {
        "id": row.expected.id,
        "kind": row.expected.kind,
        "question": row.expected.question,
        "status": row.status,
        "words": row.words,
        "cited": row.cited,
        "right": row.right,
        "missing": list(row.missing),
        "tokens_returned": row.tokens_returned,
        "tokens_read": row.tokens_read,
        "seconds": row.seconds,
        "text": row.text,
    }


def _summary(scored: Sequence[Scored]) -> dict[str, Any]:
    """The scores of all rows, and under `kinds` those of each kind."""
    kinds = sorted({row.expected.kind for row in scored} - {""})
    parts = {kind: _scores([row for row in scored if row.expected.kind == kind]) for kind in kinds}
    return {**_scores(scored), "kinds": parts}


def _scores(scored: Sequence[Scored]) -> dict[str, Any]:
    from docs_researcher.runtime.evaluate import share

    return {
        "rows": len(scored),
        **{field: round(share(scored, field), 3) for field in ("words", "cited", "right")},
        "tokens_returned": round(sum(row.tokens_returned for row in scored) / len(scored)),
        "tokens_read": round(sum(row.tokens_read for row in scored) / len(scored)),
        "seconds": round(sum(row.seconds for row in scored) / len(scored), 3),
        "slowest": max(row.seconds for row in scored),
    }


def _table(scored: Sequence[Scored]) -> list[str]:
    """A line a question, a line for what is missing in it, then the scores by kind and of all."""
    width = max(2, *(len(one_line(row.expected.id)) for row in scored))
    lines = [f"{'id':{width}}  words  cite  tokens     read  seconds"]
    for row in scored:
        marks = f"{_mark(row.words):5}  {_mark(row.cited):4}"
        lines.append(
            f"{one_line(row.expected.id):{width}}  {marks}  {row.tokens_returned:6}  {row.tokens_read:7}  {row.seconds:7.3f}"
        )
        if row.status != "complete":
            lines.append(f"{'':{width}}  {row.status}: {_first(row.text)}")
        elif row.missing:
            lines.append(f"{'':{width}}  {one_line('; '.join(row.missing))}")
    summary = _summary(scored)
    lines += ["", "kind                 rows  words   cite  right  tokens  seconds"]
    for kind, values in [*summary["kinds"].items(), ("all", summary)]:
        shares = "  ".join(f"{values[field]:5.0%}" for field in ("words", "cited", "right"))
        lines.append(f"{one_line(kind):20} {values['rows']:4}  {shares}  {values['tokens_returned']:6}  {values['seconds']:7.3f}")
    return lines


def _mark(right: bool) -> str:
    return "yes" if right else "no"


def _first(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= 100 else f"{line[:99]}…"
