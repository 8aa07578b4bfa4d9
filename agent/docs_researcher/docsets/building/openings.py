"""Paragraphs that most pages of a documentation open with, such as a pointer to its index for agents.

They say nothing about any page, and as the text above its first heading they would count for what the page is about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from docs_researcher.docsets.readers.base import Page

LEAST_PAGES = 8
"""In fewer pages the same words may well be meant."""
SHARE = 0.6
"""Of the pages that have to open with a paragraph."""
HEAD_BYTES = 4_000
"""Of each page that are looked at."""
_FIRST = 6
"""Paragraphs, and blocks of the page that was read, among which such a one may stand."""
_LEAST_WORDS = 4
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_WORD = re.compile(r"\w+")

Key = tuple[str, ...]


def shared_openings(heads: Iterable[str]) -> frozenset[Key]:
    """The paragraphs, as their words, that stand at the beginning of most of these texts."""
    counts: Counter[Key] = Counter()
    pages = 0
    for head in heads:
        pages += 1
        counts.update({_key(part) for part in _PARAGRAPH.split(head)[:_FIRST] if not part.lstrip().startswith("#")})
    if pages < LEAST_PAGES:
        return frozenset()
    return frozenset(key for key, count in counts.items() if count >= pages * SHARE and len(key) >= _LEAST_WORDS)


def without_openings(page: Page, shared: frozenset[Key]) -> Page:
    """The page without those of its first blocks that most pages open with; the very same page where it has none."""
    kept = tuple(
        block
        for number, block in enumerate(page.blocks)
        if number >= _FIRST or block.kind in ("heading", "code", "table") or _key(block.text) not in shared
    )
    return page if len(kept) == len(page.blocks) else replace(page, blocks=kept)


def _key(text: str) -> Key:
    return tuple(_WORD.findall(text.casefold()))
