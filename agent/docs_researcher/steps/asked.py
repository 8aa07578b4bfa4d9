"""Which of several named libraries the question is about; the others are where, with what or from what.

First named wins, unless its place in the sentence says that it is only the surroundings ("in a Next.js app", "with X",
"from X to Y") or another one is a part of it (`next-intl` beside Next.js).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.library.entries import fold_name
from docs_researcher.steps.mentions import Mention
from docs_researcher.steps.names import fold_loosely
from docs_researcher.steps.words import APP_NOUNS, word_set

_BEFORE = re.compile(r"([A-Za-z]+)\s+(?:(a|an|my|our|the|your|this|each|every)\s+)?(?:[a-z]+\s+)?$")
_NEAR = re.compile(r"([A-Za-z]+)\s+(?:(a|an|my|our|the|your|this|each|every|async|local|plain)\s+)?$")
_AFTER = re.compile(r"(?:'s)?\s+(?:v?\d[\w.]*\s+)?([a-z]+)")
_QUESTION_WORD = re.compile(r"\b(?:how|where|what|which|why|when|can|could|should|does|do|is|are|may)\b", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<=[.!?。！？])\s*")
_STATEMENT = re.compile(r"\b(?:I'm|I am|we're|we are|I|we|my)\b[^.?!]*\b(?:use|using|on|run|running|have|with)\b|\b(?:after|since)\s+(?:upgrading|updating|moving)", re.IGNORECASE)
_EQUIVALENT = re.compile(r"\b(?:equivalents?|counterparts?|alternatives?|replacements?|substitutes?|version|port|like|same as)\b", re.IGNORECASE)
_IN_ASIAN = re.compile(r"\s*(?:v?[\d.]+)?\s*(?:里|中|で(?!す)|の中|から|内|에서|上|项目|のプロジェクト|アプリ)")
_WITH_ASIAN = re.compile(r"(?:用|使用|基于|利用)\s*$")
_SURROUNDINGS = word_set(
    "docker kubernetes redis postgresql postgres mysql mongodb sqlite nginx aws azure nodejs typescript python java go rust "
    "javascript net php ruby kotlin c# bun deno pnpm npm yarn mypy ollama github linux windows vercel netlify cloudflare"
)
"""Folded names of what other things run on or are checked with: named beside a library they are its surroundings."""

_IDENTIFIER_POINTS, _FIRST, _PLACE = -4.0, 1.0, -1.5


def asked_first(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """One mention for each library, the asked one first, then in the order of the text."""
    points: dict[str, float] = {}
    first: dict[str, Mention] = {}
    for mention in mentions:
        first.setdefault(mention.name, mention)
        judged = _place_points(text, mention, alone=len({m.name for m in mentions}) == 1)
        points[mention.name] = max(points.get(mention.name, -99.0), judged)
    order = sorted(first, key=lambda name: first[name].start)
    for position, name in enumerate(order):
        points[name] += _FIRST / (1 + position) + _family_points(first[name], list(first.values()), text)
    best = max(order, key=lambda name: points[name])
    return [first[best], *(first[name] for name in order if name != best)]


def _family_points(mention: Mention, all_mentions: Sequence[Mention], text: str) -> float:
    """Points for a part of another named library (`vue-router` beside Vue), against what others run on."""
    name = fold_loosely(mention.name)
    points = 0.0
    for other in all_mentions:
        other_name = fold_loosely(other.name)
        if other is not mention and len(other_name) >= 3 and other_name in name and name != other_name and mention.kind != "identifier":
            points = 2.0
    if name in _SURROUNDINGS or fold_name(mention.name) in _SURROUNDINGS:
        points -= 2.0
    return points


def _place_points(text: str, mention: Mention, *, alone: bool) -> float:
    if alone:
        return 0.0
    points = _IDENTIFIER_POINTS if mention.kind == "identifier" else 0.0
    before = text[max(0, mention.start - 40) : mention.start]
    if _WITH_ASIAN.search(before):
        return points + 2.0
    if _IN_ASIAN.match(text, mention.end):
        return points + _PLACE
    points += _preposition_points(text, before, mention)
    if text[:mention.start].count("(") > text[: mention.start].count(")") and mention.start > 0:
        points -= 1.0
    return points + _sentence_points(text, mention)


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
    if preposition in ("in", "inside", "within", "into"):
        return 2 * _PLACE if before_noun or (determiner and determiner not in ("async",)) else _PLACE * 0.8
    if preposition in ("with", "on", "under", "behind", "against", "via", "through", "for", "and", "by"):
        return _PLACE * (0.8 if preposition != "and" else 0.2)
    if preposition in ("from", "than", "vs", "versus", "replacing", "unlike", "replace", "swap"):
        return _PLACE * 1.5
    return 1.5 if preposition == "to" and re.search(r"\b(?:from|migrat|mov|switch|port|convert|chang)", text[: mention.start], re.IGNORECASE) else 0.0


def _sentence_points(text: str, mention: Mention) -> float:
    """Against a library that only the statement before the question names ("I use X. How do I ... Y?")."""
    sentences = [sentence for sentence in _SENTENCES.split(text) if sentence.strip()]
    if len(sentences) < 2:
        return 0.0
    position = 0
    for sentence in sentences:
        start = text.find(sentence, position)
        position = start + len(sentence)
        if start <= mention.start < position:
            return 0.5 if sentence.rstrip().endswith(("?", "？")) and _QUESTION_WORD.search(sentence) else 0.0
    return 0.0
