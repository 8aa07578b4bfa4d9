"""What each setting may be: a reader for values out of files, and one for the text of environment variables.

A reader raises ValueError with what the value has to be, as it goes on from "Write ...".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

MIN_ANSWER_TOKENS = 100
"""Below this not even one sentence with its source fits."""
SOURCES = ("auto", "local", "mcp")
_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off"})


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a text in quotes")
    return value.strip()


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _source(value: object) -> str:
    text = value.strip() if isinstance(value, str) else ""
    if text not in SOURCES and not (text.startswith("mcp:") and text != "mcp:"):
        raise ValueError('"auto", "local", "mcp", or "mcp:" and the name of a server')
    return text


def _whole(least: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ValueError(f"a whole number of at least {least}")
        return value

    return read


def _above_zero(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value <= 0:
        raise ValueError("a number above 0")
    return float(value)


READERS: Mapping[str, Callable[[object], object]] = {
    "model": _text,
    "docs_from": _source,
    "answer_tokens": _whole(MIN_ANSWER_TOKENS),
    "offline": _switch,
    "strict_version": _switch,
    "server_notes": _switch,
    "agent": _text,
    "prices": _text,
    "disk_mb": _whole(0),
    "turns": _whole(1),
    "resolve_calls": _whole(0),
    "query_calls": _whole(0),
    "tokens_read": _whole(1),
    "seconds": _above_zero,
    "cost": _above_zero,
}
"""Every setting, limits among them, with the reader of its value."""

_SWITCHES = frozenset({"offline", "strict_version", "server_notes"})
_TEXTS = frozenset({"model", "docs_from", "agent", "prices"})


def read_variable(key: str, text: str) -> object:
    """The value of a setting in an environment variable.

    Raises:
        ValueError: what it has to be.
    """
    if key in _SWITCHES:
        word = text.lower()
        if word not in _YES | _NO:
            raise ValueError("1 or 0")
        return word in _YES
    return READERS[key](text if key in _TEXTS else _number(text))


def _number(text: str) -> object:
    """A number, or the text itself, which the reader then refuses in its own words."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
