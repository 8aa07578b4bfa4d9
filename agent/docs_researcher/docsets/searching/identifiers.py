"""Names of code: which of them a question asks for, and the words that a name is made of."""

from __future__ import annotations

import re
from functools import lru_cache

from docs_researcher.docsets.searching.terms import STOP_WORDS

_ASKED = re.compile(
    r"\.?([A-Za-z_]\w*)\(|([a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w*[a-z0-9]_[a-z]\w*|[A-Z][A-Z0-9]*_[A-Z0-9_]+)|\w+\.(\w+)"
)
"""What is called, written in humps or with underscores, or stands behind a dot."""
_NO_NAME = re.compile(r"\b\w{200,}")
"""Longer than any name; looking for one in it takes the square of its length."""
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\x00-\x7f]+")
_SHORT_WORD = re.compile(r"[a-z]+")
_LETTERS_AND_DIGITS = re.compile(r"[a-z0-9]+")
MOST_JOINED = 4
"""Words of a question that are tried as one name."""
_NO_NAMES = frozenset("a an the in on of to for with i my me is are do does how what when where which can it".split())


def asked_identifiers(question: str) -> frozenset[str]:
    """The names of code in a question, in small letters, without what stands before their dots; a single word is one."""
    found = {str(match[match.lastindex or 0]).lower() for match in _ASKED.finditer(_NO_NAME.sub(" ", question))}
    words = question.split()
    return frozenset([*found, words[0].lower()] if len(words) == 1 else found)


def possible_names(question: str) -> frozenset[str]:
    """The stop words of a question that are names of functions as well: `get` of "cookies get"."""
    return frozenset(word for word in _SHORT_WORD.findall(question.lower()) if word in STOP_WORDS and word not in _NO_NAMES)


def is_called(heading: str, identifiers: frozenset[str]) -> bool:
    """Whether one of the names in a heading is one of these, whole or behind its last dot: `z.email / z.url`."""
    return any(
        name in identifiers or name.rpartition(".")[2] in identifiers
        for name in heading.lower().rpartition(" > ")[2].split(" / ")
    )


def joined_words(question: str) -> frozenset[str]:
    """What the neighbouring words of a question would be as one name: "leftjoin" of "left join"."""
    words = _LETTERS_AND_DIGITS.findall(question.lower())
    runs = (words[start : start + count] for count in range(2, MOST_JOINED + 1) for start in range(len(words) - count + 1))
    return frozenset(map("".join, runs))


def is_joined(heading: str, joined: frozenset[str]) -> bool:
    """Whether one of the names in a heading is one of these words, by its last part: `Select.leftJoin`, `wait.wait_random`."""
    names = heading.lower().rpartition(" > ")[2].split(" / ")
    return any(name.rpartition(".")[2].replace("_", "") in joined for name in names)


@lru_cache(maxsize=8192)
def words_of_names(heading: str) -> tuple[str, ...]:
    """For each of the names in a heading the words of its last two parts: "core Parse Context" for `z.core.ParseContext`."""
    names = heading.rpartition(" > ")[2].split(" / ")
    return tuple(" ".join(_PART.findall(".".join(name.split(".")[-2:]))) for name in names)
