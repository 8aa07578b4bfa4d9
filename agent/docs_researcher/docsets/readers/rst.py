"""reStructuredText: text in, a page of blocks out. Also `.txt` files that hold it, as Django ships its documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from docs_researcher.core.lines import with_line_feeds
from docs_researcher.docsets.readers.base import NO_SITE, Block, Page, Site

MAX_CHARACTERS = 5_000_000
"""A longer text is kept as plain paragraphs; the longest page known (a change log) has a tenth of it."""

_PAGE_TEMPLATE = re.compile(r"^\{\{[ \t]*(?:obj|full)?name\b[^{}\n]*\|[ \t]*underline\b", re.MULTILINE)
"""What Sphinx's autosummary makes pages of."""
_NO_LINE_END = re.compile(r"[\v\f\x1c-\x1e\x85\u2028\u2029]")
"""What docutils would end a line at, and files, editors and the numbers of lines do not."""
_UNDERLINE = re.compile(r"^\S[^\n]{0,300}\n(=+|-+|~+|\*+|\^+|#+|\"+|\++|`+)[ \t]*$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*\.\. [\w:-]+::", re.MULTILINE)
_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n[ \t]*\S[^\n]*)*")


def read_rst(path: str, text: str, site: Site = NO_SITE) -> Page | None:
    """The page in `text`, or None when it holds nothing to read. Never raises for what stands in the text."""
    text = with_line_feeds(text.removeprefix("\ufeff")).replace("\0", "\ufffd")
    text = _NO_LINE_END.sub(" ", text)
    if not text.strip() or _PAGE_TEMPLATE.search(text):
        return None
    if len(text) <= MAX_CHARACTERS:
        # docutils costs 28 MB and a tenth of a second; file names are matched with readers long before a page is read
        from docs_researcher.docsets.readers.rst_pages import read_document

        try:
            return read_document(path, text, site)
        except Exception:  # noqa: S110 - docutils raises many kinds on odd nesting; the text is worth keeping
            pass
    blocks = tuple(_paragraphs(text))
    title = blocks[0].text.split("\n")[0].strip()
    return Page(path, title or PurePosixPath(path).stem, "", blocks)


def read_text(path: str, text: str, site: Site = NO_SITE) -> Page | None:
    """The page in a `.txt` file: reStructuredText if it has a title with an underline or a directive, else prose, else None."""
    if is_rst(text):
        return read_rst(path, text, site)
    from docs_researcher.docsets.readers.plain import read_plain

    return read_plain(path, text)


def is_rst(text: str) -> bool:
    """Whether a text without a telling file name is reStructuredText."""
    for match in _UNDERLINE.finditer(with_line_feeds(text)):
        title, _, line = match.group().partition("\n")
        if len(line.rstrip()) >= max(len(title.rstrip()) - 1, 3):
            return True
    return _DIRECTIVE.search(text) is not None


def _paragraphs(text: str) -> Iterator[Block]:
    """The text cut at its empty lines: what is left when its structure cannot be read."""
    line, position = 1, 0
    for match in _PARAGRAPH.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        yield Block("text", match.group().rstrip(), line)
