"""HTML pages as blocks of Markdown: the main content without menus, code with its language, tables as tables.

Read with the parser of the standard library in one pass; nothing is fetched and no script is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import PurePosixPath

from docs_researcher.docsets.readers.base import NO_SITE, Block, Kind, Page, PageLink, Site
from docs_researcher.docsets.readers.html_inline import Inline, cell_text, terminated
from docs_researcher.docsets.readers.reference import fenced

_DROPPED = frozenset(
    "script style nav footer noscript aside iframe form svg canvas button template select dialog object audio video".split()
)
_DROPPED_CLASSES = re.compile(
    r"\b(?:headerlink|hash-link|anchor|gutter|linenos?|line-numbers|breadcrumbs?|sidebar|navbar|pagination|toc|"
    r"sphinxsidebar|admonitionIcon\w*|table-of-contents|skip-link|cookie\w*|copybtn|edit-(?:page|this-page)|theme-doc-toc\S*)\b",
    re.IGNORECASE,
)
_DROPPED_ROLES = frozenset({"navigation", "search", "banner", "contentinfo", "complementary"})
_NOTE_TITLE = re.compile(r"\b(?:admonition-?title|admonition-?heading|alert-heading|callout-title)", re.IGNORECASE)
_BLOCKS = frozenset(
    "p div section article main body header figure figcaption details summary dl dt dd address center fieldset hgroup".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_LANGUAGE = re.compile(r"(?:language|lang|highlight-source|highlight|brush:?)[- ]?([\w+#]+)", re.IGNORECASE)
_NO_LANGUAGE = frozenset({"default", "none", "text", "plaintext", "notranslate", "source", "wrapper", "highlighter"})


def read_html(path: str, text: str, _site: Site = NO_SITE) -> Page | None:
    """The page in `text`, or None when it holds nothing to read. Never raises for what stands in the text."""
    reading = HtmlReading()
    reading.feed(terminated(text))
    reading.close()
    reading.finish()
    blocks = [block for block, is_main in reading.blocks if is_main or not reading.has_main]
    if not any(block.kind != "heading" for block in blocks):
        return None
    heading = next((block.title for block in blocks if block.kind == "heading"), "")
    title = heading or " ".join("".join(reading.title).split()) or PurePosixPath(path).stem
    links = tuple(link for link, is_main in reading.links if is_main or not reading.has_main)
    return Page(path, title, reading.description, tuple(blocks), links=links, names=tuple(reading.names))


@dataclass(slots=True)
class _List:
    """A list that is open: its items as lines of Markdown."""

    ordered: bool
    count: int = 0


@dataclass(slots=True)
class _Table:
    rows: list[list[str]] = field(default_factory=list[list[str]])
    cell: Inline | None = None
    line: int = 1


class HtmlReading(HTMLParser):
    """One pass over a page. Text is gathered until a border of a block comes; the block is then put down."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[tuple[Block, bool]] = []
        """Every block, and whether it stands in the main content."""
        self.links: list[tuple[PageLink, bool]] = []
        self.names: list[tuple[str, int]] = []
        self.title: list[str] = []
        self.description = ""
        self.has_main = False
        self._mains: list[tuple[str, int]] = []
        """The elements of the main content that are open, with the number of equal elements open inside each."""
        self._dropping: list[str] = []
        self._inline = Inline()
        self._line = 1
        self._heading = 0
        self._anchor: str | None = None
        self._lists: list[_List] = []
        self._items: list[str] = []
        self._items_line = 1
        self._is_new_item = False
        self._quotes = 0
        self._pre: list[str] | None = None
        self._languages: list[str] = []
        self._table: _Table | None = None
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        attributes = {name: value or "" for name, value in attrs}
        self._in_title = False  # nothing stands inside a title; one that is never closed must not swallow the page
        if self._dropping or self._is_dropped(tag, attributes):
            if tag not in _VOID and (not self._dropping or tag == self._dropping[0]):
                self._dropping.append(tag)
            return
        self._enter_main(tag, attributes)
        if attributes.get("id"):
            self.names.append((f"#{attributes['id']}", self.getpos()[0]))
        if self._pre is not None:
            self._language(attributes)
            if tag == "br":
                self._pre.append("\n")
        elif tag in _HEADINGS:
            self._flush()
            self._heading = _HEADINGS[tag]
            self._line = self.getpos()[0]
            self._anchor = attributes.get("id") or self._anchor
        else:
            self._open(tag, attributes)

    def _enter_main(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Note where the main content begins; inside it, elements of the same name are counted to know its end."""
        if tag in ("main", "article") or attributes.get("role") == "main":
            self.has_main = True
            self._mains.append((tag, 1))
        elif self._mains and self._mains[-1][0] == tag:
            self._mains[-1] = (tag, self._mains[-1][1] + 1)

    def _leave_main(self, tag: str) -> None:
        if self._mains and self._mains[-1][0] == tag:
            left = self._mains.pop()[1] - 1
            if left:
                self._mains.append((tag, left))

    def _open(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "title":
            self._in_title = True
        elif tag == "pre":
            self._flush()
            self._pre = []
            self._line = self.getpos()[0]
            self._language(attributes)
        elif tag in ("ul", "ol"):
            start = attributes.get("start", "")
            self._open_list(tag == "ol", int(start) if start.isdigit() and len(start) < 6 else 1)
        elif tag == "li":
            self._open_item()
        elif tag == "meta" and attributes.get("name", "").lower() == "description":
            self.description = self.description or " ".join(attributes.get("content", "").split())
        elif tag == "blockquote":
            self._flush()
            self._quotes += 1
        elif tag in ("table", "tr", "td", "th"):
            self._open_table(tag)
        elif tag in _BLOCKS or tag == "hr":
            self._open_block(tag, attributes)
        else:
            self._target.open(tag, attributes)

    def _open_block(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._flush()
        if tag == "section" or attributes.get("id"):
            self._anchor = attributes.get("id") or self._anchor
        if tag == "div":
            self._language(attributes)
        classes = attributes.get("class", "")
        if tag == "dt" and classes.startswith("sig"):  # Sphinx: the signature of an object
            self._target.open("code", {})
        elif tag in ("dt", "summary") or _NOTE_TITLE.search(classes):
            self._target.label()

    def handle_endtag(self, tag: str) -> None:
        """Close an element; a stray end is passed over."""
        if self._dropping:
            if tag == self._dropping[0]:
                self._dropping.pop()
            return
        if tag == "pre" and self._pre is not None:
            self._close_pre()
        elif self._pre is None:
            self._close(tag)
        self._leave_main(tag)

    def _close(self, tag: str) -> None:
        if tag in _HEADINGS:
            self._close_heading()
        elif tag == "title":
            self._in_title = False
        elif tag in ("ul", "ol"):
            self._close_list()
        elif tag == "blockquote":
            self._flush()
            self._quotes = max(0, self._quotes - 1)
        elif tag in ("table", "tr", "td", "th"):
            self._close_table(tag)
        elif tag in _BLOCKS or tag == "li":
            self._flush()
        else:
            if tag == "a" and (link := self._target.link()) and "://" not in link[0]:
                self.links.append((PageLink(self.getpos()[0], link[1], link[0]), bool(self._mains)))
            self._target.close(tag)

    def handle_data(self, data: str) -> None:
        """Text between tags."""
        if self._dropping:
            return
        if self._pre is not None:
            self._pre.append(data)
        elif self._in_title:
            self.title.append(data)
        else:
            if self._inline.is_empty and data.strip():
                self._line = self.getpos()[0] + data[: len(data) - len(data.lstrip())].count("\n")
            self._target.text(data)

    def finish(self) -> None:
        """Put down what is still open at the end of the text."""
        if self._pre is not None:
            self._close_pre()
        if self._heading:
            self._close_heading()
        self._flush()
        while self._lists:
            self._close_list()
        if self._table is not None:
            self._close_table("table")

    @property
    def _target(self) -> Inline:
        cell = self._table.cell if self._table is not None else None
        return cell if cell is not None else self._inline

    def _is_dropped(self, tag: str, attributes: Mapping[str, str]) -> bool:
        if tag in _DROPPED or (tag == "header" and not self._mains):
            return True
        is_hidden = "hidden" in attributes and attributes.get("role") != "tabpanel"  # a tab that is not in front is documentation
        if is_hidden or attributes.get("aria-hidden") == "true":
            return tag not in _VOID
        if attributes.get("role", "") in _DROPPED_ROLES:
            return True
        classes = attributes.get("class", "")
        if not classes or tag in ("body", "html", "main", "article") or tag in _HEADINGS:  # `<h2 class="anchor">` is a heading
            return False
        return bool(_DROPPED_CLASSES.search(classes))

    def _language(self, attributes: Mapping[str, str]) -> None:
        match = _LANGUAGE.search(attributes.get("class", "")) or _LANGUAGE.search(f"lang-{attributes.get('data-lang', '')}")
        if match and match[1].lower() not in _NO_LANGUAGE:
            self._languages.append(match[1].lower())

    def _put(self, kind: Kind, text: str, line: int, language: str = "") -> None:
        if self._table is not None and self._table.cell is not None and kind != "code":
            self._table.cell.text(f" {text} ")
            return
        if self._quotes and kind != "code":
            kind, text = "quote", "\n".join(f"> {row}".rstrip() for row in text.split("\n"))
        self.blocks.append((Block(kind, text, line, language=language), bool(self._mains)))

    def _flush(self) -> None:
        """Put down the running text: into the list item that is open, else as a paragraph."""
        if self._heading or (self._table is not None and self._table.cell is not None):
            return
        text = self._inline.take()
        if not text:
            return
        if self._lists:
            self._add_to_item(text)
        else:
            self._put("text", text, self._line)

    def _close_heading(self) -> None:
        title = cell_text(self._inline.take())
        level, self._heading = self._heading, 0
        anchor, self._anchor = self._anchor, None
        if not title or not level:
            return
        if self._lists or self._table is not None:
            self._inline.text(f"{title} ")
            return
        plain = re.sub(r"[*_`]", "", title)
        block = Block("heading", f"{'#' * level} {title}", self._line, level=level, title=plain, anchor=anchor)
        self.blocks.append((block, bool(self._mains)))

    def _close_pre(self) -> None:
        code = "".join(self._pre or ()).strip("\n").replace("\r", "")
        self._pre = None
        language = self._languages[-1] if self._languages else ""
        self._languages.clear()
        if not code.strip():
            return
        if self._table is not None and self._table.cell is not None and "\n" not in code:
            self._table.cell.text(f"`{code}`")
            return
        text = fenced(language, code)
        if self._lists:
            self._add_to_item(text)
        else:
            self._put("code", text, self._line, language)

    def _open_list(self, ordered: bool, start: int = 1) -> None:
        self._flush()
        if not self._lists:
            self._items, self._items_line = [], self.getpos()[0]
        self._lists.append(_List(ordered, start - 1))

    def _open_item(self) -> None:
        self._flush()
        if not self._lists:
            self._open_list(ordered=False)
        current = self._lists[-1]
        current.count += 1
        mark = f"{current.count}." if current.ordered else "-"
        if self._is_new_item:
            self._items.pop()  # nothing stood in the one before
        self._items.append(self._margin(self._lists[:-1]) + mark + " ")
        self._is_new_item = True

    @staticmethod
    def _margin(lists: Sequence[_List]) -> str:
        """What stands before a line inside these lists: the width of their marks."""
        return "".join(" " * len(f"{item.count}. ") if item.ordered else "  " for item in lists)

    def _add_to_item(self, text: str) -> None:
        if not self._items:
            self._open_item()
        indent = self._margin(self._lists)
        lines = text.split("\n")
        if self._is_new_item and not text.startswith("```"):
            self._items[-1] += lines.pop(0)
        elif text.startswith("```") and not self._is_new_item:
            lines.insert(0, "")
        self._is_new_item = False
        self._items.extend(f"{indent}{line}" if line else "" for line in lines)

    def _close_list(self) -> None:
        self._flush()
        if not self._lists:
            return
        self._lists.pop()
        if not self._lists:
            if self._is_new_item:
                self._items.pop()
            text = "\n".join(self._items).strip("\n")
            self._items, self._is_new_item = [], False
            if text.strip():
                self._put("list", text, self._items_line)

    def _open_table(self, tag: str) -> None:
        if tag == "table" and self._table is None:
            self._flush()
            self._table = _Table(line=self.getpos()[0])
        elif self._table is not None and tag == "tr":
            self._end_cell()
            self._table.rows.append([])
        elif self._table is not None and tag in ("td", "th"):
            self._end_cell()
            self._table.cell = Inline()

    def _end_cell(self) -> None:
        if self._table is not None and self._table.cell is not None:
            if not self._table.rows:
                self._table.rows.append([])
            self._table.rows[-1].append(cell_text(self._table.cell.take()))
            self._table.cell = None

    def _close_table(self, tag: str) -> None:
        self._end_cell()
        if tag != "table" or self._table is None:
            return
        table, self._table = self._table, None
        rows = [row for row in table.rows if any(row)]
        if not rows:
            return
        width = max(map(len, rows))
        lines = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in rows]
        self._put("table", "\n".join([lines[0], "| " + " | ".join(["---"] * width) + " |", *lines[1:]]), table.line)
