"""Evidence right beside a word, in points: what is asked about it, done with it, or named by it."""

from __future__ import annotations

import re

from docs_researcher.library.entries import fold_name
from docs_researcher.steps.question.word_sense.around import Around
from docs_researcher.steps.question.word_sense.elsewhere import words_of
from docs_researcher.steps.question.word_sense.kinds import FUNCTIONS, NO_SUBJECTS, PREPOSITIONS, STATUS, VERBS
from docs_researcher.steps.question.word_sense.taken import ends_a_message, is_put_to_choice, is_taken_rather, is_used_with
from docs_researcher.steps.question.wording import is_foreign, is_telegraphic, starts_sentence
from docs_researcher.steps.words import APP_NOUNS, EVERYDAY_WORDS, LANGUAGES, ON_A_SCREEN, REQUEST_VERBS, TRADE_WORDS, word_set

_TOPIC = re.compile(r"(?:\s+[\w.+-]+){0,2}?(?:\s*[:：]|\s+[-–—])(?=\s)")
_TOPIC_ASKED = re.compile(r"\s*[:：]\s+(?:how|what|why|which|when|where)\b", re.IGNORECASE)
_TOPIC_AT_ONCE = re.compile(r"[:：]\s+\S+\s+\S")
_NO_TOPICS = word_set("next react go rest get got act step task fire play actions action query table form")
"""With a colon behind them these head a list of things to do, or a part of a page."""
_ASKED_ABOUT = re.compile(r"(?:^|[?.!,]\s+)(?:(?:what|how|why|when|where)\s+)?(?:does|doesn't|can|can't|is)\s+$", re.IGNORECASE)
"""What stands before the subject of a question: "What does attrs do with ...?"."""
_ONLY_OF_A_THING = "support"
"""What software is asked about: "does click support ..."; a click does not support anything."""
_DOING = word_set("do work support handle keep need have make know treat ignore replace")
_ENDS = re.compile(r"\s*(?:$|[?.!,;:)\]。？！，、])")
_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_OWNERS = word_set("my our your the a an this that any some each every another his her their its")
_TOLD_TO_ACT = word_set("next go play act step task make get got click")
"""With a verb behind them these tell what to do: "next add a footer"."""
_HAS_OBJECT = re.compile(r"[ ]+(?:an?|the|my|our|all|each|every|this|some|several|multiple|only|two)\b", re.IGNORECASE)
_ONLY_VERBS = REQUEST_VERBS - TRADE_WORDS - APP_NOUNS
_ACTING = word_set("does doesn't isn't has hasn't keeps hangs crashes fails complains says gives sees reports raises ignores")
_FEW_WORDS = 3
"""Two or three words that begin with a library's name are a search for something in it: "click options"."""
NEEDED = 3
"""Points of evidence that make a word a name."""


def points_beside(around: Around) -> int:
    """Points for the words right beside it."""
    text, mention = around.text, around.mention
    ends = bool(_ENDS.match(text, mention.end))
    if is_subject(around) or _is_one_of_two(around):
        return NEEDED
    if is_used(around) or _acts(around.after) or STATUS.match(text, mention.end) or ends_a_message(text, mention.end):
        return 2
    first = starts_sentence(text, mention.start)
    if mention.start == 0 and (points := _heads(around)):
        return points
    if around.after in APP_NOUNS:
        return 2 if around.before in (_OWNERS | PREPOSITIONS) or first or not around.before else 1
    if around.before in PREPOSITIONS:
        return 2 if ends or not around.after or around.after in TRADE_WORDS or around.after in LANGUAGES else 1
    if first and mention.start == 0 and is_telegraphic(text):
        return 2
    if first or _ASIAN.search(text[max(0, mention.start - 2) : mention.end + 2]):
        return 1
    if fold_name(mention.text) not in EVERYDAY_WORDS and is_foreign(text):
        return 1
    if around.before in ("and", "or") or text[max(0, mention.start - 2) : mention.start] == ", ":
        return 1
    return 1 if around.after in TRADE_WORDS or (ends and _ends_a_search(around)) else 0


def _ends_a_search(around: Around) -> bool:
    """Whether a rare word is the last of some search words: "copy and paste from clipboard playwright"."""
    return fold_name(around.mention.text) not in EVERYDAY_WORDS and is_telegraphic(around.text)


def _heads(around: Around) -> int:
    """Points for a name that a text begins with, as its topic or as the first of a few search words."""
    text, mention = around.text, around.mention
    if len(text.split()) <= _FEW_WORDS + bool(words_of(text) & ON_A_SCREEN) and is_telegraphic(text):
        return NEEDED
    if mention.text.lower() not in _NO_TOPICS and _TOPIC_AT_ONCE.match(text, mention.end):
        return NEEDED
    if not _TOPIC.match(text, mention.end):
        return 2 if _names_who_acts(around) else 0
    asked = _TOPIC_ASKED.match(text, mention.end) and mention.text.lower() not in VERBS | FUNCTIONS
    return NEEDED if asked else 2


def _names_who_acts(around: Around) -> bool:
    """Whether a verb follows a first word that is one too, so that the first is a name: "express serve static files"."""
    if around.after not in REQUEST_VERBS or around.mention.text.lower() in _TOLD_TO_ACT:
        return False
    return around.after in _ONLY_VERBS or bool(_HAS_OBJECT.match(around.text, around.mention.end + 1 + len(around.after)))


def is_subject(around: Around) -> bool:
    """Whether a question asks what it does: "What does attrs do with slots?"."""
    if around.mention.text.lower() in NO_SUBJECTS and around.after != _ONLY_OF_A_THING:
        return False
    return around.after in REQUEST_VERBS | _DOING and bool(_ASKED_ABOUT.search(around.text, 0, around.mention.start))


def _is_one_of_two(around: Around) -> bool:
    text, mention = around.text, around.mention
    word = mention.text.lower()
    if word in NO_SUBJECTS | VERBS:
        return False
    return is_taken_rather(text, mention.start, mention.end) or is_put_to_choice(text, mention.start, mention.end)


def is_used(around: Around) -> bool:
    """Whether the word is used with another thing, as only a thing can be."""
    text, mention = around.text, around.mention
    word = mention.text.lower()
    return word not in TRADE_WORDS | APP_NOUNS | FUNCTIONS and is_used_with(text, mention.start, mention.end)


def _acts(word: str) -> bool:
    """Whether the word behind it says what it does, as in "express throws": only a thing does that, not a verb."""
    return word in _ACTING or (word.endswith("s") and word[:-1] in REQUEST_VERBS and word not in TRADE_WORDS)
