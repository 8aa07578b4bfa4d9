"""How likely the first result of a search is the right one, from what speaks for it.

The share of the question's words that it holds says most, but says 1.0 of any small chunk with two common words ("log people out"
finds a page on logs). So its heading counts too, how near its meaning is, and how far ahead of the next page it is. The weights
are those of a logistic regression on 214 questions, the 104 of the split `tune` and 110 mostly to declared libraries (89 of them
are `benchmarks/questions/retrieval_pieces.jsonl`), for whether the first result was right. What they are worth was measured on
the 110 of the split `held` (2026-11-30).
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for the first chunk of a search."""

    held: float
    """The share of the question's terms that it holds, each by its rarity."""
    headed: float
    """The share of its heading that the question asks for."""
    ahead: float
    """How much of its score the best chunk of another page lacks, from 0 to 1."""
    similarity: float | None
    """How near its meaning is (cosine); None where that was not asked."""


MOST_AHEAD = 0.5
"""Being further ahead proves no more: in a docset of five pages there is nothing else to find."""


def confidence_of(evidence: Evidence) -> float:
    """From 0 to 1: about the share of such results whose first one is right; less where it lacks much of the question."""
    ahead = min(evidence.ahead, MOST_AHEAD)
    if evidence.similarity is None:
        weighed = 1.69 * evidence.held + 0.95 * evidence.headed + 4.84 * ahead - 1.77
    else:
        near = max(0.0, evidence.similarity)
        weighed = 1.29 * evidence.held + 0.70 * evidence.headed + 4.76 * ahead + 1.64 * near - 2.20
    return round((0.5 + 0.5 * evidence.held) / (1 + math.exp(-weighed)), 4)
