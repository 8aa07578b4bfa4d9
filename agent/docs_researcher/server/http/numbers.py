"""Numbers that all workers of one server count in: an array and its lock, in this process or shared between processes."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Protocol

LOCK_SECONDS = 0.05
"""How long to wait for the lock, which is held for microseconds."""
GIVEN_UP = 20
"""After so many waits in vain it is waited for no more: a worker that was killed with it in hand leaves it locked for good."""


class Cells(Protocol):
    """What an `array` and a shared array have in common."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...
    def __len__(self) -> int: ...


class Lock(Protocol):
    """What the locks of threads and of processes have in common."""

    def acquire(self, block: bool = True, timeout: float = ..., /) -> bool:
        """Whether it is held now."""
        ...

    def release(self) -> None:
        """Let the next one have it."""
        ...


class Numbers:
    """Floating point cells, all zero at first."""

    def __init__(self, cells: Cells, lock: Lock) -> None:
        self.cells = cells
        self._lock = lock
        self._in_vain = 0

    @classmethod
    def of_this_process(cls, size: int) -> Numbers:
        """Cells for one process and its threads."""
        return cls(array("d", bytes(8 * size)), threading.Lock())

    @classmethod
    def of_all_workers(cls, size: int) -> Numbers:
        """Cells that can be handed to processes as they are started, and to nobody else."""
        import multiprocessing

        spawn = multiprocessing.get_context("spawn")
        return cls(spawn.RawArray("d", size), spawn.Lock())

    @contextmanager
    def held(self) -> Generator[None]:
        """Read and change several cells as one. Where the lock is lost, go on without: a wrong count is better than no answer."""
        held = self._in_vain < GIVEN_UP and self._lock.acquire(True, LOCK_SECONDS)
        self._in_vain = 0 if held else self._in_vain + 1
        try:
            yield
        finally:
            if held:
                self._lock.release()

    def add(self, changes: Iterable[tuple[int, float]]) -> None:
        """Add to cells, all at once."""
        with self.held():
            for index, amount in changes:
                self.cells[index] += amount
