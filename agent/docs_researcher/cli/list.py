"""`docs-research list`: what is installed."""

from __future__ import annotations

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, counted, one_line
from docs_researcher.core.errors import DocsetUnreadable


@click.command("list", cls=DocsCommand)
@common_options
@click.pass_obj
def list_command(output: Output) -> int:
    """List the installed documentation."""
    from docs_researcher.cli.docset_facts import facts_of
    from docs_researcher.docsets.installed.store import Store

    listing = Store().listing()
    rows = [facts_of(installed) for installed in listing.installed]
    if output.json:
        output.value(rows)
        return 0
    for broken in listing.broken:
        mend = "" if isinstance(broken.cause, DocsetUnreadable) else f"; docs-research update {broken.label} reads it again"
        output.note(f"{broken.path} cannot be used: {broken.reason}{mend}")
    if not rows and listing.broken:
        return 0
    if not rows:
        output.note("Nothing is installed yet. A question fetches what it needs; `docs-research add SOURCE` does it ahead.")
        return 0
    cells = [
        [str(row["id"]), str(row["version"] or "-"), counted(int(row["pages"]), "page"), one_line(str(row["title"]))]
        for row in rows
    ]
    widths = [max(len(line[column]) for line in cells) for column in range(3)]
    for line in cells:
        output.text("  ".join(cell.ljust(width) for cell, width in zip(line, [*widths, 0], strict=True)).rstrip())
    return 0
