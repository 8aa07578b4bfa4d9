"""The yes that a project's server file needs: asked for in place at a terminal, once for each content of the file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.cli.asking import confirm
from docs_researcher.cli.output import Output, complain
from docs_researcher.core.errors import ConsentRequired

if TYPE_CHECKING:
    from docs_researcher.tools.servers.configured import Configured
    from docs_researcher.tools.servers.entries import ServerEntry


def server_named(output: Output, name: str, configured: Configured | None = None) -> ServerEntry:
    """The server that is configured under this name; one of a project's file that nobody has approved is asked about here.

    Raises:
        UsageError, ConfigurationError: as `Configured.find`.
        ConsentRequired: the file was not approved, and nobody could be asked or the reply was no.
    """
    from docs_researcher.tools.servers.approvals import approve, project_files
    from docs_researcher.tools.servers.configured import configured_servers

    configured = configured or configured_servers()
    try:
        return configured.find(name)
    except ConsentRequired:
        if not output.may_ask:
            raise
        entry = next(entry for entry in configured.entries if entry.name == name)
        files = project_files((*configured.entries, *configured.shadowed))
        complain(f"The server {name} is configured by this project. Its file names:")
        if not agreed(entry.origin.file, files[entry.origin.file]):
            raise
        approve(entry.origin)
        return configured.find(name)


def show_servers(entries: Iterable[ServerEntry]) -> None:
    """What a file would start and contact, on stderr."""
    for entry in entries:
        sets = f"  (sets {', '.join(entry.env)})" if entry.env else ""
        complain(f"{entry.name}: {entry.shown + sets if entry.problem is None else entry.problem.message}")


def agreed(file: Path, entries: Iterable[ServerEntry]) -> bool:
    """Show what a file would start and contact, and ask."""
    show_servers(entries)
    return confirm(f"Allow what {file} starts and contacts, as it is now?")
