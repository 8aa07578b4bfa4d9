"""reStructuredText as tests write it, read into pages and blocks."""

from __future__ import annotations

from textwrap import dedent

from docs_researcher.docsets.readers.base import Block, Page
from docs_researcher.docsets.readers.rst import read_rst


def page_of(text: str, path: str = "docs/page.rst") -> Page:
    page = read_rst(path, dedent(text))
    assert page is not None
    return page


def blocks_of(text: str) -> list[Block]:
    return list(page_of(text).blocks)


def kinds_and_texts(text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in blocks_of(text)]
