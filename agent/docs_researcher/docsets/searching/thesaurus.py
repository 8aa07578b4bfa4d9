"""What documentation calls the things that a question describes: "stop a job that is running" is a cancellation.

The source are the texts in `data/thesaurus/`, one for each domain. What is shipped is `data/thesaurus.json`, where the words are
stems already, since finding the stems of all wordings would take longer than a search.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path

COMPILED = Path(__file__).parent / "data" / "thesaurus.json"

MAYBE = 0.25
"""Weight of the terms for a wording of one word: "stop" may mean a cancellation, and much else."""
RARE = 0.4
"""The same, when fewer than RARELY of the library's chunks hold the word: then the library calls it something else."""
RARELY = 0.02
OFTEN = 0.2
"""A word that more of the chunks hold stands alone for nothing else: a page of the library says by it what is meant already. With
these three the right page was among the first five for 79 % instead of 77 % of 214 questions (`scripts/bench retrieval`,
2026-11-30)."""
LIKELY = 0.8
"""Weight of the terms for a wording of several words. Half of it or a quarter more changes the right pages among the first five
by a point at most, and so does another weight for wordings of two words than for longer ones."""


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """Wordings by one of their stems. Entries are taken apart when a question has the stem, so that reading the file is quick."""

    terms: Sequence[str]
    """The terms of each line, joined with ", "."""
    wordings: Mapping[str, str]
    """`other other place, place`: the other stems of each wording and the place of its terms."""

    def terms_for(self, stems: Set[str], share: Callable[[str], float]) -> dict[str, float]:
        """The terms of the wordings that are in a question, by its stems; each with the weight of its surest wording.

        `share` tells how many of the library's chunks hold a word, from 0 to 1.
        """
        found: dict[str, float] = {}
        for stem in sorted(stems & self.wordings.keys()):
            for entry in self.wordings[stem].split(", "):
                *others, place = entry.split(" ")
                if all(other in stems for other in others):
                    weight = LIKELY if others else _weight_alone(share(stem))
                    for term in self.terms[int(place)].split(", ") if weight else ():
                        found[term] = max(weight, found.get(term, 0.0))
        return found


def _weight_alone(share: float) -> float:
    if share < RARELY:
        return RARE
    return 0.0 if share > OFTEN else MAYBE


@cache
def thesaurus() -> Thesaurus:
    """The shipped thesaurus, read once."""
    read = json.loads(COMPILED.read_text(encoding="utf-8"))
    return Thesaurus(read["terms"], read["wordings"])
