"""Pieces of a block, or of a row of blocks, that fit a number of tokens.

The borders, best first: between blocks (before a heading best of all), between list items and paragraphs, between lines, between
sentences, between words; inside code only where one block alone is larger than CODE_SHARE allows. A table's pieces repeat its
header, those of a list the beginning of the item that was cut, and say that they do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from docs_researcher.core.tokens import LETTER, estimate_tokens
from docs_researcher.docsets.building.split_code import split_fence
from docs_researcher.docsets.building.split_lists import enclosing_items, repeated
from docs_researcher.docsets.readers.base import Block, Kind

_JOIN = 1
"""Tokens counted for the blank line between two blocks; what it really costs is far less, so sums never fall short."""
_FENCE = re.compile(r"^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})([^\n]*)$")
_PREFIX = re.compile(r"^[ \t>]*")
_ITEM = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_TABLE_RULE = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_SENTENCE = re.compile(r"[.!?。！？][\"')\]*_]*(?:\s+|(?<=[。！？]))")
_SPACE = re.compile(r"\s+")
CODE_SHARE = 1.5
"""One block of code may be so many times as large as other text before it is cut: half an example is worth little."""
TABLE_CONTINUED = "(table continued)"
"""Stands above the repeated header of a table's further pieces."""
_INTRODUCING = frozenset({"text", "list", "quote", "admonition"})


class Piece(NamedTuple):
    """Markdown that stays together, with the line it starts on. A tuple, since a build makes one for each block, and more."""

    text: str
    line: int
    tokens: int
    has_code: bool = False
    is_part: bool = False
    """It ends in a part of a block of code that was cut; a further part does not join it."""


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


def has_fence(text: str) -> bool:
    """Whether a code fence opens in `text`, inside lists and quotes too."""
    return ("```" in text or "~~~" in text) and any(_opening(line) for line in text.split("\n"))


def _opening(line: str) -> str:
    """The mark of the fence that opens on this line, or an empty string."""
    match = _FENCE.match(line) if "```" in line or "~~~" in line else None
    if match is None or (match.group(1)[0] == "`" and "`" in match.group(2)):
        return ""
    return match.group(1)


def _closes(line: str, mark: str) -> bool:
    bare = line.lstrip(" \t>").rstrip()
    return len(bare) >= len(mark) and not bare.strip(mark[0])


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
    border = max((match.end() for match in _SENTENCE.finditer(text) if match.end() < len(text)), default=0)
    sentence = text[border:]
    if not border or text.count("`", 0, border) % 2 or estimate_tokens(sentence) + _JOIN + code.tokens > max_tokens:
        return None
    before = text[:border].rstrip()
    waiting[-1] = Piece(before, line, estimate_tokens(before))
    return Piece(sentence, line + text.count("\n", 0, border), estimate_tokens(sentence))


def _split_block(block: Block, max_tokens: int) -> Iterator[Piece]:
    if block.kind == "table":
        yield from _split_table(block, max_tokens)
        return
    if block.kind == "code":
        yield from _split_code(block, max_tokens)
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
            yield from _SPLITTERS.get(segment.kind, _split_lines)(segment, max_tokens)
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
    text = _to_margin("\n".join([*([head, ""] if head else []), *(segment.text for segment in segments)])).strip("\n")
    return Piece(text, segments[0].line, estimate_tokens(text), any(segment.kind == "code" for segment in segments))


def _to_margin(text: str) -> str:
    """The lines moved to the left by the indent of the first one, those of a fence by no more than its own."""
    columns = _indent(text)
    if not columns:
        return text
    lines: list[str] = []
    mark, allowed = "", columns
    for line in text.split("\n"):
        if mark:
            mark = "" if _closes(line, mark) else mark
            lines.append(_moved(line, allowed))
            continue
        mark = _opening(line)
        allowed = min(columns, _indent(line)) if mark else columns
        lines.append(_moved(line, allowed))
    return "\n".join(lines)


def _indent(text: str) -> int:
    """The columns before the first character of a text."""
    return len(text[: len(text) - len(text.lstrip(" \t"))].expandtabs(4))


def _moved(line: str, columns: int) -> str:
    """The line without so many columns of blanks; a tab that reaches further stays."""
    position = column = 0
    while line[position : position + 1] in (" ", "\t"):
        column += 1 if line[position] == " " else 4 - column % 4
        if column > columns:
            break
        position += 1
    return line[position:]


def _segments(block: Block) -> Iterator[Block]:
    """The lines of a block in groups that should not be parted: a fence, a table, a list item's lines, a paragraph.

    Lines are kept as they are; a blank line ends the group before it and belongs to it.
    """
    lines = block.text.split("\n")
    number = 0
    start = 0
    while number < len(lines):
        mark = _opening(lines[number])
        if mark:
            end = number + 1
            while end < len(lines) and not _closes(lines[end], mark):
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


def _split_table(block: Block, max_tokens: int) -> Iterator[Piece]:
    lines = [line for line in block.text.split("\n") if line.strip()]
    header, rows = "\n".join(lines[:2]), lines[2:]
    header_tokens = estimate_tokens(f"{TABLE_CONTINUED}\n\n{header}") + 1
    room = max_tokens - header_tokens
    if room < max_tokens // 4:  # a header that fills the piece would repeat itself to no use
        yield from _split_lines(block, max_tokens)
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
            yield from _split_lines(block._replace(text=row, line=block.line + 2 + number), max_tokens)
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


_SPLITTERS = {"table": _split_table, "code": _split_code}


def _split_lines(block: Block, max_tokens: int) -> Iterator[Piece]:
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
    text = _to_margin("\n".join(lines).strip("\n"))
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
    sentences = [match.end() for match in _SENTENCE.finditer(window, half)]
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
