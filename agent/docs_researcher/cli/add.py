"""`docs-research add`: documentation of a package, a folder or an archive, made searchable."""

from __future__ import annotations

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output, one_line

SHOWN_SKIPPED = 10
"""Skipped files that are listed one by one; `--json` has them all."""


@click.command("add", cls=DocsCommand)
@click.argument("source")
@click.option("--name", metavar="NAME", help="The name to install it under; a folder's own name otherwise.")
@click.option("--pkg-version", metavar="VERSION", help="The version of the library that the documentation is for.")
@click.option("--replace", is_flag=True, help="Build it again where it is installed already.")
@click.option("--offline", is_flag=True, help="Never use the network.")
@common_options
@click.pass_obj
def add_command(output: Output, source: str, name: str | None, pkg_version: str | None, replace: bool, offline: bool) -> int:
    """Install the documentation of a package, a folder or an archive.

    SOURCE is a package (npm:next@16, pypi:pytest==9.2.0, or a purl), the name of a library in the catalogue, a folder,
    or an archive file.
    """
    from docs_researcher.cli.progress import Narrator
    from docs_researcher.docsets.add import add_source
    from docs_researcher.docsets.store import Store
    from docs_researcher.library.catalogue import Catalogue

    with Narrator(output) as narrator:
        report = add_source(
            source,
            store=Store(),
            catalogue=Catalogue.load(),
            name=name,
            pkg_version=pkg_version,
            listener=narrator,
            offline=offline,
            replace=replace,
        )
    skipped = [{"path": item.path, "reason": item.reason} for item in report.skipped]
    notes = [{"path": item.path, "reason": item.reason} for item in report.notes]
    if output.json:
        output.value(
            {
                "id": report.id,
                "version": report.version,
                "pages": report.pages,
                "chunks": report.chunks,
                "skipped": skipped,
                "notes": notes,
                "already_installed": report.already,
            }
        )
        return 0
    done = "is installed already" if report.already else "is installed"
    output.text(f"{report.id} {report.version or '(no version)'} {done}: {report.pages} pages, {report.chunks} chunks.")
    for item in skipped[:SHOWN_SKIPPED]:
        output.note(f"Skipped {one_line(item['path'])}: {one_line(item['reason'])}")
    if len(skipped) > SHOWN_SKIPPED:
        output.note(f"... and {len(skipped) - SHOWN_SKIPPED} more; --json lists them all.")
    if notes:
        output.note(f"{len(notes)} files were read, but not as they stand; --json says how.")
    return 0
