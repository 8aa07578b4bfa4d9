"""Markdown and MDX: text in, a page of blocks out.

CommonMark with tables decides what is a block; inline parsing runs on headings only (half of the time saved). Blocks are the
source's own lines with some of them edited: tags, comments and module lines go, so text keeps its form and code is never touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePosixPath
from textwrap import dedent
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from docs_researcher.core.lines import with_line_feeds
from docs_researcher.docsets.readers import myst
from docs_researcher.docsets.readers.base import NO_SITE, Block, Kind, Page, Site
from docs_researcher.docsets.readers.block_parser import QuickBlockParser
from docs_researcher.docsets.readers.block_tokens import INDENTED, PARAGRAPH, PREFORMATTED, REPLACED
from docs_researcher.docsets.readers.components import label_tabs
from docs_researcher.docsets.readers.frontmatter import FrontMatter, split_front_matter
from docs_researcher.docsets.readers.inline import Shown, clean_inline, link_definition
from docs_researcher.docsets.readers.jsx import Scan
from docs_researcher.docsets.readers.marks import shown_lines
from docs_researcher.docsets.readers.parts import parts
from docs_researcher.docsets.readers.places import shown_at
from docs_researcher.docsets.readers.rules import FIRST_CHARACTERS, add_rules

if TYPE_CHECKING:
    from markdown_it.token import Token

_NESTING = 100
"""Deeper lists and quotes than this are kept as plain text. CommonMark's usual bound of 20 would lose what is below it."""
_VISIBLE_CHARACTERS = 500
"""A longer heading is taken as it stands: it is no heading for a reader, and inline parsing could be slow on it."""
_POINTER_CHARACTERS = 200
"""A page with a `source` in its front matter and less text than this is a pointer to that source."""
_DIRECTIVE_DEPTH = 3
"""How deep fenced directives (```{note}) may nest; deeper ones stay code."""

_COMPONENT_LINES = tuple(re.compile(line, re.MULTILINE) for line in (r"<(?<=^<)[A-Z][\w.]*[\s/>]", r"\{(?<=^\{)/\*"))
"""The sign before the look behind it, and one sign a pattern: so it is looked for at these signs only."""
_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(?:.*?^ {0,3}\1[`~]*[ \t]*$|.*\Z)", re.MULTILINE | re.DOTALL)
_HEADING_ID = re.compile(r"[ \t]*(?:\{[:]?[ \t]*#([\w.:-]+)[^{}]*\}|\[#([\w.:-]+)\])[ \t]*$")
_MARKED = re.compile(r"[*_`\[\]<>&\\!~]")
_PLAIN_BACKTICKS = re.compile(r"`{3,}")
_ALERT = re.compile(r"^[> \t]*>[ \t]*\[!\w+\]")
_DIRECTIVE = re.compile(r"\{([\w:-]+)\}[ \t]*(.*)$")
_ROUTE = re.compile(r"[\w.@()\[\]-]+(?:/[\w.@()\[\]-]+)+")
_LINES: dict[str, Kind] = {
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "blockquote_open": "quote",
    "table_open": "table",
    PARAGRAPH: "text",
    f"{INDENTED}_open": "admonition",
}


def read_markdown(path: str, text: str, site: Site = NO_SITE) -> Page | None:
    """The page in `text`, or None when it holds nothing to read. Never raises for what stands in the text."""
    text = with_line_feeds(text.removeprefix("\ufeff")).replace("\0", "\ufffd")
    front, body = split_front_matter(shown_at(path, text, site.places))
    return _page(path, front, tuple(_Document(body, _is_mdx(path, body), site).blocks(front.lines + 1)))


def read_markdown_in_parts(path: str, text: str) -> Iterator[Page]:
    """The page in a very long text as several pages of one path and title, each read when it is asked for."""
    text = with_line_feeds(text.removeprefix("\ufeff")).replace("\0", "\ufffd")
    front, body = split_front_matter(text)
    is_mdx = _is_mdx(path, body)
    for before, part in parts(body):
        page = _page(path, front, tuple(_Document(part, is_mdx).blocks(front.lines + before + 1)))
        if page is not None:
            front = FrontMatter(title=page.title, lines=front.lines)
            yield page


def _is_mdx(path: str, body: str) -> bool:
    if path.lower().endswith(".mdx"):
        return True
    return _has_component(body) and _has_component(_FENCED.sub("", body))


def _has_component(body: str) -> bool:
    return any(line.search(body) for line in _COMPONENT_LINES)


def _page(path: str, front: FrontMatter, blocks: tuple[Block, ...]) -> Page | None:
    alias = _alias(front, blocks)
    if not blocks and alias is None:
        return None
    heading = next((block for block in blocks if block.kind == "heading" and block.title), None)
    is_main = heading is not None and heading.level == 1
    title = front.title or (front.name if not is_main else "") or (heading.title if heading else "") or PurePosixPath(path).stem
    return Page(path, title, front.description, () if alias else blocks, alias_of=alias)


def _alias(front: FrontMatter, blocks: tuple[Block, ...]) -> str | None:
    is_pointer = _ROUTE.fullmatch(front.source) and sum(len(block.text) for block in blocks) < _POINTER_CHARACTERS
    return front.source if is_pointer else None


@cache
def _parser(*, is_mdx: bool) -> MarkdownIt:
    """CommonMark with tables and our rules. MDX has no indented code: components indent what stands in them."""
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _NESTING}).enable("table")
    parser.core.ruler.disable(["normalize", "inline", "text_join"])
    parser.block.ruler.disable(["html_block", "reference"])
    parser.inline.ruler.disable("html_inline")
    if is_mdx:
        parser.block.ruler.disable("code")
    add_rules(parser, is_mdx=is_mdx)
    parser.block = QuickBlockParser(parser.block, FIRST_CHARACTERS, deep_lines_end_text=is_mdx)
    return parser


