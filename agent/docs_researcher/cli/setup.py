"""`docs-research setup`: make docs-researcher known to coding agents, or take it out again."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, one_line
from docs_researcher.core.errors import UsageError

if TYPE_CHECKING:
    from docs_researcher.hosts.clients import Host, Mode, Scope
    from docs_researcher.hosts.setup import Change

DONE = {
    "write": "written",
    "same": "as it should be",
    "skip": "left as it is",
    "restore": "put back",
    "delete": "deleted",
    "keep": "kept",
}
"""What is said of a change that was made."""


@click.command("setup", cls=DocsCommand)
@click.argument("hosts", metavar="[claude-code|cursor|vscode|codex]...", nargs=-1)
@click.option("--user", is_flag=True, help="For all your projects; the default.")
@click.option("--project", is_flag=True, help="For the project of the current folder, in files that can be committed.")
@click.option(
    "--mode",
    type=click.Choice(["mcp", "cli"]),
    default="mcp",
    help="mcp: server, agent, skill and rule. cli: a skill and a rule that run docs-research, and no server.",
)
@click.option("--remove", is_flag=True, help="Take out what an earlier setup put in, and nothing else.")
@click.option("--dry-run", is_flag=True, help="Show the changes and make none.")
@click.option("--yes", is_flag=True, help="Make the changes without asking.")
@click.option("--print", "printed", metavar="HOST", help="Print the configuration for a host, to be put in by hand.")
@common_options
@click.pass_obj
def setup_command(
    output: Output,
    hosts: tuple[str, ...],
    user: bool,
    project: bool,
    mode: str,
    remove: bool,
    dry_run: bool,
    yes: bool,
    printed: str | None,
) -> int:
    """Make docs-researcher known to Claude Code, Cursor, VS Code or Codex.

    Writes the MCP server's entry, the agent, the skill and the rule, after it has shown the changes. Comments, order and line
    ends of your files stay as they are. Without a host it takes those that are installed. A file that cannot be changed safely
    is left as it is, and named with the reason; the exit code is then 1.
    """
    from docs_researcher.hosts.clients import host_named

    if user and project:
        raise UsageError("--user and --project exclude each other", next_step="Leave one out, or run setup once with each.")
    if printed is not None:
        if hosts or remove:
            raise UsageError("--print goes with no other host and not with --remove", next_step="Leave them out.")
        return _print(output, host_named(printed))
    chosen = _chosen([host_named(host) for host in hosts], remove)
    changes = _changes(chosen, "project" if project else "user", mode, remove)
    if not output.json:
        _show(output, changes, whole=dry_run)
    if dry_run or not any(change.changes for _, change in changes):
        return _told(output, changes, made=False, remove=remove)
    _consent(output, yes)
    from docs_researcher.hosts.setup import make

    return _told(output, [(host, make(change)) for host, change in changes], made=True, remove=remove)


def _chosen(hosts: Sequence[str], remove: bool) -> list[Host]:
    from docs_researcher.hosts.clients import HOSTS, is_installed
    from docs_researcher.hosts.snippets import SNIPPETS

    for name in hosts:
        if name in SNIPPETS and name not in HOSTS:
            raise UsageError(f"setup does not write files for {name}", next_step=f"Run: docs-research setup --print {name}")
        if name not in HOSTS:
            raise UsageError(f"{name!r} is no host that setup knows", next_step=f"Name one of {', '.join(HOSTS)}.")
    chosen: list[Host] = [host for host in HOSTS if host in hosts or (not hosts and (remove or is_installed(host)))]
    if not chosen:
        raise UsageError("No host was found on this machine", next_step=f"Name one: docs-research setup {HOSTS[0]}")
    return chosen


def _changes(hosts: Sequence[Host], scope: Scope, mode: str, remove: bool) -> list[tuple[Host, Change]]:
    from docs_researcher.hosts.setup import planned, planned_removal
    from docs_researcher.tools.servers.files import project_folder

    project = project_folder(Path.cwd())
    wanted: Mode = "cli" if mode == "cli" else "mcp"
    if remove:
        return [
            (host, change)
            for number, host in enumerate(hosts)
            for change in planned_removal(host, scope, project, leaving=hosts[:number])
        ]
    return [(host, change) for host in hosts for change in planned(host, scope, project, wanted)]


def _show(output: Output, changes: Sequence[tuple[Host, Change]], *, whole: bool) -> None:
    """The changes as a diff, without the secrets that may stand beside them. Files of ours alone are shown if `whole`."""
    from docs_researcher.core.secrets import remove_secrets

    for _, change in changes:
        if change.changes and (whole or not change.is_ours):
            output.text(remove_secrets(change.diff())[0])


def _consent(output: Output, yes: bool) -> None:
    if yes:
        return
    if not output.may_ask:
        raise UsageError("Nothing was written", why="nobody can be asked here", next_step="Run it again with --yes or --dry-run.")
    from docs_researcher.cli.asking import confirm

    if not confirm("Make these changes?"):
        raise click.Abort


def _told(output: Output, changes: Sequence[tuple[Host, Change]], *, made: bool, remove: bool) -> int:
    failed = any(change.action == "skip" for _, change in changes)
    if output.json:
        output.value({"made": made, "changes": [_value(host, change) for host, change in changes], "command_found": _found()})
        return int(failed)
    for host, change in changes:
        done = DONE[change.action] if made or not change.changes else f"would be {DONE[change.action]}"
        reason = f" ({one_line(change.reason)})" if change.reason else ""
        output.text(f"{host}  {change.what}: {change.path}: {done}{reason}")
    if not changes:
        output.text("Nothing to do.")
    if _found() is None and changes and not remove:
        output.note("docs-research is not on the PATH, where hosts look for it: docs-research doctor says how to put it there.")
    return int(failed)


def _found() -> str | None:
    return shutil.which("docs-research")


def _value(host: Host, change: Change) -> dict[str, Any]:
    return {"host": host, "what": change.what, "path": str(change.path), "action": change.action, "reason": change.reason or None}


def _print(output: Output, host: str) -> int:
    from docs_researcher.hosts.snippets import SNIPPETS

    snippet = SNIPPETS.get(host)
    if snippet is None:
        raise UsageError(f"{host!r} is no host that setup knows", next_step=f"Known are: {', '.join(SNIPPETS)}.")
    if output.json:
        output.value({"host": host, "file": snippet.file, "text": snippet.text})
        return 0
    output.note(f"Into {snippet.file}:")
    output.text(snippet.text)
    return 0
