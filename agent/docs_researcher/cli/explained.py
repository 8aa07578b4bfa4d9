"""`docs-research search --explain`: the terms that were looked for, and what the place of each passage is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_researcher.cli.output import one_line

if TYPE_CHECKING:
    from docs_researcher.docsets.searching.explain import ExplainedChunk, ExplainedTerm, Explanation

MOST_OTHER = 12
"""Other terms that are listed; the rest are counted."""


def explained(explanation: Explanation) -> str:
    """An explanation as lines for a reader."""
    lines = ["Looked for:", *map(_term, explanation.terms)]
    if explanation.other:
        shown = [f"{one_line(word)} ({weight:g})" for word, weight in explanation.other[:MOST_OTHER]]
        more = len(explanation.other) - len(shown)
        lines.append(f"  and, for the same things: {', '.join(shown)}{f', and {more} more' if more else ''}")
    lines.append(f"By meaning: {'yes' if explanation.by_meaning else 'no'}. Confidence: {explanation.confidence:.2f}.")
    lines.append("Ranked, before neighbours on a page are put together:")
    lines += [line for number, chunk in enumerate(explanation.chunks, 1) for line in _chunk(number, chunk)]
    return "\n".join(lines)


def _term(term: ExplainedTerm) -> str:
    also = f", also {', '.join(map(one_line, term.also))}" if term.also else ""
    passages = f"{term.chunks} passage{'' if term.chunks == 1 else 's'}"
    return f"  {one_line(term.text)}{also}: in {passages}"


def _chunk(number: int, chunk: ExplainedChunk) -> tuple[str, str]:
    where = " > ".join(part for part in (chunk.title, chunk.heading) if part)
    parts = [f"text {chunk.text:.3g} (own terms {chunk.own:.3g}) x {chunk.factor:.2f} for title and page"]
    if chunk.similarity is not None:
        parts.append(f"meaning {chunk.similarity:.2f}")
    parts.append(f"holds {', '.join(map(one_line, chunk.held)) or 'none of the terms'}")
    return (
        f"{number}. {one_line(where)}  ({one_line(chunk.path)}:{chunk.line}, score {chunk.score:.3g})",
        f"     {'; '.join(parts)}",
    )
