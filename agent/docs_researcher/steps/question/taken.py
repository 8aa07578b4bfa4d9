"""Words that stand where only a thing can: something is taken rather than another, or used with it."""

from __future__ import annotations

import re

_MOST_BEFORE = 12
_TAKEN_BEFORE = re.compile(r"\b(?:take|use|choose|prefer|pick|need|want)\s+$", re.IGNORECASE)
_TAKEN_BEHIND = re.compile(r"\s+(?:rather than|instead of|over|or)\s+[\w.-]+", re.IGNORECASE)
_USED_BEFORE = re.compile(
    r"\b(?:us(?:e|ing)|compar(?:e|ing)|combin(?:e|ing)|integrat(?:e|ing)|connect(?:ing)?|pair(?:ing)?)\s+$", re.IGNORECASE
)
_WITH = re.compile(r"\s+(?:together\s+)?(?:with|and|in|inside|from|to)\s+", re.IGNORECASE)

_OWNS_CODE = re.compile(r"(?:'s|s')\s+(?:`|[a-z]+_[a-z_]+\b|[a-z]+[A-Z]\w+|\w+\(\))")


def owns_code(text: str, end: int) -> bool:
    """Whether a name of code belongs to what ends at `end`: "pendulum's first_of"."""
    return bool(_OWNS_CODE.match(text, end))


def is_taken_rather(text: str, start: int, end: int) -> bool:
    """Whether the word at `start` is one of two things that one may take: "attrs rather than dataclasses"."""
    return bool(_TAKEN_BEFORE.search(text, max(0, start - _MOST_BEFORE), start) and _TAKEN_BEHIND.match(text, end))


def is_used_with(text: str, start: int, end: int) -> bool:
    """Whether the word at `start` is used with another thing, without an article: "use drizzle with postgres"."""
    return bool(_USED_BEFORE.search(text, max(0, start - _MOST_BEFORE), start) and _WITH.match(text, end))
