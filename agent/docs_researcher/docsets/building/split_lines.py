"""Pieces of running text that is too large as it stands: whole lines, and a line over the limit at its sentences or words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docs_researcher.core.tokens import LETTER, estimate_tokens
from docs_researcher.docsets.building.margin import to_margin
from docs_researcher.docsets.building.piece import Piece
from docs_researcher.docsets.readers.base import Block

SENTENCE = re.compile(r"[.!?。！？][\"')\]*_]*(?:\s+|(?<=[。！？]))")
"""The end of a sentence, with the space behind it."""
_SPACE = re.compile(r"\s+")


def split_lines(block: Block, max_tokens: int) -> Iterator[Piece]:
    """Whole lines up to the limit; a line over it is cut at sentences or words."""
    current: list[str] = []
    size = 0
    start = 0
    for number, line in enumerate(block.text.split("\n")):
        parts = list(_cut_line(line, max_tokens))
        for part in parts:
            tokens = estimate_tokens(part) + 1
            if current and (size + tokens > max_tokens or len(parts) > 1):
                yield _text_piece(current, block.line + start)
                current, size = [], 0
            if not current:
                start = number
            current.append(part)
            size += tokens
    if current:
        yield _text_piece(current, block.line + start)


def _text_piece(lines: Iterable[str], line: int) -> Piece:
    text = to_margin("\n".join(lines).strip("\n"))
    return Piece(text, line, estimate_tokens(text))


def _cut_line(line: str, max_tokens: int) -> Iterator[str]:
    widest = int(max_tokens / LETTER) + 1
    limit = max_tokens - 2  # room for an escape at the start of the rest
    position = 0
    while len(line) - position > 1:
        window = line[position : position + widest]
        while (tokens := estimate_tokens(window)) > limit:
            window = window[: max(1, min(len(window) - 1, int(len(window) * limit / tokens)))]
        if position + len(window) >= len(line):
            break
        length = _border(window)
        part = line[position : position + length]
        yield _harmless(part) if position else part.rstrip()
        position += length
        while position < len(line) and line[position] in " \t":
            position += 1
    rest = line[position:]
    if rest or not position:
        yield _harmless(rest) if position else rest


def _border(window: str) -> int:
    """Where to cut, at most at the window's end: behind its last sentence, else word, outside inline code where possible."""
    half = len(window) // 2
    sentences = [match.end() for match in SENTENCE.finditer(window, half)]
    words = [match.end() for match in _SPACE.finditer(window, half)]
    for ends in (sentences, words):
        outside = next((end for end in reversed(ends[-50:]) if window.count("`", 0, end) % 2 == 0), None)
        if outside is not None:
            return outside
    return words[-1] if words else len(window)


def _harmless(part: str) -> str:
    """The rest of a cut line: it was running text, so it must not begin a fence, a heading or a list where it starts now."""
    text = part.rstrip()
    return "\\" + text if re.match(r"`{3,}|~{3,}|#{1,6}(?:\s|$)|[-+*>](?:\s|$)", text) else text
