"""One further turn for an answer that holds what was not read: the model is shown it and may take it back."""

from __future__ import annotations

from dataclasses import dataclass

from docs_researcher.core.messages import ToolMessage, UserMessage
from docs_researcher.runtime.loop import Loop, Run
from docs_researcher.steps.checks.ground import Grounded, ground
from docs_researcher.steps.checks.inline_code import unread_code
from docs_researcher.steps.checks.version_claims import unread_versions

CLOSED = "the answer is only being corrected"

_SHOWN_CHARACTERS = 160
"""Of each block: enough to find it again in one's own answer."""


@dataclass(frozen=True, slots=True)
class Unread:
    """What the running text of an answer states and nothing read does."""

    versions: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    """Inline code with a name that stands nowhere, as it is written."""


def unread_in(run: Run, loop: Loop, grounded: Grounded) -> Unread:
    """The versions and the names in the answer that nothing read states. A model that is only rules states none of its own."""
    if loop.model.only_quotes:
        return Unread()
    known = [loop.question.text, loop.question.library or "", *(notice.text for notice in loop.runner.notices)]
    for position, message in enumerate(run.messages):
        if isinstance(message, UserMessage) and position == 0:  # a later one is ours, and repeats what was complained of
            known += [message.text, *(result.text for _, result in message.ahead)]
        elif isinstance(message, ToolMessage):
            known += [result.text for _, result in message.results]
    if loop.runner.library is not None:
        known.append(loop.runner.library.version or "")
    text, ledger = run.reply.text, loop.runner.ledger
    versions = unread_versions(text, ledger, known)
    return Unread(versions, unread_code(text, ledger, [*known, *grounded.adapted_blocks]))


def complaint(run: Run, loop: Loop) -> str | None:
    """What to tell the model about its answer; None when everything in it stands in the evidence.

    The answer may name a host that its notices name, here as where it is assembled.
    """
    notices = (*loop.runner.notices, *run.reply.notices)
    grounded = ground(run.reply.text, loop.runner.ledger, (notice.text for notice in notices))
    unread = unread_in(run, loop, grounded)
    blocks = [
        f"- a block of code that stands in nothing that was read: {_start(block)}" for block in grounded.blocks_without_evidence
    ]
    links = [f"- a link or source that nothing read stands behind: {link}" for link in grounded.links_without_evidence]
    stated = [f"- a version that nothing read states: {version}" for version in unread.versions]
    named = [f"- a name in code that stands in nothing that was read: {_start(code)}" for code in unread.code]
    lines = blocks + links + stated + named
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
