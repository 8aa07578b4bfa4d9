"""Evidence in the rest of a question, in points: the library's own API, its ecosystem, its description, words of the trade."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from docs_researcher.library.entries import Entry, fold_name
from docs_researcher.steps.question.mentions import Mention
from docs_researcher.steps.question.word_sense.around import Around
from docs_researcher.steps.question.wording import WORD
from docs_researcher.steps.words import STOP_WORDS, TRADE_WORDS

_CODE_LIKE = re.compile(
    r"\b[a-z]+_[a-z_]+\b|\b[A-Z][a-z]+[A-Z]\w+|\b[a-z]+[A-Z]\w+|\w\(\)|\b[A-Z]+_[A-Z_]+\b|(?<!\S)--[a-z][\w-]+"
    r"|\w\.(?:toml|ya?ml|json|cfg|ini|py|[jt]sx?)\b"
)


def points_elsewhere(around: Around, others: Sequence[Mention]) -> int:
    """Points for the rest of the question: its own API, its description, its ecosystem, words of the trade."""
    entry = around.mention.entry
    if entry is None:
        return 0
    own_api = any(other.entry is entry for other in others)
    family = any(other.entry and other.entry is not entry and other.entry.ecosystem == entry.ecosystem for other in others)
    words = words_of(around.text) - {around.mention.text.lower()}
    trade = bool(words & TRADE_WORDS) or bool(others) or _shows_code(around.text)
    return 3 * own_api + 1 * family + 1 * trade + 1 * bool(words & description_words(entry))


@lru_cache(maxsize=2)  # asked for each name of one question, which may be 8,000 characters long
def words_of(text: str) -> frozenset[str]:
    """The words of a text in lower case."""
    return frozenset(word.lower() for word in WORD.findall(text))


@lru_cache(maxsize=2)  # as above
def _shows_code(text: str) -> bool:
    return bool(_CODE_LIKE.search(text))


def description_words(entry: Entry) -> frozenset[str]:
    """The words of an entry's description that say what it is about."""
    own = fold_name(entry.name)
    words = (word.lower() for word in WORD.findall(entry.description))
    return frozenset(word for word in words if len(word) > 2 and word not in STOP_WORDS and word != own)
