"""An open docset as the search needs it: full-text scores, how rare terms are, and what is remembered between queries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docs_researcher.docsets.searching.hits import RankedChunk
from docs_researcher.docsets.searching.ranking import Titles
from docs_researcher.docsets.searching.terms import Term, quoted
from docs_researcher.docsets.sql import one, rows

if TYPE_CHECKING:
    import apsw

REMEMBERED = 20_000
"""Chunks whose place is kept in memory, some 400 bytes each; more than a query looks at, and all of most docsets."""

_SELECT_OWN = "SELECT id, doc_path, section_title, doc_title, tokens, has_code, line, anchor, digest FROM chunks WHERE id IN ({})"
_SELECT_FOREIGN = "SELECT id, doc_path, section_title, doc_title, tokens, has_code, NULL, NULL, NULL FROM chunks WHERE id IN ({})"


@dataclass(slots=True)
class Index:
    """An open docset. It never changes, so what was once asked of it is remembered."""

    connection: apsw.Connection
    own_schema: bool
    names: tuple[str, ...]
    """What the library is called; a question names it, and every chunk is about it."""
    size: int
    titles: Titles
    linked: bool = False
    """Whether it keeps the words of the links between its pages."""
    frequencies: dict[str, int] = field(default_factory=dict[str, int])
    """How many chunks hold a word."""
    chunks: dict[int, RankedChunk] = field(default_factory=dict[int, RankedChunk])
    """Where chunks stand, with no score."""


def known_chunks(index: Index, ids: Iterable[int]) -> dict[int, RankedChunk]:
    """Where these chunks stand; a number that the docset lacks is left out."""
    wanted = tuple(ids)
    known = index.chunks
    if missing := [id for id in wanted if id not in known]:
        if len(known) + len(missing) > REMEMBERED:
            known.clear()
            missing = list(wanted)
        select = _SELECT_OWN if index.own_schema else _SELECT_FOREIGN
        for row in rows(index.connection, select.format(",".join("?" * len(missing))), missing):
            id, path, heading, title, tokens, has_code, line, anchor, digest = row
            known[id] = RankedChunk(
                id, str(path), str(heading), str(title), int(tokens), bool(has_code), line or 0, anchor, digest, 0.0
            )
    return {id: known[id] for id in wanted if id in known}


def coverage(index: Index, terms: Sequence[Term], rowid: int) -> float:
    """The share of the question's terms that the chunk holds, each counted by its rarity."""
    total = held = 0.0
    for term in terms:
        weight = rarity(index, term)
        total += weight
        if frequency(index, term) or term.parts:
            held += weight * share_held(index, term, rowid)
    return round(held / total, 4) if total else 0.0


def rarity(index: Index, term: Term) -> float:
    """What a term tells: much when few chunks hold it, never less than nothing."""
    count = frequency(index, term)
    return math.log(1 + (index.size - count + 0.5) / (count + 0.5))


def share_held(index: Index, term: Term, rowid: int) -> float:
    """How much of a term a chunk holds: all of it, or some of its parts."""
    if _holds(index, rowid, " OR ".join(quoted(word) for word in term.same)):
        return 1.0
    if not term.parts:
        return 0.0
    return sum(_holds(index, rowid, quoted(part)) for part in term.parts) / len(term.parts)


def _holds(index: Index, rowid: int, expression: str) -> bool:
    row = one(index.connection, "SELECT 1 FROM chunks_fts WHERE chunks_fts MATCH ? AND rowid = ?", (expression, rowid))
    return row is not None


def frequency(index: Index, term: Term) -> int:
    """How many chunks hold the term: the most common of the words that mean it."""
    return max(word_frequency(index, word) for word in term.same)


def word_frequency(index: Index, word: str) -> int:
    """How many chunks hold a word or phrase."""
    known = index.frequencies.get(word)
    if known is None:
        row = one(index.connection, "SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?", (quoted(word),))
        known = index.frequencies[word] = int(row[0]) if row else 0
    return known
