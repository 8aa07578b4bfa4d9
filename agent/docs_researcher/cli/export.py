"""`docs-research export`: an installed docset as a file to give away."""

from __future__ import annotations

from pathlib import Path

import click

from docs_researcher.cli.commands import PATH, DocsCommand, common_options
from docs_researcher.cli.output import Output


@click.command("export", cls=DocsCommand)
@click.argument("library", metavar="LIB")
@click.argument("place", metavar="PLACE", type=PATH)
@click.option("--force", is_flag=True, help="Write over whatever lies there.")
@common_options
@click.pass_obj
def export_command(output: Output, library: str, place: Path, force: bool) -> int:
    """Copy an installed docset to a folder or a .db file.

    An older copy of the same library and version is written over; anything else only with --force.

    LIB is an id, a name, or a package, each with or without a version. `docs-research add FILE` installs the copy elsewhere.
    """
    from docs_researcher.cli.chosen_library import named_library
    from docs_researcher.docsets.acquiring.copies import file_checksum, save_copy
    from docs_researcher.docsets.installed.store import Store

    installed = named_library(library, Store()).chosen()
    copy = save_copy(installed, place.expanduser(), force=force)
    if output.json:
        output.value({"id": installed.library_id, "version": installed.version, "file": str(copy), "sha256": file_checksum(copy)})
    else:
        output.text(str(copy))
        output.note(f"Its SHA-256 is {file_checksum(copy)}; `docs-research add` takes it with --sha256.")
    return 0
