"""Where the objects of a JSON text with comments begin. The text has been read before, so its syntax is known to be right."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|[{}\[\]:,]', re.DOTALL)

Path_ = tuple[str, ...]


@dataclass(slots=True)
class _Level:
    """An object or array that is open: the key that was read last, and whether the next text is a key."""

    is_object: bool
    key: str = ""
    key_is_next: bool = True


@dataclass(slots=True)
class ObjectPlaces:
    """The place behind the opening brace of every object, and how often each key stands in its object."""

    openings: dict[Path_, int] = field(default_factory=dict[Path_, int])
    keys: Counter[Path_] = field(default_factory=Counter[Path_])

    @classmethod
    def of(cls, text: str) -> ObjectPlaces:
        """The places in a text that is valid."""
        places = cls()
        levels: list[_Level] = []
        for token in _TOKEN.finditer(text):
            places._take(token, levels)
        return places

    def opening(self, path: Path_) -> int:
        """The place behind the brace of the object at `path`, which is there."""
        return self.openings[path]

    def times(self, path: Path_) -> int:
        """How often a key is written in its object."""
        return self.keys[path]

    def _take(self, token: re.Match[str], levels: list[_Level]) -> None:
        mark = token.group()[0]
        level = levels[-1] if levels else None
        if mark in "{[":
            if mark == "{":
                self.openings.setdefault(tuple(item.key for item in levels), token.end())
            levels.append(_Level(mark == "{"))
        elif level is None:  # a comment outside
            return
        elif mark in "}]":
            levels.pop()
        elif mark == ":":
            level.key_is_next = False
        elif mark == ",":
            level.key_is_next = True
        elif mark == '"' and level.is_object and level.key_is_next:
            level.key = json.loads(token.group(), strict=False)
            self.keys[tuple(item.key for item in levels)] += 1
