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

    LIB is an id, a name, or a package. Where several versions are installed, LIB has to say which: next@16.2.0. A damaged
    docset is removed as well. A terminal asks first; a pipe does not.
    """
    from docs_researcher.cli.asking import confirm
    from docs_researcher.cli.chosen_library import named_library
    from docs_researcher.docsets.installed.store import Broken, Store

    store = Store()
    going = named_library(library, store).only()
    what = f"{going.library_id} {going.version or '(no version)'}{', which is damaged' if isinstance(going, Broken) else ''}"
    if output.may_ask and not yes and not confirm(f"Remove {what}?"):
        output.note("Nothing was removed.")
        return 0
    store.discard(going)
    if output.json:
        output.value({"id": going.library_id, "version": going.version})
    else:
        output.text(f"Removed {what}.")
    return 0
