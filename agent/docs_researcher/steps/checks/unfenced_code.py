"""Code in an answer that stands in no fence: indented, or between `<pre>` tags."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

_PRE = re.compile(r"<pre\b[^>]*>(?P<code>.*?)</pre\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?\w[^>]*>")
_INDENTED = re.compile(r"(?:(?:^|\n)[ \t]*\n|\A)(?P<code>(?:(?: {4}|\t)[^\n]*\S[^\n]*(?:\n|\Z)(?:[ \t]*\n(?=(?: {4}|\t)\S))*)+)")
_LIST_BEFORE = re.compile(r"(?:^|\n)[ ]*(?:[-*+]|\d+[.)])[ \t][^\n]*\n(?:[^\n]*\n)*\Z|(?:^|\n)[ \t]+\S[^\n]*\n\s*\Z")
"""Indented text behind a list item, or behind other indented text, goes on with it and is no code."""


@dataclass(frozen=True, slots=True)
class Unfenced:
    """A block of code with the part of the text that it takes up."""

    start: int
    end: int
    code: str


def unfenced_code(raw: str) -> tuple[Unfenced, ...]:
    """The blocks of such code in prose, in no particular order."""
    found = [Unfenced(*match.span(), html.unescape(_TAG.sub("", match["code"])).strip("\n")) for match in _PRE.finditer(raw)]
    for match in _INDENTED.finditer(raw):
        if not _LIST_BEFORE.search(raw[: match.start("code")]):
            code = "\n".join(line[1:] if line.startswith("\t") else line[4:] for line in match["code"].rstrip("\n").split("\n"))
            found.append(Unfenced(match.start("code"), match.end("code"), code))
    return tuple(found)
