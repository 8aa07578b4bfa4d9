"""`docs-research remove`: take an installed library off this machine."""

from __future__ import annotations

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output


@click.command("remove", cls=DocsCommand)
@click.argument("library", metavar="LIB")
@click.option("--yes", is_flag=True, help="Do not ask at the terminal.")
@common_options
@click.pass_obj
def remove_command(output: Output, library: str, yes: bool) -> int:
    """Remove the documentation of a library.

    LIB with a version removes that version; without one, every installed version. A terminal asks first; a pipe does not.
    """
    from docs_researcher.cli.asking import confirm
    from docs_researcher.cli.chosen_library import named_library
    from docs_researcher.docsets.store import Store

    store = Store()
    named = named_library(library, store)
    going = (named.chosen(),) if named.asked is not None else named.versions
    what = ", ".join(f"{installed.library_id} {installed.version or '(no version)'}" for installed in going)
    if output.may_ask and not yes and not confirm(f"Remove {what}?"):
        output.note("Nothing was removed.")
        return 0
    for installed in going:
        store.remove(installed.library_id, installed.version)
    if output.json:
        output.value({"removed": [{"id": installed.library_id, "version": installed.version} for installed in going]})
    else:
        output.text(f"Removed {what}.")
    return 0
