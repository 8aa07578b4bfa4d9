"""`docs-research update`: the newest release of what is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.failures import code_of_many
from docs_researcher.cli.output import Output, counted, one_line
from docs_researcher.core.errors import UsageError

if TYPE_CHECKING:
    from docs_researcher.docsets.acquiring.keeping import Updated
    from docs_researcher.docsets.installed.named import NamedLibrary
    from docs_researcher.docsets.installed.store import Installed, Store


@click.command("update", cls=DocsCommand)
@click.argument("library", metavar="[LIB]", required=False)
@click.option("--all", "everything", is_flag=True, help="Every installed library.")
@common_options
@click.pass_obj
def update_command(output: Output, library: str | None, everything: bool) -> int:
    """Bring an installed library, or all, up to date, with the options that it was added with.

    LIB is an id, a name, or a package. Of a package, or a repository with tags, the newest release is installed, and the version
    that was there stays, since a project may still use it. A folder, a file, a site or a branch is read again; so is a
    damaged docset, whatever it is of.
    """
    from docs_researcher.cli.chosen_library import named_library
    from docs_researcher.cli.progress import Narrator
    from docs_researcher.docsets.acquiring.keeping import update
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.library.catalogue import Catalogue

    if (library is None) != everything:
        raise UsageError(
            "`update` takes one library, or --all",
            why="neither is given" if library is None else "both are given",
            next_step="See what has a newer release: docs-research outdated",
        )
    store = Store()
    chosen = _chosen(named_library(library, store), store) if library is not None else _all(store)
    with Narrator(output) as narrator:
        done = list(update(chosen, store, Catalogue.load(), narrator))
    if output.json:
        output.value([_value(item) for item in done])
    else:
        for item in done:
            _tell(output, item)
    failed = sum(item.failed for item in done)
    return code_of_many(len(done) - failed, failed)


def _chosen(named: NamedLibrary, store: Store) -> tuple[Installed, ...]:
    """The newest version, which decides whether there is a newer one; a damaged one where that is meant."""
    from docs_researcher.docsets.acquiring.keeping import is_sound

    file = named.file()
    return (named.versions[0] if is_sound(file, store) else file,)


def _all(store: Store) -> tuple[Installed, ...]:
    from docs_researcher.docsets.acquiring.keeping import newest_of_each

    return (*newest_of_each(store), *store.listing().broken)


def _value(item: Updated) -> dict[str, Any]:
    before = item.age.installed
    return {
        "id": before.library_id,
        "before": before.version,
        "now": item.report.version if item.report is not None else before.version,
        "updated": item.report is not None,
        "why": item.why or None,
    }


def _tell(output: Output, item: Updated) -> None:
    name, before = item.age.installed.library_id, item.age.installed.version or "(no version)"
    if item.report is None:
        output.note(f"{name} {before}: {one_line(item.why) or 'nothing newer than what is installed'}")
    elif item.report.installed.path == item.age.installed.path:
        output.text(f"{name} {before} was read again: {counted(item.report.pages, 'page')}.")
    else:
        output.text(f"{name} {item.report.version} is installed beside {before}: {counted(item.report.pages, 'page')}.")
    if item.report is not None and item.why:
        output.note(f"{name}: {one_line(item.why)}")
