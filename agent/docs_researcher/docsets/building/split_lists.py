"""A list that is cut inside one of its items: what goes on there stands below the beginning of that item again.

Without it the items of a nested list would look like those of the list around it, and their introduction would stand elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.readers.base import Block

LIST_CONTINUED = "(continued)"
"""Ends the beginning of an item that is shown again."""
_MARK = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_LEAD_TOKENS = 60
"""Of a longer beginning its first line is shown again."""
_SHARE = 4
"""At most this part of a piece (a fourth) is repeated."""


def enclosing_items(segments: Sequence[Block]) -> list[tuple[int, ...]]:
    """For each segment of a list, in order, the numbers of the segments that begin the items around it, the outermost first."""
    found: list[tuple[int, ...]] = []
    around: list[tuple[int, int]] = []  # the column that an item's content begins at, and the number of its first segment
    for number, segment in enumerate(segments):
        first = segment.text.lstrip("\n").split("\n", 1)[0].expandtabs(4)
        column = len(first) - len(first.lstrip(" "))
        while around and column < around[-1][0]:
            around.pop()
        found.append(tuple(begin for _, begin in around))
        mark = _MARK.match(first)
        if mark is not None:
            around.append((mark.end(), number))
    return found


def repeated(segments: Sequence[Block], items: Sequence[int], max_tokens: int) -> str:
    """The beginnings of these items as they are shown again above what goes on in them; empty where they are too long."""
    rows: list[str] = []
    for number in items:
        text = segments[number].text.strip("\n")
        margin = text[: len(text) - len(text.lstrip())]
        is_short = segments[number].kind != "code" and estimate_tokens(text) <= _LEAD_TOKENS
        shown = " ".join(text.split()) if is_short else f"{text.split(chr(10), 1)[0].strip()} ..."
        rows.append(f"{margin}{shown} {LIST_CONTINUED}")
    head = "\n\n".join(rows)
    return head if estimate_tokens(head) + 1 <= max_tokens // _SHARE else ""
