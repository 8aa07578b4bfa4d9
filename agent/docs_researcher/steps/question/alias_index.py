"""The catalogue's names made ready for finding them in a text: one dictionary, built once for a catalogue."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from docs_researcher.docsets.installed.known import OWN_ECOSYSTEM
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.entries import Entry
from docs_researcher.steps.words import APP_NOUNS, REQUEST_VERBS, STOP_WORDS, TRADE_WORDS

MOST_PIECES = 6
"""A name of more pieces ("@scope/one-two-three") is found by its first six."""

_SHORTEST_PART = 3


@dataclass(frozen=True, slots=True)
class AliasIndex:
    """Folded names with their entries, and the forms in which they stand in a text (`library.name_forms`).

    Attributes:
        names: every name of the catalogue, folded; those with a dot in front also with it.
        words: those of them that are English words too, for their entry.
        numbered: those whose last digits are no version.
        borders: for names of several parts, how many folded letters stand before each border.
        asian: a pattern of the names in Chinese, Japanese or Korean script.
    """

    names: Mapping[str, Entry]
    words: frozenset[str]
    numbered: frozenset[str]
    borders: Mapping[str, Sequence[int]]
    asian: re.Pattern[str] | None

    def may_be_spaced(self, key: str, parts: tuple[str, ...]) -> bool:
        """Whether a name may be written with spaces here: "fast api" for FastAPI, not "this error" for thiserror."""
        known = self.borders.get(key, ())
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
    forms = catalogue.forms
    asian = sorted(forms.asian, key=len, reverse=True)
    return AliasIndex(
        catalogue.names.beside(forms.dotted),
        forms.words | _own_words(catalogue),
        forms.numbered,
        forms.borders,
        re.compile("|".join(asian)) if asian else None,
    )


def _own_words(catalogue: Catalogue) -> frozenset[str]:
    """Names that the user gave to folders of their own and that stand in any question: "cache", "auth", "keys"."""
    words = STOP_WORDS | TRADE_WORDS | REQUEST_VERBS | APP_NOUNS
    return frozenset(word for word in words if word in catalogue.names and catalogue.names[word].ecosystem == OWN_ECOSYSTEM)
