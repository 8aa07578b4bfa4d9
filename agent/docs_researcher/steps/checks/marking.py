"""What becomes of the parts of an answer that do not stand in what was read: marked as adapted, or left out and counted."""

from __future__ import annotations

from dataclasses import dataclass

from docs_researcher.core.answer import Notice
from docs_researcher.steps.checks.ground import Grounded
from docs_researcher.steps.fences import split_fences

LEFT_OUT = "(A block of code was left out here: it does not stand in the documentation that was read.)"
ADAPTED = "*Adapted from the documentation, not quoted from it:*"
NO_ADDRESS = "(address left out)"


@dataclass(frozen=True, slots=True)
class Marked:
    """The text that may leave, and what has to be said about it."""

    text: str
    notices: tuple[Notice, ...]


def mark(grounded: Grounded) -> Marked:
    """The grounded text with invented blocks and addresses left out and adapted blocks marked.

    A link without evidence is its label already; an address that stands in the open and the number of a source that does not
    exist are taken out here. Code that was found in the documentation is never touched.
    """
    if not (grounded.blocks_without_evidence or grounded.adapted_blocks or grounded.links_without_evidence):
        return Marked(grounded.text, ())
    invented, adapted = set(grounded.blocks_without_evidence), set(grounded.adapted_blocks)
    strange = sorted(grounded.links_without_evidence, key=len, reverse=True)
    pieces: list[str] = []
    for segment in split_fences(grounded.text):
        if segment.code is None:
            text = segment.raw
            for link in strange:
                text = text.replace(link, "" if link.startswith("[") else NO_ADDRESS)
            pieces.append(text)
        elif segment.code in invented:
            pieces.append(LEFT_OUT)
        elif segment.code in adapted:
            pieces += [ADAPTED, "", segment.raw]
        else:
            pieces.append(segment.raw)
    return Marked("\n".join(pieces), _notices(grounded))


def _notices(grounded: Grounded) -> tuple[Notice, ...]:
    notices: list[Notice] = []
    if grounded.unsupported_blocks:
        many = f"{grounded.unsupported_blocks} block(s) of code that the documentation does not hold were left out."
        notices.append(Notice("code_left_out", many))
    if grounded.adapted_blocks:
        many = f"{len(grounded.adapted_blocks)} block(s) of code were adapted from the documentation, and are marked."
        notices.append(Notice("code_adapted", many))
    if grounded.unsupported_links:
        many = f"{grounded.unsupported_links} link(s) or citation(s) that nothing read stands behind were left out."
        notices.append(Notice("link_left_out", many))
    return tuple(notices)