@dataclass(slots=True)
class _Document:
    """One text, or the body of a directive in it, while its lines are edited."""

    text: str
    is_mdx: bool
    site: Site = NO_SITE
    depth: int = 0
    lines: list[str | None] = field(default_factory=list[str | None])
    """The source's lines as they will be shown; None: not shown."""
    level: int = 0
    """Of the last heading."""
    holders: list[int] = field(default_factory=list[int])
    """Where the admonitions end whose lines have been moved to the left already."""

    def blocks(self, first_line: int) -> Iterator[Block]:
        """The blocks in order. `first_line` is the number of the text's first line in its file."""
        if self.is_mdx:
            self.text = label_tabs(self.text)
        scan = Scan.of(self.text)
        parser = _parser(is_mdx=self.is_mdx)
        tokens = parser.parse(self.text, {"scan": scan, "mdx": self.is_mdx, "myst": self.site.is_myst})
        self.lines = list(self.text.split("\n"))
        shown = Shown(scan, self._take_definitions(tokens), self.site.labels)
        self._edit(tokens, shown)
        for index, token in enumerate(tokens):
            if token.level == 0 and token.nesting >= 0 and token.map is not None:
                yield from self._block(tokens, index, shown, first_line)

    def _take_definitions(self, tokens: list[Token]) -> dict[str, str]:
        """Targets of reference-style links; their lines are no longer shown."""
        links: dict[str, str] = {}
        if "]:" not in self.text:
            return links
        for token in tokens:
            if token.type != PARAGRAPH or token.map is None:
                continue
            for number in range(*token.map):
                definition = link_definition(self.lines[number] or "")
                if definition is None:
                    break
                links.setdefault(*definition)
                self.lines[number] = None
        return links

    def _edit(self, tokens: list[Token], shown: Shown) -> None:
        """Clean the running text in place and set right what stands inside lists and quotes. Code is passed over."""
        table_end = -1
        for token in tokens:
            if token.map is None:
                continue
            start, end = token.map
            if token.type == "table_open":
                table_end = end
                for number in range(start, end):
                    row = clean_inline(self.lines[number] or "", shown)
                    self.lines[number] = row if token.level else _with_outer_pipes(row)
            elif token.type in (PARAGRAPH, "inline") and start >= table_end:
                self._edit_text(start, end, shown)
            elif token.type == f"{INDENTED}_open":
                self._edit_indented(token, start, end)
            elif token.level > 0:
                self._edit_nested(token, start, end)

    def _edit_text(self, start: int, end: int, shown: Shown) -> None:
        kept = [line for line in self.lines[start:end] if line is not None]
        text = "\n".join(kept)
        cleaned = clean_inline(text, shown)
        if cleaned == text:
            return
        self.lines[start:end] = [None] * (end - start)
        if cleaned.strip(" \t>"):
            self.lines[start] = cleaned

    def _edit_indented(self, token: Token, start: int, end: int) -> None:
        """The label of an admonition, and the lines below it four columns to the left."""
        while self.holders and self.holders[-1] <= start:
            self.holders.pop()
        column = int(token.meta["column"]) - 4 * len(self.holders)
        first = int(token.meta["first"])
        prefix = (self.lines[start] or "")[:column]
        is_followed = first < end and bool((self.lines[first] or "").strip(" \t>"))
        gap = f"\n{prefix}".rstrip(" \t") if is_followed else ""
        self.lines[start:first] = [f"{prefix}{token.info}{gap}" if token.info else None, *[None] * (first - start - 1)]
        for number in range(first, end):
            line = self.lines[number]
            if line and not line[column : column + 4].strip():
                self.lines[number] = line[:column] + line[column + 4 :]
        self.holders.append(end)

    def _edit_nested(self, token: Token, start: int, end: int) -> None:
        if token.type == REPLACED:
            prefix = self._prefix(start)
            self.lines[start:end] = [None] * (end - start)
            if token.content or prefix.strip():
                follow = re.sub(r"[^>\s]", " ", prefix)
                self.lines[start] = prefix + token.content.replace("\n", "\n" + follow)
        elif token.type == PREFORMATTED:
            prefix = self._prefix(start)
            follow = re.sub(r"[^>\s]", " ", prefix)
            self.lines[start:end] = [None] * (end - start)
            self.lines[start] = prefix + _fenced(token.info, token.content).replace("\n", "\n" + follow)
        elif token.type == "fence":
            self._close_fence(token, start, end)
            shown = shown_lines([line or "" for line in self.lines[start + 1 : end]], token.info)
            if shown is not None:
                self.lines[start + 1 : end] = shown

    def _close_fence(self, token: Token, start: int, end: int) -> None:
        """Give a fence that its list item or quote left open its end."""
        mark = token.markup
        while end - start > 1 and not (self.lines[end - 1] or "").strip():
            end -= 1
        last = (self.lines[end - 1] or "").lstrip(" \t>")
        is_closed = end - start > 1 and last.rstrip().strip(mark[0]) == "" and len(last.rstrip()) >= len(mark)
        if not is_closed:
            opening = self.lines[start] or ""
            prefix = re.sub(r"[^>\s]", " ", opening[: opening.find(mark)])
            self.lines[end - 1] = f"{self.lines[end - 1] or ''}\n{prefix}{mark}"

    def _prefix(self, number: int) -> str:
        """What stands before the text of a line inside lists and quotes: their marks and spaces."""
        line = self.lines[number] or ""
        found = re.match(r"(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*", line)
        return found.group() if found else ""

    def _block(self, tokens: list[Token], index: int, shown: Shown, first_line: int) -> Iterator[Block]:
        token = tokens[index]
        start, end = token.map or (0, 0)
        line = first_line + start
        if token.type == "heading_open":
            heading = self._heading(token, tokens[index + 1].content, shown, line)
            if heading:
                yield heading
        elif token.type == "fence":
            yield from self._fence(token, line)
        elif token.type == "code_block" or token.type == PREFORMATTED:
            language = token.info if token.type == PREFORMATTED else ""
            yield Block("code", _fenced(language, token.content.rstrip("\n")), line, language=language)
        elif token.type == REPLACED and token.content:
            yield _replaced(token.meta["kind"], token.content, line)
        elif token.type in _LINES:
            block = self._lines_block(_LINES[token.type], start, end, first_line)
            if block:
                yield block if not self._is_too_deep(tokens, index) else _flat(block, shown)

    def _lines_block(self, kind: Kind, start: int, end: int, first_line: int) -> Block | None:
        while start < end and not (self.lines[start] or "").strip():
            start += 1
        text = "\n".join([line for line in self.lines[start:end] if line is not None]).rstrip()
        if not text:
            return None
        indent = len(text) - len(text.lstrip(" \t"))
        if indent:
            strip = re.compile(rf"^[ \t]{{1,{min(indent, 1000)}}}", re.MULTILINE)
            text = strip.sub("", text).lstrip()
        if kind == "quote" and _ALERT.match(text):
            kind = "admonition"
        return Block(kind, text, first_line + start)

    def _is_too_deep(self, tokens: list[Token], index: int) -> bool:
        """Whether the block at `index` nests so deeply that parsing gave up inside it."""
        depth = 0
        while tokens[index].nesting == 1 or depth:
            index += 1
            depth = tokens[index].level
            if depth >= _NESTING - 2:
                return True
            if not depth:
                break
        return False

    def _heading(self, token: Token, content: str, shown: Shown, line: int) -> Block | None:
        text = " ".join(clean_inline(content, shown).split())
        anchor = None
        found = _HEADING_ID.search(text)
        if found:
            anchor = found.group(1) or found.group(2)
            text = text[: found.start()]
        if not text:
            return None
        self.level = level = int(token.tag[1:])
        return Block("heading", f"{'#' * level} {text}", line, level=level, title=_visible(text), anchor=anchor)

    def _fence(self, token: Token, line: int) -> Iterator[Block]:
        info = token.info.strip()
        directive = _DIRECTIVE.match(info)
        name = directive.group(1).lower() if directive else ""
        if directive and self.depth < _DIRECTIVE_DEPTH:
            blocks = myst.directive(name, directive.group(2).strip(), token.content, line, self.level, self._nested)
            if blocks is not None:
                yield from blocks
                return
        words = (directive.group(2) if directive and myst.is_code(name) else info).split()
        language = re.split(r"[{:,]", words[0], maxsplit=1)[0] if words else ""
        opening = f"{token.markup}{token.info}".rstrip()
        fixed = myst.LANGUAGES.get(name) if directive else None
        if fixed is not None:
            language, opening = fixed, f"{token.markup}{fixed}"
        body = myst.without_options(token.content) if directive and myst.is_code(name) else token.content
        shown = shown_lines(body.split("\n"), info)
        body = body if shown is None else "\n".join(line for line in shown if line is not None)
        content = body if not body or body.endswith("\n") else body + "\n"
        yield Block("code", f"{opening}\n{content}{token.markup}", line, language=language)

    def _nested(self, body: str, first_line: int) -> Iterator[Block]:
        yield from _Document(body, self.is_mdx, self.site, self.depth + 1, level=self.level).blocks(first_line)


