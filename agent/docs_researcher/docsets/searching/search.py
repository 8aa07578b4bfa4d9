"""Ranking inside one docset: full-text search that any question can be put to, with a measure of how sure it is.

Every term is quoted and the terms are joined with OR, so nothing a user types is syntax and a long question finds what a
short one does. Rank and confidence were measured on 149 questions over six libraries (2026-11-29): joining with OR instead of
AND put the right page first for 55 % of the questions instead of 36 %, heading path and path added 2 points, demoting release
notes another 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import apsw

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.linked import link_words
from docs_researcher.docsets.schema import WEIGHTS
from docs_researcher.docsets.searching.fusion import ALONE, WORDS_SUFFICE, Nearest, fused
from docs_researcher.docsets.searching.hits import Hit, RankedChunk, fetch_hits
from docs_researcher.docsets.searching.own_name import without_name
from docs_researcher.docsets.searching.ranking import (
    RELEASE_NOTES,
    SOURCE,
    SOURCE_FILES,
    Nudges,
    Titles,
    is_about_versions,
    is_release_notes,
)
from docs_researcher.docsets.searching.terms import Term, any_of, match_expression, query_terms, quoted
from docs_researcher.docsets.searching.thesaurus import thesaurus
from docs_researcher.docsets.sql import one, rows

MAX_TERMS = 24
"""With more, OR touches nearly every chunk and the time grows past a few milliseconds."""
RANKED = 80
"""How many chunks the full-text ranking gives for one set of terms."""
LOOKED_AT = 24
"""So many of the best have their titles and pages weighed, or as many as are wanted: with 40 the same pages came first."""
SURE = 0.9
"""From this confidence on, the question's own words are the documentation's, and no others are looked for. Of 214 questions
those above it had the right page among the first five in 98 % of all cases (2026-11-30)."""
FEW_CHUNKS = 40
"""An identifier that more chunks hold is common enough to need no favour."""
COMMON = 0.1
"""Another term for a thing of the question that a larger share of the chunks holds tells nothing and costs most of the time:
leaving it out took a fifth of the time and cost no right page (2026-11-30)."""
WHOLE_IDENTIFIER = 2.0
"""Factor for a chunk that holds an identifier whole, against those that only hold its parts often."""
CHUNKS_A_PAGE = 2
"""So many chunks of one page come before those of other pages."""
MAX_OTHER_TERMS = 12
"""The surest and rarest of them; with all, the slowest questions took half as long again and no more pages were found."""
MOST_OTHER = 4.0
"""What other terms for the things of a question add to a chunk is at most this often what its own words give the best one. In a
small docset a word that half of the chunks hold scores next to nothing, and any other term would outweigh it. With 3 the right
page was first for 116 instead of 118 of 214 questions, and with more than 4 for no more (2026-11-30)."""
POSTINGS = 20_000
OTHER_POSTINGS = 8_000
"""How many chunks may hold the terms of a question, each term counted apart, and its other terms: beyond that the most common do
not rank, except that two always do. It concerns large docsets only. At 50,000 chunks the median query took a sixth less time and
the slowest a third; of 214 questions, put to all their libraries in one docset, as many had the right page first (2026-11-30)."""
LINKED = 5.0
"""What a word of a question counts by which other pages link to a chunk, times its rarity: as much as one of a heading. With it
the right page was first for 58 instead of 56 % of 214 questions (MRR +0.014, 0.003 to 0.028), from 4 to 6 alike (2026-11-30)."""
TWIN = 0.93
"""A chunk of the same title and heading as one on an earlier page comes behind it when its score is less than 7 % better."""

_SELECT_OWN = "SELECT id, doc_path, section_title, doc_title, tokens, has_code, line, anchor, digest FROM chunks WHERE id IN ({})"
_SELECT_FOREIGN = "SELECT id, doc_path, section_title, doc_title, tokens, has_code, NULL, NULL, NULL FROM chunks WHERE id IN ({})"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, how sure it is (0 to 1), and the terms it looked for."""

    hits: tuple[Hit, ...]
    confidence: float
    terms: tuple[str, ...]
    note: str = ""
    """Why the vectors of the docset were not used, when they were not."""


