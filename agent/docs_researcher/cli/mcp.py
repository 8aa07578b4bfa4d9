"""`docs-research mcp`: the configured MCP servers, and a debugging client that shows what is sent and received, with times."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, one_line
from docs_researcher.cli.routing import as_question
from docs_researcher.core.errors import ConsentRequired, UsageError

if TYPE_CHECKING:
    from docs_researcher.tools.mcp.look import About
    from docs_researcher.tools.mcp.tap import Passed, Recorder
    from docs_researcher.tools.servers.configured import Configured
    from docs_researcher.tools.servers.entries import ServerEntry

FORMS = {
    "list": "mcp list",
    "tools": "mcp tools NAME",
    "call": "mcp call NAME TOOL JSON",
    "approve": "mcp approve [FILE]",
}
SHOWN_CHARACTERS = 1_000
"""As much of one message is shown; `--json` has all of it."""


@click.command("mcp", cls=DocsCommand)
@click.argument("action", metavar="list|tools|call|approve")
@click.argument("words", metavar="[NAME [TOOL JSON]]", nargs=-1)
@click.option("--yes", is_flag=True, help="approve: without asking.")
@common_options
@click.pass_obj
def mcp_command(output: Output, action: str, words: tuple[str, ...], yes: bool) -> int:
    """List the configured MCP servers, look into one, call its tools.

    `mcp list` shows every server of our configuration, and of those of Claude Code, Cursor and VS Code, for the current folder.

    `mcp tools NAME` starts or contacts a server and lists its tools; `mcp call NAME TOOL JSON` calls one. Every message that is
    sent and received is shown on stderr with its time.

    `mcp approve [FILE]` allows the servers of the project's files, or of one of them, as the file is now.

    \b
    Examples:
      docs-research mcp tools context7
      docs-research mcp call context7 resolve-library-id '{"libraryName": "Next.js", "query": "auth"}'
    """  # noqa: D301 - click wants the character itself
    takes = {"list": (0, 0), "tools": (1, 1), "call": (2, 3), "approve": (0, 1)}.get(action)
    if takes is None:
        raise UsageError(
            f"`mcp` has no action {action!r}",
            why=f"its actions are {', '.join(FORMS)}",
            next_step=f"If it was a question: {as_question(['mcp', action, *words])}",
        )
    if not takes[0] <= len(words) <= takes[1]:
        raise UsageError(f"`mcp {action}` takes other words", next_step=f"Write: docs-research {FORMS[action]}")
    from docs_researcher.tools.servers.configured import configured_servers

    configured = configured_servers()
    if action == "list":
        return _list(output, configured)
    if action == "approve":
        return _approve(output, configured, words, yes)
    from docs_researcher.cli.approving import server_named

    entry = server_named(output, words[0], configured)
    if action == "tools":
        return _tools(output, entry)
    return _call(output, entry, words[1], _arguments(words[2] if len(words) > 2 else "{}"))


# The list


def _list(output: Output, configured: Configured) -> int:
    rows = [_row(entry) for entry in configured.entries]
    if output.json:
        skipped = [{"file": str(file.path), "reason": file.reason} for file in configured.skipped]
        output.value({"servers": rows, "skipped": skipped})
        return 0
    widths = [max((len(row[key]) for row in rows), default=0) for key in ("name", "state")]
    for row in rows:
        output.text(f"{row['name']:<{widths[0]}}  {row['state']:<{widths[1]}}  {one_line(row['target'])}  ({row['file']})")
        for text in filter(None, [row["problem"], *row["warnings"]]):
            output.text(f"{'':<{widths[0]}}  {one_line(text)}")
    if not rows:
        from docs_researcher.definition.places import config_file

        output.note(f"No MCP server is configured. Ours stand in {config_file()}, as [mcp_servers.NAME].")
    for file in configured.skipped:
        output.note(f"Skipped {file.path}: {file.reason}")
    return 0


def _row(entry: ServerEntry) -> dict[str, Any]:
    problem = entry.problem
    return {
        "name": entry.name,
        "state": _state(entry),
        "kind": entry.kind,
        "target": "" if problem is not None else entry.shown,
        "file": str(entry.origin),
        "scope": entry.origin.scope,
        "program": entry.origin.program,
        "problem": "" if problem is None else f"{problem.message}. {problem.next_step}".strip(),
        "warnings": list(entry.warnings),
    }


def _state(entry: ServerEntry) -> str:
    from docs_researcher.tools.servers.approvals import is_approved

    if entry.problem is not None:
        return "wrong"
    if entry.disabled:
        return "off"
    return "ready" if is_approved(entry.origin) else "not approved"


# Approval


def _approve(output: Output, configured: Configured, words: tuple[str, ...], yes: bool) -> int:
    from docs_researcher.tools.servers.approvals import approve, is_approved, project_files

    files = _chosen(project_files((*configured.entries, *configured.shadowed)), words)
    approved: list[str] = []
    for file, entries in files.items():
        if is_approved(entries[0].origin):
            output.note(f"{file} is approved already.")
        elif yes or _agreed(output, file, entries):
            approve(entries[0].origin)
            approved.append(str(file))
            output.note(f"Approved {file}.")
    if output.json:
        output.value({"approved": approved})
    elif not files:
        output.note("The project configures no server.")
    return 0


def _chosen(files: dict[Path, list[ServerEntry]], words: tuple[str, ...]) -> dict[Path, list[ServerEntry]]:
    if not words:
        return files
    wanted = Path(words[0]).absolute()
    if wanted not in files:
        known = ", ".join(map(str, files)) or "none"
        raise UsageError(
            f"{wanted} configures no server of this project",
            why=f"files that do: {known}",
            next_step="See every server and its file: docs-research mcp list",
        )
    return {wanted: files[wanted]}


def _agreed(output: Output, file: Path, entries: list[ServerEntry]) -> bool:
    """Whether a person allows a file."""
    from docs_researcher.cli.approving import agreed, show_servers

    if output.may_ask:
        return agreed(file, entries)
    show_servers(entries)
    raise ConsentRequired(f"{file} was not approved", why="nobody can be asked", next_step="Look at it, then add --yes.")


# The debugging client


def _tools(output: Output, entry: ServerEntry) -> int:
    from docs_researcher.tools.mcp.look import look_at_tools
    from docs_researcher.tools.servers.providers import target_of

    recorder = _recorder(output, entry)
    found = asyncio.run(look_at_tools(target_of(entry), recorder, connect_seconds=entry.connect_seconds))
    if output.json:
        output.value({"server": _about(entry, found.about), "tools": list(found.tools), "messages": _messages(recorder)})
        return 0
    _note_about(output, found.about)
    for tool in found.tools:
        schema = cast("dict[str, Any]", tool.get("inputSchema") or {})
        properties = cast("dict[str, Any]", schema.get("properties") or {})
        required = set(cast("list[str]", schema.get("required") or ()))
        shown = ", ".join(name if name in required else f"[{name}]" for name in properties)
        output.text(f"{tool.get('name')}({shown})\n  {one_line(str(tool.get('description') or ''))[:200]}".rstrip())
    return 0


def _call(output: Output, entry: ServerEntry, tool: str, arguments: dict[str, Any]) -> int:
    from docs_researcher.tools.mcp.look import call_tool
    from docs_researcher.tools.servers.providers import target_of

    recorder = _recorder(output, entry)
    called = asyncio.run(call_tool(target_of(entry), tool, arguments, recorder, connect_seconds=entry.connect_seconds))
    if output.json:
        result = dict(called.result)
        output.value({"server": _about(entry, called.about), "result": result, "messages": _messages(recorder)})
    else:
        _note_about(output, called.about)
        output.text(called.text)
    return 1 if called.is_error else 0


def _arguments(text: str) -> dict[str, Any]:
    fix = """Write an object, such as '{"query": "..."}'."""
    try:
        value: object = json.loads(text)
    except ValueError as error:
        raise UsageError("The arguments are not JSON", why=str(error), next_step=fix) from error
    if not isinstance(value, dict):
        raise UsageError("The arguments are not an object", next_step=fix)
    return cast("dict[str, Any]", value)


def _recorder(output: Output, entry: ServerEntry) -> Recorder:
    from docs_researcher.tools.mcp.tap import Recorder

    output.note(f"{'Contacting' if entry.url else 'Starting'} {entry.shown}")
    if entry.headers:
        output.note(f"with the headers {', '.join(entry.headers)}")
    for warning in entry.warnings:
        output.note(f"Note: {warning}")
    return Recorder(lambda passed: output.note(_line(passed)))


def _line(passed: Passed) -> str:
    from docs_researcher.core.secrets import remove_secrets

    arrow = "->" if passed.direction == "sent" else "<-"
    text = remove_secrets(json.dumps(passed.message, ensure_ascii=False))[0]
    more = f" ... ({len(text):,} characters)" if len(text) > SHOWN_CHARACTERS else ""
    return f"{passed.at:8.3f} s {arrow} {passed.title}  {text[:SHOWN_CHARACTERS]}{more}"


def _messages(recorder: Recorder) -> list[dict[str, Any]]:
    from docs_researcher.core.secrets import remove_secrets

    return [
        {
            "at": passed.at,
            "direction": passed.direction,
            "message": json.loads(remove_secrets(json.dumps(passed.message, ensure_ascii=False))[0]),
        }
        for passed in recorder.messages
    ]


def _about(entry: ServerEntry, about: About) -> dict[str, Any]:
    return {
        "configured": entry.name,
        "name": about.name,
        "version": about.version,
        "protocol": about.protocol,
        "instructions": about.instructions,
    }


def _note_about(output: Output, about: About) -> None:
    name = f"{about.name or 'a server without a name'} {about.version or ''}".strip()
    output.note(f"It is {name} and speaks {about.protocol}.")
    if about.instructions:
        output.note(f"It says of itself: {about.instructions[:SHOWN_CHARACTERS]}")
