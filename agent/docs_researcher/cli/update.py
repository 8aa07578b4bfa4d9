"""`docs-research update`: the newest release of what is installed."""

from __future__ import annotations

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, one_line
from docs_researcher.core.errors import UsageError


@click.command("update", cls=DocsCommand)
@click.argument("library", metavar="[LIB]", required=False)
@click.option("--all", "everything", is_flag=True, help="Every installed library.")
@common_options
@click.pass_obj
def update_command(output: Output, library: str | None, everything: bool) -> int:
    """Install the newest release of an installed library, or of all.

    LIB is an id, a name, or a package. The version that was there stays, since a project may still use it.
    """
    from docs_researcher.cli.chosen_library import named_library
    from docs_researcher.cli.progress import Narrator
    from docs_researcher.docsets.keeping import newest_of_each, update
    from docs_researcher.docsets.store import Store
    from docs_researcher.library.catalogue import Catalogue

    if (library is None) != everything:
        raise UsageError(
            "`update` takes one library, or --all",
            why="neither is given" if library is None else "both are given",
            next_step="See what has a newer release: docs-research outdated",
        )
    store = Store()
    chosen = newest_of_each(store) if library is None else (named_library(library, store).versions[0],)
    with Narrator(output) as narrator:
        done = list(update(chosen, store, Catalogue.load(), narrator))
    failed = [item for item in done if item.age.is_outdated and item.report is None]
    if output.json:
        output.value(
            [
                {
                    "id": item.age.installed.library_id,
                    "before": item.age.installed.version,
                    "now": item.report.version if item.report is not None else item.age.installed.version,
                    "updated": item.report is not None,
                    "why": item.why or None,
                }
                for item in done
            ]
        )
        return 1 if failed else 0
    for item in done:
        name, before = item.age.installed.library_id, item.age.installed.version or "(no version)"
        if item.report is not None:
            output.text(f"{name} {item.report.version} is installed beside {before}: {item.report.pages} pages.")
        else:
            output.note(f"{name} {before}: {one_line(item.why) or 'the newest release is installed'}")
    return 1 if failed else 0
