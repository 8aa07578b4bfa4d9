"""Which of several named libraries the question is about; the others are where, with what or from what.

First named wins, unless its place in the sentence says that it is only the surroundings ("in a Next.js app", "with X",
"from X to Y") or another one is a part of it (`next-intl` beside Next.js).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from docs_researcher.library.entries import fold_name
from docs_researcher.steps.names import fold_loosely
from docs_researcher.steps.question.mentions import Mention
from docs_researcher.steps.words import APP_NOUNS, SURROUNDINGS, word_set

_BEFORE = re.compile(r"([A-Za-z]+)\s+(?:(a|an|my|our|the|your|this|each|every)\s+)?(?:[a-z]+\s+)?$")
_NEAR = re.compile(r"([A-Za-z]+)\s+(?:(a|an|my|our|the|your|this|each|every|async|local|plain)\s+)?$")
_AFTER = re.compile(r"(?:'s)?\s+(?:v?\d[\w.]*\s+)?([a-z]+)")
_QUESTION_WORD = re.compile(r"\b(?:how|where|what|which|why|when|can|could|should|does|do|is|are|may)\b", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<=[.!?。！？])\s*")
_EQUIVALENT = re.compile(
    r"\b(?:equivalents?|counterparts?|alternatives?|replacements?|substitutes?|version|port|like|same as)\b", re.IGNORECASE
)
_MOVING = re.compile(r"\b(?:from|migrat|mov|switch|port|convert|chang)", re.IGNORECASE)
_JOINED = re.compile(
    r"\s*(?:v?\d[\w.]*)?\s*(?:,|&|/|\b(?:and|or|und|oder|et|ou|y|o|e)\b|和|と|와|과)\s*(?:the\s+)?", re.IGNORECASE
)
_IN_ASIAN = re.compile(r"\s*(?:v?[\d.]+)?\s*(?:里|中|で(?!す)|の中|から|内|에서|上|项目|のプロジェクト|アプリ)")
_WITH_ASIAN = re.compile(r"(?:用|使用|基于|利用)\s*$")
_PLACED = re.compile(
    r"\b(?:to|into|from|on|in|para|en|em|nach|auf|vers|sur|dans)\s+(?:(?:the|an?|o|el|la|den|dem)\s+)?$", re.IGNORECASE
)
_CALLS = re.compile(r"(?<![\w.])[\w.]{1,60}\(\)(?:\s*(?:,|and|or|before|after|then|&)\s*[\w.]{1,60}\(\))+")
_LEADING = re.compile(r"\s*(?:in|with|using|for|on|en|con|dans|avec|com|no|na|mit)\s+", re.IGNORECASE)
_LED = re.compile(r"\s*(?:v?\d[\w.]*)?\s*,")
_INSIDE = word_set("in inside within into en em no na dans im")
_BESIDE = word_set("with on under behind against via through for by con com mit avec unter auf sur bei")
_AWAY_FROM = word_set("from than vs versus replacing unlike replace swap")
_IDENTIFIER_POINTS, _CALLED, _FIRST, _PLACE = -4.0, -2.0, 1.0, -1.5
_AGAIN = 2.0
_OUT = -2.5
"""Points at or below which a place in the sentence rules a library out."""
_SHORTEST_HOST = 3


_ON_TO_A_VERSION = re.compile(r"\s+v?\d[\w.]*\s*(?:to|->|→|=>)\s*v?\d", re.IGNORECASE)
"""Behind a name: "from Tailwind 3 to 4" leaves no library behind."""


def asked_first(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """One mention for each library, the asked one first, then in the order of the text."""
    points: dict[str, float] = {}
    first: dict[str, Mention] = {}
    previous: tuple[int, float] | None = None
    called = _several_called(text, mentions)
    for mention in mentions:
        first.setdefault(mention.name, mention)
        joined = previous is not None and bool(_JOINED.fullmatch(text[previous[0] : mention.start]))
        place = previous[1] if previous and joined else _place_points(text, mention, mentions)
        previous = (mention.end, place)
        judged = place + (_IDENTIFIER_POINTS if mention.kind == "identifier" else _CALLED if mention in called else 0.0)
        points[mention.name] = max(points.get(mention.name, -99.0), judged)
    for name in _named_again(text, mentions):
        points[name] += _AGAIN
    order = sorted(first, key=lambda name: first[name].start)
    for position, name in enumerate(order):
        points[name] += _FIRST / (1 + position) + _surroundings_points(first[name], text)
    best = max(order, key=lambda name: points[name])
    parts = [name for name in order if points[name] > _OUT and _is_part(first[name], best)]
    best = parts[0] if parts else best
    return [first[best], *(first[name] for name in order if name != best)]


def _named_again(text: str, mentions: Sequence[Mention]) -> set[str]:
    """Libraries that a statement names and the question behind it names again."""
    asking = {mention.name for mention in mentions if _sentence_points(text, mention) > 0}
    telling = {mention.name for mention in mentions if _sentence_points(text, mention) == 0}
    return asking & telling


def _several_called(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Mentions that are written as calls beside another call: "cors() and helmet()" are things inside another library."""
    spans = [match.span() for match in _CALLS.finditer(text)]
    return [mention for mention in mentions if any(start <= mention.start < end for start, end in spans)]


