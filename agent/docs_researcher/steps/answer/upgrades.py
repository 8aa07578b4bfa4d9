"""Which units are about the step of an upgrade that is asked about: "from 4 to 5" is not answered by the guide from 3 to 4."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.unit_scores import ScoredUnit
from docs_researcher.steps.queries.question_terms import QuestionTerms

RIGHT_STEP = 1.0
"""What a unit about the step that is asked about gains."""
_VERSION = re.compile(r"(?<![\w.])v?(\d{1,3})(?:\.(?:\d+|x))*(?![\w%])", re.IGNORECASE)
_DATE = re.compile(r"\([^()]*\d{4}[^()]*\)")


def of_the_step(units: Sequence[ScoredUnit], terms: QuestionTerms, passages: Sequence[Passage]) -> list[ScoredUnit]:
    """The units without those about other steps of an upgrade, where there is one about the step that is asked about.

    A guide says in its title, its path or a heading which step it is: "from 4.x to 5.0", or only where it leads ("v5").
    """
    asked = _versions(terms.text)
    if terms.intent != "migration" or not asked:
        return list(units)
    steps = [_step(one, passages[one.unit.rank]) for one in units]
    target = max(asked, key=int)
    whole = [len(asked) > 1 and asked <= step for step in steps]
    leads = [bool(step) and max(step, key=int) == target for step in steps]
    right = whole if any(whole) else leads
    if not any(right):
        return list(units)
    return [
        replace(one, score=one.score + RIGHT_STEP * fits)
        for one, step, fits in zip(units, steps, right, strict=True)
        if fits or not (len(step) > 1 or (step and one.is_history))
    ]


def _step(one: ScoredUnit, passage: Passage) -> set[str]:
    """The versions between which a unit's page or section leads; empty where it names none."""
    page = _versions(one.unit.heading.split(" > ", 1)[0])
    if page or not one.is_history:
        return page
    name = re.sub(r"\.\w+$", "", (passage.path or "").rsplit("/", 1)[-1])
    return _versions(re.sub(r"[-_]", " ", name)) or _versions(passage.title)


def _versions(text: str) -> set[str]:
    """The major versions that a text names: "from 4.x to 5.0"; the day of a release is none."""
    return set(_VERSION.findall(_DATE.sub(" ", text)))
