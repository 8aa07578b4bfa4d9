"""Full-text scores: the best chunks for some words.

Nearly all of the time is bm25 for each chunk that holds any of the words. bm25 of several words is the sum of that of each, and a
docset never changes, so the scores of each word are remembered and added.

Where very many chunks hold the words, that would take longer than it saves, and one statement is asked for all of them. Most of
its chunks hold one common word. bm25 gives a word at most a multiple of its rarity, so chunks that hold only common ones cannot
be among the best when enough others score more. Those others are then asked for first, and the rest only when it could still
matter: the result is always that of the plain statement. At 50,000 chunks it takes a sixth less time (411 statements,
2026-11-30).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import islice

from docs_researcher.docsets.schema import WEIGHTS
from docs_researcher.docsets.searching.index import Index, word_frequency, word_scores
from docs_researcher.docsets.searching.terms import any_of
from docs_researcher.docsets.sql import rows

RANKED = 80
"""How many chunks the full-text ranking gives for one set of terms."""
ADDED = 4_000
"""Chunks that may hold the words, each counted apart, for their scores to be added. At 5,000 chunks the median query took 2.4
instead of 3.3 ms, at 50,000 chunks 10.0 instead of 11.0, and with 8,000 there 11.3 (2026-11-30)."""
MOST = 2.2
"""What bm25 gives a word in one chunk at most, times its rarity: k1 + 1."""
EXPECTED = 1.6
"""The last of the best chunks scores about so many times the rarity of the words that enough chunks hold."""
ENOUGH = 150
"""Chunks that have to hold rarer words: some hold several, and those with long texts score less."""
WORTH = 0.5
"""Where common words are a smaller share of all, telling their chunks apart takes as long as it saves."""

_SELECT = (
    f"SELECT rowid, bm25(chunks_fts, {', '.join(map(str, WEIGHTS))}) AS score FROM chunks_fts "  # noqa: S608 - only numbers
    f"WHERE chunks_fts MATCH ? {{}} ORDER BY score LIMIT {RANKED}"
)
# Rowid and score first, everything else by rowid after the cut: sorting would drag the text along.
_ALL = _SELECT.format("")
_HOLDING = "AND +rowid {} (SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ?)"
"""The sign keeps SQLite from asking the index anew for each row."""
_RARE, _REST = _SELECT.format(_HOLDING.format("IN")), _SELECT.format(_HOLDING.format("NOT IN"))


def full_text_scores(index: Index, words: Iterable[str]) -> dict[int, float]:
    """The best RANKED chunks that hold any of these words and phrases, best first, with their scores."""
    wanted = tuple(dict.fromkeys(words))
    if sum(word_frequency(index, word) for word in wanted) > ADDED:
        return _by_statement(index, wanted)
    scores: dict[int, float] = {}
    known = scores.get
    for word in wanted:
        for id, score in zip(*word_scores(index, word), strict=True):
            scores[id] = known(id, 0.0) + score
    # The last of the best of some is no better than that of all, and sorting all of them would take twice as long.
    some = sorted(islice(scores.values(), 4 * RANKED))
    least = some[-RANKED] if len(some) > RANKED else 0.0
    best = sorted([(-score, id) for id, score in scores.items() if score >= least])[:RANKED]
    return {id: -score for score, id in best}


def _by_statement(index: Index, wanted: tuple[str, ...]) -> dict[int, float]:
    """The same from one statement, or two."""
    expression = any_of(wanted)
    rare, bound = _split(index, wanted)
    if not rare:
        return _scores(rows(index.connection, _ALL, (expression,)))
    holding = (expression, any_of(rare))
    found = rows(index.connection, _RARE, holding)
    if len(found) < RANKED or -found[-1][1] <= bound:
        found = sorted([*found, *rows(index.connection, _REST, holding)], key=lambda row: (row[1], row[0]))[:RANKED]
    return _scores(found)


def _scores(found: Iterable[tuple[int, float]]) -> dict[int, float]:
    return {id: -score for id, score in found}


def _split(index: Index, words: tuple[str, ...]) -> tuple[list[str], float]:
    """The rarer words that are worth asking for first, and what the others give a chunk at most; none where it would not pay."""
    common_first = sorted(words, key=lambda word: -word_frequency(index, word))
    expected = EXPECTED * _rarity_of_enough(index, common_first)
    bound, count = 0.0, 0
    for word in common_first:
        more = bound + MOST * _rarity(index, word)
        if more > expected:
            break
        bound, count = more, count + 1
    total = sum(word_frequency(index, word) for word in words)
    pays = sum(word_frequency(index, word) for word in common_first[:count]) >= WORTH * total
    return (common_first[count:], bound) if pays else ([], 0.0)


def _rarity_of_enough(index: Index, common_first: list[str]) -> float:
    """The rarity of the most common word that is needed for ENOUGH chunks to hold it or a rarer one; 0 when too few do."""
    chunks = 0
    for word in reversed(common_first):
        chunks += word_frequency(index, word)
        if chunks >= ENOUGH:
            return _rarity(index, word)
    return 0.0


def _rarity(index: Index, word: str) -> float:
    """What bm25 of SQLite multiplies a word by: its inverse document frequency, never less than nothing."""
    count = word_frequency(index, word)
    return max(1e-6, math.log((index.size - count + 0.5) / (count + 0.5))) if count <= index.size else 1e-6
