"""Evidence that a word is only a word: a verb with its subject or object, an adjective, half of a phrase."""

from __future__ import annotations

import re

from docs_researcher.steps.question.word_sense.around import Around
from docs_researcher.steps.question.word_sense.beside import is_subject
from docs_researcher.steps.question.word_sense.kinds import NO_SUBJECTS, PREPOSITIONS, STATUS, VERBS
from docs_researcher.steps.words import REQUEST_VERBS, word_set

_SUBJECTS = word_set(
    "to i we you they he she should can could must would will shall may might let's please do does did don't cannot can't "
    "not never always"
)
_VERB_OBJECT = word_set(
    "a an the it its our their his her my your this that these those them us me him about on to back through ahead over "
    "and how what why when where who which whether interest concern well"
)
_ASKING = word_set("how what why when where")
_TIME_NOUNS = word_set("time step steps week month year day days sprint release sale season one")
_PHRASES = frozenset(
    (
        "rich text",
        "black box",
        "black friday",
        "next gen",
        "next door",
        "next line",
        "next page",
        "next version",
        "next question",
        "next item",
        "express lane",
        "go live",
        "click event",
        "click events",
        "click handler",
        "click handlers",
        "request body",
        "rest api",
        "play button",
        "play back",
        "box shadow",
        "node tree",
    )
)
_RECEIVED = word_set("got get")
"""With a status behind them these say what came back: \"got 404 from the server\"."""
_CALL_BEHIND = re.compile(r"[ ]+[.\w]*\w\(")


def is_plainly_a_word(around: Around) -> bool:
    """A verb with its subject or object, or an adjective before a noun of time."""
    if (around.before in _SUBJECTS and not is_subject(around)) or around.after in _TIME_NOUNS:
        return True
    if f"{around.mention.text.lower()} {around.after}" in _PHRASES:
        return True
    if around.mention.text.lower() in _RECEIVED and STATUS.match(around.text, around.mention.end):
        return True
    if _CALL_BEHIND.match(around.text, around.mention.end):
        return False  # "yup when()": its own function, and no conjunction
    if around.after in _ASKING and around.mention.start == 0 and not _may_act(around.mention.text):
        return False  # "yup when another field is set": only what one can do has such an object
    return around.after in _VERB_OBJECT and around.before not in PREPOSITIONS


def _may_act(word: str) -> bool:
    return word.lower() in VERBS | REQUEST_VERBS | NO_SUBJECTS
