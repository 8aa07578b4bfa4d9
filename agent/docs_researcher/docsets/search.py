"""Ranking inside one docset: full-text search that any question can be put to, with a measure of how sure it is.

Every term is quoted and the terms are joined with OR, so nothing a user types is syntax and a long question finds what a
short one does. Rank and confidence were measured on 149 questions over six libraries (2026-11-29): joining with OR instead of
AND put the right page first for 55 % of the questions instead of 36 %, heading path and path added 2 points, demoting release
notes another 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import apsw

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.own_name import without_name
from docs_researcher.docsets.ranking import Nudges, Titles, is_about_versions, is_release_notes
from docs_researcher.docsets.schema import WEIGHTS
from docs_researcher.docsets.sql import one, rows
from docs_researcher.docsets.terms import Term, any_of, match_expression, query_terms, quoted
from docs_researcher.docsets.thesaurus import thesaurus
from docs_researcher.docsets.trim import trim

MAX_TERMS = 24
"""With more, OR touches nearly every chunk and the time grows past a few milliseconds."""
RANKED = 80
"""How many chunks are looked at after the full-text ranking."""
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
MOST_OTHER = 4.0
"""What other terms for the things of a question add to a chunk is at most this often what its own words give the best one. In a
small docset a word that half of the chunks hold scores next to nothing, and any other term would outweigh it. With 3 the right
page was first for 116 instead of 118 of 214 questions, and with more than 4 for no more (2026-11-30)."""
TWIN = 0.93
"""A chunk of the same title and heading as one on an earlier page comes behind it when its score is less than 7 % better."""

_SELECT_OWN = "SELECT id, doc_path, section_title, doc_title, tokens, has_code, line, anchor, digest FROM chunks WHERE id IN ({})"
_SELECT_FOREIGN = "SELECT id, doc_path, section_title, doc_title, tokens, has_code, NULL, NULL, NULL FROM chunks WHERE id IN ({})"


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


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, how sure it is (0 to 1), and the terms it looked for."""

    hits: tuple[Hit, ...]
    confidence: float
    terms: tuple[str, ...]


@dataclass(slots=True)
class Index:
    """An open docset as the search needs it. `frequencies` remembers how many chunks hold a word; a docset never changes."""

    connection: apsw.Connection
    own_schema: bool
    names: tuple[str, ...]
    """What the library is called; a question names it, and every chunk is about it."""
    size: int
    titles: Titles
    frequencies: dict[str, int] = field(default_factory=dict[str, int])


class _Ranked(NamedTuple):
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


def search(index: Index, query: str, *, limit: int = 10, max_tokens: int | None = None) -> SearchResult:
    """The best `limit` chunks for a question, within `max_tokens` when given; neighbours on a page are joined.

    A chunk that does not fit into what is left of the budget is passed over; the best one is shortened rather than lost.
    """
    bare = without_name(query, index.names)
    terms = _rarest(index, query_terms(bare))
    if not terms or limit < 1:
        return SearchResult((), 0.0, ())
    scores = _scores(index, match_expression(terms))
    sure = bool(scores) and _coverage(index, terms, max(scores, key=scores.__getitem__)) >= SURE
    other = {} if sure else _other_terms(index, bare, terms)
    ranked = _rank(index, terms, scores, other, about_versions=is_about_versions(query))
    if not ranked:
        return SearchResult((), 0.0, tuple(term.text for term in terms))
    confidence = _coverage(index, terms, ranked[0].id)
    chosen = _spread(ranked)
    hits = _fetch(index, _within(chosen, limit, max_tokens), max_tokens)
    return SearchResult(hits, confidence, tuple(term.text for term in terms))


