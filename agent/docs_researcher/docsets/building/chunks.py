"""Pages in pieces that search can find and an answer can hold: sections, small ones joined, large ones split.

The sections directly below a page's title are borders always, deeper ones (down to H4) where their parent is too large.
Neighbouring small sections of one parent share a chunk that keeps their headings as Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.building.anchors import Anchors
from docs_researcher.docsets.building.piece import Measured, Piece, join, measure
from docs_researcher.docsets.building.split import split_blocks
from docs_researcher.docsets.readers.base import MARKDOWN_SUFFIXES, Block, Page, PageLink
from docs_researcher.docsets.readers.reference import EXCEPTIONS

MAX_TOKENS = 800
"""Larger chunks lose answers to the budget, smaller ones lose the words that a question needs (measured 2026-11-29)."""
_BORDER_LEVEL = 4
_SMALL_SHARE = 5
"""A section below a fifth of the limit is small: it is joined with small neighbours."""
_JOINED_SHARE = 2
"""Joined sections fill at most half of the limit, so that each still counts in the ranking."""
_TINY_TOKENS = 40
"""A lead-in below this ("The following options exist:") goes in front of the section it leads to."""
_JOINED_NAME = 100
"""Characters up to which the names of joined sections stand in the heading path."""

_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^()\s]*(?:\([^()]*\)[^()\s]*)*)[^()]*\)")
_CONTENTS = re.compile(r"(?:table of )?contents?|toc|index|on this page|in this (?:page|article|guide|section)", re.IGNORECASE)
_WITH_IDS = tuple(MARKDOWN_SUFFIXES)
"""Pages whose writers give a heading an id of its own behind its words."""
_LISTED_CHARACTERS = 50_000
"""A longer list is no table of contents."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one page. `heading` is the path of headings below the document's title."""

    path: str
    doc_title: str
    heading: tuple[str, ...]
    content: str
    """Markdown. The last heading of the path does not stand in it, unless a text stands before it; those of joined and deeper
    sections do."""
    line: int
    """First line in the source file, counted from 1."""
    anchor: str | None
    """Anchor of the section's heading, unique on its page; None before the first one."""
    tokens: int
    has_code: bool
    links: tuple[PageLink, ...] = ()
    """What stands in it of the page's links."""
    names: tuple[str, ...] = ()
    """What links may call it: `#anchor`, and labels and objects as the targets of a `PageLink` have them."""


@dataclass(slots=True)
class _Section:
    heading: Block | None = None
    path: tuple[str, ...] = ()
    anchor: str | None = None
    own: list[Measured] = field(default_factory=list[Measured])
    children: list[_Section] = field(default_factory=list["_Section"])

    def measured(self) -> list[Measured]:
        """All blocks below the heading, deeper headings included."""
        blocks = list(self.own)
        for child in self.children:
            if child.heading:
                blocks.append(measure(child.heading))
            blocks.extend(child.measured())
        return blocks


@dataclass(slots=True)
class _Part:
    """A chunk to be: `piece` lies in `section`; `whole` says that it is all of it."""

    section: _Section
    piece: Piece
    whole: bool
    first: bool = True
    size: int = 0
    """Tokens with the heading that a joined chunk shows."""

    def __post_init__(self) -> None:
        heading = estimate_tokens(self.section.heading.text) + 1 if self.section.heading else 0
        self.size = self.piece.tokens + heading + 1

    def leads(self, parent: _Section) -> bool:
        """Whether this is a tiny text of `parent` in front of its sections."""
        return self.section is parent and self.whole and self.piece.tokens < _TINY_TOKENS and not self.piece.has_code


@dataclass(frozen=True, slots=True)
class _Limits:
    """How large a chunk may be; with `keep_names` only bare code is joined, and all its names stand in the heading path."""

    max_tokens: int
    keep_names: bool = False


def chunk_page(page: Page, max_tokens: int = MAX_TOKENS, anchors: Anchors | None = None) -> tuple[Chunk, ...]:
    """The chunks of a page in its order, each of at most `max_tokens`; only a single block of code may be half as large again.

    `anchors` are those given out already, when this is a further part of a long page.

    Left out are lists of links into the page itself and sections called "Contents" (or alike) that hold nearly only links.
    """
    root = _sections(page, anchors or Anchors())
    if page.description and not any(page.description in piece.text for _, piece in root.own):
        root.own.insert(0, measure(Block("text", page.description, 1)))
    limits = _Limits(max_tokens, keep_names=page.is_reference)
    return tuple(_chunk(page, group) for group in _groups(root, limits))


