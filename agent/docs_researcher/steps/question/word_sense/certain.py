"""Evidence that is enough alone: a version behind a word, code around it, a comparison, a capital in the middle of a sentence."""

from __future__ import annotations

import re

from docs_researcher.steps.question.versions_in_text import version_follows
from docs_researcher.steps.question.word_sense.around import Around
from docs_researcher.steps.question.word_sense.kinds import FUNCTIONS, PREPOSITIONS, VERBS
from docs_researcher.steps.question.word_sense.taken import is_moved, owns_code
from docs_researcher.steps.question.wording import code_spans, is_german, is_title, starts_sentence
from docs_researcher.steps.words import APP_NOUNS, LANGUAGES, STOP_WORDS, TRADE_WORDS, word_set

_CALLED = re.compile(r"(?:\.\w|::\w|\()")
_BEFORE_A_NOUN = word_set("in with using via of from into inside than within")
_WORD_BEYOND = re.compile(r"([A-Za-z][\w'+#-]*)[ ]+[A-Za-z][\w'+#-]*[ ]+$")
_COMPARED_BEFORE = re.compile(r"\S\s+(?:vs\.?|versus)\s+$", re.IGNORECASE)
_MOST_COMPARED = 12
_COMPARED_BEHIND = re.compile(r"\s+(?:v?\d[\w.]*\s+)?(?:vs\.?|versus)\s+\S", re.IGNORECASE)


def is_certain(around: Around) -> bool:
    """A version behind it, code around it, or a capital in the middle of a sentence."""
    text, mention = around.text, around.mention
    called = _CALLED.match(text, mention.end) and not (mention.text.lower() in FUNCTIONS and text[mention.end] == "(")
    if version_follows(text, mention.end) or called or owns_code(text, mention.end) or text.strip(" ?.!") == mention.text:
        return True
    if any(start <= mention.start < end for start, end in code_spans(text)):
        return True
    if _is_of_a_language(around) or is_moved(text, mention.start, mention.end):
        return True  # "Python's click", "upgrade click to 8"
    if around.before in _BEFORE_A_NOUN and mention.text.lower() in VERBS:
        return True  # "in react": a verb cannot stand there
    if _COMPARED_BEFORE.search(text, max(0, mention.start - _MOST_COMPARED), mention.start) or _COMPARED_BEHIND.match(
        text, mention.end
    ):
        return True
    word = mention.text
    if word.lower() in (APP_NOUNS | TRADE_WORDS) or around.before == "import":
        return False  # "the right Provider", "from flask import Blueprint": the name of a part
    capital = word[:1].isupper() and not word.isupper()
    return capital and not starts_sentence(text, mention.start) and not is_title(text) and not is_german(text)


def _is_of_a_language(around: Around) -> bool:
    """Whether the word before it is a language that it is written for, not that of a name: "playwright python click"."""
    language = around.before.removesuffix("'s")
    if language not in LANGUAGES or LANGUAGES[language] == around.mention.text.lower():
        return False
    beyond = _WORD_BEYOND.search(around.text, max(0, around.mention.start - 50), around.mention.start)
    return language != around.before or beyond is None or beyond[1].lower() in STOP_WORDS | PREPOSITIONS
