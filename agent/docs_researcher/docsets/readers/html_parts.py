"""A very long HTML page as several pages of one path and title, so that its blocks need not be in memory all at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from docs_researcher.docsets.readers.base import Block, Page, PageLink
from docs_researcher.docsets.readers.html import HtmlReading
from docs_researcher.docsets.readers.html_inline import terminated
from docs_researcher.docsets.readers.parts import FORCED_CHARACTERS, PART_CHARACTERS

_BORDER_LEVEL = 2
"""A part ends before a heading of this level or above, as in Markdown."""
_MAIN = re.compile(r"<(?:main|article)\b|\brole\s*=\s*[\"']?main\b", re.IGNORECASE)
"""Nothing else opens a main content; a comment may hold it as well."""


@dataclass(slots=True)
class _Waiting:
    """What was read and is not yet part of a page."""

    blocks: list[Block] = field(default_factory=list[Block])
    links: list[PageLink] = field(default_factory=list[PageLink])
    names: list[tuple[str, int]] = field(default_factory=list["tuple[str, int]"])

    def take(self, reading: HtmlReading, *, only_main: bool) -> None:
        """Take over what a reading has put down since."""
        self.blocks.extend(block for block, is_main in reading.blocks if is_main or not only_main)
        self.links.extend(link for link, is_main in reading.links if is_main or not only_main)
        self.names.extend(reading.names)
        reading.blocks.clear()
        reading.links.clear()
        reading.names.clear()

    def border(self) -> int:
        """The block before which a part may end now; 0: none yet."""
        for number in range(len(self.blocks) - 1, 0, -1):
            if self.blocks[number].kind == "heading" and self.blocks[number].level <= _BORDER_LEVEL:
                return number
        is_full = sum(len(block.text) for block in self.blocks) >= FORCED_CHARACTERS
        return len(self.blocks) - 1 if is_full else 0

    def cut(self, border: int) -> _Waiting:
        """The blocks before `border` with what stands in their lines, which is then no longer here."""
        line = self.blocks[border].line
        first = _Waiting(
            self.blocks[:border],
            [link for link in self.links if link.line < line],
            [name for name in self.names if name[1] < line],
        )
        self.blocks = self.blocks[border:]
        self.links = [link for link in self.links if link.line >= line]
        self.names = [name for name in self.names if name[1] >= line]
        return first


@dataclass(slots=True)
class _Overview:
    """What is known of a page only when all of it was read once."""

    title: str
    description: str
    has_main: bool


def read_html_in_parts(path: str, text: str) -> Iterator[Page]:
    """The page in a very long text as several pages, each read when it is asked for. Never raises for what stands in it."""
    text = terminated(text)
    overview = _overview(path, text)
    description = overview.description
    for part in _parts(text, only_main=overview.has_main):
        if part.blocks:
            yield Page(path, overview.title, description, tuple(part.blocks), links=tuple(part.links), names=tuple(part.names))
            description = ""


def _overview(path: str, text: str) -> _Overview:
    """A first reading, as far as it must go: whether a page has a main content, which decides what is shown, may be said late."""
    may_have_main = _MAIN.search(text) is not None
    first: dict[bool, str] = {}
    reading = HtmlReading()
    for piece in _pieces(text):
        _feed(reading, piece)
        _note_headings(reading.blocks, first)
        if reading.has_main is may_have_main and reading.has_main in first:
            break
        reading.blocks.clear()
        reading.links.clear()
        reading.names.clear()
    heading = first.get(reading.has_main, "")
    title = heading or " ".join("".join(reading.title).split()) or PurePosixPath(path).stem
    return _Overview(title, reading.description, reading.has_main)


def _note_headings(blocks: Sequence[tuple[Block, bool]], first: dict[bool, str]) -> None:
    for block, is_main in blocks:
        if block.kind == "heading":
            first.setdefault(is_main, block.title)


def _parts(text: str, *, only_main: bool) -> Iterator[_Waiting]:
    reading, waiting = HtmlReading(), _Waiting()
    for piece in _pieces(text):
        _feed(reading, piece)
        waiting.take(reading, only_main=only_main)
        border = waiting.border()
        if border:
            yield waiting.cut(border)
    yield waiting


def _feed(reading: HtmlReading, piece: str | None) -> None:
    if piece is not None:
        reading.feed(piece)
    else:
        reading.close()
        reading.finish()


def _pieces(text: str) -> Iterator[str | None]:
    """The text in pieces that each end before a tag, so that no running text is torn; then None, for its end."""
    position = 0
    while position < len(text):
        end = text.find("<", position + PART_CHARACTERS)
        end = len(text) if end < 0 else end
        yield text[position:end]
        position = end
    yield None
