"""`docs-research outdated`: which of the installed libraries have a newer release."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.failures import code_of_many
from docs_researcher.cli.output import Output, one_line

if TYPE_CHECKING:
    from docs_researcher.docsets.acquiring.keeping import Age


SHOWN = 10
"""Libraries that one line names; `--json` has all."""


@click.command("outdated", cls=DocsCommand)
@common_options
@click.pass_obj
def outdated_command(output: Output) -> int:
    """List the installed libraries that have a newer release.

    Packages and repositories with tags have releases that can be asked for; other documentation is read again by `update`.
    """
    from docs_researcher.cli.progress import Narrator
    from docs_researcher.docsets.acquiring.keeping import ages, newest_of_each
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.library.catalogue import Catalogue

    store = Store()
    with Narrator(output) as narrator:
        found = list(ages(newest_of_each(store), store, Catalogue.load(), narrator))
    failed = sum(age.failed for age in found)
    code = code_of_many(len(found) - failed, failed)
    if output.json:
        output.value(
            [
                {
                    "id": age.installed.library_id,
                    "installed": age.installed.version,
                    "newest": age.newest,
                    "outdated": age.is_outdated,
                    "built_by_older": age.installed.meta.is_by_older_builder,
                    "unknown": age.why or None,
                }
                for age in found
            ]
        )
        return code
    for age in found:
        if age.is_outdated:
            output.text(f"{age.installed.library_id}  {age.installed.version}  ->  {_what_is_better(age)}")
    for why, libraries in _unknown(found).items():
        more = f" and {len(libraries) - SHOWN} more" if len(libraries) > SHOWN else ""
        output.note(f"{', '.join(libraries[:SHOWN])}{more}: {one_line(why)}")
    if not failed and not any(age.is_outdated for age in found):
        output.note("No installed package has a newer release.")
    return code


def _unknown(found: Sequence[Age]) -> dict[str, list[str]]:
    """The libraries of which no newest release is known, by the reason."""
    by_reason: dict[str, list[str]] = {}
    for age in found:
        if age.why and not age.is_outdated:
            by_reason.setdefault(age.why, []).append(age.installed.library_id)
    return by_reason


def _what_is_better(age: Age) -> str:
    """The newer release; of the same one, that it would make a better docset today."""
    return f"{age.newest}, built again by this docs-researcher" if age.newest == age.installed.version else str(age.newest)