@dataclass(slots=True)
class Index:
    """An open docset as the search needs it. `frequencies` remembers how many chunks hold a word; a docset never changes."""

    connection: apsw.Connection
    own_schema: bool
    names: tuple[str, ...]
    """What the library is called; a question names it, and every chunk is about it."""
    size: int
    titles: Titles
    linked: bool = False
    """Whether it keeps the words of the links between its pages."""
    frequencies: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Ranking:
    """Every chunk that may answer a question, best first, and what put it there."""

    terms: tuple[Term, ...]
    """The question's own, without its stop words and the library's name."""
    other: Mapping[str, float]
    """What documentation may call the same things, with the weight of each; empty where the own terms are found whole."""
    own_scores: Mapping[int, float]
    """Full-text scores for the own terms."""
    scores: Mapping[int, float]
    """The same after whole identifiers and the other terms were weighed in, before titles were."""
    nudges: Nudges | None
    """What moved them for their titles and pages; None where there was nothing to look for."""
    similarity: Mapping[int, float]
    """The nearest chunks by meaning; empty where it was not asked."""
    confidence: float
    chunks: list[RankedChunk]


def search(
    index: Index, query: str, *, limit: int = 10, max_tokens: int | None = None, nearest: Nearest | None = None
) -> SearchResult:
    """The best `limit` chunks for a question, within `max_tokens` when given; neighbours on a page are joined.

    A chunk that does not fit into what is left of the budget is passed over; the best one is shortened rather than lost. With
    `nearest`, chunks that mean the same are weighed in where the words of the question are not found together.
    """
    ranking = rank(index, query, most=limit, nearest=nearest)
    terms = tuple(term.text for term in ranking.terms)
    chosen = _within(_spread(ranking.chunks), limit, max_tokens)
    if not chosen:
        return SearchResult((), 0.0, terms)
    hits = fetch_hits(index.connection, chosen, max_tokens, with_urls=index.own_schema)
    return SearchResult(hits, ranking.confidence, terms)


def rank(index: Index, query: str, *, most: int, nearest: Nearest | None = None) -> Ranking:
    """The chunks of a docset in the order in which they may answer a question; at least `most` where it has so many."""
    bare = without_name(query, index.names)
    terms = _rarest(index, query_terms(bare))
    if not terms:
        return Ranking((), {}, {}, {}, None, {}, 0.0, [])
    about_versions = is_about_versions(query)
    own = _scores(index, match_expression(_affordable(index, terms)))
    covered = {id: coverage(index, terms, id) for id in sorted(own, key=own.__getitem__)[-1:]}
    sure = any(share >= SURE for share in covered.values())
    other = {} if sure else _other_terms(index, bare, terms)
    holders, gone = _holders(index, terms)
    whole = {id: score * (WHOLE_IDENTIFIER if id in holders else 1) for id, score in own.items()}
    scores = _with_link_words(index, _with_other_terms(index, whole, other), terms)
    nudges = Nudges(index.titles, terms, other, index.names, about_versions=about_versions or gone)
    best = sorted(scores, key=scores.__getitem__, reverse=True)[: max(LOOKED_AT, most)]
    ranked = [_ranked(row, scores[row[0]], nudges) for row in _rows(index, best)]
    ranked.sort(key=lambda chunk: (-chunk.score, chunk.id))
    ranked = _without_copies(_twins_in_order(ranked))
    best_id = ranked[0].id if ranked else 0
    confidence = covered[best_id] if best_id in covered else coverage(index, terms, best_id) if ranked else 0.0
    similarity: dict[int, float] = {}
    if nearest is not None and not sure and confidence < WORDS_SUFFICE:
        similarity = {id: value for id, value in nearest(bare, RANKED) if ranked or value >= ALONE}
        ranked = _with_meaning(index, ranked, similarity, confidence, about_versions=about_versions)
    return Ranking(terms, other, own, scores, nudges, similarity, confidence, ranked)


