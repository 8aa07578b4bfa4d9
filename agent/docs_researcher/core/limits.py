"""Limits of one research run and the meter that counts against them.

The runtime enforces these; a prompt only mentions them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from docs_researcher.core.messages import QUERY, RESOLVE


@dataclass(frozen=True, slots=True)
class Limits:
    """What one question may cost. Every limit is on by default; `cost` needs the user's price file."""

    turns: int = 8
    """Model turns, the last tool-free one not counted."""
    resolve_calls: int = 3
    """Calls of `resolve-library-id` over all libraries of the question."""
    query_calls: int = 3
    """Calls of `query-docs`, likewise."""
    tokens_read: int = 60_000
    """Tokens of tool results."""
    answer_tokens: int = 1_500
    """Tokens of `Answer.text`."""
    seconds: float = 55.0
    """Wall time; hosts give up at 60. A first fetch at the command line does not count."""
    cost: float | None = None
    """US dollars."""

    def with_changes(self, **changes: Any) -> Limits:
        """These limits with some replaced; a value of None leaves the limit as it is."""
        return replace(self, **{name: value for name, value in changes.items() if value is not None})


@dataclass(slots=True)
class Meter:
    """What a run has used so far. Refused arguments and repeats served from the run's own cache are not counted."""

    limits: Limits
    turns: int = 0
    calls: dict[str, int] = field(default_factory=dict[str, int])
    tokens_read: int = 0

    def may_call(self, tool: str) -> bool:
        """Whether one more call of this tool is allowed."""
        return self.remaining_calls(tool) > 0

    def remaining_calls(self, tool: str) -> int:
        """How many calls of this tool are left."""
        allowed = {RESOLVE: self.limits.resolve_calls, QUERY: self.limits.query_calls}.get(tool, 0)
        return max(0, allowed - self.calls.get(tool, 0))

    def count_call(self, tool: str) -> None:
        """Count one call that reached the provider."""
        self.calls[tool] = self.calls.get(tool, 0) + 1

    def give_back(self, tool: str, calls: int) -> None:
        """Take back calls that were made on the runtime's own account and that the model did not want."""
        self.calls[tool] = max(0, self.calls.get(tool, 0) - calls)

    @property
    def tool_calls(self) -> int:
        """All calls that reached a provider."""
        return sum(self.calls.values())

    def reached(self) -> str | None:
        """The limit that forbids another turn with tools, in words, or None."""
        if self.turns >= self.limits.turns:
            return f"the limit of {self.limits.turns} model turns"
        if self.tokens_read >= self.limits.tokens_read:
            return f"the limit of {self.limits.tokens_read:,} tokens read"
        return None
