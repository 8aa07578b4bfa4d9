"""Which pieces of the documentation speak of the things that a question compares."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.steps.answer.code_choice import names
from docs_researcher.steps.answer.units import Cluster, Unit
from docs_researcher.steps.queries.question_terms import stems_of, telling_stems

FURTHER_WORDS = 1
"""So many words more than the side itself may stand in a heading that is about it: "The stamp command"."""
SHORTEST = 4
"""Of plain words of so many letters the plural counts too, and capitals do not: `interceptor`, "Interceptors"."""
_TELLS_APART = re.compile(
    r"\b(?:whereas|while|unlike|instead|differ\w*|compared|than|rather|both|contrast|on the other hand|similar|same|reverse"
    r"|opposite|inverse|counterpart)\b",
    re.IGNORECASE,
)

_AMONG_OTHERS = re.compile(r"\b(?:such as|including|for example|for instance|e\.g\.)[^.;\n]*", re.IGNORECASE)
"""A list of things of one kind, which does not say how they differ."""


def names_side(side: str, text: str) -> bool:
    """Whether a text names one of the things compared."""
    if names(side, text):
        return True
    if not all(len(word) >= SHORTEST and word.isalpha() and word[1:].islower() for word in side.split()):
        return False
    one = re.escape(side.removesuffix("s"))
    return re.search(rf"(?<![\w.]){one}(?:s|es)?(?![\w(])", text, re.IGNORECASE) is not None


def is_headed_by(side: str, unit: Unit) -> bool:
    """Whether a unit is about one of the things compared, by its heading: `DataFrame.select`, "The select context"."""
    leaf = re.split(r"[(=]", unit.leaf.strip("`"), maxsplit=1)[0].strip("` ")
    last = leaf.rsplit(".", 1)[-1].rsplit(" ", 1)[-1]
    if last == side or last == side.rsplit(".", 1)[-1] or _as_one(leaf) == _as_one(side):
        return True
    return names_side(side, leaf) and len(telling_stems(leaf)) <= len(stems_of(side)) + FURTHER_WORDS


def _as_one(name: str) -> str:
    """A name without what parts its words: the section on `selectinload` is headed "Selectin Load"."""
    return re.sub(r"[\W_]+", "", name).lower()


def named_in(sides: Sequence[str], cluster: Cluster) -> int:
    """How many of the things compared the prose of a cluster names."""
    prose = "\n".join(one.text for one in cluster.statements)
    return sum(names_side(side, prose) for side in sides)


def tells_apart(sides: Sequence[str], cluster: Cluster) -> bool:
    """Whether a cluster names all that is compared, and says how they relate."""
    prose = _AMONG_OTHERS.sub("", "\n".join(one.text for one in cluster.statements))
    return bool(sides) and all(names_side(side, prose) for side in sides) and bool(_TELLS_APART.search(prose))