def _rarest(index: Index, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    if len(terms) <= MAX_TERMS:
        return terms
    rare = sorted(terms, key=lambda term: (_frequency(index, term) == 0, _frequency(index, term)))[:MAX_TERMS]
    return tuple(term for term in terms if term in rare)


def _holders(index: Index, terms: tuple[Term, ...]) -> tuple[frozenset[int], bool]:
    """The chunks that hold a rare identifier of the question whole, and whether one of these is gone from the library.

    An identifier that stands mostly in release notes was renamed or removed, and they say what to do instead.
    """
    holders: set[int] = set()
    gone = False
    for term in terms:
        if not term.parts or not 0 < _frequency(index, term) <= FEW_CHUNKS:
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
    return {
        word: weight for word, weight in found.items() if word.lower() not in asked and 0 < _word_frequency(index, word) <= most
    }


def _rank(
    index: Index, terms: tuple[Term, ...], own: Mapping[int, float], other: Mapping[str, float], *, about_versions: bool
) -> list[_Ranked]:
    scores = dict(own)
    holders, gone = _holders(index, terms)
    for id in holders & scores.keys():
        scores[id] *= WHOLE_IDENTIFIER
    # bm25 is a sum over terms, so terms of a lower weight are asked for by themselves and added.
    most = max(scores.values(), default=math.inf)
    for weight in sorted(set(other.values())):
        words = (word for word in other if other[word] == weight)
        for id, score in _scores(index, any_of(words)).items():
            scores[id] = scores.get(id, 0.0) + weight * min(score, MOST_OTHER * most)
    nudges = Nudges(index.titles, terms, other, index.names, about_versions=about_versions or gone)
    best = sorted(scores, key=scores.__getitem__, reverse=True)[:RANKED]
    ranked = [_ranked(row, scores[row[0]], nudges) for row in _rows(index, best)]
    ranked.sort(key=lambda chunk: (-chunk.score, chunk.id))
    return _without_copies(_twins_in_order(ranked))


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


def _ranked(row: tuple[Any, ...], score: float, nudges: Nudges) -> _Ranked:
    id, path, heading, title, tokens, has_code, line, anchor, digest = row
    score *= nudges.factor(str(path), str(title), str(heading))
    return _Ranked(id, str(path), str(heading), str(title), int(tokens), bool(has_code), line or 0, anchor, digest, score)


def _twins_in_order(ranked: list[_Ranked]) -> list[_Ranked]:
    """Chunks of one title and heading on several pages that score about the same, in the order of the pages.

    Documentation that says a thing for two products (the App and the Pages Router of Next.js) puts the one to read first first.
    """
    best: dict[tuple[str, str], _Ranked] = {}
    result: list[_Ranked] = []
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


def _without_copies(ranked: list[_Ranked]) -> list[_Ranked]:
    seen: set[object] = set()
    kept: list[_Ranked] = []
    for chunk in ranked:
        if chunk.digest is None or chunk.digest not in seen:
            seen.add(chunk.digest)
            kept.append(chunk)
    return kept


def _coverage(index: Index, terms: Sequence[Term], rowid: int) -> float:
    """The share of the question's terms that the chunk holds, each counted by its rarity."""
    total = held = 0.0
    for term in terms:
        frequency = _frequency(index, term)
        rarity = math.log(1 + (index.size - frequency + 0.5) / (frequency + 0.5))
        total += rarity
        if frequency or term.parts:
            held += rarity * _share_held(index, term, rowid)
    return round(held / total, 4) if total else 0.0


def _share_held(index: Index, term: Term, rowid: int) -> float:
    if _holds(index, rowid, " OR ".join(quoted(word) for word in term.same)):
        return 1.0
    if not term.parts:
        return 0.0
    return sum(_holds(index, rowid, quoted(part)) for part in term.parts) / len(term.parts)


def _holds(index: Index, rowid: int, expression: str) -> bool:
    row = one(index.connection, "SELECT 1 FROM chunks_fts WHERE chunks_fts MATCH ? AND rowid = ?", (expression, rowid))
    return row is not None


def _frequency(index: Index, term: Term) -> int:
    """How many chunks hold the term: the most common of the words that mean it."""
    return max(_word_frequency(index, word) for word in term.same)


def _word_frequency(index: Index, word: str) -> int:
    known = index.frequencies.get(word)
    if known is None:
        row = one(index.connection, "SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?", (quoted(word),))
        known = index.frequencies[word] = int(row[0]) if row else 0
    return known


def _spread(ranked: list[_Ranked]) -> list[_Ranked]:
    """The same chunks, at most two of a page before the best of the other pages."""
    first: list[_Ranked] = []
    later: list[_Ranked] = []
    pages: dict[str, int] = {}
    for chunk in ranked:
        pages[chunk.path] = pages.get(chunk.path, 0) + 1
        (first if pages[chunk.path] <= CHUNKS_A_PAGE else later).append(chunk)
    return first + later


def _within(ranked: list[_Ranked], limit: int, max_tokens: int | None) -> list[_Ranked]:
    """The chunks that the budget has room for, best first; the best one always."""
    chosen: list[_Ranked] = []
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


def _fetch(index: Index, chosen: list[_Ranked], max_tokens: int | None) -> tuple[Hit, ...]:
    ids = [chunk.id for chunk in chosen]
    marks = ",".join("?" * len(ids))
    bodies: dict[int, str] = {
        row[0]: str(row[1])
        for row in rows(index.connection, f"SELECT id, content FROM chunks WHERE id IN ({marks})", ids)  # noqa: S608 - only marks
    }
    urls = _urls(index, ids)
    hits = [_hit(group, bodies, urls) for group in _neighbours(chosen)]
    if max_tokens is not None and hits and hits[0].tokens > max_tokens:
        hits[0] = _shortened(hits[0], max_tokens)
    return tuple(hits)


def _neighbours(chosen: list[_Ranked]) -> list[list[_Ranked]]:
    """The chunks in groups that follow each other on one page, in document order inside, by the rank of their best."""
    by_id = {chunk.id: chunk for chunk in chosen}
    groups: list[list[_Ranked]] = []
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


def _hit(group: list[_Ranked], bodies: dict[int, str], urls: dict[str, str]) -> Hit:
    first = group[0]
    content = joined_sections([(chunk.heading, bodies[chunk.id]) for chunk in group])
    return Hit(
        path=first.path,
        title=first.title,
        heading=_joined_heading([chunk.heading for chunk in group]),
        content=content,
        url=urls.get(first.path),
        anchor=first.anchor,
        line=first.line,
        tokens=first.tokens if len(group) == 1 else estimate_tokens(content),
        # Significant digits: a word that half of the chunks hold scores a millionth of a rare one.
        score=float(f"{max(chunk.score for chunk in group):.6g}"),
        has_code=any(chunk.has_code for chunk in group),
    )


def joined_sections(sections: Sequence[tuple[str, str]]) -> str:
    """Pieces of one page as one text. A piece lacks its own heading, which is set before it where more than one is joined."""
    if len(sections) == 1:
        return sections[0][1].strip("\n")
    parts: list[str] = []
    before = ""
    for heading, body in sections:
        text = body.strip("\n")
        if heading and heading != before and not text.startswith("#"):
            path = heading.split(" > ")
            parts.append(f"{'#' * min(6, len(path) + 1)} {path[-1]}")
        parts.append(text)
        before = heading
    return "\n\n".join(parts)


def _joined_heading(headings: list[str]) -> str:
    """One heading path for neighbours: what they share, then what they do not, joined with " / "."""
    distinct = list(dict.fromkeys(heading for heading in headings if heading))
    if len(distinct) < 2:
        return distinct[0] if distinct else ""
    paths = [heading.split(" > ") for heading in distinct]
    shared = 0
    while all(len(path) > shared and path[shared] == paths[0][shared] for path in paths):
        shared += 1
    rest = " / ".join(" > ".join(path[shared:]) for path in paths if len(path) > shared)
    return " > ".join([*paths[0][:shared], rest])


def _shortened(hit: Hit, max_tokens: int) -> Hit:
    content = trim(hit.content, max_tokens)
    return replace(hit, content=content, tokens=estimate_tokens(content), shortened=True)


def _urls(index: Index, ids: list[int]) -> dict[str, str]:
    """The addresses of the pages that these chunks stand on, by path."""
    if not index.own_schema:
        return {}
    marks = ",".join("?" * len(ids))
    # By number: `pages` has no index by path, and a look through all of them costs as much as the ranking.
    select = f"SELECT path, url FROM pages WHERE url IS NOT NULL AND id IN (SELECT page_id FROM chunks WHERE id IN ({marks}))"  # noqa: S608 - only marks
    return {str(path): str(url) for path, url in rows(index.connection, select, ids)}
