"""Whether the guide that a package ships says enough to do without what its code declares."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docs_researcher.docsets.readers.base import Page

FULL_GUIDE_BYTES = 100_000
"""More than this is taken to explain its library; date-fns ships 45 kB about time zones and bundlers, and no function."""
MIN_NAMES = 20
"""So many described names are an API of its own."""
MAX_NAMED = 0.3
"""A guide that holds a smaller share of the described names than this leaves the API to its code."""
_WORD = re.compile(r"[A-Za-z_$][\w$]*")


def size_of(guide: Mapping[str, bytes]) -> int:
    """The bytes of a guide's pages."""
    return sum(map(len, guide.values()))


def names_in(reference: list[Page]) -> int:
    """How many names the pages of a reference describe."""
    return len(_names(reference))


def leaves_out(guide: Mapping[str, bytes], reference: list[Page]) -> bool:
    """Whether a guide says little of the names that the pages of the package's reference describe."""
    names = _names(reference)
    if len(names) < MIN_NAMES:
        return False
    words = {word for data in guide.values() for word in _WORD.findall(data.decode("utf-8", "replace"))}
    return len(names & words) < MAX_NAMED * len(names)


def _names(reference: list[Page]) -> set[str]:
    return {
        block.title.rpartition(".")[2]
        for page in reference
        for block in page.blocks
        if block.kind == "heading" and block.level == 2
    }
