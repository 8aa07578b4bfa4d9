"""Names that are English words: whether "spring", "express" or "go" means the library here.

Alone such a word proves nothing. It counts with evidence beside it (a version, a topic prefix, "in X", "my X app"), or with
evidence in the rest of the question (its own API, its ecosystem, its trade).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.docsets.installed.known import OWN_ECOSYSTEM
from docs_researcher.library.entries import fold_name
from docs_researcher.steps.question.asked_outright import asks_what_it_is, is_asked_about_next
from docs_researcher.steps.question.mentions import Mention
from docs_researcher.steps.question.word_sense.against import is_plainly_a_word
from docs_researcher.steps.question.word_sense.around import Around
from docs_researcher.steps.question.word_sense.beside import NEEDED, is_used, points_beside
from docs_researcher.steps.question.word_sense.certain import is_certain
from docs_researcher.steps.question.word_sense.elsewhere import points_elsewhere, words_of
from docs_researcher.steps.question.word_sense.kinds import PREPOSITIONS
from docs_researcher.steps.question.wording import is_foreign, is_telegraphic
from docs_researcher.steps.words import (
    APP_NOUNS,
    EVERYDAY_WORDS,
    GENERAL_LANGUAGES,
    LANGUAGES,
    REQUEST_VERBS,
    STOP_WORDS,
    SURROUNDINGS,
    TRADE_WORDS,
    word_set,
)

_AND_NEXT = re.compile(r"\s+(?:and|or)\s+", re.IGNORECASE)
_IN_ANOTHER = re.compile(r"\b(?:in|inside|within)\s+(?:(?:an?|the|my|our)\s+)?$", re.IGNORECASE)
_TROUBLE = word_set(
    "slow slower fast faster memory leak leaks hang hangs stuck broken breaks crash crashes freezes installed installation "
    "setup imports imported missing supports supported alternative alternatives tutorial docs"
)


def means_library(text: str, mention: Mention, others: Sequence[Mention], *, at_hand: bool = False) -> bool:
    """Whether this word means the library of its entry. `others` are the mentions that are certain.

    `at_hand`: the asker has the library, as a dependency or installed, and so means it by less.
    """
    own = mention.entry is not None and mention.entry.ecosystem == OWN_ECOSYSTEM
    around = Around.of(text, mention)
    everyday = fold_name(mention.text) in EVERYDAY_WORDS
    if is_certain(around) or _is_asked_outright(around, everyday=everyday, at_hand=at_hand and not own):
        return True
    if is_plainly_a_word(around) and not (_is_joined(around, others) or is_used(around)):
        return False
    points = points_beside(around)
    if own:
        return points > 0 and _means_own(around, others)
    if not everyday:
        return points + points_elsewhere(around, others) > 0 and (at_hand or not _only_begins(around, points, others))
    if points == 0:
        return False
    if not is_used(around) and _is_inside_another(around, others):
        return points + at_hand > NEEDED
    return points + at_hand + points_elsewhere(around, others) + _begins_a_search(around, others, at_hand=at_hand) >= NEEDED


def _is_inside_another(around: Around, others: Sequence[Mention], *, beside: bool = True) -> bool:
    """Whether the text says in which library the thing is that the word means: "requests per second in FastAPI".

    With `beside`, a word behind "in" or "with" is not such a thing.
    """
    mention = around.mention
    if beside and around.before in PREPOSITIONS and around.before not in ("and", "or"):
        return False
    return any(
        other.start >= mention.end
        and other.kind in ("name", "package", "typo")
        and fold_name(other.name) not in GENERAL_LANGUAGES | SURROUNDINGS
        and _IN_ANOTHER.search(around.text, mention.end, other.start)
        for other in others
    )


def _means_own(around: Around, others: Sequence[Mention]) -> bool:
    """Whether a word with a hint beside it is a folder of the user's: what else the question names speaks against that."""
    if fold_name(around.mention.text) in STOP_WORDS:
        return False  # "use one", "with it"
    if _is_inside_another(around, others, beside=False):
        return False
    return around.before in PREPOSITIONS or not others


def _is_joined(around: Around, others: Sequence[Mention]) -> bool:
    """Whether a text begins with the word and another library joined to it: "black and isort together"."""
    if around.mention.start or around.after not in ("and", "or"):
        return False
    return any(_AND_NEXT.fullmatch(around.text, around.mention.end, other.start) for other in others)


def _is_asked_outright(around: Around, *, everyday: bool, at_hand: bool) -> bool:
    """Whether the text begins with the word and asks then, or asks what it is; of an everyday word only if it is at hand."""
    text, mention = around.text, around.mention
    if is_asked_about_next(text, mention.start, mention.end, at_hand=at_hand):
        return True
    plain = everyday or mention.text.lower() in TRADE_WORDS
    return (at_hand or not plain) and asks_what_it_is(text, mention.start, mention.end)


def _begins_a_search(around: Around, others: Sequence[Mention], *, at_hand: bool) -> int:
    """Points for the first of some search words that name no other library: "click option prompt password"."""
    text, mention = around.text, around.mention
    if others or text[: mention.start].strip("\"'`") or not is_telegraphic(text):
        return 0
    goes_on = around.after in REQUEST_VERBS | APP_NOUNS
    return goes_on + at_hand


def _only_begins(around: Around, points: int, others: Sequence[Mention]) -> bool:
    """Whether all that speaks for a name is that a sentence begins with it: "Celery is great in a salad"."""
    if points > 1 or around.mention.start or points_elsewhere(around, others) or is_foreign(around.text):
        return False
    words = words_of(around.text)
    if around.after in LANGUAGES:
        return False  # "playwright python"
    return not words & (_TROUBLE | REQUEST_VERBS) and not around.text.rstrip().endswith("?")
