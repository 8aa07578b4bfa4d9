"""Pieces of a block, or of a row of blocks, that fit a number of tokens.

The borders, best first: between blocks (before a heading best of all), between list items and paragraphs, between lines, between
sentences, between words; inside code only where one block alone is larger than CODE_SHARE allows. A table's pieces repeat its
header, those of a list the beginning of the item that was cut, and say that they do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.building.fences import fence_closes, fence_opening
from docs_researcher.docsets.building.margin import to_margin
from docs_researcher.docsets.building.piece import Measured, Piece, join
from docs_researcher.docsets.building.split_code import split_fence
from docs_researcher.docsets.building.split_lines import SENTENCE, split_lines
from docs_researcher.docsets.building.split_lists import enclosing_items, repeated
from docs_researcher.docsets.building.split_tables import split_table
from docs_researcher.docsets.readers.base import Block, Kind

_JOIN = 1
"""Tokens counted for the blank line between two blocks; what it really costs is far less, so sums never fall short."""
_PREFIX = re.compile(r"^[ \t>]*")
_ITEM = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_TABLE_RULE = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
CODE_SHARE = 1.5
"""One block of code may be so many times as large as other text before it is cut: half an example is worth little."""
_INTRODUCING = frozenset({"text", "list", "quote", "admonition"})


def split_blocks(blocks: Sequence[Measured], max_tokens: int) -> list[Piece]:
    """`blocks` packed into pieces of at most `max_tokens`; one code fence may be CODE_SHARE times as large.

    Code stays with the text that introduces it where both fit, a heading or label with what follows it.
    """
    if not blocks:
        return []
    total = sum(piece.tokens + _JOIN for _, piece in blocks)
    if total <= max_tokens:
        return [join([piece for _, piece in blocks])]
    target = min(max_tokens, int(total / -(-total // max_tokens) * 1.2) + 1)
    return _pack(list(_atoms(blocks, max_tokens, target)), max_tokens, target)


def _pack(atoms: Sequence[Piece], max_tokens: int, target: int) -> list[Piece]:
    """Atoms in pieces of about equal size: a piece that has reached `target` is closed, before a heading a little earlier."""
    pieces: list[Piece] = []
    current: list[Piece] = []
    size = 0
    for atom in atoms:
        is_border = atom.text.startswith("#")
        limit = min(target, int(target * 0.7) + 1) if is_border else target
        is_next_part = atom.is_part and bool(current) and current[-1].is_part
        if current and (size + atom.tokens + _JOIN > max_tokens or size >= limit or is_next_part):
            pieces.append(join(current))
            current, size = [], 0
        current.append(atom)
        size += atom.tokens + _JOIN
    if current:
        pieces.append(join(current))
    return pieces


def _atoms(blocks: Sequence[Measured], max_tokens: int, target: int) -> Iterator[Piece]:
    """What packing works with: blocks, groups that belong together, parts of what is too large (lists: larger than `target`)."""
    waiting: list[Piece] = []  # a heading or label, an introduction, code before more code
    role = ""
    for block, piece in blocks:
        size = sum(held.tokens + _JOIN for held in waiting)
        limit = _limit(block, max_tokens, target)
        if piece.tokens > limit:
            heading = waiting if role in ("heading", "label") and size < max_tokens // 4 else []
            if waiting and not heading:
                yield join(waiting)
            parts = list(_split_block(block, min(limit, max_tokens) - (size if heading else 0)))
            yield join([*heading, *parts[:1]])
            yield from parts[1:]
            waiting, role = [], ""
            continue
        belongs = role in ("heading", "label") or (block.kind == "code" and bool(waiting))
        if waiting and not (belongs and size + piece.tokens <= max_tokens):
            sentence = _last_sentence(waiting, role, piece, max_tokens) if block.kind == "code" else None
            yield join(waiting)
            waiting = [sentence] if sentence else []
        waiting.append(piece)
        role = _role(block)
        if not role:
            yield join(waiting)
            waiting = []
    if waiting:
        yield join(waiting)


def _limit(block: Block, max_tokens: int, target: int) -> int:
    """The size from which a block is split."""
    if block.kind == "code":
        return int(max_tokens * CODE_SHARE)
    return target if block.kind == "list" else max_tokens


def _role(block: Block) -> str:
    """What a block waits for: a heading or label for anything, text for the code it introduces, code for its variants."""
    if block.kind == "heading":
        return "heading"
    is_label = block.kind == "admonition" and "\n" not in block.text and block.text.startswith("**")
    if is_label and block.text.endswith("**"):
        return "label"
    if block.kind == "code":
        return "code"
    return "text" if block.kind in _INTRODUCING else ""


def _last_sentence(waiting: list[Piece], role: str, code: Piece, max_tokens: int) -> Piece | None:
    """The last sentence of the introduction, taken off `waiting`, when only that sentence still fits beside the code."""
    if role != "text" or waiting[-1].has_code or waiting[-1].text.startswith((">", "-", "*", "+", "|")):
        return None
    text, line = waiting[-1].text, waiting[-1].line
    border = max((match.end() for match in SENTENCE.finditer(text) if match.end() < len(text)), default=0)
    sentence = text[border:]
    if not border or text.count("`", 0, border) % 2 or estimate_tokens(sentence) + _JOIN + code.tokens > max_tokens:
        return None
    before = text[:border].rstrip()
    waiting[-1] = Piece(before, line, estimate_tokens(before))
    return Piece(sentence, line + text.count("\n", 0, border), estimate_tokens(sentence))


def _split_block(block: Block, max_tokens: int) -> Iterator[Piece]:
    if (splitter := _SPLITTERS.get(block.kind)) is not None:
        yield from splitter(block, max_tokens)
        return
    segments = list(_segments(block))
    around = enclosing_items(segments) if block.kind == "list" else [()] * len(segments)
    current: list[int] = []
    sizes: list[int] = []
    head, is_first = "", True
    for number, segment in enumerate(segments):
        tokens = estimate_tokens(segment.text) + _JOIN
        if current and sum(sizes) + tokens > max_tokens:
            introduces = segment.kind == "code" and segments[current[-1]].kind == "text"
            leads = introduces or around[number][-1:] == (current[-1],)
            keep = 1 if leads and len(current) > 1 and sizes[-1] + tokens <= max_tokens else 0
            yield _joined([segments[at] for at in current[: len(current) - keep]], head)
            is_first = False
            current, sizes = current[len(current) - keep :], sizes[len(sizes) - keep :]
            head = repeated(segments, around[current[0]], max_tokens) if current else ""
            sizes = [estimate_tokens(head) + _JOIN, *sizes] if current else []
        if tokens > _limit(segment, max_tokens, max_tokens):
            if current:
                yield _joined([segments[at] for at in current], head)
            current, sizes, is_first = [], [], False
            yield from _SPLITTERS.get(segment.kind, split_lines)(segment, max_tokens)
            continue
        if not current:
            head = "" if is_first else repeated(segments, around[number], max_tokens - tokens)
            sizes = [estimate_tokens(head) + _JOIN]
        current.append(number)
        sizes.append(tokens)
    if current:
        yield _joined([segments[at] for at in current], head)


def _joined(segments: Sequence[Block], head: str = "") -> Piece:
    """Neighbouring segments as they stood in their block, below what is shown again above them, moved to the left margin."""
    text = to_margin("\n".join([*([head, ""] if head else []), *(segment.text for segment in segments)])).strip("\n")
    return Piece(text, segments[0].line, estimate_tokens(text), any(segment.kind == "code" for segment in segments))


def _segments(block: Block) -> Iterator[Block]:
    """The lines of a block in groups that should not be parted: a fence, a table, a list item's lines, a paragraph.

    Lines are kept as they are; a blank line ends the group before it and belongs to it.
    """
    lines = block.text.split("\n")
    number = 0
    start = 0
    while number < len(lines):
        mark = fence_opening(lines[number])
        if mark:
            end = number + 1
            while end < len(lines) and not fence_closes(lines[end], mark):
                end += 1
            end = min(end + 1, len(lines))
            if _ITEM.match(lines[number]) is None and start < number:
                yield _segment(block, lines, start, number)
                start = number
            yield _segment(block, lines, start, end, "code")
            number = start = end
            continue
        if number > start and (_ITEM.match(lines[number]) or not _PREFIX.sub("", lines[number - 1])):
            yield _segment(block, lines, start, number)
            start = number
        if number + 1 < len(lines) and "|" in lines[number] and _TABLE_RULE.match(lines[number + 1]):
            end = number + 2
            while end < len(lines) and "|" in lines[end]:
                end += 1
            if start < number:
                yield _segment(block, lines, start, number)
            yield _segment(block, lines, number, end, "table")
            number = start = end
            continue
        number += 1
    if start < len(lines):
        yield _segment(block, lines, start, len(lines))


def _segment(block: Block, lines: Sequence[str], start: int, end: int, kind: Kind = "text") -> Block:
    return block._replace(kind=kind, text="\n".join(lines[start:end]), line=block.line + start)


def _split_code(block: Block, max_tokens: int) -> Iterator[Piece]:
    for text, before in split_fence(block.text, max_tokens):
        yield Piece(text, block.line + before, estimate_tokens(text), has_code=True, is_part=True)


_SPLITTERS = {"table": split_table, "code": _split_code}
