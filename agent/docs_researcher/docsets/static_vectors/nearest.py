"""The static vectors of an open docset, and which chunks are nearest to a question.

First the signs are compared, all of a chunk at once; the best are then compared number by number, again on whole integers: each
number of the question has a sign and three bits, and each of a chunk a sign and one, so a product is a sum of ANDs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from operator import itemgetter
from typing import TYPE_CHECKING

from docs_researcher.docsets.sql import one, rows
from docs_researcher.docsets.static_vectors.chunk_vectors import TABLE_KEY
from docs_researcher.docsets.static_vectors.planes import Planes
from docs_researcher.docsets.static_vectors.table import WordTable, word_table

if TYPE_CHECKING:
    import apsw

FIRST_SIGNS = 128
"""Signs that are compared first: those of the largest numbers of the question. With all 256 no more pages were found."""
COMPARED = 80
"""So many chunks with the most equal signs are compared number by number. With 200 as many pages were found, and it took 0.5 ms
longer (2026-11-30)."""
SMALL, LARGE = 0.45, 1.5
"""What the numbers of a chunk stand for, in spreads: the means of those nearer to 0 than one spread, and of the others."""
QUESTION_BITS = 3
"""Of the size of a number of the question, beside its sign. With two the right page came later, with four it came no earlier."""
_DIGITS = tuple(bytes(ord("0") + (number >> bit & 1) for number in range(256)) for bit in range(QUESTION_BITS))
LEAST = 0.0
"""A chunk that is less similar points the other way. Leaving out those below 0.2 lost half of what is gained."""


class StaticVectors:
    """All static vectors of one docset in memory, about 130 bytes a chunk. Safe to use from several threads."""

    def __init__(self, connection: apsw.Connection, table: WordTable) -> None:
        self._table = table
        self._step = table.size // 4
        self._data = b"".join(row[0] for row in rows(connection, "SELECT data FROM static_vectors ORDER BY first_chunk"))
        self._used = False
        self._planes: Planes | None = None

    @property
    def count(self) -> float:
        """How many chunks have a vector; no whole number when the last one is cut off."""
        return len(self._data) / self._step

    def nearest(self, question: str, count: int) -> list[tuple[int, float]]:
        """Number and similarity (-1 to 1) of the nearest chunks, best first; none when no word of the question is known."""
        asked = self._asked(question)
        if asked is None:
            return []
        numbers = self._most_alike(asked)
        alike = [
            (number + 1, value)
            for number, value in zip(numbers, self._similarities(asked, numbers), strict=True)
            if value > LEAST
        ]
        alike.sort(key=itemgetter(1), reverse=True)  # of equal ones the first in the docset stays first
        return alike[:count]

    def _asked(self, question: str) -> _Question | None:
        vector = self._table.sum_of(question)
        return _Question.of(vector) if any(vector) else None

    def _most_alike(self, asked: _Question) -> list[int]:
        if self._planes is None and self._used:
            self._planes = Planes(self._data, self._table.size, self._step)
        self._used = True
        if self._planes is not None:
            return self._planes.most_alike(asked.first, COMPARED)
        # For a single question, turning the signs would take longer than it saves.
        read, half = int.from_bytes, self._table.size // 8
        wanted = sum(1 << (self._table.size - 1 - number) for number, _ in asked.first)
        starts = range(0, len(self._data), self._step)
        distances = bytes([((read(self._data[at : at + half], "big") ^ asked.signs) & wanted).bit_count() for at in starts])
        return _smallest(distances, COMPARED)

    def _similarities(self, asked: _Question, numbers: list[int]) -> Iterator[float]:
        size, step, read, data = self._table.size, self._step, int.from_bytes, self._data
        one, two, four = asked.planes
        all_large, disagreeing = (1 << size) - 1, asked.signs ^ ((1 << size) - 1)
        for number in numbers:
            # Written out: eighty of these are most of the time of a search by static vectors.
            both = read(data[number * step : (number + 1) * step], "big")
            large = both & all_large
            agreeing = (both >> size) ^ disagreeing
            of_one, of_two, of_four = one & agreeing, two & agreeing, four & agreeing
            equal = of_one.bit_count() + 2 * of_two.bit_count() + 4 * of_four.bit_count()
            of_large = (one & large).bit_count() + 2 * (two & large).bit_count() + 4 * (four & large).bit_count()
            equal_large = (of_one & large).bit_count() + 2 * (of_two & large).bit_count() + 4 * (of_four & large).bit_count()
            product = SMALL * (2 * equal - asked.total) + (LARGE - SMALL) * (2 * equal_large - of_large)
            many = large.bit_count()
            length = sqrt(LARGE * LARGE * many + SMALL * SMALL * (size - many))
            yield product / (asked.length * length) if both else LEAST  # zeros: no word of the chunk is known


@dataclass(frozen=True, slots=True)
class _Question:
    """The vector of a question: its signs, and its sizes as whole numbers of three bits, bit by bit."""

    signs: int
    planes: tuple[int, int, int]
    """The numbers whose size has a one, a two, a four in it."""
    total: int
    """Of the sizes."""
    length: float
    first: tuple[tuple[int, bool], ...]
    """Its largest numbers: which they are, and whether each is positive."""

    @classmethod
    def of(cls, vector: list[int]) -> _Question:
        sizes = list(map(abs, vector))
        order = sorted(range(len(vector)), key=sizes.__getitem__, reverse=True)[:FIRST_SIGNS]
        largest = sizes[order[0]]
        digits = bytes([number * (2**QUESTION_BITS - 1) // largest for number in sizes])
        counts = [digits.count(digit) for digit in range(2**QUESTION_BITS)]
        return cls(
            signs=_bits(bytes([number >= 0 for number in vector]), 0),
            planes=(_bits(digits, 0), _bits(digits, 1), _bits(digits, 2)),
            total=sum([digit * count for digit, count in enumerate(counts)]),
            length=sqrt(sum([digit * digit * count for digit, count in enumerate(counts)])),
            first=tuple([(number, vector[number] >= 0) for number in order]),
        )


def _bits(numbers: bytes, bit: int) -> int:
    """One bit of each number, that of the first one highest."""
    return int(numbers.translate(_DIGITS[bit]), 2)


def _smallest(distances: bytes, count: int) -> list[int]:
    """Where at least `count` of the smallest lie; all that equal the last of these too."""
    low, high = 0, FIRST_SIGNS
    while low < high:
        middle = (low + high) // 2
        larger = len(distances.translate(None, bytes(range(middle + 1))))
        low, high = (low, middle) if len(distances) - larger >= count else (middle + 1, high)
    return [match.start() for match in re.finditer(rb"[\x00-\x%02x]" % low, distances)]


def opened(connection: apsw.Connection) -> StaticVectors | None:
    """The static vectors of a docset of ours; None where it has none, those of another word table, or not one for each chunk."""
    if one(connection, "SELECT 1 FROM sqlite_schema WHERE name = 'static_vectors'") is None:
        return None
    made_by = one(connection, "SELECT value FROM meta WHERE key = ?", (TABLE_KEY,))
    table = word_table()
    if made_by is None or made_by[0] != table.digest:
        return None
    vectors = StaticVectors(connection, table)
    last = one(connection, "SELECT max(id) FROM chunks")
    return vectors if last is not None and last[0] == vectors.count else None
