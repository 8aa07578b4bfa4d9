"""Where the objects of a JSON text with comments begin and end. The text was read before: its syntax is right."""

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
    """Where every object and every key begins and ends, and how often each key stands in its object."""

    openings: dict[Path_, int] = field(default_factory=dict[Path_, int])
    closings: dict[Path_, int] = field(default_factory=dict[Path_, int])
    starts: dict[Path_, int] = field(default_factory=dict[Path_, int])
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

    def member(self, path: Path_) -> tuple[int, int]:
        """Where the key of the object at `path`, which is there, begins, and where the object ends."""
        return self.starts[path], self.closings[path]

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
            if mark == "}":
                self.closings.setdefault(tuple(item.key for item in levels), token.end())
        elif mark == ":":
            level.key_is_next = False
        elif mark == ",":
            level.key_is_next = True
        elif mark == '"' and level.is_object and level.key_is_next:
            level.key = json.loads(token.group(), strict=False)
            path = tuple(item.key for item in levels)
            self.keys[path] += 1
            self.starts.setdefault(path, token.start())
