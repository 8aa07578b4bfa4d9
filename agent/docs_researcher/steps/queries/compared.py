"""The things that a question compares: "difference between A and B", "A vs B", "A or B: which one?", "A rather than B"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from docs_researcher.docsets.searching.terms import STOP_WORDS
from docs_researcher.steps.stems import stem

_END = (
    r"(?=$|[?!;,.:](?:\s|$)"
    r"|\s+(?:in|for|when|with|on|at|of|as|to|if|do|does|is|are|should|and (?:how|when|can|which|why))\b)"
)
"""What may stand behind the second name."""
_ONE = r"[`\w$@./<>()'-]+(?:[ -][`\w$@./<>()'-]+){0,3}?"
"""A name of one to four words."""
_BETWEEN = re.compile(rf"\b(?:differences?|distinction|choose|choice|decide) between (?P<a>{_ONE}) and (?P<b>{_ONE}){_END}", re.I)
_OF_THREE = re.compile(rf"\bdifferences? between (?P<a>{_ONE}), (?P<b>{_ONE}),? and (?P<c>{_ONE}){_END}", re.I)
_DIFFERS = re.compile(
    rf"\bhow (?:do|does|is|are) (?P<a>{_ONE}) (?:differ(?:ent)? from|compared? (?:to|with)) (?P<b>{_ONE}){_END}", re.I
)
_PLAIN_DIFFERENCE = re.compile(rf"\bhow (?:do|does|is|are) (?P<a>{_ONE}) and (?P<b>{_ONE}) (?:differ|compare)", re.I)
_VERSUS = re.compile(rf"(?P<a>{_ONE})\s+(?:vs\.?|versus|compared (?:to|with))\s+(?P<b>{_ONE}){_END}", re.I)
_TAKE = r"(?:use|take|choose|pick|prefer)"
_RATHER = re.compile(
    rf"\bwhen\b.{{0,30}}?\b{_TAKE} (?P<a>{_ONE}) (?:rather than|instead of|over|and when|or when)"
    rf"(?: (?:do|should) (?:i|we|you))?(?: {_TAKE})? (?P<b>{_ONE}){_END}",
    re.I,
)
_WHICH = re.compile(rf"(?P<a>{_ONE}) or (?P<b>{_ONE})\s*[:?,-]\s*(?:which|what|when|where)\b", re.I)
_WHICH_OF = re.compile(rf"\bwhich\b[^:?]{{0,60}}[:,]\s*(?P<a>{_ONE}) or (?P<b>{_ONE})\s*\??\s*$", re.I)
_SHOULD = re.compile(
    rf"\b(?:should|shall) (?:i|we|you) (?:use|take|choose|pick|prefer) (?P<a>{_ONE}) or (?P<b>{_ONE}){_END}", re.I
)
_PATTERNS = (_OF_THREE, _BETWEEN, _DIFFERS, _PLAIN_DIFFERENCE, _RATHER, _SHOULD, _VERSUS, _WHICH_OF, _WHICH)
MOST_WORDS = 2
"""So many words before a colon can be the library's name."""


def compared(question: str, ignore: Collection[str] = ()) -> tuple[str, ...]:
    """The names of what a question compares, as it writes them, without the library's name and small words.

    Empty where it compares nothing, or the library itself. `ignore` are the library's names.
    """
    text = without_topic(question, ignore)
    dropped = {stem(word.lower()) for name in ignore for word in name.split()}
    for pattern in _PATTERNS:
        match = pattern.search(text)
        if match is None:
            continue
        sides = _names_alone([_bare(side, dropped) for side in match.groupdict().values()])
        if all(sides) and len({side.lower() for side in sides}) == len(sides):
            return sides
    return ()


def without_topic(question: str, ignore: Collection[str]) -> str:
    """A question without the library's name and the colon that it begins with."""
    return question.split(": ", 1)[1] if _is_topic(question, ignore) else question


def _is_topic(question: str, ignore: Collection[str]) -> bool:
    """Whether a question begins with the library's name and a colon."""
    topic, colon, _ = question.partition(": ")
    return bool(colon) and len(topic.split()) <= MOST_WORDS and any(name.lower() in topic.lower() for name in ignore if name)


def _bare(side: str, dropped: Collection[str]) -> str:
    words = [word.strip("`") for word in side.split()]
    while words and (stem(words[0].lower()) in dropped or (len(words) > 1 and _is_small(words[0]))):
        words = words[1:]
    while len(words) > 1 and _is_small(words[-1]):
        words = words[:-1]
    return " ".join(words)


_OF_AN_API = re.compile(r"[a-z][A-Z]|\w[_.]\w|\(\)|^--?\w")


def _names_alone(sides: Sequence[str]) -> tuple[str, ...]:
    """The sides without the noun for what they are, where each has a name of the API: "onRequest vs preHandler hook"."""
    named = tuple(next((word for word in side.split() if _OF_AN_API.search(word)), "") for side in sides)
    return named if all(named) else tuple(sides)


def _is_small(word: str) -> bool:
    return word.lower() in STOP_WORDS or word.lower() in _SMALL


_SMALL = frozenset(
    "a an the my our using use uses choose pick take which what when both pure plain simple function method".split()
)
