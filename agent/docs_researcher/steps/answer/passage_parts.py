"""A passage's Markdown taken apart into the pieces that an answer is made of: sentences' paragraphs, list items, tables, code.

Works line by line in linear time and without a Markdown library, since it stands on the path of every answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from docs_researcher.steps.fences import split_fences

PartKind = Literal["heading", "text", "item", "step", "table", "code", "quote"]


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a passage, in the order of the passage (`index`, counted from 0)."""

    index: int
    kind: PartKind
    text: str
    """Code without its fence and without the fence's own indentation; everything else with its line breaks joined."""
    heading: str = ""
    """The nearest heading above it within the passage, if any."""
    language: str = ""
    info: str = ""
    """What else stood behind the opening fence: `filename="app/page.tsx"`."""
    marker: str = ""
    """A step's own number as written: `2.`"""
    depth: int = 0
    """Columns by which it is indented; what is indented below a list item belongs to it."""
    line: int = 0
    """The line of the passage, counted from 0, on which it begins; what stands between it and the next part goes with it."""


_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_ITEM = re.compile(r"^(?P<indent>\s*)(?P<marker>[-*+]|\d{1,3}[.)])\s+(?P<text>.*)$")
_TABLE_LINE = re.compile(r"^\s*\|.*\|\s*$")
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")
_BREAK = re.compile(r"(?<!\\)\\[ \t]*$")
"""A line break that is meant: "Type: `number`\\" above "Default: `1`"."""
_NOISE = re.compile(
    r"^\s*(?::::?.*|</?[A-Za-z][^<>]*/?>|\[[^\]]+\]:\s.*|\[\^.*|\(\S+\)=|import .* from .*|export \w.*|%\s.*|\.\. [\w-]+::.*)\s*$"
)
"""Container marks, lone tags, link definitions, MyST targets and comments, MDX module lines, raw directives: no prose in them."""


_FENCED_TWICE = re.compile(r"\s*```(?P<language>[\w+-]*)[^\n]*\n(?P<code>.*)\n```\s*", re.DOTALL)
"""Code that is one fenced block itself: a docstring quoted its example with a fence where one was put around it."""


def parts_of(content: str) -> tuple[Part, ...]:
    """The parts of one passage's Markdown."""
    return tuple(_Reader(content).read())


def _columns(line: str) -> int:
    """How many columns of white space a text begins with."""
    return len(line[: len(line) - len(line.lstrip(" \t"))].expandtabs(4))


class _Reader:
    """Walks over the lines once, keeping the open paragraph, table and heading."""

    def __init__(self, content: str) -> None:
        self._segments = split_fences(content)
        self._heading = ""
        self._open: list[str] = []
        self._kind: PartKind = "text"
        self._marker = ""
        self._depth = 0
        self._count = 0
        self._at = 0
        self._began = 0

    def read(self) -> Iterator[Part]:
        for segment in self._segments:
            if segment.code is not None:
                yield from self._close()
                self._depth, self._began = _columns(segment.raw), self._at
                inner = _FENCED_TWICE.fullmatch(segment.code)
                once = inner is not None and "```" not in inner.group("code")
                code, language = inner.group("code", "language") if inner and once else (segment.code, segment.language)
                yield self._part("code", code, language, segment.info)
                self._depth = 0
                self._at += segment.raw.count("\n") + 1
                continue
            for line in segment.raw.split("\n"):
                yield from self._line(line)
                self._at += 1
        yield from self._close()

    def _line(self, line: str) -> Iterator[Part]:
        heading = _HEADING.match(line)
        if heading:
            yield from self._close()
            self._heading, self._began = heading.group(2), self._at
            yield self._part("heading", heading.group(2))
        elif not line.strip() or _RULE.match(line) or _NOISE.match(line):
            yield from self._close()
        elif item := _ITEM.match(line):
            yield from self._close()
            self._kind = "step" if item.group("marker")[0].isdigit() else "item"
            self._marker = item.group("marker")
            self._depth, self._began = _columns(line), self._at
            self._open = [_BREAK.sub("", item.group("text"))]
        else:
            yield from self._prose(line)

    def _prose(self, line: str) -> Iterator[Part]:
        kind: PartKind = "table" if _TABLE_LINE.match(line) else "quote" if line.lstrip().startswith(">") else "text"
        if kind == "quote":
            line = re.sub(r"^\s*(?:>\s?)+", "", line)
            if not line.strip():
                yield from self._close()
                return
            line = re.sub(r"^(?:[-*+]|\d{1,3}[.)])\s+", "", line)
        continues = self._open and (self._kind == kind or (self._kind in ("item", "step") and kind == "text"))
        if not continues:
            yield from self._close()
            self._kind, self._depth, self._began = kind, _columns(line), self._at
        ended = _BREAK.sub("", line)
        self._open.append(ended.strip())
        if ended != line and self._kind == "text":
            yield from self._close()

    def _close(self) -> Iterator[Part]:
        if self._open:
            joiner = "\n" if self._kind == "table" else " "
            yield self._part(self._kind, joiner.join(self._open))
        self._open, self._marker, self._depth, self._kind = [], "", 0, "text"

    def _part(self, kind: PartKind, text: str, language: str = "", info: str = "") -> Part:
        part = Part(self._count, kind, text, self._heading, language, info, self._marker, self._depth, self._began)
        self._count += 1
        return part
