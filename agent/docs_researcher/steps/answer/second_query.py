"""Whether a second query for the same concept is worth its call, with which words, and how the two results become one.

A weak result is asked for again in other words for the same things. Where a strong one is only the opening of a guide, what one
can use stands in the sections behind it, and the page's own words find these where the question's words do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.answer_text import page_of
from docs_researcher.steps.answer.code_choice import names
from docs_researcher.steps.answer.material import material_of
from docs_researcher.steps.answer.sides import is_headed_by, tells_apart
from docs_researcher.steps.answer.statement_choice import passage_scores, scored_statements
from docs_researcher.steps.answer.units import units_of
from docs_researcher.steps.queries.developer_words import called, other_words
from docs_researcher.steps.queries.question_terms import question_terms, stems_of

GOOD_ENOUGH = 0.5
"""From this confidence on other words do more harm than good: with 0.85 two of 77 answers fewer were right, with 0.6 one
(`scripts/bench answers`, 2026-11-30)."""
SECOND = 0.9
"""What the best passage of the second query counts for, beside 1 for that of the first."""
OF_A_SIDE = 4
"""So many passages are taken of what was found for one of the things compared."""
OF_A_TASK = 6
"""The same for one of the things that are asked for at once."""
OF_ONE_TASK = 0.9
"""What the best passage of these counts for."""
BESIDE_NAMED = 0.75
"""What the first query's best passage counts for, where the second one calls the thing by its name."""
OPENING_WORDS = "introduction overview quickstart getting started usage example readme"
"""What the beginning of every documentation holds: asked for when no word of the question stands anywhere."""
MOST_WORDS = 28
"""Words of a query that reads on."""
_UPGRADE = re.compile(r"migrat|upgrad|what'?s new|changes", re.IGNORECASE)
_WORDS_OF_CHANGES = "changed removed renamed default now"
"""What the sections of such a guide say where its headings have no other above them."""
_FENCE = re.compile(r"^\s*(?:```|~~~)", re.MULTILINE)


def words_to_read_on(question: str, passages: Sequence[Passage]) -> str | None:
    """A query for the rest of the page of the best passage; None when that page brought code, or the question needs none."""
    if not passages or question_terms(question).intent != "how_to":
        return None
    terms = question_terms(question)
    page = page_of(passages[0])
    if any(_FENCE.search(passage.content) for passage in passages if page_of(passage) == page):
        return None
    material = material_of(passages[:1], terms)
    weighted = terms.weighted([one.text for one in material.statements])
    ranked = scored_statements(material, weighted, passage_scores(material, weighted))
    named = [one.statement for one in ranked if "`" in one.statement.text] or [one.statement for one in ranked]
    if not named:
        return None
    heading = passages[0].title.rsplit(" > ", 1)[-1]
    words = re.findall(r"[\w./-]*\w", f"{heading} {named[0].text.replace('`', ' ')}")
    return " ".join(dict.fromkeys(words[:MOST_WORDS]))


def words_of_the_upgrade(question: str, passages: Sequence[Passage]) -> str | None:
    """A query for all changes that stand beside the best one, where an upgrade is asked about: a guide has a heading for each."""
    if not passages or question_terms(question).intent != "migration":
        return None
    headings = passages[0].title.split(" > ")
    if len(headings) < 2 or not _UPGRADE.search(headings[0]):
        return None
    above = headings[-2] if len(headings) > 2 else _WORDS_OF_CHANGES
    return " ".join(dict.fromkeys(re.findall(r"[\w./-]*\w", f"{headings[0]} {above}")[:MOST_WORDS]))


def words_for_a_weak_result(query: str, passages: Sequence[Passage]) -> str | None:
    """The query with other words for the same things; None when the result is good enough or no other words are known."""
    confidence = passages[0].confidence if passages else 0.0
    if confidence is None or confidence >= GOOD_ENOUGH:
        return None
    others = other_words(query)
    return f"{query} {' '.join(others)}" if others else None


def words_developers_use(query: str, passages: Sequence[Passage]) -> str | None:
    """The query with what it describes called by its name; None when there is no other name, or the result is headed by it."""
    named = query if question_terms(query).intent == "error" else called(query)
    new = stems_of(named) - stems_of(query)
    return named if new and passages and new.isdisjoint(stems_of(passages[0].title)) else None


def sides_to_look_up(question: str, passages: Sequence[Passage], ignore: Sequence[str]) -> tuple[str, ...]:
    """Those of the things that a question compares that head no section of a result; `ignore` are the library's names.

    None where a paragraph of the result says how they differ. Of several names of the API that are asked about without being
    compared, those that stand nowhere in the result.
    """
    terms = question_terms(question, ignore)
    if not terms.sides:
        texts = [f"{passage.title}\n{passage.content}" for passage in passages]
        lacking = [name for name in terms.symbols if not any(names(name, text) for text in texts)]
        return tuple(lacking) if len(terms.symbols) > 1 else ()
    units = units_of(material_of(passages, terms))
    if any(tells_apart(terms.sides, cluster) for unit in units for cluster in unit.clusters):
        return ()
    return tuple(side for side in terms.sides if not any(is_headed_by(side, unit) for unit in units))


def with_a_side(first: Sequence[Passage], side: Sequence[Passage], name: str) -> tuple[Passage, ...]:
    """The passages of a first query with the best of those found for one of the things compared: those it heads before others."""
    headed = [passage for passage in side if passage.title.rsplit(" > ", 1)[-1].rsplit(".", 1)[-1].strip("`") == name]
    best = [*headed, *(passage for passage in side if passage not in headed)][:OF_A_SIDE]
    return merged(first, best) if best else tuple(first)


def with_a_task(first: Sequence[Passage], task: Sequence[Passage]) -> tuple[Passage, ...]:
    """The passages of a first query with the best of those found for one of the things that a question asks for at once."""
    return merged(first, task[:OF_A_TASK], OF_ONE_TASK) if task else tuple(first)


def with_rest_of_page(first: Sequence[Passage], further: Sequence[Passage]) -> tuple[Passage, ...]:
    """The passages of a first query, with those that reading on brought from the page of the best one behind it."""
    if not first:
        return tuple(further)
    page = page_of(first[0])
    same = [passage for passage in further if page_of(passage) == page]
    return _distinct([first[0], *same, *first[1:]])


def merged(first: Sequence[Passage], second: Sequence[Passage], factor: float = SECOND) -> tuple[Passage, ...]:
    """Two results for the same concept as one, best first. Scores of two queries compare only by their share of the best."""
    both = [*_by_share(first, 1.0), *_by_share(second, factor)]
    return _distinct(sorted(both, key=lambda passage: -(passage.score or 0.0)))


def _by_share(passages: Sequence[Passage], factor: float) -> list[Passage]:
    best = max((passage.score or 0.0 for passage in passages), default=0.0)
    shares = [
        passage.score / best if best > 0 and passage.score is not None else 1 / (1 + 0.15 * rank)
        for rank, passage in enumerate(passages)
    ]
    return [replace(passage, score=factor * share) for passage, share in zip(passages, shares, strict=True)]


def _distinct(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    known: dict[tuple[str, str], Passage] = {}
    for passage in passages:
        known.setdefault((passage.source, passage.content), passage)
    return tuple(known.values())
