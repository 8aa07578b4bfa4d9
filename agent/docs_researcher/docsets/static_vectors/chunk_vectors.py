"""The vector of each chunk while a docset is built: from where it stands and the first of its prose, two bits a dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_researcher.docsets.sql import run
from docs_researcher.docsets.static_vectors.lanes import MOST_WORDS, Lanes, PackedWords
from docs_researcher.docsets.static_vectors.table import MOST_ROWS, WordTable, prose, written_words

if TYPE_CHECKING:
    import apsw

TABLE_KEY = "static_vectors_table"
"""The row of `meta` with the digest of the word table."""
BLOCK = 8_192
"""Vectors in one row of the docset: half a megabyte."""
HEADING = 2
"""How often the words of the heading path count."""
WORDS = 60
"""Of the prose. With 100 more right pages were among the first five and fewer were first, and a build took longer."""
HEADING_WORDS = 60
CHARACTERS = 550
"""Of the prose; they hold so many words, and reading all of a long chunk would take most of the time."""
_FEW = MOST_WORDS // MOST_ROWS


class ChunkVectors:
    """Makes the vectors of chunks and writes them, in the order of the chunks."""

    def __init__(self, table: WordTable) -> None:
        self.digest = table.digest
        self._words = PackedWords(table)
        self._lanes = Lanes(table.size)
        self._bytes = table.size // 8
        self._title = ("", 0)
        self._waiting = bytearray()
        self._first = 1

    def vector(self, title: str, heading: str, content: str) -> bytes:
        """The signs of a chunk's vector, then which of its numbers are large; zeros when no word is known."""
        body = written_words(prose(content)[:CHARACTERS], WORDS)
        place = written_words(heading, HEADING_WORDS)
        if title != self._title[0]:
            self._title = (title, self._words.sum_of(written_words(title, HEADING_WORDS)))
        total = self._title[1] + HEADING * self._words.sum_of(place) + self._words.sum_of(body)
        if self._lanes.count(total) > MOST_WORDS:
            # Rare: the words of the text are all made of several, as in a list of long identifiers.
            total = self._words.sum_of((place + body)[:_FEW])
        if not total:
            return bytes(2 * self._bytes)
        signs, large = self._lanes.planes(total)
        return signs.to_bytes(self._bytes, "big") + large.to_bytes(self._bytes, "big")

    def add(self, connection: apsw.Connection, title: str, heading: str, content: str) -> None:
        """The vector of the next chunk, written with those before it when they fill a block."""
        self._waiting += self.vector(title, heading, content)
        if len(self._waiting) >= BLOCK * 2 * self._bytes:
            self.flush(connection)

    def flush(self, connection: apsw.Connection) -> None:
        """Write what is left."""
        if self._waiting:
            run(connection, "INSERT INTO static_vectors VALUES (?, ?)", (self._first, bytes(self._waiting)))
            self._first += len(self._waiting) // (2 * self._bytes)
            self._waiting.clear()
