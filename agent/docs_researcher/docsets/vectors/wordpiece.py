"""Text to token ids as BERT's uncased models read it: lower case, no accents, words cut at signs, then into known pieces.

The vocabulary is BERT's (30,522 pieces, Apache-2.0); MiniLM, bge-small and their kin all use it. The usual tokenizer library
would bring seven further packages for these few lines.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

PAD, UNKNOWN, START, END = 0, 100, 101, 102
LONGEST_WORD = 100
"""A longer run of letters is no word; it becomes one unknown token, as in the original."""
REMEMBERED_WORDS = 50_000
_CJK_RANGES = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    """The tokenizer of one vocabulary."""

    def __init__(self, pieces: Sequence[str]) -> None:
        """`pieces` in the order of their ids; those that go on inside a word start with `##`."""
        self._ids = {piece: number for number, piece in enumerate(pieces)}
        self._pieces_of = lru_cache(REMEMBERED_WORDS)(self._cut)

    def ids(self, text: str, limit: int) -> list[int]:
        """The token ids of a text between the start and end marks, at most `limit` with them."""
        found = [START]
        for word in _words(text):
            found.extend(self._pieces_of(word))
            if len(found) >= limit:
                break
        return [*found[: limit - 1], END]

    def _cut(self, word: str) -> tuple[int, ...]:
        """The longest known pieces from left to right; one unknown token when that leaves a rest."""
        if len(word) > LONGEST_WORD:
            return (UNKNOWN,)
        pieces: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                id = self._ids.get(mark + word[start:end])
                if id is not None:
                    pieces.append(id)
                    start = end
                    break
            else:
                return (UNKNOWN,)
        return tuple(pieces)


def _words(text: str) -> Iterable[str]:
    """Lower-case words without accents; every sign and every CJK character is a word of its own."""
    if text.isascii():
        return _ascii_words(text.lower())
    spaced = "".join(_separated(character) for character in text)
    plain = unicodedata.normalize("NFD", spaced.lower())
    return _cut_at_signs("".join(character for character in plain if unicodedata.category(character) != "Mn"))


_ASCII_SPACED = {
    code: " " if chr(code) in "\t\n\r " else "" if code < 32 or code == 127 else f" {chr(code)} "
    for code in range(128)
    if not chr(code).isalnum()
}


def _ascii_words(text: str) -> list[str]:
    return text.translate(_ASCII_SPACED).split()


def _separated(character: str) -> str:
    code = ord(character)
    if code in (0, 0xFFFD) or (character not in "\t\n\r" and unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs")):
        return ""
    if any(first <= code <= last for first, last in _CJK_RANGES):
        return f" {character} "
    return " " if character.isspace() else character


def _cut_at_signs(text: str) -> list[str]:
    return "".join(f" {character} " if _is_sign(character) else character for character in text).split()


def _is_sign(character: str) -> bool:
    if character.isascii():
        return not character.isalnum() and not character.isspace()
    return unicodedata.category(character).startswith("P")
