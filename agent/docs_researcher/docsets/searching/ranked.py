"""Which chunks of a docset may answer a question, and in which order."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import accumulate

from docs_researcher.docsets.linked import link_words
from docs_researcher.docsets.searching.confidence import Evidence, confidence_of
from docs_researcher.docsets.searching.full_text import RANKED, full_text_scores
from docs_researcher.docsets.searching.fusion import ALONE, Nearest, fused
from docs_researcher.docsets.searching.hits import RankedChunk
from docs_researcher.docsets.searching.index import (
    Index,
    coverage,
    frequency,
    known_chunks,
    rarity,
    word_frequency,
)
from docs_researcher.docsets.searching.introduction import asks_what_it_is, introduction
from docs_researcher.docsets.searching.joined_names import each_first, joined_names
from docs_researcher.docsets.searching.nudges import Nudges
from docs_researcher.docsets.searching.order import behind_guides, twins_in_order, without_copies
from docs_researcher.docsets.searching.own_name import without_name
from docs_researcher.docsets.searching.ranking import is_release_notes
from docs_researcher.docsets.searching.terms import Term, query_terms, quoted, searched_words
from docs_researcher.docsets.searching.thesaurus import LIKELY, thesaurus
from docs_researcher.docsets.searching.verbs import GENERIC_IN_HEADINGS, GENERIC_IN_TEXT, GENERIC_VERBS, named_verb
from docs_researcher.docsets.searching.versions import UPGRADE_WORDS, AskedVersions, asked_versions, is_about_versions
from docs_researcher.docsets.sql import rows

MAX_TERMS = 24
"""With more, OR touches nearly every chunk and the time grows past a few milliseconds."""
LOOKED_AT = 48
"""So many of the best have their titles and pages weighed, or as many as are wanted. With 24, example programs and what is passed
on from other packages could fill all places before they were put behind the rest."""
SURE = 0.9
"""Where one chunk holds so much of a question, the question's own words are the documentation's, and no others are looked for. Of
214 questions those above it had the right page among the first five in 98 % of all cases (2026-11-30)."""
TELLING = 3
"""Fewer terms than these are soon in one chunk, which proves nothing. With 1 the right piece was first for 70 instead of 72 % of
89 questions to declared libraries (2026-11-30)."""
FEW_CHUNKS = 40
"""An identifier that more chunks hold is common enough to need no favour."""
COMMON = 0.1
"""Another term for a thing of the question that a larger share of the chunks holds tells nothing and costs most of the time:
leaving it out took a fifth of the time and cost no right page (2026-11-30)."""
WHOLE_IDENTIFIER = 2.0
"""Factor for a chunk that holds an identifier whole, against those that only hold its parts often."""
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

FITS = 1.5
MISFITS = 0.5
"""What the score of a chunk gains whose heading or title names the version asked for, and what one loses that names another."""


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


def rank(index: Index, query: str, *, most: int, nearest: Nearest | None = None) -> Ranking:
    """The chunks of a docset in the order in which they may answer a question; at least `most` where it has so many."""
    versions = asked_versions(query, index.names)
    about_versions = versions is not None or is_about_versions(query)
    bare = without_name(query, index.names, with_version=not about_versions)
    terms = _rarest(index, query_terms(bare))
    if (verb := named_verb(index, query)) is not None:
        terms, bare = _with_verb(index, terms, verb), f"{bare} {verb.text}()"
    if not terms:
        return Ranking((), {}, {}, {}, None, {}, 0.0, [])
    if asks_what_it_is(query, index.names):
        begun, sure = introduction(index)
        if begun:
            return Ranking(terms, {}, {}, {chunk.id: chunk.score for chunk in begun}, None, {}, sure, begun)
    own = _own_scores(index, _affordable(index, terms))
    best = max(own, key=own.__getitem__, default=None)
    rarities = {term: rarity(index, term) for term in terms}
    covered = cache(partial(coverage, index, rarities))
    held = covered(best) if best is not None else 0.0
    other = _other_terms(index, bare, terms, held >= SURE and len(terms) >= TELLING, versions)
    holders, gone = _holders(index, terms)
    whole = {id: score * (WHOLE_IDENTIFIER if id in holders else 1) for id, score in own.items()}
    scores = _with_link_words(index, _with_other_terms(index, whole, other), rarities)
    about_versions = about_versions or gone
    headed = {term: weight * (GENERIC_IN_HEADINGS if term.text in GENERIC_VERBS else 1) for term, weight in rarities.items()}
    nudges = Nudges(index.titles, bare, headed, other, index.names, about_versions=about_versions)
    ranked = _nudged(index, scores, nudges, max(LOOKED_AT, most))
    if ranked and ranked[0].id != best and held < SURE:  # what only links call by the question's words may hold none of them
        held = covered(ranked[0].id)
    similarity: dict[int, float] = {}
    if nearest is not None:
        similarity = {id: value for id, value in nearest(bare, RANKED) if ranked or value >= ALONE}
        ranked = _with_meaning(index, ranked, similarity, held, nudges)
    if versions is not None:
        ranked = _by_version(ranked, versions)
    if names := joined_names(bare):
        ranked = each_first(ranked, names)
    confidence = confidence_of(_evidence(ranked, covered(ranked[0].id), nudges, similarity)) if ranked else 0.0
    return Ranking(terms, other, own, scores, nudges, similarity, confidence, ranked)


def _rarest(index: Index, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    if len(terms) <= MAX_TERMS:
        return terms
    rare = sorted(terms, key=lambda term: (frequency(index, term) == 0, frequency(index, term)))[:MAX_TERMS]
    return tuple(term for term in terms if term in rare)


def _with_verb(index: Index, terms: tuple[Term, ...], verb: Term) -> tuple[Term, ...]:
    """The terms with a verb that names a function; the library's name beside it says nothing where a heading is that verb."""
    names = {name.lower() for name in index.names} if "." not in verb.text else set[str]()
    return (*(term for term in terms if term.text not in names), verb)


