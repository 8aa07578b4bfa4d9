"""Passages cut into what one quotes as a whole: a unit stands under one heading, its clusters are understood by themselves.

A cluster is a paragraph with the code, list or table that it announces and the paragraphs that lean on it. Answers are made of
whole clusters, since a sentence taken out of its paragraph loses what "this" and "previously" mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer.answer_text import block_text
from docs_researcher.steps.answer.material import CodeBlock, Group, Material, Statement
from docs_researcher.steps.answer.sentences import introduces, leans_on_the_one_before

Piece = Statement | CodeBlock


@dataclass(frozen=True, slots=True)
class Cluster:
    """Pieces that are understood together, in the order of reading."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """All of it, for counting words."""
        return "\n".join(piece_text(piece) for piece in self.pieces)

    @property
    def blocks(self) -> tuple[CodeBlock, ...]:
        """Its code."""
        return tuple(piece for piece in self.pieces if isinstance(piece, CodeBlock))

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Its sentences, items, steps and rows."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Statement))

    @property
    def tokens(self) -> int:
        """About what it takes when printed."""
        return sum(map(cost, self.pieces))


@dataclass(frozen=True, slots=True)
class Unit:
    """What one passage holds under one heading."""

    rank: int
    """Rank of the passage."""
    heading: str
    """The heading path, the page's title first."""
    clusters: tuple[Cluster, ...]

    @property
    def leaf(self) -> str:
        """The last heading."""
        return self.heading.rsplit(" > ", 1)[-1]

    @property
    def blocks(self) -> tuple[CodeBlock, ...]:
        """All of its code."""
        return tuple(block for cluster in self.clusters for block in cluster.blocks)

    @property
    def text(self) -> str:
        """All of it, for counting words."""
        return "\n".join(cluster.text for cluster in self.clusters)


def units_of(material: Material) -> tuple[Unit, ...]:
    """The units of all passages, in the order of the passages and of reading."""
    found: list[Unit] = []
    for rank, heading, pieces in _under_headings(material):
        clusters = tuple(_clusters(pieces))
        if found and found[-1].rank == rank and _is_step(pieces) and _is_step(found[-1].clusters[0].pieces):
            found[-1] = Unit(rank, found[-1].heading, (*found[-1].clusters, *clusters))  # steps numbered by headings are one list
        else:
            found.append(Unit(rank, heading, clusters))
    return tuple(found)


def piece_text(piece: Piece) -> str:
    """A piece with its name, for counting words."""
    if isinstance(piece, CodeBlock):
        return f"{piece.info}\n{piece.code}" if piece.info else piece.code
    return f"{piece.label} {piece.text}" if piece.label else piece.text


def cost(piece: Piece) -> int:
    """Tokens of a piece as it will be printed, with the line break behind it."""
    if isinstance(piece, CodeBlock):
        return estimate_tokens(block_text(piece) + "\n\n")
    named = f"{piece.marker} {piece.label}: {piece.text}\n\n"
    return estimate_tokens(named) + (estimate_tokens(piece.header) if piece.header and piece.place[2] == 0 else 0)


def _is_step(pieces: Sequence[Piece]) -> bool:
    first = pieces[0]
    return isinstance(first, Statement) and first.kind == "step" and first.group is None


def _under_headings(material: Material) -> Iterator[tuple[int, str, list[Piece]]]:
    pieces: list[Piece] = []
    for piece in sorted([*material.statements, *material.blocks], key=lambda one: one.place):
        if pieces and (pieces[0].place[0], pieces[0].heading) != (piece.place[0], piece.heading):
            yield pieces[0].place[0], pieces[0].heading, pieces
            pieces = []
        pieces.append(piece)
    if pieces:
        yield pieces[0].place[0], pieces[0].heading, pieces


def _clusters(pieces: Sequence[Piece]) -> Iterator[Cluster]:
    current: list[Piece] = []
    for element in _elements(pieces):
        if current and _begins_anew(element, current):
            yield Cluster(tuple(current))
            current = []
        current += element
    if current:
        yield Cluster(tuple(current))


def _begins_anew(element: Sequence[Piece], before: Sequence[Piece]) -> bool:
    """Whether a paragraph, list or block is understood without what stands before it."""
    first, last = element[0], before[-1]
    if isinstance(first, CodeBlock):
        return False
    if first.label != _label(before):
        return True
    if isinstance(last, Statement) and introduces(last.text):
        return False
    if first.kind != "sentence":
        return first.kind == "step" and first.group is None
    return not leans_on_the_one_before(first.text)


def _label(pieces: Sequence[Piece]) -> str:
    return next((piece.label for piece in reversed(pieces) if isinstance(piece, Statement)), "")


def _elements(pieces: Sequence[Piece]) -> Iterator[Sequence[Piece]]:
    """Paragraphs, blocks of code, and lists or tables with all that stands between their members."""
    ends: dict[Group, int] = {}
    for position, piece in enumerate(pieces):
        if isinstance(piece, Statement) and piece.group is not None:
            following = pieces[position + 1] if position + 1 < len(pieces) else None
            opened = isinstance(following, CodeBlock) and piece.opens == following.place
            ends[piece.group] = position + (2 if opened else 1)
    position = 0
    while position < len(pieces):
        piece = pieces[position]
        end = position + 1
        if isinstance(piece, Statement) and piece.group is not None:
            end = ends[piece.group]
        elif isinstance(piece, Statement):
            while end < len(pieces) and isinstance(pieces[end], Statement) and pieces[end].place[:2] == piece.place[:2]:
                end += 1
        yield pieces[position:end]
        position = end
