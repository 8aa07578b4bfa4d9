"""What an asker has to know of the docset that answers: that it was fetched, and that it is no guide."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from docs_researcher.core.answer import Notice

if TYPE_CHECKING:
    from docs_researcher.docsets.installed.store import Installed
    from docs_researcher.library.entries import Entry


_HELD = {"examples": "README, declarations and example programs", "reference": "README and declarations", "readme": "README"}


def fetched_notice(installed: Installed) -> Notice:
    """That it was fetched just now, and from where."""
    url = installed.meta.source_url
    where = f" from {url.partition('://')[2].removesuffix('.git')}" if url else ""
    name = f"{installed.meta.title} {installed.version or ''}".rstrip()
    return Notice("fetched", f"Fetched and indexed {name}{where}; it is kept.")


def coverage_notices(installed: Installed, entry: Entry | None = None, *, tried: bool = False) -> tuple[Notice, ...]:
    """That it holds no guide, or one page of a site, if so, and what would read more; `entry` is the catalogue's.

    `tried` says that its guide could not be read just now: then it is not said how to read it.
    """
    older = _older_builder(installed)
    if installed.meta.coverage == "page":
        return (Notice("one_page", one_page(installed)), *older)
    held = _HELD.get(installed.meta.coverage)
    if held is None:
        return older
    are = "is" if held == "README" else "are"
    text = f"The package of {installed.meta.title} ships no guide; its {held} {are} searched instead."
    more = _where_more(entry) if entry is not None and not tried else ""
    return (Notice("reference_only", text), *([Notice("guide_elsewhere", more)] if more else []), *older)


def _older_builder(installed: Installed) -> tuple[Notice, ...]:
    """That an earlier release of ours built it, which finds and shows less. Nothing is said of files that others made.

    It is not built again at once: a question would wait for it, and what it has can be searched.
    """
    meta = installed.meta
    if not meta.builder or not meta.is_by_older_builder:
        return ()
    name = f"{meta.title} {installed.version or ''}".rstrip()
    again = f"docs-research update {shlex.quote(installed.library_id)}"
    return (Notice("older_builder", f"{name} was indexed by an older docs-researcher; to index it again: {again}"),)


def _where_more(entry: Entry) -> str:
    """Where a library's guide lies and the command that reads it; empty where the catalogue knows of none."""
    if entry.guide_at is not None:
        return f"The guide of {entry.name} is at {entry.guide_at}; to read it: docs-research add {entry.id}"
    if entry.website is not None:
        return f"The guide of {entry.name} is at {_without_scheme(entry.website)}; to read it: {crawl_command(entry)}"
    return ""


def crawl_command(entry: Entry) -> str:
    """What reads the pages of a library's website into a docset that bears its name."""
    return f"docs-research add {_without_scheme(entry.website or '')} --crawl --name {shlex.quote(entry.name)}"


def _without_scheme(address: str) -> str:
    """As people write it; in an answer a whole address would be held against what was read."""
    return address.partition("://")[2].rstrip("/")


def one_page(installed: Installed) -> str:
    """That a site gave one page, and what would give more."""
    url = installed.meta.source_url or "the address"
    return (
        f"{url} has no llms.txt, so {installed.meta.title} is one page. To read the pages below it: "
        f"docs-research add {url} --crawl --name {installed.name}. "
        "Better than pages of a site are its llms.txt, its git repository or a folder of its sources."
    )
