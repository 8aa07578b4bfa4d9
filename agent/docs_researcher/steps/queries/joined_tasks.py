"""The things that a question asks for at once, where it is looked up as a whole: "do A, and do B", "A and have it do B".

Looked up as a whole, the one that has more words wins. So each is looked up by itself too; the whole stays the question, since
what one of them says may be needed for the other.
"""

from __future__ import annotations

import re

from docs_researcher.docsets.searching.terms import STOP_WORDS
from docs_researcher.steps.queries.compared import without_topic
from docs_researcher.steps.queries.coordination import leans, without_ask, words

FEWEST_WORDS = 2
"""Words of meaning that each of the things needs; with fewer it is a part of the other one."""
MOST = 2
"""So many things are looked up by themselves."""
SUBJECT_WORDS = 3
"""Words of the first thing that say what "it" is in the second one."""
_APART = re.compile(r"\s*[,;]\s+(?:and|then|plus|as well as)(?:\s+(?:also|then))?\s+", re.IGNORECASE)
"""Between two clauses."""
_JOINED = re.compile(r"\s+and(?:\s+(?:also|then))?\s+", re.IGNORECASE)
_WHOLE = re.compile(
    r"\b(?:between|both|either|neither|together|versus|vs|differ\w*|compar\w*|instead|rather|or|when|while|because|although)\b",
    re.IGNORECASE,
)
"""Words of a question whose parts need one another."""


def joined_tasks(question: str, names: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The two things that a question asks for, each as a query of its own; empty where it asks for one.

    `names` are those of the library, which say nothing here.
    """
    text = without_topic(question, names)
    if _WHOLE.search(text):
        return ()
    for joint in (_APART, _JOINED):
        parts = [part.strip(" ,.;?!") for part in joint.split(text)]
        parts = [part for part in parts if part]
        if len(parts) == MOST and all(len(_telling(part, names)) >= FEWEST_WORDS for part in parts):
            return _with_subject(parts, names)
    return ()


def _telling(text: str, names: tuple[str, ...]) -> list[str]:
    known = {name.lower() for name in names}
    return [word for word in words(text) if word.lower() not in STOP_WORDS and word.lower() not in known]


def _with_subject(parts: list[str], names: tuple[str, ...]) -> tuple[str, ...]:
    first, second = (without_ask(part) or part for part in parts)
    if leans(second):
        second = " ".join([second, *_telling(first, names)[:SUBJECT_WORDS]])
    return first, second