def _sections(page: Page, anchors: Anchors) -> _Section:
    """The page's sections as a tree. The heading that stands for the page's title is the root's."""
    root = _Section()
    stack: list[tuple[int, _Section]] = [(0, root)]
    if page.path.lower().endswith(_WITH_IDS):
        page = replace(page, blocks=tuple(map(_with_own_anchor, page.blocks)))
    title_block = _title_heading(page)
    for block in page.blocks:
        if block.kind != "heading" or block.level > _BORDER_LEVEL:
            if not _lists_own_page(block):
                stack[-1][1].own.append(measure(block))
            if block.kind == "heading":
                anchors.take(block.title or block.text, block.anchor)
            continue
        name = block.title or block.text.lstrip("# ")
        anchor = anchors.take(name, block.anchor)
        if block is title_block:
            if name.casefold() != page.title.casefold():
                root.own.append(measure(block))
            continue
        while stack[-1][0] >= block.level:
            stack.pop()
        parent = stack[-1][1]
        section = _Section(block, (*parent.path, name), anchor)
        parent.children.append(section)
        stack.append((block.level, section))
    _drop_contents(root)
    return root


def _with_own_anchor(block: Block) -> Block:
    """A heading with the id that its page gives it, where that is not made of its words.

    In a piece that several sections share, the line of the heading is all that is left of it.
    """
    if block.kind != "heading" or not block.anchor or block.anchor == Anchors().take(block.title or block.text):
        return block
    return block._replace(text=f"{block.text} {{#{block.anchor}}}")


def _title_heading(page: Page) -> Block | None:
    """The first heading, when it stands above all others or says the page's title and has no equal."""
    headings = [block for block in page.blocks if block.kind == "heading"]
    if not headings:
        return None
    first = headings[0]
    is_title = first.title.casefold() == page.title.casefold()
    is_above = all(other.level > first.level for other in headings[1:])
    return first if (first.level == 1 and (is_title or is_above)) or (is_title and is_above) else None


def _drop_contents(section: _Section) -> None:
    section.children = [child for child in section.children if not _is_contents(child)]
    for child in section.children:
        _drop_contents(child)


def _is_contents(section: _Section) -> bool:
    if not section.heading or not _CONTENTS.fullmatch(section.heading.title.strip(" :")):
        return False
    blocks = [block for block, _ in section.measured()]
    if any(block.kind in ("code", "table") for block in blocks):
        return False
    links, rest = _links("\n".join(block.text for block in blocks if block.kind != "heading"))
    return len(links) >= 2 and rest < 0.1


def _lists_own_page(block: Block) -> bool:
    """Whether the block is a list of links to headings of its own page."""
    if block.kind != "list" or "](#" not in block.text or len(block.text) > _LISTED_CHARACTERS:
        return False
    links, rest = _links(block.text)
    return len(links) >= 3 and all(link.startswith("#") for link in links) and rest < 0.1


def _links(text: str) -> tuple[list[str], float]:
    """The link targets in `text`, and the share of its letters and digits that stand outside links."""
    if len(text) > _LISTED_CHARACTERS:
        return [], 1.0
    letters = sum(map(str.isalnum, text))
    outside = sum(map(str.isalnum, _LINK.sub("", text)))
    return _LINK.findall(text), outside / letters if letters else 1.0


def _groups(section: _Section, limits: _Limits) -> list[list[_Part]]:
    """The section's parts, those that share a chunk in one list."""
    own = split_blocks(section.own, limits.max_tokens)
    groups = [[_Part(section, piece, len(own) == 1, first=index == 0)] for index, piece in enumerate(own)]
    for child in section.children:
        groups.extend(_child_groups(child, limits))
    return _joined(section, groups, limits)


def _child_groups(child: _Section, limits: _Limits) -> list[list[_Part]]:
    blocks = child.measured()
    pieces = split_blocks(blocks, limits.max_tokens) if _fits(blocks, limits.max_tokens) else []
    if pieces:
        return [[_Part(child, pieces[0], whole=True)]]
    if not blocks:
        line = child.heading.line if child.heading else 1
        return [[_Part(child, Piece("", line, 0), whole=True)]]
    return _groups(child, limits)


