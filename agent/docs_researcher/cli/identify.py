"""`docs-research identify`: the first step alone. Which library, which version, which concepts; no lookup is made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, one_line
from docs_researcher.core.errors import UsageError

MAX_ROW_BYTES = 1_000_000
"""More than any list of candidates."""


@click.command("identify", cls=DocsCommand)
@click.argument("words", metavar="QUESTION", nargs=-1)
@click.option("--library", metavar="LIB", help="Fix the library: a name, name@version, a purl or an id.")
@click.option("--candidates", metavar="FILE", help="Pick among the candidates in this JSON file instead; `-` is stdin.")
@common_options
@click.pass_obj
def identify_command(output: Output, words: tuple[str, ...], library: str | None, candidates: str | None) -> int:
    """Show which library and version a question is about.

    QUESTION is one quoted argument or several words; `-` reads it from stdin. Nothing is looked up. FILE holds one JSON
    object with `library`, `version`, `query` and `candidates`; the pick among them is shown.
    """
    if candidates is not None:
        return _show(output, _picked(_row(candidates)))
    if not words:
        raise UsageError(
            "There is no question",
            why="`identify` needs a question or --candidates FILE",
            next_step='docs-research identify "How do I set up auth in Next.js 15?"',
        )
    from docs_researcher.cli.question import read_question
    from docs_researcher.library.catalogue import Catalogue
    from docs_researcher.steps.report import identify_report

    return _show(output, identify_report(read_question(words), Catalogue.load(), library))


def _picked(row: dict[str, Any]) -> dict[str, Any]:
    from docs_researcher.steps.report import pick_report

    return pick_report(row)


def _show(output: Output, report: dict[str, Any]) -> int:
    if output.json:
        output.value(report)
        return 0
    for name, value in report.items():
        output.text(f"{name.replace('_', ' ')}: {_in_words(value)}")
    return 0


def _in_words(value: Any) -> str:
    """A value of a report for a reader: lists on one line, a dash for nothing."""
    if value is None or value == []:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return ", ".join(f"{key} {_in_words(item)}" for key, item in items if item is not None)
    if isinstance(value, (list, tuple)):
        return "; ".join(_in_words(item) for item in cast("list[Any]", value))
    return one_line(str(value))


def _row(file: str) -> dict[str, Any]:
    """The one JSON object in a file."""
    from docs_researcher.cli.question import read_stdin

    text = read_stdin() if file == "-" else _read(Path(file))
    try:
        row = json.loads(text)
    except ValueError as error:
        raise _unusable(file, f"it is not JSON: {error}") from error
    if not isinstance(row, dict) or not isinstance(cast("dict[str, Any]", row).get("candidates"), list):
        raise _unusable(file, "it is not an object with a list of candidates")
    return cast("dict[str, Any]", row)


def _read(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_ROW_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise _unusable(str(path), error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise _unusable(str(path), "it is not UTF-8") from error


def _unusable(file: str, why: str) -> UsageError:
    return UsageError(
        f"{file} cannot be used as candidates",
        why=why,
        next_step="Give a file with one JSON object: library, version, query, candidates (a list with id, title, ...).",
    )
