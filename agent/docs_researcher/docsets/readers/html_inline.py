"""Running text of an HTML page as Markdown: emphasis, inline code and links; blanks as a browser shows them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docs_researcher.docsets.readers.powers import raised

_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*"}
_CODE = frozenset({"code", "tt", "kbd", "samp", "var"})
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_PILCROW = re.compile(r"[¶#\u200b]\s*$")


class Inline:
    """Gathers the text of one block."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._links: list[str] = []
        self._targets: list[tuple[str, int]] = []
        """Of the links that are open: the address, and how much text was there before."""
        self._raised: list[int] = []
        """Of the raised texts that are open: how much text was there before."""
        self._code = 0
        self._is_label = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing was gathered yet."""
        return not self._parts

    def label(self) -> None:
        """Show what comes as a label: a term, or the title of a note."""
        self._is_label = True

    def open(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Begin an inline element."""
        if tag in _CODE:
            self._code += 1
            if self._code == 1:
                self._parts.append("`")
        elif tag in _MARKS and not self._code:
            self._parts.append(_MARKS[tag])
        elif tag == "a":
            target = attributes.get("href", "")
            shown = target if target.startswith(("http://", "https://")) and not self._code else ""
            self._links.append(shown)
            self._targets.append((target, len(self._parts)))
            if shown:
                self._parts.append("[")
        elif tag == "sup":
            self._raised.append(len(self._parts))
        elif tag == "br":
            self._parts.append("\n")
        elif tag == "img" and attributes.get("alt"):
            self._parts.append(attributes["alt"])

    def link(self) -> tuple[str, str] | None:
        """Address and text of the link that ends here, to be asked before it is closed; None without an address."""
        if not self._targets:
            return None
        target, start = self._targets.pop()
        text = " ".join("".join(self._parts[start:]).replace("`", "").replace("*", "").removeprefix("[").split())
        return (target, text) if target else None

    def close(self, tag: str) -> None:
        """End an inline element; a stray end is passed over."""
        if tag in _CODE and self._code:
            self._code -= 1
            if not self._code:
                self._parts.append("`")
        elif tag in _MARKS and not self._code:
            self._parts.append(_MARKS[tag])
        elif tag == "a" and self._links:
            target = self._links.pop()
            if target:
                self._parts.append(f"]({target})")
        elif tag == "sup" and self._raised:
            start = self._raised.pop()
            self._parts[start:] = [raised("".join(self._parts[:start][-2:]), "".join(self._parts[start:]).strip())]

    def text(self, data: str) -> None:
        """Text as it stands in the page."""
        self._parts.append(_BLANKS.sub(" ", data))

    def take(self) -> str:
        """The text gathered so far, which is then forgotten."""
        text = "".join(self._parts) + "`" * (self._code > 0)
        self._parts.clear()
        self._links.clear()
        self._targets.clear()
        self._raised.clear()
        self._code = 0
        text = re.sub(r" *\n *", "\n", re.sub(r" {2,}", " ", text)).strip()
        text = re.sub(r"\[\]\([^)]*\)|\*\*\*\*|``", "", text)
        label, self._is_label = self._is_label, False
        return f"**{text}**" if label and text and "**" not in text else text


def cell_text(text: str) -> str:
    """The text of a heading or a cell on one line, without the mark that links to itself; a pipe would end a cell."""
    return _PILCROW.sub("", " ".join(text.split())).strip().replace("|", "\\|")


def terminated(text: str) -> str:
    """The text with the signs escaped that begin a tag or comment which never ends: they are text.

    The parser would read on to the end for each of a thousand such beginnings.
    """
    last = text.rfind("-->")
    comment = text.find("<!--", last + 1)
    if comment >= 0:
        text = text[:comment] + text[comment:].replace("<!--", "&lt;!--")
    end = text.rfind(">") + 1
    return text[:end] + text[end:].replace("<", "&lt;") if "<" in text[end:] else text
