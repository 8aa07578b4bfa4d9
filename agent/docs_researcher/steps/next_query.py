"""What to ask for next where an answer is a weak match: a few words that the documentation itself uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from docs_researcher.docsets.terms import STOP_WORDS
from docs_researcher.steps.question_terms import QuestionTerms, stems_of, symbols_of
from docs_researcher.steps.unit_choice import ScoredUnit

MOST_WORDS = 6
FEWEST_WORDS = 2
LOOKED_AT = 12
"""So many of the best units' headings are looked at."""
HEADINGS = 2
"""So many of them lend their words."""
NAMES = 2
"""So many names of the API are added."""
_WORD = re.compile(r"[\w.$@/-]*\w")


def next_query(units: Sequence[ScoredUnit], terms: QuestionTerms) -> str:
    """Two to six words of headings and of the API that are nearest to the question; empty if there are none."""
    near = sorted(units[:LOOKED_AT], key=lambda one: -terms.share(stems_of(one.unit.leaf)))
    near = [one for one in near if not stems_of(one.unit.leaf).isdisjoint(terms.stems)][:HEADINGS]
    words = _telling(word for one in near for word in _WORD.findall(_bare(one.unit.leaf)))[: MOST_WORDS - NAMES]
    names = [
        symbol
        for one in [*near, *units[:1]]
        for cluster in one.unit.clusters[one.best : one.best + 1]
        for statement in cluster.statements
        for symbol in symbols_of(f"{statement.label} {statement.text}")
        if _WORD.fullmatch(symbol) and len(symbol) > 2
    ]
    found = list(dict.fromkeys([*words, *dict.fromkeys(names)]))[: len(words) + NAMES]
    return " ".join(found) if len(found) >= FEWEST_WORDS else ""


def _bare(heading: str) -> str:
    """A heading without the arguments of a signature and the marks around it."""
    return re.sub(r"\([^)]*\)?|[`*\"']", " ", heading)


def _telling(words: Iterable[str]) -> list[str]:
    found = {word.lower(): word for word in words if word.lower() not in STOP_WORDS and len(word) > 2}
    return list(found.values())
