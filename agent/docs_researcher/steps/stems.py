"""A light stemmer for English: enough to see that two words are one, without a dictionary."""

from __future__ import annotations

import re
from functools import lru_cache

_NO_PLURALS = frozenset(("cors",))
"""Names that end as a plural does; without its last letter "cors" would be "core"."""


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A short common form of an English word: `authenticating`, `authentication` and `authenticates` become one."""
    word = word.lower()
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    word = _without_plural(word)
    for suffix in (
        "ations",
        "ation",
        "ating",
        "ated",
        "ates",
        "ator",
        "ate",
        "ings",
        "ing",
        "ions",
        "ion",
        "ed",
        "er",
        "ly",
        "ment",
    ):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and re.search(r"[aeiouy]", word[: -len(suffix)]):
            word = word[: -len(suffix)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and word not in _NO_PLURALS:
        return word[:-1]
    return word
