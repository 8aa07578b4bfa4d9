"""The time that a run has, measured on a clock that never goes back."""

from __future__ import annotations

import time


class Deadline:
    """Counts down from `seconds`. Time that must not count (a first fetch) is given back with `extend`."""

    def __init__(self, seconds: float) -> None:
        self._started = time.monotonic()
        self._ends = self._started + seconds

    @property
    def elapsed(self) -> float:
        """Seconds since the run began, extensions included."""
        return time.monotonic() - self._started

    @property
    def remaining(self) -> float:
        """Seconds left; never below zero."""
        return max(0.0, self._ends - time.monotonic())

    def extend(self, seconds: float) -> None:
        """Give back time that does not count."""
        self._ends += max(0.0, seconds)
