"""`docs-research show`: what is known about one installed library."""

from __future__ import annotations

from typing import cast

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, counted, one_line


@click.command("show", cls=DocsCommand)
@click.argument("library", metavar="LIB")
@click.option("--skipped", is_flag=True, help="List every file that was left out, with the reason.")
@common_options
@click.pass_obj
def show_command(output: Output, library: str, skipped: bool) -> int:
    """Show what is known about one installed library.

    LIB is an id (/vercel/next.js), a name (next), or a package (npm:next), each with or without a version. Without one it
    is the newest that is installed.
    """
    from docs_researcher.cli.chosen_library import named_library
    from docs_researcher.cli.docset_facts import facts_of
    from docs_researcher.docsets.acquiring.notices import coverage_notices
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.library.catalogue import Catalogue

    store = Store()
    named = named_library(library, store)
    if skipped:
        left_out = store.open(named.chosen()).skipped()
        if output.json:
            output.value([{"path": path, "reason": reason} for path, reason in left_out])
        for path, reason in () if output.json else left_out:
            output.text(f"{one_line(path)}: {one_line(reason)}")
        output.note(f"{counted(len(left_out), 'file')} left out.")
        return 0
    facts = {**facts_of(named.chosen()), "installed_versions": [installed.version for installed in named.versions]}
    if output.json:
        output.value(facts)
        return 0
    for name, value in facts.items():
        shown = ", ".join(filter(None, cast("list[str | None]", value))) if isinstance(value, list) else value
        if shown not in (None, ""):
            output.text(f"{name.replace('_', ' ') + ':':<20}{one_line(str(shown))}")
    for notice in coverage_notices(named.chosen(), Catalogue.load().by_id(named.chosen().library_id)):
        output.note(notice.text)
    return 0
