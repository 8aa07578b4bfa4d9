"""How the names of a catalogue stand in a text: made once when the catalogue is compiled, and for further entries when needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docs_researcher.library.entries import Entry, fold_name

_BORDER = re.compile(r"[ ._-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SMALL_WORDS = frozenset(
    "a an and as at be by do for from get go has how i if in is it my of on or set so the to up use we".split()
)
_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class NameForms:
    """What finding names in a text takes beside the names themselves. All names are folded.

    Attributes:
        words: names that are English words too, for their entry.
        numbered: names whose last digits are a part of them ("jinja2", "boto3") and no version, as those of "Vue3" are.
        borders: for names of several parts, how many folded letters stand before each border.
        dotted: names that begin with a dot, as written (`.net`), and the position of their entry.
        asian: patterns of the names in Chinese, Japanese or Korean script, which stand in a text without spaces.
    """

    words: frozenset[str]
    numbered: frozenset[str]
    borders: Mapping[str, Sequence[int]]
    dotted: Mapping[str, int]
    asian: tuple[str, ...]

    def __or__(self, other: NameForms) -> NameForms:
        """The forms of both; the positions in both are those of one catalogue."""
        return NameForms(
            self.words | other.words,
            self.numbered | other.numbered,
            {**self.borders, **other.borders},
            {**other.dotted, **self.dotted},
            (*self.asian, *other.asian),
        )


def name_forms(entries: Iterable[Entry], first: int = 0) -> NameForms:
    """The forms of the names of these entries, the first of which stands at position `first` of the catalogue."""
    words: set[str] = set()
    numbered: set[str] = set()
    borders: dict[str, tuple[int, ...]] = {}
    dotted: dict[str, int] = {}
    asian: list[str] = []
    for position, entry in enumerate(entries, first):
        words.update(fold_name(word) for word in entry.words)
        numbered.update(_numbered(entry))
        for name in (entry.name, *entry.aliases, *entry.npm, *entry.pypi):
            key = fold_name(name)
            if name.startswith("."):
                dotted.setdefault(f".{key}", position)
            if _ASIAN.search(name):
                asian.append(r"\s?".join(re.escape(part) for part in name.split()))
            elif len(name) != len(key) or not name.islower():
                borders[key] = tuple(sorted({*borders.get(key, ()), *_borders(name)}))
    return NameForms(frozenset(words), frozenset(numbered), borders, dotted, tuple(asian))


def forms_to_record(forms: NameForms) -> dict[str, Any]:
    """The forms as the compiled file holds them."""
    return {
        "words": sorted(forms.words),
        "numbered": sorted(forms.numbered),
        "borders": {name: list(borders) for name, borders in forms.borders.items() if borders},
        "dotted": dict(forms.dotted),
        "asian": list(forms.asian),
    }


def forms_from_record(record: Mapping[str, Any]) -> NameForms:
    """The forms out of the compiled file, which is trusted."""
    return NameForms(
        frozenset(record["words"]), frozenset(record["numbered"]), record["borders"], record["dotted"], tuple(record["asian"])
    )


def _numbered(entry: Entry) -> Iterator[str]:
    """The names of an entry that end in digits: written small, and no other name differs from them by the digits alone."""
    ending = [name for name in (*entry.aliases, *entry.npm, *entry.pypi) if name[-1:].isdigit()]
    stems = [stem for stem, _ in {(_stem(name), fold_name(name)) for name in ending}]
    yield from (fold_name(name) for name in ending if name.islower() and stems.count(_stem(name)) == 1)


def _stem(name: str) -> str:
    return fold_name(name).rstrip("0123456789")


def _borders(name: str) -> frozenset[int]:
    """Positions in the folded name at which a new part begins.

    A small English word is only where the name itself has a space: "a frame" is no A-Frame and "get x" no GetX.
    """
    cuts = [(match.start(), match.end()) for match in _BORDER.finditer(name)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(name)]
    parts = [name[start:end].lower() for start, end in zip(starts, ends, strict=True)]
    found: set[int] = set()
    for number, (start, end) in enumerate(cuts):
        if name[start:end].isspace() or not {parts[number], parts[number + 1]} & _SMALL_WORDS:
            found.add(len(fold_name(name[:start])))
    return frozenset(found - {0})
