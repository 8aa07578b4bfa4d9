"""What a search shows: chunks with their text, those that follow each other on a page put together again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import apsw

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.searching.joined import joined_heading, joined_sections
from docs_researcher.docsets.searching.trim import trim
from docs_researcher.docsets.sql import rows

_WITH_URLS = "SELECT chunks.id, content, url FROM chunks LEFT JOIN pages ON pages.id = page_id WHERE chunks.id IN ({})"
_WITHOUT_URLS = "SELECT id, content, NULL FROM chunks WHERE id IN ({})"


@dataclass(frozen=True, slots=True)
class Hit:
    """One piece of documentation that was found, best first in its result."""

    path: str
    title: str
    """Title of the page."""
    heading: str
    """Heading path below the title, joined with " > "; empty for the text before the first heading."""
    content: str
    url: str | None
    anchor: str | None
    line: int
    """First line in the source file, counted from 1; 0 when the docset does not say."""
    tokens: int
    score: float
    """Larger is better; comparable inside one result only."""
    has_code: bool
    shortened: bool = False
    """Something was left out because the piece alone is larger than the budget."""
    chunks: tuple[int, ...] = ()
    """The numbers of the chunks in its docset that it was put together from."""
    sections: tuple[tuple[str, float], ...] = ()
    """Where these are several: the last heading of each, with the share (0 to 1) that its own score is of `score`."""


class RankedChunk(NamedTuple):
    """A chunk with its score. A tuple, since eighty are made for each query and a frozen dataclass takes four times as long."""

    id: int
    path: str
    heading: str
    title: str
    tokens: int
    has_code: bool
    line: int
    anchor: str | None
    digest: object
    score: float

    def scored(self, score: float) -> RankedChunk:
        """The same chunk with another score; `_replace` takes three times as long."""
        return RankedChunk._make((*self[:-1], score))


def fetch_hits(
    connection: apsw.Connection, chosen: list[RankedChunk], max_tokens: int | None, *, with_urls: bool
) -> tuple[Hit, ...]:
    """The text of the chunks, neighbours on a page joined; the first one shortened where it alone is over the budget."""
    marks = ",".join("?" * len(chosen))
    select = (_WITH_URLS if with_urls else _WITHOUT_URLS).format(marks)
    texts: dict[int, tuple[str, str | None]] = {
        id: (str(content), url) for id, content, url in rows(connection, select, [chunk.id for chunk in chosen])
    }
    hits = [_hit(group, texts) for group in _neighbours(chosen)]
    if max_tokens is not None and hits and hits[0].tokens > max_tokens:
        hits[0] = _shortened(hits[0], max_tokens)
    return tuple(hits)


def _neighbours(chosen: list[RankedChunk]) -> list[list[RankedChunk]]:
    """The chunks in groups that follow each other on one page, in document order inside, by the rank of their best."""
    by_id = {chunk.id: chunk for chunk in chosen}
    groups: list[list[RankedChunk]] = []
    used: set[int] = set()
    for chunk in chosen:
        if chunk.id in used:
            continue
        first = last = chunk.id
        while (before := by_id.get(first - 1)) is not None and before.path == chunk.path:
            first -= 1
        while (after := by_id.get(last + 1)) is not None and after.path == chunk.path:
            last += 1
        used.update(range(first, last + 1))
        groups.append([by_id[id] for id in range(first, last + 1)])
    return groups


def _hit(group: list[RankedChunk], texts: dict[int, tuple[str, str | None]]) -> Hit:
    first = group[0]
    content = joined_sections([(chunk.heading, texts[chunk.id][0]) for chunk in group])
    return Hit(
        path=first.path,
        title=first.title,
        heading=joined_heading([chunk.heading for chunk in group]),
        content=content,
        url=texts[first.id][1],
        anchor=first.anchor,
        line=first.line,
        tokens=first.tokens if len(group) == 1 else estimate_tokens(content),
        # Significant digits: a word that half of the chunks hold scores a millionth of a rare one.
        score=float(f"{max(chunk.score for chunk in group):.6g}"),
        has_code=any(chunk.has_code for chunk in group),
        chunks=tuple(chunk.id for chunk in group),
        sections=_sections(group),
    )


def _sections(group: list[RankedChunk]) -> tuple[tuple[str, float], ...]:
    best = max(chunk.score for chunk in group)
    if len(group) == 1 or best <= 0:
        return ()
    return tuple((chunk.heading.rpartition(" > ")[2], float(f"{max(0.0, chunk.score / best):.3g}")) for chunk in group)


def _shortened(hit: Hit, max_tokens: int) -> Hit:
    content = trim(hit.content, max_tokens)
    return replace(hit, content=content, tokens=estimate_tokens(content), shortened=True)
