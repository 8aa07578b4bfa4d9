"""Pieces of a table that is too large: rows, below the header, which is repeated and said to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.building.piece import Piece
from docs_researcher.docsets.building.split_lines import split_lines
from docs_researcher.docsets.readers.base import Block

TABLE_CONTINUED = "(table continued)"
"""Stands above the repeated header of a table's further pieces."""


def split_table(block: Block, max_tokens: int) -> Iterator[Piece]:
    """Rows up to the limit below the header; a row over it is cut as text."""
    lines = [line for line in block.text.split("\n") if line.strip()]
    header, rows = "\n".join(lines[:2]), lines[2:]
    header_tokens = estimate_tokens(f"{TABLE_CONTINUED}\n\n{header}") + 1
    room = max_tokens - header_tokens
    if room < max_tokens // 4:  # a header that fills the piece would repeat itself to no use
        yield from split_lines(block, max_tokens)
        return
    current: list[str] = []
    size = 0
    start = 0
    for number, row in enumerate(rows):
        tokens = estimate_tokens(row) + 1
        if current and size + tokens > room:
            yield _table_piece(header, current, block.line, start)
            current, size = [], 0
        if tokens > room:
            yield from split_lines(block._replace(text=row, line=block.line + 2 + number), max_tokens)
            start = number + 1
            continue
        if not current:
            start = number
        current.append(row)
        size += tokens
    if current:
        yield _table_piece(header, current, block.line, start)


def _table_piece(header: str, rows: Sequence[str], line: int, start: int) -> Piece:
    """The rows from number `start` on; all but the table's first piece say that the header is repeated."""
    text = "\n".join([*([TABLE_CONTINUED, ""] if start else []), header, *rows])
    return Piece(text, line + 2 + start if start else line, estimate_tokens(text))
