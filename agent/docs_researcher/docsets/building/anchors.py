"""Anchors of headings, as code hosts make them: lower case, hyphens for spaces, a number for a repeated one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_DROPPED = re.compile(r"[^\w\- ]")


@dataclass(slots=True)
class Anchors:
    """The anchors given out on one page; no two are equal."""

    _next: dict[str, int] = field(default_factory=dict[str, int])

    def take(self, title: str, own: str | None = None) -> str:
        """The anchor for a heading with this visible text; `own` is the id that the page itself gives it."""
        base = own or _DROPPED.sub("", title.strip().lower()).replace(" ", "-")
        anchor = base
        while anchor in self._next:
            number = self._next[base] = self._next.get(base, 0) + 1
            anchor = f"{base}-{number}"
        self._next.setdefault(anchor, 0)
        return anchor

    def note(self, anchor: str) -> None:
        """That a heading has this anchor already."""
        self._next.setdefault(anchor, 0)
