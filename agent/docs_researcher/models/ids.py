"""Which id to query, and which name to look up when the first one gave nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.passages import Candidate
from docs_researcher.library.entries import Entry, other_side
from docs_researcher.steps.candidates.pick import Pick, pick


def versioned(choice: Pick, asked: str | None) -> str:
    """The id to query: at the listed version that fits, else at the asked one, so that the provider can choose and explain."""
    if choice.version is not None and choice.id is not None:
        return choice.id
    base = choice.candidate.id if choice.candidate is not None else choice.id or ""
    parsed = LibraryId.try_parse(base)
    return parsed.at(asked).text if asked and parsed is not None and parsed.version is None else base


def wider(name: str) -> str | None:
    """A wider name to look for: `d3-shape` belongs to `d3`, `@scope/name` is `name`, `Spring Boot` is `Spring`."""
    if name.startswith("@") and "/" in name:
        return name.split("/", 1)[1] or None
    for border in (" ", "-", "/", "."):
        head = name.split(border, 1)[0]
        if head != name and len(head) > 1:
            return head
    return None


def names_library(name: str, text: str) -> bool:
    """Whether a text names a library: documentation that never does is not about it, though called by a part of its name."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE) is not None


def of_side(entry: Entry | None, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """The candidates without the other client of a library that npm and PyPI both have one of."""
    if entry is None:
        return candidates
    other = other_side(entry)
    if other is not None:
        return [candidate for candidate in candidates if candidate.id != other.id]
    if entry.id.startswith(("/npm/", "/pypi/")):
        return [candidate for candidate in candidates if candidate.id == entry.id] or candidates
    return candidates


def pick_own(docs_id: LibraryId, version: str | None, query: str, candidates: Sequence[Candidate]) -> Pick:
    """What the list says of the library that was given by its id, whatever it is called there."""
    own = [candidate for candidate in candidates if candidate.id.lower() == docs_id.base.lower()][:1]
    return pick(own[0].title if own else docs_id.base, version, query, own)


def read_without_version(ids: Sequence[str]) -> tuple[str, ...]:
    """What is said where an id with a version held nothing and the one without was read; `ids` in the order asked, each once."""
    if len(ids) == 2 and ids[0].startswith(ids[1]):
        return (f"Version {LibraryId.parse(ids[0]).version} is not indexed; this is taken from {ids[1]} without a version.",)
    return ()
