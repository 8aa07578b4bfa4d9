"""What the text of a page is cut into: Markdown that stays together, with its size in tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.building.fences import has_fence
from docs_researcher.docsets.readers.base import Block


class Piece(NamedTuple):
    """Markdown that stays together, with the line it starts on. A tuple, since a build makes one for each block, and more."""

    text: str
    line: int
    tokens: int
    has_code: bool = False
    is_part: bool = False
    """It ends in a part of a block of code that was cut; a further part does not join it."""


def join(pieces: Sequence[Piece]) -> Piece:
    """One piece out of several, a blank line between them; its tokens are estimated anew."""
    if len(pieces) == 1:
        return pieces[0]
    text = "\n\n".join(piece.text for piece in pieces)
    return Piece(text, pieces[0].line, estimate_tokens(text), any(piece.has_code for piece in pieces), pieces[-1].is_part)


Measured = tuple[Block, Piece]
"""A block and the piece that it makes as a whole."""


def measure(block: Block) -> Measured:
    """The block with its size; estimating is what costs here, so it is done once."""
    has_code = block.kind == "code" or (block.kind != "heading" and has_fence(block.text))
    return block, Piece(block.text, block.line, estimate_tokens(block.text), has_code)
