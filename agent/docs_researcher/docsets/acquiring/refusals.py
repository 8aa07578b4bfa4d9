"""Why no documentation can be had, or not of the version asked for: the sentences and errors, each with what to do."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import WITHOUT_STRICT, DocsResearchError, LibraryNotFound, SourceUnavailable, VersionNotFound
from docs_researcher.core.library_id import LibraryId
from docs_researcher.docsets.acquiring.notices import crawl_command
from docs_researcher.library.packages import parse_package

if TYPE_CHECKING:
    from docs_researcher.docsets.installed.store import Broken, Installed
    from docs_researcher.library.catalogue import Catalogue
    from docs_researcher.library.entries import Entry


def why_edition(installed: Installed) -> str:
    """Why a docset answers for another version: its guide is the newest one, or the nearest that is tagged."""
    if not installed.meta.edition:
        return "it is the nearest version that its repository has"
    date = f" of {installed.meta.date}" if installed.meta.date else ""
    return f"its guide{date} is kept for the newest release only"


def unknown_package(base: str, entry: Entry | None) -> LibraryNotFound:
    """The error for a library whose documentation lies nowhere that is known; it names the command that adds some."""
    command = _place_of(entry) or "docs-research add FOLDER, REPOSITORY or npm:NAME"
    return LibraryNotFound(
        f"No documentation is installed for {base}", why="no package is known that holds it", next_step=f"Add it with: {command}"
    )


def command_that_adds(text: str, catalogue: Catalogue) -> str:
    """The command that installs what somebody named who wanted to read it: an id, a name or a package, perhaps with a version."""
    package, parsed = parse_package(text), LibraryId.try_parse(text)
    name, mark, _ = text.partition("@") if not text.startswith("@") else (text, "", "")
    entry = (
        catalogue.by_id(parsed.base) if parsed is not None else catalogue.find(text) or (catalogue.find(name) if mark else None)
    )
    if entry is not None and entry.package is None and entry.guide_at is None:
        return _place_of(entry) or "docs-research add SOURCE"
    if package is not None or entry is not None:
        return f"docs-research add {shlex.quote(text)}"
    if parsed is not None and parsed.owner == "local":
        return f"docs-research add FOLDER --name {shlex.quote(parsed.project)}"
    either = [f"{kind}:{text}" for kind in ("npm", "pypi") if parse_package(f"{kind}:{text}") is not None]
    return f"docs-research add {' or '.join([*either, 'FOLDER'])}" if text else "docs-research add SOURCE"


def _place_of(entry: Entry | None) -> str:
    """The command for a library that the catalogue knows by no package; empty where it knows of no place either."""
    if entry is None:
        return ""
    if entry.id.split("/")[1] not in ("websites", "llmstxt"):
        return f"docs-research add github.com{entry.id}"
    return crawl_command(entry) if entry.website is not None else ""


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
        why=f"{damaged.path}: {damaged.reason}; --offline forbids fetching it again",
        next_step=f"Run once without --offline, or: docs-research update {damaged.label}",
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
        next_step=f"The nearest is {nearest}; ask {WITHOUT_STRICT} to use it." if nearest else "",
    )
