"""What to ask for next where an answer is a weak match: headings of the documentation itself that are nearest to the question."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from docs_researcher.docsets.searching.terms import STOP_WORDS
from docs_researcher.steps.answer.unit_scores import ScoredUnit
from docs_researcher.steps.queries.question_terms import QuestionTerms, stems_of

MOST_QUERIES = 2
LOOKED_AT = 16
"""So many of the best units' headings are looked at."""
WORDS_OF_A_HEADING = 4
"""A longer heading is a sentence, and not what a page would be looked for by."""
_WORD = re.compile(r"[\w.$@/-]*\w")
_NUMBERED = re.compile(r"^\s*(?:step\s+)?\d+[.):]\s*", re.IGNORECASE)


def next_queries(units: Sequence[ScoredUnit], terms: QuestionTerms, quoted: Collection[str] = ()) -> tuple[str, ...]:
    """At most two queries of one to four words, nearest to the question first; none where no heading has a word of it.

    Each is a heading that stands in the documentation, without the arguments of a signature. `quoted` are the headings of what
    the answer says already.
    """
    known = {_bare(heading).lower() for heading in quoted}
    found: dict[str, float] = {}
    for one in units[:LOOKED_AT]:
        for heading in (one.unit.leaf, one.unit.heading.split(" > ", 1)[0]):
            text = _bare(heading)
            words = [word for word in _WORD.findall(text) if word.lower() not in STOP_WORDS]
            near = terms.share(stems_of(text))
            if near and 0 < len(words) <= WORDS_OF_A_HEADING and text.lower() not in known:
                found.setdefault(text, near)
    return tuple(sorted(found, key=lambda text: -found[text])[:MOST_QUERIES])


def _bare(heading: str) -> str:
    """A heading without the arguments of a signature, its number and the marks around it."""
    text = re.sub(r"\([^)]*\)?|[`*\"'“”]", " ", _NUMBERED.sub("", heading))
    return " ".join(text.split()).strip(" .:,?!")
