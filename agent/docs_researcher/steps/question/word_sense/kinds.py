"""What else the same word may be: a verb, a function, something that nobody asks about."""

from __future__ import annotations

import re

from docs_researcher.steps.words import word_set

VERBS = word_set("react express go click echo got rest invoke compose relay warp plug remix dash play render helm nest ink")
"""Names that are verbs: "react to a click"."""
FUNCTIONS = word_set("next echo print go click get make send request requests box pipe query render")
"""Names that are functions elsewhere too: `next()` is Python's, and Express's, more often than Next.js."""
NO_SUBJECTS = word_set("click go rest next act play make fire get got")
"""Of these nobody asks what they do: "does click ..." begins another question."""
PREPOSITIONS = word_set(
    "in with using use for via of from on inside under from into and or like than versus vs plus between en con entre de del "
    "para desde em com dans avec sur mit im bei unter zwischen und oder"
)
"""Small words before a name in "in X", "with X", "X or Y", in five languages."""
STATUS = re.compile(r"\s+[45]\d\d\b")
"""A status behind a word: "express 404"."""
