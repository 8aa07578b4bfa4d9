"""`docs-research doctor`: what is installed, what works, and what mends the rest."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, one_line

if TYPE_CHECKING:
    from docs_researcher.hosts.findings import Finding

MARKS = {"ok": "ok", "note": "note", "warning": "warning", "error": "ERROR"}


@click.command("doctor", cls=DocsCommand)
@click.option("--no-servers", is_flag=True, help="Start no server.")
@common_options
@click.pass_obj
def doctor_command(output: Output, no_servers: bool) -> int:
    """Check the installation, the servers and every host, and say how to mend what is wrong.

    Looks at versions, settings, keys (whether they are set, never what they are), docsets, MCP servers, and the configuration
    of Claude Code, Cursor, VS Code and Codex. Of servers it starts our own and those of our configuration. It changes nothing.
    Exits with 1 when it finds an error.
    """
    from docs_researcher.hosts.findings import installation
    from docs_researcher.hosts.host_findings import host_findings
    from docs_researcher.hosts.server_findings import server_findings
    from docs_researcher.tools.servers.files import project_folder

    found = list(installation())
    if not no_servers:
        output.note("Starting servers ...")
        found += server_findings()
    found += host_findings(project_folder(Path.cwd()))
    failed = any(item.level == "error" for item in found)
    if output.json:
        rows = [{"area": item.area, "level": item.level, "text": item.text, "fix": item.fix or None} for item in found]
        output.value({"healthy": not failed, "findings": rows})
        return int(failed)
    for area, items in groupby(sorted(found, key=lambda item: _order(found, item)), key=lambda item: item.area):
        output.text(area)
        for item in items:
            _show(output, item)
    return int(failed)


def _order(found: list[Finding], item: Finding) -> int:
    """Findings of one area stand together, in the order in which the areas were looked at."""
    return next(number for number, other in enumerate(found) if other.area == item.area)


def _show(output: Output, item: Finding) -> None:
    output.text(f"  {MARKS[item.level]:<8} {one_line(item.text)}")
    if item.fix:
        output.text(f"  {'':<8} -> {one_line(item.fix)}")