def _rarest(index: Index, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    if len(terms) <= MAX_TERMS:
        return terms
    rare = sorted(terms, key=lambda term: (frequency(index, term) == 0, frequency(index, term)))[:MAX_TERMS]
    return tuple(term for term in terms if term in rare)


def _affordable(index: Index, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """The terms that rank: all of them unless so many chunks hold them that it would take long."""
    left = POSTINGS
    kept: set[Term] = set()
    for term in sorted(terms, key=lambda term: frequency(index, term)):
        left -= frequency(index, term)
        if left >= 0 or len(kept) < 2:
            kept.add(term)
    return tuple(term for term in terms if term in kept)


def _holders(index: Index, terms: tuple[Term, ...]) -> tuple[frozenset[int], bool]:
    """The chunks that hold a rare identifier of the question whole, and whether one of these is gone from the library.

    An identifier that stands mostly in release notes was renamed or removed, and they say what to do instead.
    """
    holders: set[int] = set()
    gone = False
    for term in terms:
        if not term.parts or not 0 < frequency(index, term) <= FEW_CHUNKS:
            continue
        select = "SELECT id, doc_path FROM chunks WHERE id IN (SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ?)"
        found = rows(index.connection, select, (quoted(term.same[0]),))
        holders.update(row[0] for row in found)
        gone = gone or sum(is_release_notes(str(row[1])) for row in found) * 3 > len(found) * 2
    return frozenset(holders), gone


def _other_terms(index: Index, query: str, terms: tuple[Term, ...]) -> dict[str, float]:
    """What documentation may call the things of the question, beside its own terms, with the weight of each."""
    asked = {word for term in terms for word in term.same}
    stems = frozenset(index.titles.stems(query))
    # One more on both sides: that a word is on none of ten pages says little about what a library calls things.
    found = thesaurus().terms_for(stems, lambda stem: (_word_frequency(index, stem) + 1) / (index.size + 1))
    most = max(FEW_CHUNKS, COMMON * index.size)
    counts = {word: _word_frequency(index, word) for word in found if word.lower() not in asked}
    kept = sorted((word for word, count in counts.items() if 0 < count <= most), key=lambda word: (-found[word], counts[word]))
    totals = accumulate(counts[word] for word in kept)
    return {word: found[word] for word, total in zip(kept[:MAX_OTHER_TERMS], totals, strict=False) if total <= OTHER_POSTINGS}


def _with_other_terms(index: Index, own: dict[int, float], other: Mapping[str, float]) -> dict[int, float]:
    """The scores with those for the other terms added: bm25 is a sum over terms, so terms of each weight are asked for apart."""
    scores = dict(own)
    most = max(own.values(), default=math.inf)
    for weight in sorted(set(other.values())):
        words = (word for word in other if other[word] == weight)
        for id, score in _scores(index, any_of(words)).items():
            scores[id] = scores.get(id, 0.0) + weight * min(score, MOST_OTHER * most)
    return scores


def _with_link_words(index: Index, scores: dict[int, float], terms: Sequence[Term]) -> dict[int, float]:
    """The scores with those for what other pages call a chunk when they link to it."""
    if not index.linked:
        return scores
    rarity = {stem: _rarity(index, term) for term in terms for word in term.same for stem in index.titles.stems(word)}
    for stem, chunk, count in link_words(index.connection, rarity):
        scores[chunk] = scores.get(chunk, 0.0) + LINKED * rarity[stem] * count / (count + 1)
    return scores


def _with_meaning(
    index: Index, ranked: list[RankedChunk], near: Mapping[int, float], confidence: float, *, about_versions: bool
) -> list[RankedChunk]:
    """The chunks found by their words and those found by meaning, in one order."""
    known = {chunk.id: chunk for chunk in ranked}
    for row in _rows(index, near.keys() - known.keys()):
        known[row[0]] = _chunk(row, 0.0)
    # A file from elsewhere may have vectors for chunks that it lacks.
    similarity = {id: value for id, value in near.items() if id in known}
    for id in similarity:
        path = known[id].path
        if not about_versions and is_release_notes(path):
            similarity[id] *= RELEASE_NOTES
        if path.endswith(SOURCE_FILES):
            similarity[id] *= SOURCE
    scores = fused({chunk.id: chunk.score for chunk in ranked}, similarity, confidence)
    merged = [known[id]._replace(score=score) for id, score in scores.items()]
    return _without_copies(sorted(merged, key=lambda chunk: (-chunk.score, chunk.id)))


def _scores(index: Index, expression: str) -> dict[int, float]:
    """The best chunks for a full-text query, with their scores."""
    weights = ", ".join(str(weight) for weight in WEIGHTS)
    # Rowid and score first, everything else by rowid after the cut: sorting would drag the text along.
    select = (
        f"SELECT rowid, bm25(chunks_fts, {weights}) AS score FROM chunks_fts "  # noqa: S608 - only numbers are put in
        f"WHERE chunks_fts MATCH ? ORDER BY score LIMIT {RANKED}"
    )
    return {row[0]: -row[1] for row in rows(index.connection, select, (expression,))}


def _rows(index: Index, ids: Iterable[int]) -> Iterable[tuple[Any, ...]]:
    select = _SELECT_OWN if index.own_schema else _SELECT_FOREIGN
    wanted = tuple(ids)
    return rows(index.connection, select.format(",".join("?" * len(wanted))), wanted)


def _ranked(row: tuple[Any, ...], score: float, nudges: Nudges) -> RankedChunk:
    return _chunk(row, score * nudges.factor(str(row[1]), str(row[3]), str(row[2])))


def _chunk(row: tuple[Any, ...], score: float) -> RankedChunk:
    id, path, heading, title, tokens, has_code, line, anchor, digest = row
    return RankedChunk(id, str(path), str(heading), str(title), int(tokens), bool(has_code), line or 0, anchor, digest, score)


def _twins_in_order(ranked: list[RankedChunk]) -> list[RankedChunk]:
    """Chunks of one title and heading on several pages that score about the same, in the order of the pages.

    Documentation that says a thing for two products (the App and the Pages Router of Next.js) puts the one to read first first.
    """
    best: dict[tuple[str, str], RankedChunk] = {}
    result: list[RankedChunk] = []
    for chunk in ranked:
        twin = best.get((chunk.title, chunk.heading))
        if twin is None:
            best[chunk.title, chunk.heading] = chunk
        elif chunk.id < twin.id and chunk.path != twin.path and chunk.score >= twin.score * TWIN:
            place = result.index(twin)
            result.insert(place, chunk._replace(score=twin.score))
            best[chunk.title, chunk.heading] = result[place]
            continue
        result.append(chunk)
    return result


def _without_copies(ranked: list[RankedChunk]) -> list[RankedChunk]:
    seen: set[object] = set()
    kept: list[RankedChunk] = []
    for chunk in ranked:
        if chunk.digest is None or chunk.digest not in seen:
            seen.add(chunk.digest)
            kept.append(chunk)
    return kept


def coverage(index: Index, terms: Sequence[Term], rowid: int) -> float:
    """The share of the question's terms that the chunk holds, each counted by its rarity."""
    total = held = 0.0
    for term in terms:
        rarity = _rarity(index, term)
        total += rarity
        if frequency(index, term) or term.parts:
            held += rarity * share_held(index, term, rowid)
    return round(held / total, 4) if total else 0.0


def _rarity(index: Index, term: Term) -> float:
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
    return max(_word_frequency(index, word) for word in term.same)


def _word_frequency(index: Index, word: str) -> int:
    known = index.frequencies.get(word)
    if known is None:
        row = one(index.connection, "SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?", (quoted(word),))
        known = index.frequencies[word] = int(row[0]) if row else 0
    return known


def _spread(ranked: list[RankedChunk]) -> list[RankedChunk]:
    """The same chunks, at most two of a page before the best of the other pages."""
    first: list[RankedChunk] = []
    later: list[RankedChunk] = []
    pages: dict[str, int] = {}
    for chunk in ranked:
        pages[chunk.path] = pages.get(chunk.path, 0) + 1
        (first if pages[chunk.path] <= CHUNKS_A_PAGE else later).append(chunk)
    return first + later


def _within(ranked: list[RankedChunk], limit: int, max_tokens: int | None) -> list[RankedChunk]:
    """The chunks that the budget has room for, best first; the best one always."""
    chosen: list[RankedChunk] = []
    left = max_tokens if max_tokens is not None else 0
    for chunk in ranked:
        if len(chosen) >= limit:
            break
        if max_tokens is not None and chosen and chunk.tokens > left:
            continue
        # Its heading counts too: it is set before the chunk when neighbours are joined.
        cost = chunk.tokens + estimate_tokens(chunk.heading.rpartition(" > ")[2]) + 4
        if max_tokens is None or cost <= left or not chosen:
            chosen.append(chunk)
            left -= cost
    return chosen
