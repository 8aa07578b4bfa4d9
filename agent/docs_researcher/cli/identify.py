"""`docs-research identify`: the first step alone. Which library, which version, which concepts; no lookup is made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, one_line
from docs_researcher.cli.project_options import project_folder, project_options
from docs_researcher.core.errors import UsageError


@click.command("identify", cls=DocsCommand)
@click.argument("words", metavar="QUESTION", nargs=-1)
@click.option("--library", metavar="LIB", help="Fix the library: a name, name@version, a purl or an id.")
@click.option("--candidates", metavar="FILE", help="Pick among the candidates in this JSON file instead; `-` is stdin.")
@project_options
@common_options
@click.pass_obj
def identify_command(
    output: Output,
    words: tuple[str, ...],
    library: str | None,
    candidates: str | None,
    project_dir: Path | None,
    no_project: bool,
) -> int:
    """Show which library and version a question is about.

    QUESTION is one quoted argument or several words; `-` reads it from stdin. Nothing is looked up. `libraries` lists those
    that are named, the one that is asked about first, with the version and the id; `project` says what the project has of
    them, `concepts` what would be searched for, one query each. Where a question is asked of several libraries one by one
    ("hono vs express"), `sides` says what is searched for in which. FILE holds one JSON object with `library`, `version`,
    `query` and `candidates`; the pick among them is shown.
    """
    folder = project_folder(project_dir, no_project)
    if candidates is not None:
        return _show(output, _picked(candidates))
    if not words:
        raise UsageError(
            "There is no question",
            why="`identify` needs a question or --candidates FILE",
            next_step='docs-research identify "How do I set up auth in Next.js 15?"',
        )
    from docs_researcher.cli.question import read_question

    return _show(output, _identified(read_question(words), library, folder, output))


def _identified(question: str, library: str | None, folder: Path | None, output: Output) -> dict[str, Any]:
    from docs_researcher.models.base import Question
    from docs_researcher.runtime.given import check_library
    from docs_researcher.runtime.in_project import asked_one_by_one, project_at, understood
    from docs_researcher.steps.queries.split import split
    from docs_researcher.steps.report import identification_report

    check_library(library)
    project = project_at(folder)
    for notice in project.notices if project is not None else ():
        output.note(notice)
    asked = Question(question, library, project=project)
    identification = understood(asked)
    sides = {side.library: split(side.question, alone) for side, alone in asked_one_by_one(asked)}
    return identification_report(identification, split(question, identification), project, sides)


def _picked(file: str) -> dict[str, Any]:
    from docs_researcher.cli.candidate_row import read_row
    from docs_researcher.library.catalogue import Catalogue
    from docs_researcher.steps.candidates.pick import pick
    from docs_researcher.steps.report import pick_report

    row = read_row(file)
    entry = Catalogue.load().find(row.library)
    names = (*entry.aliases, *entry.npm, *entry.pypi) if entry is not None else ()
    return pick_report(pick(row.library, row.version, row.query, row.candidates, names))


def _show(output: Output, report: dict[str, Any]) -> int:
    if output.json:
        output.value(report)
        return 0
    if not report.get("sides"):
        report = {name: value for name, value in report.items() if name != "sides"}
    for name, value in report.items():
        lines = _LINES.get(name, _in_words)(value)
        output.text(f"{name.replace('_', ' ')}: {lines}" if isinstance(lines, str) else "\n".join([f"{name}:", *lines]))
    return 0


def _libraries(libraries: list[dict[str, Any]]) -> str | list[str]:
    """A row for each library: its name, the version that was asked for, its id and why it is there."""
    rows = [[_in_words(library[column]) for column in ("name", "version", "id", "why")] for library in libraries]
    widths = [max(len(row[column]) for row in rows) for column in range(3)] if rows else []
    cells = ([cell.ljust(width) for cell, width in zip(row, [*widths, 0], strict=True)] for row in rows)
    return [f"  {'  '.join(row)}" for row in cells] or _NONE


def _project(project: dict[str, dict[str, Any]]) -> str | list[str]:
    return [f"  {one_line(version['sentence'])}" for version in project.values()] or _NONE


def _numbered(concepts: list[str]) -> str | list[str]:
    return [f"  {number}  {one_line(concept)}" for number, concept in enumerate(concepts, 1)] or _NONE


def _by_library(sides: dict[str, list[str]]) -> list[str]:
    return [f"  {library}: {'; '.join(map(one_line, concepts))}" for library, concepts in sides.items()]


_NONE = "-"
_LINES: dict[str, Callable[[Any], str | list[str]]] = {
    "libraries": _libraries,
    "project": _project,
    "concepts": _numbered,
    "sides": _by_library,
}


def _in_words(value: Any) -> str:
    """A value of a report for a reader: lists on one line, a dash for nothing."""
    if value is None or value == []:
        return _NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return "; ".join(_in_words(item) for item in cast("list[Any]", value))
    return one_line(str(value))
