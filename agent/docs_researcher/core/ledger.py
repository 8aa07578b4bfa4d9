"""The evidence ledger: every passage that a run has read, each once, with the number it is cited by.

Citations are numbers out of this ledger and links are filled in from it, so that neither can be invented.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from docs_researcher.core.passages import Passage


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage under its number, with the query that first brought it."""

    number: int
    passage: Passage
    query: str


@dataclass(slots=True)
class Ledger:
    """Passages in the order in which they were read. The same title, source and content is the same evidence."""

    _entries: list[Evidence] = field(default_factory=list[Evidence])
    _by_key: dict[tuple[str, str, str], Evidence] = field(default_factory=dict[tuple[str, str, str], Evidence])

    def add(self, passages: Iterable[Passage], query: str = "") -> tuple[Evidence, ...]:
        """Record passages and return their evidence, known ones included, in the order given."""
        recorded: list[Evidence] = []
        for passage in passages:
            key = (passage.title, passage.source, passage.content)
            evidence = self._by_key.get(key)
            if evidence is None:
                evidence = Evidence(len(self._entries) + 1, passage, query)
                self._entries.append(evidence)
                self._by_key[key] = evidence
            recorded.append(evidence)
        return tuple(recorded)

    def __iter__(self) -> Iterator[Evidence]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """Every passage, in the order in which it was first read."""
        return tuple(evidence.passage for evidence in self._entries)
