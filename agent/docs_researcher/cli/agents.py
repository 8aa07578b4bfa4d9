"""`docs-research agents`: the agents that `--agent NAME` can name, and whether their files are in order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, one_line
from docs_researcher.cli.routing import as_question
from docs_researcher.core.errors import DefinitionError, UsageError

if TYPE_CHECKING:
    from docs_researcher.definition.folders import Agents, Broken, Found

ACTIONS = ("list", "validate")


@click.command("agents", cls=DocsCommand)
@click.argument("action", metavar="list|validate")
@click.argument("paths", metavar="[PATH...]", nargs=-1)
@click.option("--strict", is_flag=True, help="validate: fail also where a file needs a correction.")
@common_options
@click.pass_obj
def agents_command(output: Output, action: str, paths: tuple[str, ...], strict: bool) -> int:
    """List the agents that --agent can name, or check their files.

    `agents list` shows every agent of this project, of the user and of this package: where it was found and by which rule, its
    model, the documentation tools it gets, and what its file says that was mended or has no effect.

    `agents validate` checks files and folders, else every agent of the project and the user. It exits with 1 when a file cannot
    be loaded.
    """
    if action not in ACTIONS:
        raise UsageError(
            f"`agents` has no action {action!r}",
            why=f"its actions are {' and '.join(ACTIONS)}",
            next_step=f"If it was a question: {as_question(['agents', action, *paths])}",
        )
    if action == "validate":
        return _validate(output, paths, strict)
    if paths or strict:
        raise UsageError(
            "`agents list` takes no paths and no --strict",
            next_step="Check files with `docs-research agents validate PATH`.",
        )
    return _list(output)


def _list(output: Output) -> int:
    from docs_researcher.definition.folders import find_agents

    agents = find_agents()
    if output.json:
        output.value(_value(agents))
        return 0
    rows = [_cells(item) for item in agents.found]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row, item in zip(rows, agents.found, strict=True):
        output.text("  ".join(cell.ljust(width) for cell, width in zip(row, [*widths, 0], strict=True)).rstrip())
        for line in _remarks(item):
            output.text(f"    {line}")
    for broken in agents.broken:
        output.note(f"Cannot be loaded: {_sentence(broken.error)}")
    for path in agents.documents:
        output.note(f"No frontmatter, taken for documentation: {path}")
    return 0


def _validate(output: Output, paths: tuple[str, ...], strict: bool) -> int:
    agents = _at(paths) if paths else _of_project_and_user()
    faults = sum(any(repair.is_fault for repair in item.definition.repairs) for item in agents.found)
    failed = bool(agents.broken) or (strict and faults > 0)
    if output.json:
        output.value({"valid": not failed, **_value(agents)})
        return int(failed)
    for broken in agents.broken:
        output.text(f"error: {_sentence(broken.error)}")
    for item in agents.found:
        for repair in item.definition.repairs:
            output.text(f"{'warning' if repair.is_fault else 'note'}: {one_line(str(repair))}")
    for path in agents.documents:
        output.text(f"note: {path}: no frontmatter, taken for documentation")
    files = len(agents.found) + len(agents.broken)
    output.note(f"{files} checked: {len(agents.broken)} cannot be loaded, {faults} to be corrected.")
    return int(failed)


def _of_project_and_user() -> Agents:
    from docs_researcher.definition.folders import Agents, find_agents

    agents = find_agents()
    return Agents(tuple(item for item in agents.found if item.rule != "built in"), agents.broken, agents.documents)


def _at(paths: tuple[str, ...]) -> Agents:
    """What these files and the folders of these names hold. A file that is named has to be an agent."""
    from docs_researcher.definition.folders import Agents, Broken, Found, Place, read_folder
    from docs_researcher.definition.loader import load_definition

    found: list[Found] = []
    broken: list[Broken] = []
    documents: list[Path] = []
    for path in map(Path, paths):
        if not path.exists():
            raise UsageError(f"There is no {path}", next_step="Check the path; a relative one counts from the current folder.")
        if path.is_dir():
            inside = read_folder(Place(path, "file"))
            found.extend(inside.found)
            broken.extend(inside.broken)
            documents.extend(inside.documents)
            continue
        try:
            found.append(Found(load_definition(path), "file"))
        except DefinitionError as error:
            broken.append(Broken(path, "file", error))
    return Agents(tuple(found), tuple(broken), tuple(documents))


def _tools(item: Found) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """The documentation tools that an agent gets, warnings, and why it cannot run (or nothing)."""
    from docs_researcher.core.messages import QUERY, RESOLVE
    from docs_researcher.definition.schema import offered_tools

    try:
        return *offered_tools(item.definition, (RESOLVE, QUERY)), ""
    except DefinitionError as error:
        return (), (), error.why


def _cells(item: Found) -> list[str]:
    tools, _, _ = _tools(item)
    return [item.definition.name, item.rule, item.definition.model, " ".join(tools) or "no documentation tools"]


def _remarks(item: Found) -> list[str]:
    definition = item.definition
    _, warnings, cannot_run = _tools(item)
    remarks = [definition.source]
    if item.shadowed_by:
        remarks.append(f"not used: the name stands for {item.shadowed_by}")
    if cannot_run:
        remarks.append(f"cannot run here: {cannot_run}")
    remarks.extend(warnings)
    remarks.extend(f"{repair.line}:{repair.column}: {one_line(repair.what)}" for repair in definition.repairs)
    return remarks


def _value(agents: Agents) -> dict[str, Any]:
    return {
        "agents": [_agent(item) for item in agents.found],
        "broken": [_broken(item) for item in agents.broken],
        "documents": [str(path) for path in agents.documents],
    }


def _agent(item: Found) -> dict[str, Any]:
    definition = item.definition
    tools, warnings, cannot_run = _tools(item)
    return {
        "name": definition.name,
        "description": definition.description,
        "path": definition.source,
        "found": item.rule,
        "shadowed_by": item.shadowed_by,
        "model": definition.model,
        "tools": list(tools),
        "cannot_run": cannot_run or None,
        "warnings": list(warnings),
        "repairs": [
            {"line": repair.line, "column": repair.column, "text": repair.what, "is_fault": repair.is_fault}
            for repair in definition.repairs
        ],
        "unknown": sorted(definition.unknown),
    }


def _broken(item: Broken) -> dict[str, Any]:
    error = item.error
    return {
        "path": str(item.path),
        "found": item.rule,
        "line": error.line,
        "column": error.column,
        "error": error.message,
        "next": error.next_step,
    }


def _sentence(error: DefinitionError) -> str:
    return one_line(f"{error.message}. {error.next_step}".strip())
