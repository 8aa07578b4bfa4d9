"""Signs of vectors side by side: one large integer for each dimension, a bit in it for each chunk.

How many signs of a chunk differ from those of a question is then counted for all chunks at once, with the adders of a processor
written out in ANDs and XORs: three numbers of one worth become one of that worth and one of the next, until one of each is left.
50,000 chunks take a millisecond instead of six. Turning the signs takes some 40 of it, so it pays from the second question on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_BITS = tuple(bytes(ord("0") + (number >> bit & 1) for number in range(256)) for bit in range(7, -1, -1))


class Planes:
    """The signs of all chunks by dimension."""

    def __init__(self, data: bytes, size: int, step: int) -> None:
        """Turn them. The signs of a chunk are the first `size` bits of each `step` bytes; the last chunk gets the highest bit."""
        self._count = len(data) // step
        self._all = (1 << self._count) - 1
        columns = [data[at::step][: self._count][::-1] for at in range(size // 8)]
        self._planes = [int(column.translate(bit), 2) for column in columns for bit in _BITS] if self._count else [0] * size

    def most_alike(self, asked: Sequence[tuple[int, bool]], count: int) -> list[int]:
        """The chunks, by number from 0 on, of which most of the dimensions asked for have the sign asked for.

        At least `count` where there are so many: all that equal the last of them too.
        """
        planes, everything = self._planes, self._all
        differing = [planes[number] ^ everything if positive else planes[number] for number, positive in asked]
        found, undecided = 0, everything
        for digit in reversed(_counted(differing)):
            smaller = undecided & ~digit
            if (found | smaller).bit_count() >= count:
                undecided = smaller
            else:
                found |= smaller
                undecided &= digit
        return _places(found | undecided)


def _counted(numbers: list[int]) -> list[int]:
    """For each place how many of the numbers have a bit there: the digits of that sum in base two, the lowest first."""
    digits: list[int] = []
    level = numbers
    while level:
        carries: list[int] = []
        while len(level) > 2:
            one, two, three = level.pop(), level.pop(), level.pop()
            either = one ^ two
            level.append(either ^ three)
            carries.append(one & two | either & three)
        if len(level) == 2:
            one, two = level
            level = [one ^ two]
            carries.append(one & two)
        digits.extend(level)
        level = carries
    return digits


def _places(bits: int) -> list[int]:
    """Where a number has its bits, the lowest first."""
    return [match.start() for match in re.finditer("1", f"{bits:b}"[::-1])]
