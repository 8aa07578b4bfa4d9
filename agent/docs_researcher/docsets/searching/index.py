"""An open docset as the search needs it: full-text scores, how rare terms are, and what is remembered between queries."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docs_researcher.docsets.schema import WEIGHTS
from docs_researcher.docsets.searching.hits import RankedChunk
from docs_researcher.docsets.searching.ranking import Titles
from docs_researcher.docsets.searching.terms import Term, quoted
from docs_researcher.docsets.sql import one, rows

if TYPE_CHECKING:
    import apsw

REMEMBERED = 20_000
"""Chunks whose place is kept in memory, some 400 bytes each; more than a query looks at, and all of most docsets."""

REMEMBERED_WORDS = 50_000
"""Words whose frequency is kept in memory, some 150 bytes each; a server is asked for new ones without end."""
REMEMBERED_SCORES = 500_000
"""Full-text scores of words that are kept in memory, 16 bytes each: those of some 2,000 words in a docset of 5,000 chunks."""
OF_A_WORD = 20
"""What a word takes beside its scores, counted in scores; many a word has none."""

_SELECT_SCORES = (
    f"SELECT rowid, -bm25(chunks_fts, {', '.join(map(str, WEIGHTS))}) FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY rowid"  # noqa: S608 - only numbers
)
_SELECT_OWN = "SELECT id, doc_path, section_title, doc_title, tokens, has_code, line, anchor, digest FROM chunks WHERE id IN ({})"
_SELECT_FOREIGN = "SELECT id, doc_path, section_title, doc_title, tokens, has_code, NULL, NULL, NULL FROM chunks WHERE id IN ({})"


WordScores = tuple["array[int]", "array[float]"]
"""The numbers of the chunks that hold a word or phrase, in ascending order, and the full-text score of each for it."""


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
    scores: dict[str, WordScores] = field(default_factory=dict[str, "WordScores"])
    """The full-text scores of words."""
    count_of_scores: int = 0


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


def coverage(index: Index, rarities: Mapping[Term, float], rowid: int) -> float:
    """The share of the question's terms that the chunk holds, each counted by its rarity."""
    total = held = 0.0
    for term, weight in rarities.items():
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
    if any(_holds(index, rowid, word) for word in term.same):
        return 1.0
    if not term.parts:
        return 0.0
    return sum(_holds(index, rowid, part) for part in term.parts) / len(term.parts)


def _holds(index: Index, rowid: int, word: str) -> bool:
    if word in index.scores:
        ids = index.scores[word][0]
        place = bisect_left(ids, rowid)
        return place < len(ids) and ids[place] == rowid
    select = "SELECT 1 FROM chunks_fts WHERE chunks_fts MATCH ? AND rowid = ?"
    return one(index.connection, select, (quoted(word), rowid)) is not None


def frequency(index: Index, term: Term) -> int:
    """How many chunks hold the term: the most common of the words that mean it."""
    return max([word_frequency(index, word) for word in term.same])


def word_frequency(index: Index, word: str) -> int:
    """How many chunks hold a word or phrase."""
    known = index.frequencies.get(word)
    if known is None:
        if len(index.frequencies) >= REMEMBERED_WORDS:
            index.frequencies.clear()
        row = one(index.connection, "SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?", (quoted(word),))
        known = index.frequencies[word] = int(row[0]) if row else 0
    return known


def word_scores(index: Index, word: str) -> WordScores:
    """What bm25 gives each chunk for a word or phrase."""
    known = index.scores.get(word)
    if known is None:
        found = rows(index.connection, _SELECT_SCORES, (quoted(word),))
        index.count_of_scores += len(found) + OF_A_WORD
        if index.count_of_scores > REMEMBERED_SCORES:
            index.scores.clear()
            index.count_of_scores = len(found) + OF_A_WORD
        known = index.scores[word] = array("q", [row[0] for row in found]), array("d", [row[1] for row in found])
    return known
