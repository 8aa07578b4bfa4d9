"""A project's configuration may start programs, so each of its files needs the user's yes, once for each content."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from docs_researcher.core.errors import ConfigurationError, ConsentRequired
from docs_researcher.definition.places import config_folder
from docs_researcher.tools.servers.entries import Origin, ServerEntry
from docs_researcher.tools.servers.private_files import write_private

FILE = "approved-servers.json"


def is_approved(origin: Origin) -> bool:
    """Whether a server from there may be used: always from the user's own files, else if the file was approved as it is."""
    return origin.scope != "project" or _approved().get(str(origin.file)) == origin.digest


def approve(origin: Origin) -> None:
    """Remember that this file was approved with the content that was read.

    Raises:
        ConfigurationError: it cannot be remembered.
    """
    path = config_folder() / FILE
    try:
        write_private(path, json.dumps({**_approved(), str(origin.file): origin.digest}, indent=2) + "\n")
    except OSError as error:
        raise ConfigurationError(
            f"The approval cannot be written to {path}",
            why=error.strerror or str(error),
            next_step="Make that folder writable, or set DOCS_RESEARCH_HOME to another one.",
        ) from error


def check_approved(entry: ServerEntry) -> None:
    """Do nothing for a server that may be used.

    Raises:
        ConsentRequired: its file belongs to the project and was not approved as it is now.
    """
    if not is_approved(entry.origin):
        raise ConsentRequired(
            f"The server {entry.name!r} is configured by the project, in {entry.origin.file}",
            why="nobody has approved that file as it is now, and it decides what is started here",
            next_step=f"Look at it, then run: docs-research mcp approve {entry.origin.file}",
        )


def _approved() -> dict[str, str]:
    """Paths and digests. A file that cannot be read approves nothing."""
    try:
        found: object = json.loads((config_folder() / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return cast("dict[str, str]", found) if isinstance(found, dict) else {}


def project_files(entries: tuple[ServerEntry, ...]) -> dict[Path, list[ServerEntry]]:
    """The servers of the project's files, by file."""
    files: dict[Path, list[ServerEntry]] = {}
    for entry in entries:
        if entry.origin.scope == "project":
            files.setdefault(entry.origin.file, []).append(entry)
    return files
