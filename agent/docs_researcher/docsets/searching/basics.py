"""Sections that show a thing in its plainest form, by their headings: "Usage", "Simple server", "Getting started"."""

from __future__ import annotations

import re
from functools import lru_cache

_BASIC = re.compile(
    r"(?:basic|simple|minimal|first|quick)\b.*|(?:.* )?(?:basics|usage|introduction)|(?:getting|get) started|quick ?start"
    r"|how to use\b.*|synopsis",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def is_basic(heading: str) -> bool:
    """Whether the last of a heading path, or one of the small sections that it joins, is about the basics."""
    return any(_BASIC.fullmatch(part) for part in heading.split(" / "))
