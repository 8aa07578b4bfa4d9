"""Adding vectors fast without numpy: all numbers of one lie in lanes of one Python integer, so a single addition adds them all.

A lane has 16 bits. Its number is a sum of table bytes (0 to twice LARGEST), so the lanes never touch while fewer than
MOST_WORDS words are added, and the highest bit of each stays free: to compare all lanes with a number at once, that bit is
set, the number is taken away from every lane, and where the bit is still there the lane was not smaller.

One more lane counts the words.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from math import isqrt
from operator import mul

from docs_researcher.docsets.static_vectors.table import LARGEST, WordTable

LANE = 16
MOST_WORDS = 250
SAMPLED = 4
"""The spread of a vector is taken from every fourth of its numbers: a tenth off does not matter, and it takes a quarter of the
time."""
KEPT_WORDS = 40_000
"""Words whose lanes are remembered while a docset is built: about 20 MB."""


class PackedWords(dict[bytes, int]):
    """The lanes of each word as it is written, made when it is first asked for; 0 for one that the table lacks."""

    def __init__(self, table: WordTable) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, word: bytes) -> int:
        if len(self) >= KEPT_WORDS:
            self.clear()
        packed = self[word] = sum(self._packed(number) for number in self._table.rows_of(word.decode("ascii")))
        return packed

    def sum_of(self, words: Iterable[bytes]) -> int:
        """All of their vectors added, and in the last lane how many there were."""
        return sum(filter(None, map(self.__getitem__, words)))

    def _packed(self, number: int) -> int:
        size = self._table.size
        lanes = bytearray(2 * size + 2)
        lanes[: 2 * size : 2] = self._table.row(number)
        lanes[-2] = 1
        return int.from_bytes(lanes, "little")


class Lanes:
    """What can be done with sums of vectors of one size."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._ones = int.from_bytes(b"\x01\x00" * size, "little")
        self._highest = self._ones << (LANE - 1)
        self._all = (1 << (LANE * size)) - 1
        self._digits = self._ones * ord("0")

    def count(self, total: int) -> int:
        """How many words were added."""
        return total >> (LANE * self._size)

    def planes(self, total: int) -> tuple[int, int]:
        """The signs of a sum, and which of its numbers are large (further from 0 than about one spread), a bit each.

        The first number is the highest bit. At most MOST_WORDS may have been added, and at least one.
        """
        offset = LARGEST * self.count(total)
        lanes = (total & self._all) | self._highest
        large = self._spread(total, offset)
        signs = self._not_below(lanes, offset)
        above = self._not_below(lanes, offset + large)
        below = self._highest ^ self._not_below(lanes, max(0, offset - large))
        return self._bits(signs), self._bits(above | below)

    def _spread(self, total: int, offset: int) -> int:
        """The root of the mean square of the numbers, from a sample."""
        native = (total & self._all).to_bytes(2 * self._size, sys.byteorder)
        lanes = memoryview(native).cast("H")[:: SAMPLED if sys.byteorder == "little" else -SAMPLED].tolist()
        squares = sum(map(mul, lanes, lanes)) - 2 * offset * sum(lanes) + len(lanes) * offset * offset
        return isqrt(squares // len(lanes))

    def _not_below(self, lanes: int, number: int) -> int:
        return (lanes - self._ones * number) & self._highest

    def _bits(self, marks: int) -> int:
        """The highest bits of all lanes side by side."""
        digits = ((marks >> (LANE - 1)) | self._digits).to_bytes(2 * self._size, "little")[::2]
        return int(digits, 2)