def _own_scores(index: Index, terms: tuple[Term, ...]) -> dict[int, float]:
    """Full-text scores for the question's own terms, generic verbs counting less than what they are about."""
    generic = tuple(term for term in terms if term.text in GENERIC_VERBS)
    if not generic or len(generic) == len(terms):
        return full_text_scores(index, searched_words(terms))
    scores = full_text_scores(index, searched_words(term for term in terms if term not in generic))
    for id, score in full_text_scores(index, searched_words(generic)).items():
        scores[id] = scores.get(id, 0.0) + GENERIC_IN_TEXT * score
    return scores


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


def _other_terms(
    index: Index, query: str, terms: tuple[Term, ...], sure: bool, versions: AskedVersions | None
) -> dict[str, float]:
    """What documentation may call the things of the question, beside its own terms, with the weight of each."""
    asked = {word for term in terms for word in term.same}
    found: dict[str, float] = {}
    if not sure:
        stems = frozenset(index.titles.stems(query))
        # One more on both sides: that a word is on none of ten pages says little about what a library calls things.
        found = thesaurus().terms_for(stems, lambda stem: (word_frequency(index, stem) + 1) / (index.size + 1))
    if versions is not None:
        found = {**found, **dict.fromkeys((*UPGRADE_WORDS, *versions.written), LIKELY)}
    most = max(FEW_CHUNKS, COMMON * index.size)
    counts = {word: word_frequency(index, word) for word in found if word.lower() not in asked}
    kept = sorted((word for word, count in counts.items() if 0 < count <= most), key=lambda word: (-found[word], counts[word]))
    totals = accumulate(counts[word] for word in kept)
    return {word: found[word] for word, total in zip(kept[:MAX_OTHER_TERMS], totals, strict=False) if total <= OTHER_POSTINGS}


def _with_other_terms(index: Index, own: dict[int, float], other: Mapping[str, float]) -> dict[int, float]:
    """The scores with those for the other terms added: bm25 is a sum over terms, so terms of each weight are asked for apart."""
    scores = dict(own)
    most = max(own.values(), default=math.inf)
    for weight in sorted(set(other.values())):
        words = (word for word in other if other[word] == weight)
        for id, score in full_text_scores(index, words).items():
            scores[id] = scores.get(id, 0.0) + weight * min(score, MOST_OTHER * most)
    return scores


def _with_link_words(index: Index, scores: dict[int, float], rarities: Mapping[Term, float]) -> dict[int, float]:
    """The scores with those for what other pages call a chunk when they link to it."""
    if not index.linked:
        return scores
    stems = {stem: weight for term, weight in rarities.items() for word in term.same for stem in index.titles.stems(word)}
    for stem, chunk, count in link_words(index.connection, stems):
        scores[chunk] = scores.get(chunk, 0.0) + LINKED * stems[stem] * count / (count + 1)
    return scores


def _nudged(index: Index, scores: Mapping[int, float], nudges: Nudges, count: int) -> list[RankedChunk]:
    """The best chunks with their titles and pages weighed in, in order."""
    best = sorted(scores, key=scores.__getitem__, reverse=True)[:count]
    ranked = [
        chunk.scored(scores[id] * nudges.factor(chunk.path, chunk.title, chunk.heading))
        for id, chunk in known_chunks(index, best).items()
    ]
    if not nudges.of_code:
        ranked = behind_guides(ranked)
    ranked.sort(key=lambda chunk: (-chunk.score, chunk.id))
    return without_copies(twins_in_order(ranked))


def _with_meaning(
    index: Index, ranked: list[RankedChunk], near: Mapping[int, float], held: float, nudges: Nudges
) -> list[RankedChunk]:
    """The chunks found by their words and those found by meaning, in one order."""
    # A file from elsewhere may have vectors for chunks that it lacks.
    known = known_chunks(index, near if held < SURE else near.keys() & {chunk.id for chunk in ranked})
    similarity = {id: near[id] * nudges.of_page(chunk.path, chunk.title, chunk.heading) for id, chunk in known.items()}
    known |= {chunk.id: chunk for chunk in ranked}
    scores = fused({chunk.id: chunk.score for chunk in ranked}, similarity, held)
    merged = [known[id].scored(score) for id, score in scores.items()]
    return without_copies(sorted(merged, key=lambda chunk: (-chunk.score, chunk.id)))


def _by_version(ranked: list[RankedChunk], versions: AskedVersions) -> list[RankedChunk]:
    """The chunks again, those that are about the version asked for before those that are about another one."""
    fits = [versions.fit(chunk.title, chunk.heading, chunk.path) for chunk in ranked]
    factors = [1 + (FITS if fit > 0 else MISFITS) * fit for fit in fits]
    weighed = [chunk.scored(chunk.score * factor) for chunk, factor in zip(ranked, factors, strict=True)]
    return sorted(weighed, key=lambda chunk: (-chunk.score, chunk.id))


def _evidence(ranked: list[RankedChunk], held: float, nudges: Nudges, similarity: Mapping[int, float]) -> Evidence:
    """What speaks for the first chunk, which holds that share of the terms."""
    best = ranked[0]
    rival = next((chunk.score for chunk in ranked if chunk.path != best.path), 0.0)
    return Evidence(
        held=held,
        headed=nudges.of_heading(best.path, best.heading),
        ahead=max(0.0, 1 - max(0.0, rival) / best.score) if best.score > 0 else 0.0,
        similarity=similarity.get(best.id, 0.0) if similarity else None,
    )
