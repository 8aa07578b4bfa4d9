"""A model that follows a script: the public fake for tests of anything that runs a model.

A step is a `Reply`, or a function from the request to a reply where the reply depends on what came before. Steps that were
not used, and turns beyond the script, are errors: a test that passes has played its whole script.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from docs_researcher.core.messages import Reply
from docs_researcher.models.base import ModelRequest

Step = Reply | Callable[[ModelRequest], Reply]


class ScriptError(AssertionError):
    """The run and its script differ: a turn too many, or steps left over."""


class ScriptedModel:
    """Plays `steps` in order and keeps every request it was given in `requests`."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._steps = list(steps)
        self.requests: list[ModelRequest] = []

    @property
    def name(self) -> str:
        """The name shown in `usage.model`."""
        return "scripted"

    @property
    def thinks_for_free(self) -> bool:
        """Nothing is looked up ahead for a script, unless the researcher is told to."""
        return True

    @property
    def only_quotes(self) -> bool:
        """A script may say anything."""
        return False

    async def prepare(self) -> None:
        """Nothing to make ready."""

    async def reply(self, request: ModelRequest) -> Reply:
        """Play the next step.

        Raises:
            ScriptError: if the script has no further step.
        """
        if len(self.requests) >= len(self._steps):
            raise ScriptError(f"turn {len(self.requests) + 1} was asked for, but the script has {len(self._steps)} steps")
        step = self._steps[len(self.requests)]
        self.requests.append(request)
        return step if isinstance(step, Reply) else step(request)

    def check_finished(self) -> None:
        """Fail unless every step was played.

        Raises:
            ScriptError: if steps are left over.
        """
        left = len(self._steps) - len(self.requests)
        if left:
            raise ScriptError(f"{left} of {len(self._steps)} steps were not played")

    async def aclose(self) -> None:
        """Nothing to release."""
