"""What to ask for next where an answer is a weak match: a few words that the documentation itself uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from docs_researcher.docsets.terms import STOP_WORDS
from docs_researcher.steps.question_terms import QuestionTerms, stems_of, symbols_of
from docs_researcher.steps.unit_scores import ScoredUnit

MOST_WORDS = 6
FEWEST_WORDS = 2
LOOKED_AT = 12
"""So many of the best units' headings are looked at."""
WORDS_OF_A_HEADING = 4
"""A longer heading is a sentence, and not what a page would be looked for by."""
_WORD = re.compile(r"[\w.$@/-]*\w")


def next_query(units: Sequence[ScoredUnit], terms: QuestionTerms) -> str:
    """Two to six words of headings and of the API that are nearest to the question; empty if there are none.

    The words of short headings that share one with the question come first, nearest first, then the names of the API in the
    sentences that answer best.
    """
    headings = [part for one in units[:LOOKED_AT] for part in (one.unit.heading.split(" > ", 1)[0], one.unit.leaf)]
    headed = [(terms.share(stems_of(heading)), _telling(_WORD.findall(_bare(heading)))) for heading in dict.fromkeys(headings)]
    near = [words for share, words in sorted(headed, key=lambda pair: -pair[0]) if share and len(words) <= WORDS_OF_A_HEADING]
    names = [
        symbol
        for one in units[:2]
        for statement in one.unit.clusters[one.best].statements
        for symbol in symbols_of(f"{statement.label} {statement.text}")
        if _WORD.fullmatch(symbol) and len(symbol) > 2
    ]
    words = list(dict.fromkeys([word for heading in near[:2] for word in heading]))
    found = list(dict.fromkeys([*words[: MOST_WORDS - 1], *names]))[:MOST_WORDS]
    return " ".join(found) if len(found) >= FEWEST_WORDS else ""


def _bare(heading: str) -> str:
    """A heading without the arguments of a signature and the marks around it."""
    return re.sub(r"\([^)]*\)?|[`*\"']", " ", heading)


def _telling(words: Iterable[str]) -> list[str]:
    found = {word.lower(): word for word in words if word.lower() not in STOP_WORDS and len(word) > 2}
    return list(found.values())