def _is_part(mention: Mention, host: str) -> bool:
    """Whether a mention names a part of another library: `vue-router` of Vue."""
    name, host = fold_loosely(mention.name), fold_loosely(host)
    return mention.kind != "identifier" and len(host) >= _SHORTEST_HOST and host in name and name != host


def _surroundings_points(mention: Mention, text: str) -> float:
    """Points against what others run on, more when things go to it or lie on it."""
    is_host = bool({fold_name(mention.name), fold_loosely(mention.name)} & SURROUNDINGS)
    is_service = mention.entry is not None and mention.entry.ecosystem in ("database", "cloud")
    placed = bool(_PLACED.search(text, max(0, mention.start - 20), mention.start))
    return -2.0 * is_host - 1.5 * (is_service and placed)


def _place_points(text: str, mention: Mention, mentions: Sequence[Mention]) -> float:
    """Points for the place in the sentence: below zero for surroundings."""
    points = 0.0
    if _is_sole_place(text, mention, mentions):
        return _sentence_points(text, mention)
    before = text[max(0, mention.start - 40) : mention.start]
    if _WITH_ASIAN.search(before):
        return points + 2.0
    if _IN_ASIAN.match(text, mention.end):
        return points + _PLACE
    points += _preposition_points(text, before, mention)
    if text.count("(", 0, mention.start) > text.count(")", 0, mention.start):
        points -= 1.0
    return points + _sentence_points(text, mention)


def _is_sole_place(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a question begins with "In X," and names nothing else: then it is about X, and not about what happens in it."""
    if not _LEADING.fullmatch(text, 0, mention.start) or not _LED.match(text, mention.end):
        return False
    end = min((text.find(sign, mention.end) for sign in "?!" if sign in text[mention.end :]), default=len(text))
    return not any(other.name != mention.name and other.start < end for other in mentions)


def _preposition_points(text: str, before: str, mention: Mention) -> float:
    near, far = _NEAR.search(before), _BEFORE.search(before)
    match = near or far
    if match is None:
        return 0.0
    preposition, determiner = match[1].lower(), match[2]
    after = _AFTER.match(text, mention.end)
    before_noun = bool(after and after[1] in APP_NOUNS)
    if preposition == "in" and _EQUIVALENT.search(text[: mention.start]):
        return 2.0
    if preposition in _INSIDE:
        return _PLACE * (2.0 if before_noun or (determiner and determiner != "async") else 0.8)
    if preposition in _BESIDE:
        return _PLACE * 0.8
    if preposition in _AWAY_FROM:
        return 0.0 if _ON_TO_A_VERSION.match(text, mention.end) else _PLACE * 1.5
    moving = preposition == "to" and _MOVING.search(text, 0, mention.start)
    return 1.5 if moving else 0.0


def _sentence_points(text: str, mention: Mention) -> float:
    """Against a library that only the statement before the question names ("I use X. How do I ... Y?")."""
    sentences = _sentences(text)
    if len(sentences) < 2:
        return 0.0
    asks = next((asks for start, end, asks in sentences if start <= mention.start < end), False)
    return 0.5 if asks else 0.0


@lru_cache(maxsize=2)  # asked for each name of one question, which may be 8,000 characters long
def _sentences(text: str) -> tuple[tuple[int, int, bool], ...]:
    """Where the sentences of a text begin and end, and whether they ask."""
    found: list[tuple[int, int, bool]] = []
    position = 0
    for sentence in _SENTENCES.split(text):
        if not sentence.strip():
            continue
        start = text.find(sentence, position)
        position = start + len(sentence)
        asks = sentence.rstrip().endswith(("?", "？")) and bool(_QUESTION_WORD.search(sentence))
        found.append((start, position, asks))
    return tuple(found)
