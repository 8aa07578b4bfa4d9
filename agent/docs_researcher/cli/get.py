"""`docs-research get`: one page of an installed library, or a section of it."""

from __future__ import annotations

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, one_line


@click.command("get", cls=DocsCommand)
@click.argument("library", metavar="LIB")
@click.argument("place", metavar="PATH[#ANCHOR]")
@common_options
@click.pass_obj
def get_command(output: Output, library: str, place: str) -> int:
    """Print one page of an installed library, or a section of it.

    PATH is a page's path as `outline` and the references of an answer show it, or the end of one. With #ANCHOR behind it only
    that section is printed. A line in front says where a page speaks to an AI assistant.
    """
    from docs_researcher.cli.chosen_library import named_library
    from docs_researcher.core.untrusted import is_untrusted, marked
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.docsets.outline import excerpt

    store = Store()
    found = excerpt(store.open(named_library(library, store).chosen()), place)
    if output.json:
        output.value(
            {
                "path": found.path,
                "title": found.title,
                "url": found.url,
                "content": found.content,
                "untrusted": is_untrusted(found.content),
            }
        )
        return 0
    output.note(f"{one_line(found.title)}: {found.url or found.path}")
    output.text(marked(found.content))
    return 0
