"""How often one caller may ask: a bucket of requests for each, in a table of fixed size that all workers share."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from docs_researcher.server.http.numbers import Numbers

SLOTS = 4_096
"""Callers that are remembered at once; the one that was longest away makes room."""
PROBES = 8
"""Places of the table that one caller may stand in."""
_FIELDS = 3
CELLS = SLOTS * _FIELDS
"""The cells that the table takes of the numbers: key, requests left and last seen of each slot."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a caller has left, and how long to wait when that is nothing."""

    limit: int
    remaining: int
    reset_seconds: float
    """Until everything is there again."""
    retry_after: int
    """Whole seconds until one more request is answered; 0 when this one is."""

    @property
    def is_spent(self) -> bool:
        """Whether this request has to be refused."""
        return self.retry_after > 0

    def headers(self, now: float) -> dict[str, str]:
        """The fields of the answer; `now` is the time of day in seconds."""
        fields = {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(math.ceil(now + self.reset_seconds)),
        }
        return {**fields, "Retry-After": str(self.retry_after)} if self.is_spent else fields


class RateLimit:
    """A bucket a caller: `per_minute` requests fit in, and it fills evenly within a minute."""

    def __init__(self, numbers: Numbers, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        """The first `CELLS` of `numbers` belong to it. The clock has to be one that all processes of the machine share."""
        self._numbers = numbers
        self._limit = per_minute
        self._clock = clock

    def take(self, caller: str) -> Allowance:
        """Count one request of this caller."""
        key = int.from_bytes(hashlib.blake2b(caller.encode("utf-8", "replace"), digest_size=6).digest()) + 1
        a_second = self._limit / 60
        with self._numbers.held():
            cells, now = self._numbers.cells, self._clock()
            at = self._slot(key)
            level = float(self._limit)
            if cells[at] == key:
                level = min(level, cells[at + 1] + (now - cells[at + 2]) * a_second)
            spent = level < 1
            level = level if spent else level - 1
            cells[at], cells[at + 1], cells[at + 2] = key, level, now
        wait = math.ceil((1 - level) / a_second) if spent else 0
        return Allowance(self._limit, int(level), (self._limit - level) / a_second, wait)

    def _slot(self, key: int) -> int:
        """Where this caller stands, else the place of the one that was away for longest."""
        cells = self._numbers.cells
        places = [(key + probe) % SLOTS * _FIELDS for probe in range(PROBES)]
        return next((place for place in places if cells[place] == key), min(places, key=lambda place: cells[place + 2]))
