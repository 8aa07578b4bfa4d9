"""How full-text search and search by meaning become one order.

Ranks are added, not scores, which have nothing in common. Where the best chunk holds most of what the question asks for, its
words are the right ones and meaning would only disturb them; below that it is asked, and counts for more than the words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Nearest = Callable[[str, int], list[tuple[int, float]]]
"""A question and a count in; numbers of the nearest chunks with their similarity out, best first."""

WORDS_SUFFICE = 0.7
"""From this confidence on the words alone decide."""
MEANING = 1.5
"""How much a rank by meaning counts against one by words."""
DAMPING = 20
"""Of reciprocal rank fusion: with more, the first places count less against the later ones."""


def fused(by_words: Sequence[int], by_meaning: Sequence[int]) -> dict[int, float]:
    """The score of every chunk that is in one of two orders, best first each."""
    scores: dict[int, float] = {}
    for weight, order in ((1.0, by_words), (MEANING, by_meaning)):
        for rank, id in enumerate(order, start=1):
            scores[id] = scores.get(id, 0.0) + weight / (DAMPING + rank)
    return scores
