"""Questions that ask when to take which of two things: "when do I use A and when B?", "Should I use A? Or B?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_WHEN = re.compile(
    r"\b(?:in\s+which\s+cases?|for\s+what|when|where|wann|wofür|wozu|wo|cuándo|dónde|quand|quando|où|onde|dove|когда|где)\b",
    re.IGNORECASE,
)
"""Words that ask for the case in which something is right."""
_LEADS = re.compile(
    r"[\s¿,]*(?:(?:and|or|und|oder|y|o|et|ou|e|и|или)\s+)?"
    r"(in\s+which\s+cases?|for\s+what|when|where|wann|wofür|wozu|wo|cuándo|dónde|quand|quando|où|onde|dove|когда|где)\b",
    re.IGNORECASE,
)
_CHOOSING = re.compile(
    r"\b(?:us(?:e|es|ing)|tak(?:e|es|ing)|choos(?:e|es|ing)|pick(?:ing)?|prefer\w*|need|want|reach\s+for|opt\s+for|right|fits?|suits?"
    r"|suitable|appropriate|makes?\s+sense|good|better|nehm\w*|nimmt|verwend\w*|nutz\w*|benutz\w*|brauch\w*|passt|wähl\w*|eignet|uso|usar|usas"
    r"|utiliz\w+|utilis\w+|elij\w+|elegir|conviene|prendre|prend\w*|choisi\w*|uses|usare|scegli\w*|escolh\w*|использ\w+|брать|выб\w+)\b",
    re.IGNORECASE,
)
_OTHER_CHOICE = re.compile(r"[\s¿]*(?:or|oder|ou|или)\b", re.IGNORECASE)
_WHICH_AND_WHEN = re.compile(
    r"[\s¿]*(?:and|und|y|et|e|и)?\s*(?:which|when|welche[rsn]?|was|wann|cuál|cuándo|lequel|laquelle|quand|quale|qual|quando|когда)"
    r"(?:\s+(?:one|and|und|y|et|e|и|which|when|wann|cuándo|quand|quando|когда))*\s*[?!.]*\s*$",
    re.IGNORECASE,
)
_ACTS = re.compile(r"\s+(?:do|does|did|is|are|was|were|will|can|should|has|have|to)\b", re.IGNORECASE)
_MOST_WORDS = 5
"""A clause of so many words and no verb behind its question word is short for the verb before: "when a fetcher"."""


def asks_which_when(clauses: Sequence[str]) -> bool:
    """Whether clauses (or sentences) one after the other ask when to take what, so that one answer weighs all of them."""
    return len(clauses) > 1 and all(_weighs(first, second) for first, second in pairwise(clauses))


def goes_on_choosing(sentence: str) -> bool:
    """Whether a sentence only adds the other choice, or asks which one: "Or reactive?", "Which one and when?"."""
    if _OTHER_CHOICE.match(sentence):
        return len(sentence.split()) <= _MOST_WORDS
    return bool(_WHICH_AND_WHEN.match(sentence))


def _weighs(first: str, second: str) -> bool:
    asked, leads = list(_WHEN.finditer(first)), _LEADS.match(second)
    if not asked or leads is None or not any(match[0].lower() == leads[1].lower() for match in asked):
        return False
    short = len(second[leads.start(1) :].split()) <= _MOST_WORDS and not _ACTS.match(second, leads.end(1))
    if not _CHOOSING.search(first):
        return short and len(first[asked[0].start() :].split()) <= _MOST_WORDS and not _ACTS.match(first, asked[0].end())
    return short or bool(_CHOOSING.search(second))
