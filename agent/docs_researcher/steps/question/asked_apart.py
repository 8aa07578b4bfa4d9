"""Questions that ask one thing of one library and another thing of another: "useState in React and redirects in Next.js".

Each part is asked of its own library. What two libraries do together, a list of libraries, and a part that says nothing of its
own are one question and stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from docs_researcher.steps.question.compared_libraries import MOVES, TOGETHER, Side, end_of, telling
from docs_researcher.steps.question.identify import Identification
from docs_researcher.steps.question.mentions import Mention
from docs_researcher.steps.words import GENERAL_LANGUAGES

_BETWEEN = re.compile(r"\s*(?:,?\s*\band|;)\s+(?:also\s+|then\s+)?", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:in|with|for|using|of)\s+$", re.IGNORECASE)
_OPENING = re.compile(
    r"(?:please\s+|can\s+you\s+|show\s+me\s+|explain\s+|how\s+(?:do|can|should)\s+(?:i|we|you)\s+|how\s+to\s+)?"
    r"(?P<move>(?:upgrade|migrate|update)(?:\s+from)?\s+)?",
    re.IGNORECASE,
)
_BACKWARDS = re.compile(r"\b(?:it|them|that|this|these|those|they)\b", re.IGNORECASE)


def may_ask_apart(text: str) -> bool:
    """Whether a text has a word that joins two parts: a quick look."""
    return _BETWEEN.search(text) is not None


def asked_apart(text: str, understood: Identification) -> tuple[Side, ...]:
    """The libraries that a question asks different things of, in its order, at least two; empty for any other question.

    `understood` is what was identified in `text`.
    """
    asked = understood.asked
    if asked is None or not understood.use_docs or TOGETHER.search(text) or _BACKWARDS.search(text):
        return ()
    mentions = [one for one in understood.mentions if one.kind != "identifier" and one.name.lower() not in GENERAL_LANGUAGES]
    names = [one.name for one in mentions]
    if len(mentions) < 2 or len(set(names)) != len(names) or asked.name not in names:
        return ()
    borders = [_border(text, first, second) for first, second in pairwise(mentions)]
    if any(border is None for border in borders):
        return ()
    cuts = [border for border in borders if border is not None]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    parts = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    return _sides(text, mentions, starts, parts)


def _border(text: str, first: Mention, second: Mention) -> tuple[int, int] | None:
    """Where one part ends and the next begins: the last "and" between two names."""
    return next((match.span() for match in reversed([*_BETWEEN.finditer(text, end_of(text, first), second.start)])), None)


def _sides(text: str, mentions: Sequence[Mention], starts: Sequence[int], parts: Sequence[str]) -> tuple[Side, ...]:
    opening = _OPENING.match(text)
    lead = opening.group() if opening is not None else ""
    placed = [bool(_PLACE.search(text, max(0, one.start - 12), one.start)) for one in mentions]
    opened = [not text[start : one.start].removeprefix(lead).strip() for start, one in zip(starts, mentions, strict=True)]
    if not (all(placed) or all(opened)):
        return ()
    move = (opening["move"] or "") if opening is not None else ""
    for start, part, mention in zip(starts, parts, mentions, strict=True):
        if not telling(f"{text[start : mention.start]} {part[end_of(text, mention) - start :]}") and not (
            move and MOVES.search(part)
        ):
            return ()
    questions = [f"{move if number else ''}{part}" for number, part in enumerate(parts)]
    return tuple(Side(mention.name, question.strip(" ,;")) for mention, question in zip(mentions, questions, strict=True))
