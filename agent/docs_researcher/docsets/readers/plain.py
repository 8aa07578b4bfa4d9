"""Plain text: paragraphs, with indented pieces as code. Only what reads like prose is taken for documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from docs_researcher.core.lines import with_line_feeds
from docs_researcher.docsets.readers.base import Block, Page
from docs_researcher.docsets.readers.reference import fenced

MIN_WORDS = 40
MIN_SENTENCES = 2
_SENTENCE = re.compile(r"\w[.!?:](?:\s|$)")
_PIECE = re.compile(r"[^\n]*\S[^\n]*(?:\n[^\n]*\S[^\n]*)*")
_INDENTED = re.compile(r"(?: {4}|\t)[^\n]*(?:\n(?: {4}|\t)[^\n]*)*")
_TITLE_CHARS = 100


def read_plain(path: str, text: str) -> Page | None:
    """The page in a text, or None for lists, data and what is too short to tell."""
    text = with_line_feeds(text.removeprefix("\ufeff"))
    if len(text.split(None, MIN_WORDS)) <= MIN_WORDS or len(_SENTENCE.findall(text[:20_000])) < MIN_SENTENCES:
        return None
    blocks = tuple(_blocks(text))
    first = blocks[0].text
    title = first if "\n" not in first and len(first) <= _TITLE_CHARS and not first.endswith((".", ":")) else ""
    return Page(path, title or PurePosixPath(path).stem, "", blocks)


def _blocks(text: str) -> Iterator[Block]:
    line, position = 1, 0
    for match in _PIECE.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        piece = match.group()
        if _INDENTED.fullmatch(piece):
            margin = min(len(row) - len(row.lstrip()) for row in piece.split("\n"))
            yield Block("code", fenced("", "\n".join(row[margin:] for row in piece.split("\n"))), line)
        else:
            yield Block("text", piece.rstrip(), line)
