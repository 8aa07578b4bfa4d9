"""`docs-research verify`: whether the installed files are sound."""

from __future__ import annotations

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, counted, one_line


@click.command("verify", cls=DocsCommand)
@click.argument("library", metavar="[LIB]", required=False)
@common_options
@click.pass_obj
def verify_command(output: Output, library: str | None) -> int:
    """Check the files of the installed documentation.

    LIB is an id, a name, or a package; without it all are checked. The exit code is 1 when a file cannot be used.
    """
    from docs_researcher.cli.chosen_library import named_library
    from docs_researcher.docsets.acquiring.keeping import verify
    from docs_researcher.docsets.installed.store import Store

    store = Store()
    chosen = [named_library(library, store).file()] if library is not None else store.listing().files
    found = [(str(item.installed.path), item.problem) for item in verify(chosen, store)]
    wrong = [(path, problem) for path, problem in found if problem]
    if output.json:
        output.value([{"file": path, "problem": problem or None} for path, problem in found])
    else:
        for path, problem in wrong:
            output.text(f"{path}: {one_line(problem)}")
        output.note(f"{counted(len(found), 'file')} checked, {len(wrong)} cannot be used.")
    return 1 if wrong else 0
