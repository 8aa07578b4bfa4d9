"""Why a search came out as it did: the terms it looked for, and for each chunk what its place is made of."""

from __future__ import annotations

from dataclasses import dataclass

from docs_researcher.docsets.searching.fusion import Nearest
from docs_researcher.docsets.searching.hits import RankedChunk
from docs_researcher.docsets.searching.index import Index, frequency, share_held
from docs_researcher.docsets.searching.ranked import Ranking, rank


@dataclass(frozen=True, slots=True)
class ExplainedTerm:
    """A term of the question, and how many chunks hold it."""

    text: str
    also: tuple[str, ...]
    """Words that stand for it, and parts of it that were looked for."""
    chunks: int


@dataclass(frozen=True, slots=True)
class ExplainedChunk:
    """One chunk, in the order of the search, with the parts of its score."""

    path: str
    title: str
    heading: str
    line: int
    score: float
    """What it was ordered by: `text` times `factor`; where `similarity` was asked, the share that this is of the best one's, and
    what is added for being near."""
    own: float
    """Full-text score for the question's own terms."""
    text: float
    """The same with a whole identifier and other terms for the same things weighed in."""
    factor: float
    """For its title and heading, and for being release notes or made from source; 0 where only its meaning was found."""
    similarity: float | None
    """How near its meaning is (cosine), where that was asked and it is among the nearest."""
    held: tuple[str, ...]
    """The terms of the question that it holds."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a search looked for and what it found."""

    terms: tuple[ExplainedTerm, ...]
    other: tuple[tuple[str, float], ...]
    """Other terms that were looked for, with their weights, those that weigh most first."""
    confidence: float
    by_meaning: bool
    """Whether vectors of the docset were asked: those of the model, or else the static ones."""
    chunks: tuple[ExplainedChunk, ...]


def explain(index: Index, query: str, *, limit: int, nearest: Nearest | None = None) -> Explanation:
    """The first `limit` chunks for a question as they are ranked, before neighbours are joined."""
    ranking = rank(index, query, most=limit, nearest=nearest)
    return Explanation(
        terms=tuple(ExplainedTerm(term.text, (*term.same[1:], *term.parts), frequency(index, term)) for term in ranking.terms),
        other=tuple(sorted(ranking.other.items(), key=lambda entry: (-entry[1], entry[0]))),
        confidence=ranking.confidence,
        by_meaning=bool(ranking.similarity),
        chunks=tuple(_chunk(index, ranking, chunk) for chunk in ranking.chunks[:limit]),
    )


def _chunk(index: Index, ranking: Ranking, chunk: RankedChunk) -> ExplainedChunk:
    text = ranking.scores.get(chunk.id, 0.0)
    return ExplainedChunk(
        path=chunk.path,
        title=chunk.title,
        heading=chunk.heading,
        line=chunk.line,
        score=chunk.score,
        own=ranking.own_scores.get(chunk.id, 0.0),
        text=text,
        factor=ranking.nudges.factor(chunk.path, chunk.title, chunk.heading) if ranking.nudges is not None and text else 0.0,
        similarity=ranking.similarity.get(chunk.id),
        held=tuple(term.text for term in ranking.terms if share_held(index, term, chunk.id) == 1),
    )
