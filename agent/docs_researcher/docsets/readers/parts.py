"""A very long Markdown text in parts that can be read one after the other, so that memory stays small."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONG_CHARACTERS = 2_000_000
"""A longer text is read in parts. The longest page known (a change log) has half of it."""
PART_CHARACTERS = 500_000
"""A part ends before the next heading of the first two levels behind this size."""
FORCED_CHARACTERS = 2_000_000
"""Without such a heading it ends at an empty line."""

_BORDER = re.compile(r"#{1,2}[ \t]")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def parts(text: str) -> Iterator[tuple[int, str]]:
    """The parts with the number of lines before each; a fence is never cut. A text that is not long is one part."""
    if len(text) <= LONG_CHARACTERS:
        yield 0, text
        return
    start, before, line, fence = 0, 0, 0, ""
    position = 0
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end + 1
        size = position - start
        if size >= PART_CHARACTERS and not fence and _ends_part(text, position, size):
            yield before, text[start:position]
            start, before = position, line
        mark = _FENCE.match(text, position)
        if mark:
            closes = fence and mark[1].startswith(fence) and not text[mark.end() : end].strip()
            fence = "" if closes else fence or mark[1]
        position, line = end, line + 1
    yield before, text[start:]


def _ends_part(text: str, position: int, size: int) -> bool:
    if _BORDER.match(text, position):
        return True
    starts_block = text[position : position + 1] not in ("", "\n", " ", "\t") and text[position - 2 : position] == "\n\n"
    return size >= FORCED_CHARACTERS and starts_block
