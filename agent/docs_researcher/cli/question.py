"""A question as the user gave it: in words, in one argument, or through stdin."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

MAX_STDIN_BYTES = 1_000_000
"""More than any question; a file given by mistake is not read to its end."""


def read_question(words: Sequence[str]) -> str:
    """The question in these words; `-` alone reads it from stdin. May be empty."""
    if list(words) == ["-"]:
        return read_stdin().strip()
    return " ".join(readable(word) for word in words).strip()


def read_stdin() -> str:
    """The text on stdin as UTF-8, whatever the system's code page."""
    buffer = getattr(sys.stdin, "buffer", None)
    if buffer is None:
        return sys.stdin.read(MAX_STDIN_BYTES)
    return buffer.read(MAX_STDIN_BYTES).decode("utf-8-sig", errors="replace")


def readable(argument: str) -> str:
    """An argument that the system could not decode, read as UTF-8 after all."""
    try:
        argument.encode("utf-8")
    except UnicodeEncodeError:
        return os.fsencode(argument).decode("utf-8", errors="replace")
    return argument
