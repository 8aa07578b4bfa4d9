"""`docs-research batch`: the questions of a file, several at once, one result a line."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from docs_researcher.cli.commands import PATH, DocsCommand, common_options
from docs_researcher.cli.failures import code_of_many
from docs_researcher.cli.output import Output
from docs_researcher.cli.project_options import project_folder, project_options
from docs_researcher.cli.research_options import research_options
from docs_researcher.core.answer import Answer
from docs_researcher.core.errors import UsageError
from docs_researcher.core.events import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from docs_researcher.cli.progress import Narrator
    from docs_researcher.runtime.batch import Ask, BatchRow, Result
    from docs_researcher.runtime.research_tool import ResearchArguments

DEFAULT_JOBS = 4


@click.command("batch", cls=DocsCommand)
@click.argument("file", type=PATH)
@click.option("--out", type=PATH, metavar="FILE", help="Append the results to this file, not to stdout.")
@click.option(
    "--jobs", type=click.IntRange(min=1, max=64), default=DEFAULT_JOBS, show_default=True, metavar="N", help="Questions at once."
)
@research_options("docs_from", "model", "answer_tokens", "strict_version", "offline", "yes", "config")
@project_options
@common_options
@click.pass_obj
def batch_command(output: Output, file: Path, out: Path | None, jobs: int, **options: Any) -> int:
    """Ask every question of a file and write one result a line.

    FILE holds one JSON object a line: `question`, and where wanted `id`, `library`, `version`, `answer_tokens`. A result has
    the row's id and the fields of `--json`, in the order in which the answers come; an error is a result too. The exit code is
    4 when some rows failed, and 1 when all did. Run again with the same --out, only the rows without a result and those that
    failed are asked, and of two results for one id the last counts; --json then prints a summary.

    \b
    A line of FILE:
      {"id": "1", "question": "How do I sign a request?", "library": "relay"}
    """  # noqa: D301 - click wants the character itself
    from docs_researcher.cli.progress import Narrator
    from docs_researcher.docsets.installed.home import default_home
    from docs_researcher.runtime.batch import ResultFile, batch_rows, left_to_do

    if output.json and out is None:
        raise UsageError(
            "--json needs --out here", why="without it stdout holds the results themselves", next_step="Name a file: --out FILE"
        )
    if out is not None and out.is_file() and file.is_file() and out.samefile(file):
        raise UsageError(
            f"{out} holds the questions", why="--out would write into it", next_step="Name another file for the results."
        )
    options["project_dir"] = project_folder(options["project_dir"], options.pop("no_project"))
    rows = batch_rows(file)
    with ExitStack() as stack:
        results = None if out is None else stack.enter_context(ResultFile(out, default_home() / "locks"))
        narrator = stack.enter_context(Narrator(output))
        todo = left_to_do(rows, results.ids if results is not None else ())
        write = _printer(narrator) if results is None else results.write
        counts = asyncio.run(_run(todo, _options(options, narrator), jobs, write, narrator))
    _summary(output, counts, len(rows) - len(todo))
    return code_of_many(len(rows) - counts["failed"], counts["failed"])


async def _run(
    todo: tuple[BatchRow, ...], options: dict[str, Any], jobs: int, write: Callable[[Result], None], narrator: Narrator
) -> Counter[str]:
    """Ask what is to be asked and write each result. Researchers are kept open to the end: what one fetched, all have."""
    from docs_researcher.runtime.batch import run_batch

    counts: Counter[str] = Counter()
    narrator.count("questions", 0, len(todo))
    async with AsyncExitStack() as stack:
        async for result in run_batch(todo, _asker(options, stack), jobs=jobs):
            write(result)
            counts[result["status"]] += 1
            narrator.count("questions", counts.total(), len(todo))
    return counts


def _asker(options: dict[str, Any], stack: AsyncExitStack) -> Ask:
    """How a question is asked: of one researcher for all, but for a package that a row names, which it may then fetch."""
    from docs_researcher.library.packages import parse_package
    from docs_researcher.runtime.research import make_researcher
    from docs_researcher.runtime.researcher import Researcher

    tokens, strict = options.pop("answer_tokens"), options["strict_version"]
    open_ones: dict[str | None, Researcher] = {}

    async def ask(asked: ResearchArguments) -> Answer:
        package = asked.library if asked.library and parse_package(asked.library) else None
        if package not in open_ones:
            open_ones[package] = make_researcher(named=package, **options)
            stack.push_async_callback(open_ones[package].aclose)
        return await open_ones[package].research(
            asked.question, library=asked.library, answer_tokens=asked.answer_tokens or tokens, strict_version=strict
        )

    return ask


def _options(flags: Mapping[str, Any], narrator: Narrator) -> dict[str, Any]:
    """The settings of the user and the project, the flags over them; what they say in vain is told."""
    from docs_researcher.cli.asking import settled

    options, notices = settled({**flags, "agent": None})
    for notice in notices:
        narrator(Event("notice", notice.text))
    return {**options, "listener": narrator.notices_only, "first_fetch_free": True}


def _printer(narrator: Narrator) -> Callable[[Result], None]:
    """Results to stdout, the bar taken off the screen before each."""
    import sys

    from docs_researcher.cli.output import cleaned, is_terminal
    from docs_researcher.runtime.batch import result_line

    shared = is_terminal(sys.stdout)

    def write(result: Result) -> None:
        if shared:
            narrator.pause()
        sys.stdout.write(result_line(cleaned(result)) + "\n")
        sys.stdout.flush()

    return write


def _summary(output: Output, counts: Counter[str], skipped: int) -> None:
    if output.json:
        output.value({"asked": counts.total(), "skipped": skipped, "statuses": dict(sorted(counts.items()))})
        return
    parts = [f"{number} {status}" for status, number in counts.most_common()]
    before = f"; {skipped} had a result already" if skipped else ""
    output.note(f"{counts.total()} asked{': ' if parts else ''}{', '.join(parts)}{before}")
