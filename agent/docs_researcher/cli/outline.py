"""`docs-research outline`: the pages of an installed library with their headings."""

from __future__ import annotations

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, one_line


@click.command("outline", cls=DocsCommand)
@click.argument("library", metavar="LIB")
@click.option("--pages", "pages_only", is_flag=True, help="List the pages without their headings.")
@common_options
@click.pass_obj
def outline_command(output: Output, library: str, pages_only: bool) -> int:
    """List the pages of an installed library with their headings.

    LIB is an id, a name, or a package, each with or without a version. `docs-research get LIB PATH#ANCHOR` prints what stands
    at a place of the list.
    """
    from docs_researcher.cli.chosen_library import named_library
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.docsets.outline import outline

    store = Store()
    pages = outline(store.open(named_library(library, store).chosen()))
    if output.json:
        output.value(
            [
                {
                    "path": page.path,
                    "title": page.title,
                    "tokens": page.tokens,
                    "headings": [{"name": item.name, "anchor": item.anchor, "line": item.line} for item in page.headings],
                }
                for page in pages
            ]
        )
        return 0
    for page in pages:
        output.text(f"{one_line(page.path)}  {one_line(page.title)}  ({page.tokens:,} tokens)")
        for heading in () if pages_only else page.headings:
            anchor = f"  #{heading.anchor}" if heading.anchor else ""
            output.text(f"  {one_line(heading.name)}{anchor}")
    return 0
