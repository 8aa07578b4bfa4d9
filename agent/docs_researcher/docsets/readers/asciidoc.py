"""AsciiDoc: sections, listings, tables, admonitions and lists, of the branches of conditions that a page in HTML shows."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from textwrap import dedent

from docs_researcher.core.lines import with_line_feeds
from docs_researcher.docsets.readers.asciidoc_conditions import shown_lines
from docs_researcher.docsets.readers.asciidoc_inline import inline, with_attributes
from docs_researcher.docsets.readers.base import NO_SITE, Block, Kind, Page, Site
from docs_researcher.docsets.readers.reference import fenced

_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?[ \t]*$")
_ATTRIBUTE = re.compile(r":(!?[\w][\w-]*!?):(?:[ \t]+(.*))?$")
_BLOCK_ATTRIBUTES = re.compile(r"\[([^\[\]]*)\][ \t]*$")
_ANCHOR = re.compile(r"\[\[([\w:.-]+)[^\]]*\]\][ \t]*$")
_DELIMITER = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|/{4,}|\+{4,}|--|`{3,}.*|[|,:!]={3,})[ \t]*$")
_ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(.*)$")
_ITEM = re.compile(r"[ \t]*(\*{1,5}|-|\.{1,5}|\d+\.|<\.>|<\d+>)[ \t]+(\S.*)$")
_TERM = re.compile(r"(\S.*?)(?:::+|;;)(?:[ \t]+(.*))?$")
_DROPPED = re.compile(r"(?:include|ifdef|ifndef|ifeval|endif|image|video|audio|toc)::|//(?!/)|'{3}$|<<<$")
_TITLE = re.compile(r"\.(?=[^\s.])(.+)$")
_LABELS = frozenset({"NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"})


def read_asciidoc(path: str, text: str, _site: Site = NO_SITE) -> Page | None:
    """The page in `text`, or None when it holds nothing to read. Never raises for what stands in the text."""
    text = with_line_feeds(text.removeprefix("\ufeff"))
    lines, numbers = shown_lines(text)
    reading = _Reading(lines, numbers)
    blocks = tuple(reading.blocks())
    if not any(block.kind != "heading" for block in blocks):
        return None
    title = reading.title or next((block.title for block in blocks if block.kind == "heading"), PurePosixPath(path).stem)
    return Page(path, title, reading.attributes.get("description", ""), blocks)


@dataclass(slots=True)
class _Reading:
    """One pass over the lines of a document."""

    lines: list[str]
    numbers: list[int]
    """Of the lines in their file."""
    title: str = ""
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    number: int = 0
    style: str = ""
    """The attributes in brackets that stand above the next block."""
    anchor: str | None = None

    def blocks(self) -> Iterator[Block]:
        """Every block of the document."""
        while self.number < len(self.lines):
            line = self.lines[self.number].rstrip()
            if not line or line == "+" or self._is_about(line):
                self.number += 1
            else:
                yield from self._block(line)

    def _is_about(self, line: str) -> bool:
        """Whether a line says something about the document or the next block, and shows nothing itself."""
        attribute = _ATTRIBUTE.match(line)
        if attribute:
            self.attributes[attribute[1].strip("!")] = self._text(attribute[2] or "")
            return True
        anchor = _ANCHOR.match(line)
        if anchor:
            self.anchor = anchor[1]
            return True
        style = _BLOCK_ATTRIBUTES.match(line)
        if style:
            self.style = style[1]
            found = re.search(r"#([\w-]+)", style[1])
            self.anchor = found[1] if found else self.anchor
            return True
        return _DROPPED.match(line) is not None

    def _block(self, line: str) -> Iterator[Block]:
        start = self.numbers[self.number]
        heading = _HEADING.match(line)
        delimiter = _DELIMITER.match(line)
        title = _TITLE.match(line)
        if heading:
            self.number += 1
            yield from self._heading(heading, start)
        elif delimiter:
            yield from self._delimited(delimiter[1], start)
        elif title:
            self.number += 1
            yield Block("text", f"**{self._text(title[1])}**", start)
        elif _ITEM.match(line) or _TERM.fullmatch(line):
            yield Block("list", self._list(), start)
        elif line.startswith((" ", "\t")):
            yield Block("code", fenced("", dedent("\n".join(self._paragraph()))), start)
        else:
            yield from self._prose(start)
        if not title:
            self.style = ""

    def _heading(self, match: re.Match[str], line: int) -> Iterator[Block]:
        level, text = len(match[1]), self._text(match[2])
        anchor, self.anchor = self.anchor, None
        if level == 1 and not self.title:
            self.title = text
            self._header()
        plain = re.sub(r"[*_`]", "", text)
        yield Block("heading", f"{'#' * level} {text}", line, level=level, title=plain, anchor=anchor)

    def _header(self) -> None:
        """Author and revision stand directly below the title, up to the first empty line."""
        while self.number < len(self.lines) and self.lines[self.number].strip():
            if not self._is_about(self.lines[self.number].rstrip()) and not re.match(
                r"[\w.' -]+<[^>]+>|v?\d", self.lines[self.number]
            ):
                return
            self.number += 1

    def _delimited(self, mark: str, line: int) -> Iterator[Block]:
        body, numbers = self._until(mark)
        kind = mark[0]
        words = [word.strip() for word in self.style.split(",")]
        if kind in "/+":  # comments, and what goes to a browser as it is
            return
        if kind == "`":
            language = mark.strip("`").strip()
            yield Block("code", fenced(language, "\n".join(body)), line, language=language)
        elif kind in "-." and mark != "--":
            if re.search(r"subs=[\"'\w,+]*attributes", self.style):
                body = [with_attributes(row, self.attributes) for row in body]
            language = words[1] if len(words) > 1 and words[0] in ("source", "") else ""
            language = language.partition("%")[0].strip('"')
            yield Block("code", fenced(language, "\n".join(body)), line, language=language)
        elif kind in "|,:!":
            yield from _table(body, line, self)
        else:
            label = words[0].upper() if words[0].upper() in _LABELS else ""
            if label:
                yield Block("admonition", f"**{label.capitalize()}**", line)
            inner = _Reading(body, numbers, title="-", attributes=self.attributes)
            for block in inner.blocks():
                kept: Kind = "quote" if kind == "_" and block.kind == "text" else block.kind
                text = f"> {block.text}".replace("\n", "\n> ") if kept == "quote" else block.text
                if block.kind == "heading":
                    kept, text = "text", f"**{block.title}**"
                yield Block(kept, text, block.line, language=block.language)

    def _until(self, mark: str) -> tuple[list[str], list[int]]:
        """The lines up to the same mark, or to the end where it never comes, and their numbers."""
        self.number += 1
        start = self.number
        end = "`" * (len(mark) - len(mark.lstrip("`"))) if mark.startswith("`") else mark
        while self.number < len(self.lines) and self.lines[self.number].rstrip() != end:
            self.number += 1
        found = self.lines[start : self.number], self.numbers[start : self.number]
        self.number += 1
        return found

    def _paragraph(self) -> list[str]:
        start = self.number
        while self.number < len(self.lines) and self.lines[self.number].strip():
            if self.number > start and (_DELIMITER.match(self.lines[self.number]) or self.lines[self.number].strip() == "+"):
                break
            self.number += 1
        return self.lines[start : self.number]

    def _prose(self, line: int) -> Iterator[Block]:
        rows = [row for row in self._paragraph() if not _DROPPED.match(row)]
        text = self._text("\n".join(rows))
        if not text.strip():
            return
        words = [word.strip() for word in self.style.split(",")]
        if words[0] in ("source", "listing") or self.style.startswith("%"):
            yield Block("code", fenced(words[1] if len(words) > 1 else "", "\n".join(rows)), line)
            return
        note = _ADMONITION.match(text.partition("\n")[0])
        label = note[1] if note else words[0].upper() if words[0].upper() in _LABELS else ""
        if label:
            body = text[len(label) + 1 :].lstrip() if note else text
            yield Block("admonition", f"**{label.capitalize()}**: {body}", line)
        else:
            yield Block("text", text, line)

    def _list(self) -> str:
        """The items up to the end of the list, with what is attached to them by `+`."""
        rows: list[str] = []
        depth = 0
        while self.number < len(self.lines):
            line = self.lines[self.number].rstrip()
            item, term = _ITEM.match(line), _TERM.fullmatch(line)
            if item:
                depth = len(item[1]) - 1 if item[1][0] in "*." else 0
                mark = "1." if item[1][0] in ".<0123456789" else "-"
                rows.append(f"{'  ' * depth}{mark} {self._text(item[2])}")
                self.number += 1
            elif term and not line.startswith((" ", "\t", "|")):
                rows.append(f"- **{self._text(term[1])}**" + (f": {self._text(term[2])}" if term[2] else ""))
                depth = 0
                self.number += 1
            elif line == "+":
                self.number += 1
                rows.extend(self._attached(depth))
            elif not line and self._goes_on():
                self.number += 1
            elif not line or _DELIMITER.match(line) or _HEADING.match(line) or _BLOCK_ATTRIBUTES.match(line):
                break
            else:
                rows.append(f"{'  ' * (depth + 1)}{self._text(line.strip())}")
                self.number += 1
        return "\n".join(rows)

    def _goes_on(self) -> bool:
        following = next((line for line in self.lines[self.number :] if line.strip()), "")
        return bool(_ITEM.match(following) or _TERM.fullmatch(following.rstrip()))

    def _attached(self, depth: int) -> Iterator[str]:
        while self.number < len(self.lines) and self._is_about(self.lines[self.number].rstrip()):
            self.number += 1
        if self.number >= len(self.lines) or not self.lines[self.number].strip():
            return
        for block in self._block(self.lines[self.number].rstrip()):
            yield ""
            yield from (f"{'  ' * (depth + 1)}{row}" if row else "" for row in block.text.split("\n"))

    def _text(self, text: str) -> str:
        return inline(text, self.attributes)


def _cells_of(row: str, style: str) -> str:
    """A row of values with a sign between them, in the form of other tables."""
    sign = "\t" if "tsv" in style else ":" if "dsv" in style else ","
    values = list(csv.reader([row.replace("|", "\\|")], delimiter=sign)) if row.strip() else []
    return " ".join(f"|{value.strip()}" for value in values[0]) if values else ""


def _table(body: list[str], line: int, reading: _Reading) -> Iterator[Block]:
    """A table as Markdown. The first row of cells on one line says how many columns there are."""
    if re.search(r"format=\"?(?:csv|dsv|tsv)", reading.style) or reading.style.startswith("%csv"):
        body = [_cells_of(row, reading.style) for row in body]
    cells: list[str] = []
    width = 0
    for row in body:
        found = re.split(r"(?:(?<=\s)|^)(?:[\d.+*]*[<^>.]*[aehlmsdv]?)?(?<!\\)\|", row)
        if len(found) > 1:
            if found[0].strip() and cells:
                cells[-1] = f"{cells[-1]} {found[0].strip()}"
            cells.extend(part.strip() for part in found[1:])
            width = width or len(found) - 1
        elif row.strip() and cells:
            cells[-1] = f"{cells[-1]} {row.strip()}".strip()
    columns = re.search(r"cols=\"?([^\"\]]+)", reading.style)
    if columns:
        star = re.fullmatch(r"(\d+)\*.*", columns[1])
        width = int(star[1]) if star else columns[1].count(",") + 1
    if not cells or not 0 < width <= 50:
        return
    texts = [inline(cell, reading.attributes).replace("|", "\\|") for cell in cells]
    rows = [texts[start : start + width] for start in range(0, len(texts), width)]
    lines = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in rows]
    yield Block("table", "\n".join([lines[0], "| " + " | ".join(["---"] * width) + " |", *lines[1:]]), line)
