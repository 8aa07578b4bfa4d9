"""Why no documentation can be had, or not of the version asked for: the sentences and errors, each with what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import DocsResearchError, LibraryNotFound, SourceUnavailable, VersionNotFound
from docs_researcher.docsets.acquiring.notices import crawl_command

if TYPE_CHECKING:
    from docs_researcher.docsets.installed.store import Broken, Installed
    from docs_researcher.library.entries import Entry


def why_edition(installed: Installed) -> str:
    """Why a docset answers for another version: its guide is the newest one, or the nearest that is tagged."""
    if not installed.meta.edition:
        return "it is the nearest version that its repository has"
    date = f" of {installed.meta.date}" if installed.meta.date else ""
    return f"its guide{date} is kept for the newest release only"


def unknown_package(base: str, entry: Entry | None) -> LibraryNotFound:
    """The error for a library whose documentation lies nowhere that is known; it names the command that adds some."""
    owner = base.split("/")[1]
    hosted = entry is not None and owner not in ("websites", "llmstxt")
    if hosted:
        command = f"docs-research add github.com{base}"
    elif entry is not None and entry.website is not None:
        command = crawl_command(entry)
    else:
        command = "docs-research add FOLDER, REPOSITORY or npm:NAME"
    return LibraryNotFound(
        f"No documentation is installed for {base}", why="no package is known that holds it", next_step=f"Add it with: {command}"
    )


def unreadable(base: str, missed: Sequence[Notice]) -> SourceUnavailable:
    """The error when no place outside answered and no package stands behind the library."""
    return SourceUnavailable(
        f"No documentation is installed for {base}",
        why=" ".join(notice.text for notice in missed).rstrip("."),
        next_step=f"When the network is back: docs-research add {base}; or add a folder: docs-research add FOLDER",
    )


def with_missed(error: DocsResearchError, missed: Sequence[Notice]) -> DocsResearchError:
    """The registry's error, with why the other places gave nothing either."""
    if missed:
        error.why = " ".join([f"{error.why}." if error.why else "", *(notice.text for notice in missed)]).strip(" .")
    return error


def not_fetched(name: str, damaged: Broken | None) -> SourceUnavailable:
    """The error for what --offline forbids fetching; of a docset that is there and damaged it says that."""
    if damaged is None:
        return SourceUnavailable(
            f"{name} is not installed",
            why="--offline forbids fetching it",
            next_step=f"Run once without --offline, or: docs-research add {name}",
        )
    return SourceUnavailable(
        f"The docset of {name} is damaged",
        why=f"{damaged.path.name}: {damaged.reason}; --offline forbids fetching it again",
        next_step=f"docs-research verify names the file; without --offline: docs-research add {name} --replace",
    )


def as_reason(error: DocsResearchError) -> str:
    """An error as the end of a sentence that begins with "because"."""
    if isinstance(error, SourceUnavailable) and "--offline" not in error.why:
        return error.what  # the system's own words behind it ("[Errno 111] ...") tell a reader nothing
    return error.why or error.what


def strict(base: str, asked: str | None, nearest: str | None, reason: str) -> VersionNotFound:
    """The error for an asker who takes no other version."""
    return VersionNotFound(
        f"{base} has no documentation for {asked or 'that version'}",
        why=reason,
        next_step=f"The nearest is {nearest}; ask without --strict-version to use it." if nearest else "",
    )