def _fits(blocks: Sequence[Measured], max_tokens: int) -> bool:
    return sum(piece.tokens + 1 for _, piece in blocks) <= max_tokens


def _joined(parent: _Section, groups: list[list[_Part]], limits: _Limits) -> list[list[_Part]]:
    """Small whole sections of `parent` joined with their small neighbours; a tiny lead-in joined with what it leads to."""
    result: list[list[_Part]] = []
    inside = {id(parent), *map(id, parent.children)}
    for group in groups:
        before = result[-1] if result else None
        if before and _may_join(parent, inside, before, group, limits):
            before.extend(group)
        else:
            result.append(group)
    return result


def _may_join(parent: _Section, inside: set[int], before: list[_Part], group: list[_Part], limits: _Limits) -> bool:
    size = sum(part.size for part in before) + sum(part.size for part in group)
    if len(before) == 1 and before[0].leads(parent):
        return size <= limits.max_tokens
    if limits.keep_names and parent.path[-1:] != (EXCEPTIONS,) and not _is_bare([*before, *group]):
        return _are_minor_members(parent, [*before, *group], size, limits)
    small = limits.max_tokens // _SMALL_SHARE
    is_small = all(part.whole and part.size < small and id(part.section) in inside for part in (*before, *group))
    return is_small and size <= limits.max_tokens // _JOINED_SHARE


def _are_minor_members(parent: _Section, parts: Sequence[_Part], size: int, limits: _Limits) -> bool:
    """Whether these are members of one class with a few words each: apart they would crowd out their class."""
    is_minor = bool(parent.path) and all(part.section is not parent and part.size < _TINY_TOKENS * 1.5 for part in parts)
    return is_minor and size <= limits.max_tokens // 4 and len(_names(parts)) <= _JOINED_NAME


def _is_bare(parts: Sequence[_Part]) -> bool:
    """Whether all of it is code about one thing, as `ZodOptional` and `optional`: such names share a chunk that names both."""
    blocks = [block for part in parts for block, _ in part.section.own]
    if not all(block.kind == "code" for block in blocks) or len(_names(parts)) > _JOINED_NAME:
        return False
    last = [part.section.path[-1].rpartition(".")[2].lower() for part in parts if part.section.path]
    longest = max(last, key=len, default="")
    is_one_thing = all(longest.startswith(name) or longest.endswith(name) for name in last)
    return is_one_thing or sum(part.size for part in parts) <= _TINY_TOKENS * 2


def _names(parts: Sequence[_Part]) -> str:
    return " / ".join(part.section.path[-1] for part in parts if part.section.path)


def _chunk(page: Page, group: list[_Part]) -> Chunk:
    """The chunk that a group makes. An empty section without neighbours shows its own heading.

    A text that leads to a section is not below its heading: that is shown between them, and the anchor is that of the text.
    """
    lead = group[0]
    named = group[1:] if len(group) > 1 and _leads(group) else group
    first = named[0].section
    if len(group) == 1:
        pieces = [lead.piece]
    else:
        pieces = [piece for part in group for piece in _with_heading(part, shown=part is not lead or named is group)]
    if len(named) == 1:
        path = first.path
    else:
        names = _names(named)
        path = (*first.path[:-1], names) if len(names) <= _JOINED_NAME else first.path[:-1]
    filled = [piece for piece in pieces if piece.text] or [piece for part in group for piece in _with_heading(part, shown=True)]
    piece = join([piece for piece in filled if piece.text])
    starts = lead.section.heading if lead.first else None
    line = starts.line if starts else lead.piece.line
    return Chunk(page.path, page.title, path, piece.text, line, lead.section.anchor, piece.tokens, piece.has_code)


def _leads(group: list[_Part]) -> bool:
    """Whether the first part is the text of the parent in front of its sections."""
    return len(group[0].section.path) < len(group[1].section.path)


def _with_heading(part: _Part, *, shown: bool) -> list[Piece]:
    heading = part.section.heading
    if heading is None or not shown:
        return [part.piece]
    return [Piece(heading.text, heading.line, estimate_tokens(heading.text)), part.piece]
