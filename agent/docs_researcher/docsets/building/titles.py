"""What a page is called where its first heading is no title: the library's name, or one section of several.

Titles weigh much in the ranking, and readers choose by them. A page that begins with the name of the library (`# mercurius`) is
called by the one section below it, else after its file; so is one whose first heading only opens a section.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from docs_researcher.docsets.readers.base import Block, Page, is_readme, route
from docs_researcher.docsets.sources.base import SourceInfo

_OPENING_CHARACTERS = 200
"""A heading behind more text than this (badges, a motto) does not stand above the whole page."""
_UNTOLD = frozenset({"index", "readme", "home", "main", "skill", "contents", "docs", "doc", "src", "dist", "content", "guide"})
"""Names of files and folders that say nothing of what a page is about."""
_WORDS = re.compile(r"[^\W_]+")


def titled(page: Page, library: SourceInfo) -> Page:
    """The page with a title that tells it from the others of its library; a README at the top is called after the library."""
    if page.is_reference:
        return page
    headings = [block for block in page.blocks if block.kind == "heading"]
    is_main = _is_main(page, headings)
    if is_readme(page.path) and "/" not in page.path:
        is_title = is_main and headings[0].level == 1
        return page if is_title or not library.title else replace(page, title=library.title)
    if not headings or headings[0].title != page.title:  # front matter or the file said it
        return page
    names = {_plain(name) for name in (library.name, library.name.rpartition("/")[2], library.title)}
    if _plain(page.title) in names:
        return _by_subject(page, headings)
    return page if is_main else replace(page, title=_of_file(page) or page.title)


def _is_main(page: Page, headings: Sequence[Block]) -> bool:
    """Whether the title is a heading that stands above the whole page."""
    first = headings[0] if headings else None
    if first is None or first.title != page.title:
        return False
    before = sum(len(block.text) for block in page.blocks[: page.blocks.index(first)])
    is_above = all(other.level > first.level for other in headings[1:])
    return is_above or (first.level == 1 and before <= _OPENING_CHARACTERS)


def _by_subject(page: Page, headings: Sequence[Block]) -> Page:
    """A page whose first heading is the library's name, called by what it is about; that heading is then gone."""
    first, rest = headings[0], headings[1:]
    named = _of_file(page)
    if not named:  # the first page of the documentation is about the library
        return page
    top = min((heading.level for heading in rest), default=0)
    subjects = [heading.title for heading in rest if heading.level == top]
    title = subjects[0] if len(subjects) == 1 and top > first.level and subjects[0] else named
    return replace(page, title=title, blocks=tuple(block for block in page.blocks if block is not first))


def _of_file(page: Page) -> str:
    """The words of the file's name, of its folder's where that says nothing; empty where both do, or the title has them."""
    parts = [PurePosixPath(part).stem if place == 0 else part for place, part in enumerate(reversed(route(page.path)))]
    told = next((part for part in parts[:2] if part.lower().strip("_") not in _UNTOLD), "")
    words = re.sub(r"[-_\s]+", " ", told).strip()
    if {word.lower() for word in _WORDS.findall(words)} & {word.lower() for word in _WORDS.findall(page.title)}:
        return ""
    return words[:1].upper() + words[1:]


def _plain(name: str) -> str:
    return "".join(_WORDS.findall(name)).casefold()
