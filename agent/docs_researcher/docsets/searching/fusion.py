"""How full-text search and search by meaning become one order.

Both are measured against their own best chunk and added. Where the best chunk holds most of what the question asks for, its
words are the right ones and meaning counts little beside them; the less of it that chunk holds, the more meaning counts. Adding
ranks instead, from a fixed share on, gave a mean reciprocal rank of 0.720 instead of 0.744 with the vectors of MiniLM
(146 questions, `scripts/bench retrieval`, 2026-11-30).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

Nearest = Callable[[str, int], list[tuple[int, float]]]
"""A question and a count in; numbers of the nearest chunks with their similarity out, best first."""

MEANING = 2.5
"""What the nearest chunk by meaning gets more where no word of the question is found; the best by words gets 1. With 2 or 3 the
same pages came first, with 1.5 fewer (2026-11-30)."""
ALWAYS = 0.5
"""What it gets where all words are found: two common words in one small chunk are no proof. Without it, and with no meaning
where nine tenths of the words are found, the right page was first for 62.1 instead of 63.6 % of 214 (2026-11-30)."""

ALONE = 0.2
"""Where no word of a question is found, a chunk that is less similar has nothing to do with it."""


def fused(by_words: Mapping[int, float], by_meaning: Mapping[int, float], held: float) -> dict[int, float]:
    """The score of every chunk that has one by its words or a similarity; `held` is the share of the words in the best."""
    best = max(by_words.values(), default=0.0)
    scores = {id: score / best if best > 0 else 0.0 for id, score in by_words.items()}
    nearest = max(by_meaning.values(), default=0.0)
    weight = ALWAYS + MEANING * (1 - held)
    for id, similarity in by_meaning.items():
        share = max(0.0, similarity) / nearest if nearest > 0 else 0.0
        scores[id] = scores.get(id, 0.0) + weight * share
    return scores


OF_MODEL = 0.7
"""What the model's similarity counts beside that of static vectors. They err apart: of 214 questions the right page was among the
first five for 89.7 %, with the model alone for 88.3 %; with 0.5 and 0.3 for 89.3 and 88.3 % (2026-11-30)."""


def blended(model: Nearest, static: Nearest | None) -> Nearest:
    """A search by the model's vectors and the static ones together; each measured against its own nearest chunk.

    A similarity is a share of that of the model's nearest chunk, so it compares with the model's own.
    """
    if static is None:
        return model

    def nearest(question: str, count: int) -> list[tuple[int, float]]:
        found = dict(model(question, count))
        most = max(found.values(), default=0.0)
        if most <= 0:
            return static(question, count)
        similar = {id: OF_MODEL * max(0.0, value) for id, value in found.items()}
        others = static(question, count)
        scale = (1 - OF_MODEL) * most / others[0][1] if others else 0.0
        for id, value in others:
            similar[id] = similar.get(id, 0.0) + scale * value
        return sorted(similar.items(), key=lambda pair: (-pair[1], pair[0]))[:count]

    return nearest
