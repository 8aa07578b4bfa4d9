"""Texts that ask outright about a name: "what is express", "celery how do I retry a task".

An English word in such a place is a name, for nobody would ask or begin so about the word.
"""

from __future__ import annotations

import re

from docs_researcher.steps.words import word_set

_NAME_ENDS = r"\s*[?.!]*\s*$"
_POLITE = r"(?:(?:hi|hello|hey|please|pls|so|ok|quick\s+question)\b[\s,:.!-]*)*"
_WHAT_IS_BEFORE = re.compile(
    rf"^\W*{_POLITE}(?:(?:can|could)\s+you\s+)?(?:(?:please|pls)\s+)?"
    r"(?:what\s*(?:['’]?s|\s+is|\s+are|\s+exactly\s+is)|whats|explain|describe|define|introduce|(?:tell|teach)\s+me\s+about|"
    r"what\s+(?:do\s+you\s+)?know\s+about|(?:an?\s+|the\s+)?(?:short\s+|quick\s+|brief\s+)?(?:introduction|intro|overview)\s+(?:to|of)|"
    r"was\s+(?:ist|sind)|qué\s+es|que\s+es|c['’]est\s+quoi|qu['’]est[- ]ce\s+que|o\s+que\s+é|cos['’]è|что\s+такое|what)\s+$",
    re.IGNORECASE,
)
_WHAT_IS_BEHIND = re.compile(
    r"(?:\s+v?\d[\w.]*)?(?:\s+(?:exactly|about|all\s+about|for|used\s+for|good\s+for|in\s+(?:a\s+nutshell|short|simple\s+(?:terms|words))|"
    rf"to\s+me|and\s+(?:why|when|what)\s+(?:should|would|do|can|is)\b[^.?!]*|is))?{_NAME_ENDS}",
    re.IGNORECASE,
)
_IN_OTHER_ORDER = re.compile(r"\s*(?:是什么|是什麼|とは(?:何ですか)?|란\s*(?:무엇)?|이란|って何)")
_WHAT_DOES = re.compile(r"^\W*(?:what\s+(?:does|do|can))\s+$", re.IGNORECASE)
_DO_BEHIND = re.compile(rf"\s+(?:actually\s+|really\s+)?do{_NAME_ENDS}", re.IGNORECASE)
_ASKING_BEHIND = re.compile(
    r"(?:\s+v?\d[\w.]*)?\s*[,:-]?\s+(?:how\s*to|how\s+(?:do|does|did|can|could|should|would|is|are|many)|howto|"
    r"(?:what|where|when|why|which)\s+(?:is|are|does|do|did|should|can|was|happens|would|has|have)|"
    r"(?:what|where|when|which)\s+to|(?:can|could|should|does|do|is|are)\s+(?:i|it|we|you|there|my|the)|is\s+it\s+possible)\b",
    re.IGNORECASE,
)
_FEWEST_BEHIND = 2
"""Words behind the question word, or nothing is asked: "celery how to"."""
_ON_THEIR_OWN = word_set("next go so well now first step task act actions question")
"""With a question behind them these are an adverb or a heading: "next how do I deploy this?"."""


def asks_what_it_is(text: str, start: int, end: int) -> bool:
    """Whether a text asks what the name between these positions is, and nothing else."""
    before = text[:start]
    if _WHAT_DOES.match(before):
        return bool(_DO_BEHIND.match(text, end))
    if _WHAT_IS_BEFORE.match(before):
        return bool(_WHAT_IS_BEHIND.match(text, end))
    return not before.strip() and bool(_IN_OTHER_ORDER.match(text, end))


def is_asked_about_next(text: str, start: int, end: int, *, at_hand: bool) -> bool:
    """Whether a text begins with a name and then asks: "celery how do I retry a task". `at_hand`: the asker has it."""
    if text[:start].strip("\"'`*# \t") or (not at_hand and text[start:end].lower() in _ON_THEIR_OWN):
        return False
    asking = _ASKING_BEHIND.match(text, end)
    return asking is not None and len(text[asking.end() :].split()) >= _FEWEST_BEHIND - 1
