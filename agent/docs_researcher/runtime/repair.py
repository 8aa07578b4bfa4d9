"""One further turn for an answer that holds what was not read: the model is shown it and may take it back."""

from __future__ import annotations

from docs_researcher.steps.ground import Grounded

CLOSED = "the answer is only being corrected"

_SHOWN_CHARACTERS = 160
"""Of each block: enough to find it again in one's own answer."""


def complaint(grounded: Grounded) -> str | None:
    """What to tell the model about its answer; None when everything in it stands in the evidence."""
    blocks = [
        f"- a block of code that stands in nothing that was read: {_start(block)}" for block in grounded.blocks_without_evidence
    ]
    links = [f"- a link or source that nothing read stands behind: {link}" for link in grounded.links_without_evidence]
    lines = blocks + links
    if not lines:
        return None
    found = "\n".join(lines)
    return (
        f"Your answer holds things that are not in the documentation you read:\n{found}\n"
        "Write the whole answer again. Quote code letter for letter from what was read, name only sources that were read, and "
        "where the documentation does not say it, say that instead."
    )


def _start(block: str) -> str:
    text = " ".join(block.split())
    return f"`{text[:_SHOWN_CHARACTERS]}{'…' if len(text) > _SHOWN_CHARACTERS else ''}`"
