"""Raised text: 2 to the power of 31 must not become 231 where marks of size are dropped."""

from __future__ import annotations

import re

_EXPONENT = re.compile(r"[-+−]?(?:\d{1,4}|[A-Za-z])(?:[-+*/](?:\d{1,4}|[A-Za-z]))?")
_BASE = re.compile(r"(?:[\d)\]]|(?<![^\W_])[A-Za-z])\s?\Z")


def raised(before: str, text: str) -> str:
    """Raised `text` behind `before` as plain text: `^31` where it is an exponent, else as it is (1st, a footnote's number)."""
    return f"^{text}" if _EXPONENT.fullmatch(text) and _BASE.search(before) else text


def raised_alone(text: str) -> str:
    """The same where what stands before it is not known."""
    return f"^{text}" if _EXPONENT.fullmatch(text) else text
