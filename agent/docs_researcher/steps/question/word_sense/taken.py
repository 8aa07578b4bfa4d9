"""Words that stand where only a thing can: something is taken rather than another, or used with it."""

from __future__ import annotations

import re

_MOST_BEFORE = 12
_TAKEN_BEFORE = re.compile(r"\b(?:take|use|choose|prefer|pick|need|want)\s+$", re.IGNORECASE)
_TAKEN_BEHIND = re.compile(r"\s+(?:rather than|instead of|over|or)\s+[\w.-]+", re.IGNORECASE)
_PUT_TO_CHOICE = re.compile(
    r"\s+or\s+(?:just\s+)?(?:the\s+|an?\s+)?(?:standard|plain|built-?in|native|normal|vanilla|stdlib)\s+[\w.-]+", re.IGNORECASE
)
"""The other of two things is what one has without a library: "or the standard datetime"."""
_USED_BEFORE = re.compile(
    r"\b(?:us(?:e|ing)|compar(?:e|ing)|combin(?:e|ing)|integrat(?:e|ing)|connect(?:ing)?|pair(?:ing)?)\s+$", re.IGNORECASE
)
_WITH = re.compile(r"\s+(?:together\s+)?(?:with|and|in|inside|from|to)\s+", re.IGNORECASE)

_MOVED_BEFORE = re.compile(
    r"\b(?:upgrad(?:e|ing)|migrat(?:e|ing)|updat(?:e|ing)|bump(?:ing)?|downgrad(?:e|ing))\s+$", re.IGNORECASE
)
_MOVED_BEHIND = re.compile(r"\s+(?:from\s+v?\d[\w.]*\s+)?to\s+v?\d", re.IGNORECASE)
_MESSAGE = re.compile(r"\s*(?:[A-Za-z.]*(?:Error|Exception|Warning)|error|warning)\b[^:]{0,40}:\s+\S")
_OWNS_CODE = re.compile(r"(?:'s|s')\s+(?:`|[a-z]+_[a-z_]+\b|[a-z]+[A-Z]\w+|\w+\(\))")


def owns_code(text: str, end: int) -> bool:
    """Whether a name of code belongs to what ends at `end`: "pendulum's first_of"."""
    return bool(_OWNS_CODE.match(text, end))


def is_taken_rather(text: str, start: int, end: int) -> bool:
    """Whether the word at `start` is one of two things that one may take: "attrs rather than dataclasses"."""
    return bool(_TAKEN_BEFORE.search(text, max(0, start - _MOST_BEFORE), start) and _TAKEN_BEHIND.match(text, end))


def is_put_to_choice(text: str, start: int, end: int) -> bool:
    """Whether a text begins with the word at `start` as the first of two things: "pendulum or the plain datetime"."""
    return not text[:start].strip() and bool(_PUT_TO_CHOICE.match(text, end))


def is_used_with(text: str, start: int, end: int) -> bool:
    """Whether the word at `start` is used with another thing, without an article: "use drizzle with postgres"."""
    return bool(_USED_BEFORE.search(text, max(0, start - _MOST_BEFORE), start) and _WITH.match(text, end))


def ends_a_message(text: str, end: int) -> bool:
    """Whether what ends at `end` is the last word behind the message of an error: "Error: Cannot set headers ... express"."""
    return not text[end:].strip(" ?.!") and bool(_MESSAGE.match(text))


def is_moved(text: str, start: int, end: int) -> bool:
    """Whether the word at `start` is brought to a version: "upgrade uuid to v9"."""
    return bool(_MOVED_BEFORE.search(text, max(0, start - _MOST_BEFORE), start) and _MOVED_BEHIND.match(text, end))
