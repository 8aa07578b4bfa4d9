"""Whether to read further on a page that was found, and with which words.

A search returns the opening of a guide where the question is broad; what one can use stands in the sections behind it. The
page's own words find these where the question's words do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer_text import page_of
from docs_researcher.steps.material import material_of
from docs_researcher.steps.question_terms import question_terms
from docs_researcher.steps.statement_choice import passage_scores, scored_statements

MOST_WORDS = 28
_FENCE = re.compile(r"^\s*(?:```|~~~)", re.MULTILINE)


def words_to_read_on(question: str, passages: Sequence[Passage]) -> str | None:
    """A query for the rest of the page of the best passage; None when that page brought code, or the question needs none."""
    terms = question_terms(question)
    if not passages or terms.intent != "how_to":
        return None
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


def joined(first: Sequence[Passage], further: Sequence[Passage]) -> tuple[Passage, ...]:
    """The passages of a first query, with those that a further one brought from the page of the best passage behind it."""
    if not first or not further:
        return tuple(dict.fromkeys([*first, *further]))
    page = page_of(first[0])
    same = [passage for passage in further if page_of(passage) == page]
    return tuple(dict.fromkeys([first[0], *same, *first[1:]]))
