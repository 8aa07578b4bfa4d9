"""`docs-research vectors`: search by meaning for an installed library, with the extra `semantic`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, counted

if TYPE_CHECKING:
    from docs_researcher.docsets.installed.store import Installed
    from docs_researcher.docsets.vectors.make import VectorsReport


@click.command("vectors", cls=DocsCommand)
@click.argument("library", metavar="LIB")
@common_options
@click.pass_obj
def vectors_command(output: Output, library: str) -> int:
    """Let an installed library be searched by meaning too.

    Then a question also finds pages that share no word with it. LIB is an id, a name, or a package. Needs the extra,
    installed in the clone: .venv/bin/pip install --editable ".[semantic]". Ten to thirty chunks a second are embedded on one
    processor, on this machine. A run that is stopped goes on where it was.
    """
    from docs_researcher.cli.chosen_library import named_library
    from docs_researcher.cli.progress import Narrator
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.docsets.vectors.make import add_vectors

    store = Store()
    installed = named_library(library, store).chosen()
    with Narrator(output) as narrator:
        report = add_vectors(installed, store, narrator)
    if output.json:
        output.value(
            {
                "id": installed.library_id,
                "version": installed.version,
                "chunks": report.chunks,
                "embedded": report.embedded,
                "already": report.already,
            }
        )
    else:
        output.text(told(installed, report))
    return 0


def told(installed: Installed, report: VectorsReport) -> str:
    """One sentence on what was done."""
    name = f"{installed.library_id} {installed.version or '(no version)'}"
    if report.already:
        return f"{name} is searched by meaning already: {counted(report.chunks, 'chunk')}."
    return (
        f"{name} is searched by meaning now: {counted(report.chunks, 'chunk')}, {report.embedded} of them embedded in this run."
    )
