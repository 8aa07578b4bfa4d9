"""The table of word vectors: which words it knows, what it does with others, and how a text becomes a row of words.

`data/words.bin` is made by `scripts/word_table.py` (docs/development.md says how): a line of ASCII, the words, the vectors.

    docs-researcher word vectors 1 DIMENSIONS WORDS DIGEST
    the words, one a line, and an empty line
    WORDS times DIMENSIONS bytes, each a whole number from -LARGEST to LARGEST with LARGEST added

How much a word says lies in the length of its vector, so the vector of a text is the plain sum over its words.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from struct import unpack

DATA = Path(__file__).parent / "data" / "words.bin"
MAGIC = "docs-researcher word vectors 1"
LARGEST = 63
"""Of a number in a vector. With seven bits more than 250 words can be added in lanes of 16 bits; with eight no more pages were
found."""
MOST_WRITTEN = 200
"""Words of a text that are read."""
MOST_ROWS = 4
"""Of one written word: `getServerSideProps` is get, server, side and props."""
MOST_ADDED = 0xFFFF // (2 * LARGEST)
"""Rows of one question: so many fit into lanes of 16 bits."""

_SPACED = bytes(byte if byte < 128 and chr(byte).isalnum() else 32 for byte in range(256))
"""Letters and digits as they are, everything else a space."""
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+")
_LINK_TARGET = re.compile(r"\]\([^)\s]*\)")
_ENDINGS = (
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("ing", ""),
    ("ing", "e"),
    ("ed", ""),
    ("ed", "e"),
    ("ly", ""),
    ("er", ""),
    ("er", "e"),
    ("ness", ""),
    ("able", ""),
    ("able", "e"),
    ("ment", ""),
    ("ation", "e"),
    ("ation", ""),
)
"""What is taken from the end of a word that the table lacks, and put there instead."""
_ENDED = tuple({ending: None for ending, _ in _ENDINGS})
_SHORTEST_STEM = 3


@dataclass(frozen=True)
class WordTable:
    """Words and their vectors."""

    size: int
    """Dimensions."""
    digest: str
    """Of words and vectors; a docset remembers it, since vectors of two tables cannot be compared."""
    words: tuple[str, ...]
    vectors: bytes = field(repr=False)
    """Row after row, a byte a dimension, LARGEST added."""

    @classmethod
    def read(cls, path: Path) -> WordTable:
        """The table of a file that `written` made."""
        data = path.read_bytes()
        line, _, rest = data.partition(b"\n")
        size, count, digest = line.decode("ascii").removeprefix(MAGIC).split()
        words, _, vectors = rest.partition(b"\n\n")
        table = cls(int(size), digest, tuple(words.decode("ascii").split("\n")), vectors)
        if len(table.words) != int(count) or len(vectors) != int(size) * int(count):
            raise ValueError(f"{path.name} is cut off or not a table of word vectors")
        return table

    @classmethod
    def of(cls, size: int, words: tuple[str, ...], vectors: bytes) -> WordTable:
        """A new table. Words are lower-case ASCII letters and digits."""
        digest = hashlib.sha256("\n".join(words).encode("ascii") + b"\n\n" + vectors).hexdigest()[:16]
        return cls(size, digest, words, vectors)

    def written(self) -> bytes:
        """The table as a file."""
        head = f"{MAGIC} {self.size} {len(self.words)} {self.digest}\n"
        return head.encode("ascii") + "\n".join(self.words).encode("ascii") + b"\n\n" + self.vectors

    def row(self, number: int) -> bytes:
        """One vector, LARGEST added to each number."""
        return self.vectors[number * self.size : (number + 1) * self.size]

    def rows_of(self, written: str) -> tuple[int, ...]:
        """The numbers of the words that a written word stands for: itself, its parts, or what is left without its ending."""
        word = written.lower()
        known = self._numbers.get(word)
        if known is not None:
            return (known,)
        parts = [part.lower() for part in _HUMP.findall(written)]
        if len(parts) > 1:
            found = [self._numbers[part] for part in parts if part in self._numbers]
            if found:
                return tuple(found[:MOST_ROWS])
        for ending, instead in _ENDINGS if word.endswith(_ENDED) else ():
            if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
                known = self._numbers.get(word.removesuffix(ending) + instead)
                if known is not None:
                    return (known,)
        return ()

    def sum_of(self, text: str) -> list[int]:
        """The vector of a text; empty when the table knows none of its words."""
        rows = [number for word in written_words(text) for number in self.rows_of(word.decode("ascii"))][:MOST_ADDED]
        if not rows:
            return []
        # Every second byte has 16 bits of one integer to grow in, so a row takes two additions instead of one for each number.
        even = odd = 0
        for number in rows:
            row = int.from_bytes(self.row(number), "little")
            even += row & self._every_second
            odd += row >> 8 & self._every_second
        offset, lanes = LARGEST * len(rows), f"<{self.size // 2}H"
        pairs = zip(
            unpack(lanes, even.to_bytes(self.size, "little")), unpack(lanes, odd.to_bytes(self.size, "little")), strict=True
        )
        return [number - offset for pair in pairs for number in pair]

    @cached_property
    def _every_second(self) -> int:
        return int.from_bytes(b"\xff\x00" * (self.size // 2), "little")

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}


@cache
def word_table() -> WordTable:
    """The shipped table, read once."""
    return WordTable.read(DATA)


def written_words(text: str, most: int = MOST_WRITTEN) -> list[bytes]:
    """The first words of a text as they are written: runs of ASCII letters and digits."""
    return text.encode("utf-8", "replace").translate(_SPACED).split(None, most)[:most]


def prose(markdown: str) -> str:
    """Markdown without its fenced blocks of code and without the targets of its links."""
    text = " ".join(markdown.split("```")[::2]) if "```" in markdown else markdown
    return _LINK_TARGET.sub("]", text) if "](" in text else text
