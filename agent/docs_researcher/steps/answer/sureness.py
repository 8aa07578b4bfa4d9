"""How sure it is that the best unit of what was found answers a question."""

from __future__ import annotations

from collections.abc import Sequence

from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.answer_text import page_of
from docs_researcher.steps.answer.code_choice import names
from docs_researcher.steps.answer.material import Material
from docs_researcher.steps.answer.unit_scores import ScoredUnit
from docs_researcher.steps.queries.question_terms import QuestionTerms, stems_of

BY_TEXT = 0.5
BY_HEADING = 0.3
BY_SEARCH = 0.2
BY_NAME = 0.2
"""What the parts of the sureness count for."""
ALIKE_LESS = 0.12
"""What it loses where no page stands out."""
ALIKE = 0.8
"""The search finds places alike when the third page scores this share of the first."""


def sureness(units: Sequence[ScoredUnit], material: Material, terms: QuestionTerms) -> float:
    """How sure it is, 0 to about 1, that the first of the units answers.

    By what of the question its best cluster holds below its headings, by the headings alone, and by the search's own word;
    less where the search finds many places alike. A name of the API says more than any other word.
    """
    if not units:
        return 0.0
    unit, passages = units[0].unit, material.passages
    even = terms.evened(stems_of("\n".join(f"{passage.title}\n{passage.content}" for passage in passages)))
    heading = f"{unit.heading}\n{passages[unit.rank].title}"
    held = max(even.share(stems_of(f"{heading}\n{cluster.text}")) for cluster in unit.clusters)
    headed = even.share(stems_of(heading))
    named = any(names(symbol, f"{heading}\n{unit.text}") for symbol in even.symbols)
    sure = BY_TEXT * held + BY_HEADING * headed + BY_SEARCH * _confidence(material, terms)
    return sure + (BY_NAME if named else 0.0) - (ALIKE_LESS if _are_alike(passages) else 0.0)


def _are_alike(passages: Sequence[Passage]) -> bool:
    """Whether no page stands out in a result."""
    best: dict[str, float] = {}
    for passage in passages:
        best[page_of(passage)] = max(best.get(page_of(passage), 0.0), passage.score or 0.0)
    scores = sorted(best.values(), reverse=True)
    return len(scores) > 2 and scores[2] >= ALIKE * scores[0] > 0


def _confidence(material: Material, terms: QuestionTerms) -> float:
    """The provider's own confidence in the best passage, else the share of the question's terms that it holds."""
    if not material.passages:
        return 0.0
    best = material.passages[0]
    if best.confidence is not None:
        return best.confidence
    return terms.share(stems_of(f"{best.title} {best.content}"))
