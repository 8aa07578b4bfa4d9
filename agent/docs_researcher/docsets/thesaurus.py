"""What documentation calls the things that a question describes: "stop a job that is running" is a cancellation.

The source is `data/thesaurus.txt`. What is shipped is `data/thesaurus.json`, where the words are stems already, since finding
the stems of all wordings would take longer than a search.
"""

from __future__ import annotations

import json
from collections.abc import Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path

COMPILED = Path(__file__).parent / "data" / "thesaurus.json"

MAYBE = 0.25
"""Weight of the terms for a wording of one word: "stop" may mean a cancellation, and much else."""
LIKELY = 0.8
"""Weight of the terms for a wording of several words. With both, the right page was among the first five for 77 % instead of
71 % of 214 questions, and for 60 % instead of 44 % of those in everyday words about libraries that nothing was tuned on
(`scripts/bench retrieval`, 2026-11-30); half or twice the weights change that by a point."""


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """Wordings by one of their stems, each with its other stems and the place of its terms."""

    terms: tuple[tuple[str, ...], ...]
    wordings: dict[str, tuple[tuple[frozenset[str], int], ...]]

    def terms_for(self, stems: Set[str]) -> dict[str, float]:
        """The terms of the wordings that are in a question, by its stems; each with the weight of its surest wording."""
        found: dict[str, float] = {}
        for stem in sorted(stems & self.wordings.keys()):
            for others, place in self.wordings[stem]:
                if others <= stems:
                    weight = LIKELY if others else MAYBE
                    for term in self.terms[place]:
                        found[term] = max(weight, found.get(term, 0.0))
        return found


@cache
def thesaurus() -> Thesaurus:
    """The shipped thesaurus, read once."""
    read = json.loads(COMPILED.read_text(encoding="utf-8"))
    wordings = {
        stem: tuple((frozenset(others), place) for others, place in entries) for stem, entries in read["wordings"].items()
    }
    return Thesaurus(tuple(tuple(terms) for terms in read["terms"]), wordings)
