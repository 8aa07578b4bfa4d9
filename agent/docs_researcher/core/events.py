"""What happens during a run or a build, told as it happens.

A listener is a plain function. It must return quickly and must not raise; what it shows goes to stderr or into a progress
note, never into the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

EventKind = Literal["step", "fetch", "build", "notice", "text", "turn"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. `done` and `total` count bytes for "fetch" and files for "build"; total may be unknown."""

    kind: EventKind
    text: str
    done: int | None = None
    total: int | None = None
    code: str = ""
    """Of a "notice" that the answer of the run carries too: its code. Empty for what is only said while it happens."""


Listener = Callable[[Event], None]


def ignore(event: Event) -> None:
    """The listener that shows nothing."""
