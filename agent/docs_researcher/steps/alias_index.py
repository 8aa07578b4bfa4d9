"""The catalogue's names made ready for finding them in a text: one dictionary, built once for a catalogue."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.entries import Entry, fold_name
from docs_researcher.steps.words import STOP_WORDS

MOST_PIECES = 6
"""A name of more pieces ("@scope/one-two-three") is found by its first six."""

_BORDER = re.compile(r"[ ._-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SHORTEST_PART = 3


@dataclass(frozen=True, slots=True)
class AliasIndex:
    """Folded names with their entries.

    Attributes:
        names: every name of the catalogue, folded.
        words: those of them that are English words too, for their entry.
        borders: for names of several parts, how many folded letters stand before each border.
        asian: a pattern of the names in Chinese, Japanese or Korean script, which stand in a text without spaces.
    """

    names: dict[str, Entry]
    words: frozenset[str]
    borders: dict[str, frozenset[int]]
    asian: re.Pattern[str] | None

    def may_be_spaced(self, key: str, parts: tuple[str, ...]) -> bool:
        """Whether a name may be written with spaces here: "fast api" for FastAPI, not "this error" for thiserror."""
        known = self.borders.get(key, frozenset())
        length = 0
        for part in parts[:-1]:
            length += len(part)
            short = len(part) < _SHORTEST_PART or len(key) - length < _SHORTEST_PART
            if length not in known and (short or part in STOP_WORDS):
                return False
        return True


@lru_cache(maxsize=8)
def alias_index(catalogue: Catalogue) -> AliasIndex:
    """The index of a catalogue; made at the first call and kept."""
    names = dict(catalogue.names)
    words: set[str] = set()
    borders: dict[str, frozenset[int]] = {}
    asian: list[str] = []
    for entry in catalogue.entries:
        words.update(fold_name(word) for word in entry.words)
        for name in (entry.name, *entry.aliases, *entry.npm, *entry.pypi):
            key = fold_name(name)
            if name.startswith("."):
                names.setdefault(f".{key}", entry)
            if _ASIAN.search(name):
                asian.append(r"\s?".join(re.escape(part) for part in name.split()))
            elif len(name) != len(key) or not name.islower():
                borders[key] = borders.get(key, frozenset()) | _borders(name)
    asian.sort(key=len, reverse=True)
    return AliasIndex(names, frozenset(words), borders, re.compile("|".join(asian)) if asian else None)


def _borders(name: str) -> frozenset[int]:
    """Positions in the folded name at which a new part begins."""
    return frozenset(len(fold_name(name[: match.start()])) for match in _BORDER.finditer(name)) - {0}
