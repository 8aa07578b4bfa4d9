"""Where a fence of code opens and closes, inside lists and quotes too."""

from __future__ import annotations

import re

_FENCE = re.compile(r"^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})([^\n]*)$")


def has_fence(text: str) -> bool:
    """Whether a code fence opens in `text`, inside lists and quotes too."""
    return ("```" in text or "~~~" in text) and any(fence_opening(line) for line in text.split("\n"))


def fence_opening(line: str) -> str:
    """The mark of the fence that opens on this line, or an empty string."""
    match = _FENCE.match(line) if "```" in line or "~~~" in line else None
    if match is None or (match.group(1)[0] == "`" and "`" in match.group(2)):
        return ""
    return match.group(1)


def fence_closes(line: str, mark: str) -> bool:
    """Whether the fence that `mark` opened ends on this line."""
    bare = line.lstrip(" \t>").rstrip()
    return len(bare) >= len(mark) and not bare.strip(mark[0])