def _with_outer_pipes(row: str) -> str:
    """A row of a table as all rows are written: GFM takes those without a pipe at either end, other readers do not."""
    row = row.strip()
    opening = "" if row.startswith("|") else "| "
    return f"{opening}{row}" if row.endswith("|") and not row.endswith("\\|") else f"{opening}{row} |"


def _replaced(kind: Kind, content: str, line: int) -> Block:
    """What stands in the place of tags; entries of a file tree lose the indentation that all of them share."""
    language = content.partition("\n")[0].strip("`") if kind == "code" else ""
    return Block(kind, dedent(content) if kind == "list" else content, line, language=language)


def _flat(block: Block, shown: Shown) -> Block:
    return Block(block.kind, clean_inline(block.text, shown), block.line)


def _fenced(language: str, code: str) -> str:
    """`code` in a fence that is longer than any row of back-ticks in it."""
    longest = max((len(run) for run in _PLAIN_BACKTICKS.findall(code)), default=2)
    mark = "`" * (longest + 1)
    return f"{mark}{language}\n{code}\n{mark}"


_PICTURE = re.compile(r"^\s*\(Image: [^()]*\)\s*(?=\S)|(?<=\S)\s*\(Image: [^()]*\)\s*$")
"""What a picture was turned into, beside other words."""


def _visible(text: str) -> str:
    """What a reader sees of inline Markdown: the words of links, emphasis and code without their marks.

    The text that stands for an image counts only where nothing else does: badges beside a title are no part of it.
    """
    if len(text) > _VISIBLE_CHARACTERS or not _MARKED.search(text):
        return _PICTURE.sub("", text) if "(Image: " in text else text
    words: list[str] = []
    parser = _parser(is_mdx=False)
    tokens: list[Token] = []
    parser.inline.parse(text, parser, {}, tokens)
    images: list[str] = []
    for token in tokens:
        if token.type == "image":
            images.append(token.content)
        elif token.type in ("text", "code_inline", "text_special"):
            words.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            words.append(" ")
    seen = _PICTURE.sub("", "".join(words)) or "".join(words)
    return " ".join(seen.split()) or " ".join(" ".join(images).split()) or text
