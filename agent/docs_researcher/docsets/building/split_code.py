"""A block of code that alone is larger than a chunk may be: cut between its lines, each part in a fence of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docs_researcher.core.tokens import LETTER, estimate_tokens

_OPENING = re.compile(r"(?P<prefix>(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(?P<mark>`{3,}|~{3,})")
_FENCES = 4
"""Tokens of the line breaks around a part, beside its two fences."""


def split_fence(text: str, max_tokens: int) -> Iterator[tuple[str, int]]:
    """The parts of one fenced block, each with its fence opened anew, and the number of lines of `text` before each.

    Parts end at an empty line where one stands in their second half. Marks of the list or quote around the fence are left out.
    A line that alone is larger than `max_tokens` is cut; no other line is changed. What is no fence is one part.
    """
    lines = text.split("\n")
    found = _OPENING.match(lines[0])
    if found is None:
        yield text, 0
        return
    width = len(found["prefix"])
    opening, mark = lines[0][width:], found["mark"]
    body = [_without_prefix(line, width) for line in lines[1:]]
    if body and _closes(body[-1], mark):
        body.pop()
    room = max(max_tokens - estimate_tokens(opening) - estimate_tokens(mark) - _FENCES, max_tokens // 4)
    for start, part in _parts(body, room):
        yield "\n".join([opening, *part, mark]), start + 1 if start else 0


def _without_prefix(line: str, width: int) -> str:
    position = 0
    while position < min(width, len(line)) and line[position] in " \t>":
        position += 1
    return line[position:]


def _closes(line: str, mark: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(mark) and not bare.strip(mark[0])


def _parts(lines: Sequence[str], room: int) -> Iterator[tuple[int, list[str]]]:
    """Runs of whole lines that fit into `room`, each with the number of its first line."""
    sizes = [estimate_tokens(line) + 1 for line in lines]
    start = 0
    while start < len(lines):
        end, size = start, 0
        while end < len(lines) and size + sizes[end] <= room:
            size += sizes[end]
            end += 1
        if end == start:
            for piece in _cut(lines[start], room):
                yield start, [piece]
            start += 1
            continue
        if end < len(lines):
            middle = start + (end - start) // 2
            end = next((number + 1 for number in range(end - 1, middle, -1) if not lines[number].strip()), end)
        part = list(lines[start:end])
        if any(line.strip() for line in part):
            yield start, part
        start = end


def _cut(line: str, room: int) -> Iterator[str]:
    widest = int(room / LETTER) + 1
    position = 0
    while position < len(line):
        window = line[position : position + widest]
        while len(window) > 1 and (tokens := estimate_tokens(window)) > room:
            window = window[: max(1, min(len(window) - 1, int(len(window) * room / tokens)))]
        yield window
        position += len(window)
