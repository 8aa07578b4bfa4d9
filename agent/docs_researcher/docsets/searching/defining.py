"""Sentences that say what a thing is: "Scrapy is an application framework ...", "Pillow makes ..."."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

IS_A = 1.0
"""What "X is a ..." counts for."""
DOES = 0.4
"""What "X provides ..." counts for: it may as well be about one part of it."""

_BEGINS = r"(?:\A|(?<=\n\n)|(?<=[.!?:]\s)|(?<=[.!?:]\s\s))[\W_]{0,6}(?:in [\w.]+(?: [\w.]+)?, )?(?:the |an? )?[\W_]{0,4}"
"""A line may begin in the middle of a sentence; a paragraph does not."""
_SPACE = r"(?:[ \t]+|[ \t]*\n(?!\s*\n)[ \t]*)"
"""Between two words of one paragraph."""
_MARKS = r"(?:[^\w\n]|_){0,3}"
_TITLE_WORD = r"(?-i:[A-Z][\w-]*|and|for|of)"
_NOUNS = rf"(?:{_SPACE}(?:framework|library|package|project|toolkit|{_TITLE_WORD}(?:{_SPACE}{_TITLE_WORD}){{0,6}}))?"
"""What a name is joined to: "the pytest framework", "the SQLAlchemy SQL Toolkit and Object Relational Mapper"."""
_BESIDE = rf"(?:[ \t]*\([^()\n]{{1,80}}\)|[ \t]*,[^,.\n]{{1,60}},)?{_MARKS}{_SPACE}"
_IS_A = r"(?:is|are)\s+(?:(?:just|simply|basically|essentially|also)\s+)?(?:an?|the|one of)\s+[\w*_`\"“\[-]"
_IS_A_PLURAL = r"are\s+(?!(?:not|also|now|still|only|always|available|supported|used)\b)[a-z]"
_DOES = r"(?:is (?:used|designed|meant|built) (?:to|for)|is for|provides?|makes?|lets?|helps?|allows?|enables?|offers?)\s"


def defines(text: str, names: Sequence[str]) -> float:
    """How clearly a text says what one of `names` is, 0 to 1: by a sentence whose subject is the name."""
    return defined_at(text, names)[0]


def defined_at(text: str, names: Sequence[str]) -> tuple[float, int]:
    """The same, and the place in the text of the first such sentence; (0, 0) where there is none."""
    if not names:
        return 0.0, 0
    is_a, does = _patterns(tuple(names))
    for pattern, worth in ((is_a, IS_A), (does, DOES)):
        if found := pattern.search(text):
            return worth, found.start()
    return 0.0, 0


def spelt(name: str) -> str:
    """A regular expression for a name, however its words are joined ("Next.js", "nextjs")."""
    return r"[\s._-]*".join(re.escape(word) for word in re.split(r"[\s._-]+", name) if word)


@lru_cache(maxsize=256)
def _patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    called = "|".join(filter(None, map(spelt, names))) or r"(?!)"
    one, many = rf"{_BEGINS}(?:{called}){_MARKS}{_NOUNS}{_BESIDE}", rf"{_BEGINS}(?:{called})(?:e?s){_MARKS}{_SPACE}"
    flags = re.IGNORECASE
    return re.compile(rf"{one}{_IS_A}|{many}{_IS_A_PLURAL}", flags), re.compile(f"{one}{_DOES}", flags)
