"""Where to look when nothing that was found clearly answers: the nearest sections, each in one line with its first sentence."""

from __future__ import annotations

from collections.abc import Sequence

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer.cluster_cut import says_nothing
from docs_researcher.steps.answer.statement_choice import ScoredStatement, can_open
from docs_researcher.steps.answer.unit_scores import ScoredUnit

NEAREST = "Nearest in the documentation:"
MOST = 3
WORDS = 30
"""Of a longer sentence so many words are shown."""


def nearest(units: Sequence[ScoredUnit], statements: Sequence[ScoredStatement], room: int) -> tuple[str, tuple[ScoredUnit, ...]]:
    """The lines within `room` tokens, and the units they name, best first; empty when there are none or there is no room."""
    lines: list[str] = []
    named: list[ScoredUnit] = []
    for one in units:
        line = _line(one, statements)
        tokens = estimate_tokens(f"{NEAREST}\n\n{line}\n")
        if len(named) < MOST and tokens <= room and line not in lines:
            room -= tokens
            lines.append(line)
            named.append(one)
    return "\n".join([NEAREST, "", *lines]) if lines else "", tuple(named)


def _line(one: ScoredUnit, statements: Sequence[ScoredStatement]) -> str:
    places = {piece.place for cluster in one.unit.clusters for piece in cluster.statements}
    own = [
        scored.statement
        for scored in statements
        if scored.statement.place in places and scored.statement.kind == "sentence" and can_open(scored.statement)
    ]
    text = next((statement.text for statement in own if not says_nothing(statement)), "")
    words = text.split()
    shown = text if len(words) <= WORDS else f"{' '.join(words[:WORDS])} …"
    return f"- {one.unit.heading}{f': {shown}' if shown else ''}"
