"""Numbers that all workers of one server count in: an array and its lock, in this process or shared between processes."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Cells(Protocol):
    """What an `array` and a shared array have in common."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...
    def __len__(self) -> int: ...


class Numbers:
    """Floating point cells, all zero at first. Hold `lock` to read and change several as one."""

    def __init__(self, cells: Cells, lock: AbstractContextManager[Any]) -> None:
        self.cells = cells
        self.lock = lock

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

    def add(self, changes: Iterable[tuple[int, float]]) -> None:
        """Add to cells, all at once."""
        with self.lock:
            for index, amount in changes:
                self.cells[index] += amount
