"""A finished text brought down to its budget: whole paragraphs and whole blocks of code, never a part of one."""

from __future__ import annotations

import re

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.fences import split_fences

SHORTENED = "(Shortened to fit; what was left out stands in the references.)"
_REFERENCES = re.compile(r"^(?:#+\s*|\*\*)?(?:references|sources|see also)\b", re.IGNORECASE)
REFERENCES_SHARE = 0.3
"""A list of references longer than this share of the budget is cut like everything else."""


def fit(text: str, budget: int) -> str:
    """`text` if it has at most `budget` tokens, else its parts in order as far as they fit, with a line that says so.

    The list of references at its end is kept before anything else. A part that does not fit is passed over, and smaller ones
    behind it may still stand, so that one long block does not empty an answer.
    """
    if estimate_tokens(text) <= budget:
        return text
    parts = _parts(text)
    kept = _references(parts, budget)
    left = budget - estimate_tokens("\n\n".join([*(parts[index] for index in kept), SHORTENED]))
    for index, part in enumerate(parts):
        cost = estimate_tokens(part) + 1
        if index not in kept and cost <= left:
            kept.add(index)
            left -= cost
    if len(kept) == len(_references(parts, budget)):
        parts, kept = _with_a_beginning(parts, kept, left)
    chosen = [parts[index] for index in sorted(kept)]
    return "\n\n".join([*chosen, SHORTENED])


def _with_a_beginning(parts: list[str], kept: set[int], budget: int) -> tuple[list[str], set[int]]:
    """Where no part fits whole: the beginning of the first one that is no code, so that something is said."""
    for index, part in enumerate(parts):
        if index in kept or part.lstrip().startswith(("```", "~~~")):
            continue
        words = part[: budget * 6].split(" ")
        while len(words) > 1 and estimate_tokens(" ".join(words)) + 2 > budget:
            words = words[: len(words) * 9 // 10]
        beginning = " ".join(words) + " …"
        if estimate_tokens(beginning) <= budget:
            return [*parts[:index], beginning, *parts[index + 1 :]], kept | {index}
    return parts, kept


def _parts(text: str) -> list[str]:
    """Paragraphs and fenced blocks, in order."""
    parts: list[str] = []
    for segment in split_fences(text):
        if segment.code is not None:
            parts.append(segment.raw)
        else:
            parts += [part.strip("\n") for part in re.split(r"\n[ \t]*\n", segment.raw) if part.strip()]
    return parts


def _references(parts: list[str], budget: int) -> set[int]:
    """The positions of the list of references at the end, if there is one of a reasonable size."""
    start = next((index for index in range(len(parts) - 1, -1, -1) if _REFERENCES.match(parts[index])), None)
    if start is None:
        return set()
    size = estimate_tokens("\n\n".join(parts[start:]))
    return set(range(start, len(parts))) if size <= budget * REFERENCES_SHARE else set()
