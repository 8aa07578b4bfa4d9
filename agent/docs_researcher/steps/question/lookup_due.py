"""Whether documentation has to be looked up at all, and if not, why."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.library.entries import fold_name
from docs_researcher.steps.question.asked_outright import asks_what_it_is
from docs_researcher.steps.question.mentions import Mention
from docs_researcher.steps.question.tasks import GENERAL, task_without_docs
from docs_researcher.steps.question.versions_in_text import moves_between_versions
from docs_researcher.steps.question.wording import is_unreadable
from docs_researcher.steps.words import GENERAL_LANGUAGES, HTTP_STATUS, STOP_WORDS, word_set

NO_LIBRARY = "no library is named"
VAGUE = "the question is too vague"
UNREADABLE = "the question is no readable text"
OPEN_REASONS = frozenset((NO_LIBRARY, GENERAL, VAGUE))
"""Reasons that fall away once the asker names a library or an id beside the question."""

_AS_A_VERB = re.compile(r"\bhow\s+(?:do|can|should|would)\s+(?:i|we|you|one)\s+$", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]{2,}")
_EMPTY_WORDS = word_set(
    "help question problem please thanks thank hi hello issue stuck broken something anything version error bug tell explain "
    "docs documentation"
)
_SENTENCE_WORDS = 3
_ABOUT_AN_API = re.compile(
    r"\b(?:deprecated|migrat\w+|upgrad\w+|new\s+(?:api|syntax)|version|replac\w+|options?|api|docs?|documentation)\b",
    re.IGNORECASE,
)


def why_not_due(text: str, libraries: Sequence[Mention], *, versioned: bool) -> str | None:
    """Why no lookup is due, as a phrase; None when one is. `versioned`: the text states a version of a library."""
    if not _WORD.search(text):
        return VAGUE
    if is_unreadable(text):
        return UNREADABLE
    only_languages = all(fold_name(mention.name) in GENERAL_LANGUAGES for mention in libraries)
    task = task_without_docs(text)
    if task == GENERAL and (versioned or not only_languages):
        task = None
    if task and not (versioned and _ABOUT_AN_API.search(text)):
        return task
    if not libraries:
        return NO_LIBRARY
    if only_languages and not versioned:
        return GENERAL
    return None if _says_something(text, libraries) else VAGUE


def _says_something(text: str, libraries: Sequence[Mention]) -> bool:
    """Whether a word of meaning, or a whole sentence, stands beside the names."""
    if any(mention.kind == "identifier" for mention in libraries) or len({mention.name for mention in libraries}) > 1:
        return True
    if moves_between_versions(text, libraries):
        return True
    if any(asks_what_it_is(text, mention.start, mention.end) for mention in libraries):
        return True
    if any(_AS_A_VERB.search(text, 0, mention.start) for mention in libraries):
        return True  # "how do I frob" of the library frob
    rest = list(text)
    for mention in libraries:
        rest[mention.start : mention.end] = " " * (mention.end - mention.start)
    words = _WORD.findall("".join(rest).lower())
    return any(_has_meaning(word) for word in words) or sum(word not in _EMPTY_WORDS for word in words) >= _SENTENCE_WORDS


def _has_meaning(word: str) -> bool:
    return word not in STOP_WORDS and word not in _EMPTY_WORDS and (not word.isdigit() or word in HTTP_STATUS)
