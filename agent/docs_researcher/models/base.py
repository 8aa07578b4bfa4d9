"""The port behind which somebody thinks: one turn in, one reply out.

The loop does not know who thinks. A Claude model, the extractive model and a script are all this one method.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from docs_researcher.core.ledger import Ledger
from docs_researcher.core.limits import Meter
from docs_researcher.core.messages import Message, Reply, ToolSpec

if TYPE_CHECKING:
    from docs_researcher.library.projects.values import Project


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, before anything was understood, with what the asker fixed beside it."""

    text: str
    library: str | None = None
    """`--library`: a name, `name@version`, a purl or an id; None when only the text says it."""
    answer_tokens: int = 1_500
    strict_version: bool = False
    project: Project | None = None
    """The project that the question is asked in; its versions count where the asker names none."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Everything a model may use for its next turn."""

    system: str
    question: Question
    messages: tuple[Message, ...]
    """The conversation so far, append-only: each request extends the one before it."""
    tools: tuple[ToolSpec, ...]
    """Empty on the last, tool-free turn: answer now with what there is."""
    ledger: Ledger
    meter: Meter
    stopped_by: str | None = None
    """On the tool-free turn: the limit that was reached, in words."""
    offered: tuple[ToolSpec, ...] = ()
    """The tools of the whole run, closed or not: a model with a prompt cache needs the same list in every request."""
    seconds_left: float = math.inf
    """The time that this turn has; waiting for longer than that is no use."""


class Model(Protocol):
    """Somebody who thinks."""

    @property
    def name(self) -> str:
        """The name shown in `usage.model`."""
        ...

    @property
    def thinks_for_free(self) -> bool:
        """Whether a turn costs neither money nor waiting, so that nothing is gained by sparing one."""
        ...

    @property
    def only_quotes(self) -> bool:
        """Whether it can say nothing but what was read, so that there is nothing to have taken back."""
        ...

    async def prepare(self) -> None:
        """Make ready for the first turn (imports, a client); called while other work goes on. Never raises."""
        ...

    async def reply(self, request: ModelRequest) -> Reply:
        """Answer one turn.

        Raises:
            ModelError: the model cannot be reached or used.
        """
        ...

    async def aclose(self) -> None:
        """Release connections. Safe to call twice."""
        ...
