"""The yardstick for ranking: a plain full-text search with the settings that did best in our first comparison, frozen.

It is a copy on purpose. It shares no code with the product's search, so that a change there cannot move what it is measured
against. Pages come from the product's own readers: what is compared is the ranking. FTS5 with `porter unicode61`; chunks at
second-level headings of at most 800 tokens; heading path, title, body and path weighted 5, 5, 1 and 5; each term quoted, all
joined with OR; common words dropped; release notes times 0.6 unless the question is about versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import apsw

CHUNK_TOKENS = 800
RANKED = 80
WEIGHTS = "5, 5, 1, 5"
RELEASE_NOTES = 0.6

_STOP_WORDS = frozenset(
    """
a about after again all also am an and any are as at be because been before being below best better between both but by can
cannot could did do does doing done down each either else ever every example examples explain few find first for from further
get gets getting give go going good got had has have having he help her here him his how i if in into is it its just know let
like look looking made make makes making many may me might more most much must my need needed needs no not now of off on once
one only or other our out over own please possible really right same say see should show simple so some something still such
tell than that the their them then there these they thing things this those through to too try trying under until up us use
used uses using very vs want wants was way ways we well were what when where whether which while who why will with within
without won work working works would write you your
""".split()
)
_TERM = re.compile(r"[\w@][\w@./:+#-]*")
_ABOUT_VERSIONS = re.compile(
    r"\b(?:versions?|upgrad\w*|migrat\w*|break\w*|deprecat\w*|change-?log|release notes?)\b", re.IGNORECASE
)
_RELEASE_NOTES = re.compile(
    r"(?:^|/)(?:change-?logs?|changes|history|news|release[-_]?notes?|releases?|what'?s[-_]?new|upgrading|migrations?)"
    r"(?:[-_./]|$)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"(#{1,6})\s+(.+)")


@dataclass(frozen=True, slots=True)
class FrozenChunk:
    """One piece of a page: its page's path, and the text with its heading."""

    path: str
    heading: str
    content: str

    @property
    def tokens(self) -> int:
        """Characters through four."""
        return len(self.content) // 4


class FrozenDefault:
    """An index over pages, in memory."""

    def __init__(self, pages: Iterable[tuple[str, str, str]]) -> None:
        """`pages` are path, title and Markdown."""
        self._connection = apsw.Connection(":memory:")
        self._chunks = list[FrozenChunk]()
        self._run("CREATE VIRTUAL TABLE f USING fts5(heading, title, body, path, tokenize='porter unicode61')")
        for path, title, text in pages:
            for heading, body in chunks_of(text):
                self._chunks.append(FrozenChunk(path, heading, body))
                values = (len(self._chunks), heading, title, body, path)
                self._run("INSERT INTO f(rowid, heading, title, body, path) VALUES (?, ?, ?, ?, ?)", values)

    def search(self, question: str) -> list[FrozenChunk]:
        """The chunks for a question, best first."""
        words = [word.strip("./:-+") for word in _TERM.findall(question.lower())]
        words = [word for word in dict.fromkeys(words) if word]
        terms = [word for word in words if word not in _STOP_WORDS] or words
        if not terms:
            return []
        expression = " OR ".join(f'"{term}"' for term in terms[:24])
        select = f"SELECT rowid, bm25(f, {WEIGHTS}) AS score FROM f WHERE f MATCH ? ORDER BY score LIMIT {RANKED}"
        factor = 1.0 if _ABOUT_VERSIONS.search(question) else RELEASE_NOTES
        scored: list[tuple[float, int]] = []
        for rowid, score in self._run(select, (expression,)):
            chunk = self._chunks[int(rowid) - 1]
            demoted = _RELEASE_NOTES.search(chunk.path)
            scored.append((score * factor if demoted else score, rowid))
        return [self._chunks[rowid - 1] for _, rowid in sorted(scored)]

    def _run(self, statement: str, values: tuple[object, ...] = ()) -> list[Any]:
        return list(cast("Any", self._connection).execute(statement, values))


def chunks_of(text: str) -> Iterator[tuple[str, str]]:
    """Heading and text of each piece: cut at first- and second-level headings, then at blank lines outside of fences."""
    heading = ""
    section: list[str] = []
    for line, fenced in _lines(text):
        match = None if fenced else _HEADING.fullmatch(line.strip())
        if match and len(match[1]) <= 2:
            yield from _pieces(heading, section)
            heading, section = match[2], []
        section.append(line)
    yield from _pieces(heading, section)


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Every line, and whether it belongs to a fenced block of code."""
    fence = ""
    for line in text.split("\n"):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if mark and not fence:
            fence = mark[1]
            yield line, True
            continue
        yield line, bool(fence)
        if mark and fence and mark[1][0] == fence[0] and len(mark[1]) >= len(fence):
            fence = ""


def _pieces(heading: str, section: list[str]) -> Iterator[tuple[str, str]]:
    piece: list[str] = []
    size = 0
    for paragraph in _paragraphs(section):
        if piece and size + len(paragraph) > CHUNK_TOKENS * 4:
            yield heading, "\n\n".join(piece)
            piece, size = [], 0
        piece.append(paragraph)
        size += len(paragraph) + 2
    if piece:
        yield heading, "\n\n".join(piece)


def _paragraphs(section: list[str]) -> Iterator[str]:
    paragraph: list[str] = []
    for line, fenced in _lines("\n".join(section)):
        if line.strip() or fenced:
            paragraph.append(line)
        elif paragraph:
            yield "\n".join(paragraph)
            paragraph = []
    if paragraph:
        yield "\n".join(paragraph)
