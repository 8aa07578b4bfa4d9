"""Bytes to text: marks, UTF-8, UTF-16, then Latin-1 with a note. What is no text is refused with its reason."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte-order marks; the mark of UTF-32 begins with that of UTF-16, so it is tried first."""
_BINARY = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f]")
"""Bytes that no text in a one-byte encoding holds. The escape byte is left to `clean`."""

NOT_TEXT = "not UTF-8 text"
HOLDS_NUL = "holds NUL bytes, as no text does"
NUL_SHARE = 8
"""One NUL in so many bytes, or more, and the file is binary, or UTF-16 without its mark; fewer are damage in a text."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """`text` with a note when the encoding had to be guessed; `text` is None, and the note the reason, when it is no text."""

    text: str | None
    note: str = ""


def decode(data: bytes) -> Decoded:
    """The text of a file. A byte-order mark decides; then UTF-8; then Latin-1, unless the bytes are no text at all."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    if b"\x00" in data:
        return _without_nul(data)
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError:
        pass
    if _BINARY.search(data):
        return Decoded(None, NOT_TEXT)
    return Decoded(data.decode("cp1252", errors="replace"), "read as Latin-1, since it is not UTF-8")


def _without_nul(data: bytes) -> Decoded:
    """A text that a few NUL bytes got into is read without them; anything else with NUL bytes is no text."""
    rest = data.replace(b"\x00", b"")
    if (len(data) - len(rest)) * NUL_SHARE > len(data) or _BINARY.search(rest):
        return Decoded(None, HOLDS_NUL)
    try:
        return Decoded(rest.decode("utf-8"), "read without its NUL bytes")
    except UnicodeDecodeError:
        return Decoded(None, HOLDS_NUL)


def _marked(data: bytes, encoding: str) -> Decoded:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return Decoded(None, f"marked as {encoding.upper()} but not readable as such")
    return Decoded(None, HOLDS_NUL) if "\x00" in text else Decoded(text)
