"""Text from outside made safe to show: no control, bidi or invisible characters reach a terminal or a parent agent."""

from __future__ import annotations

import re
import unicodedata

from docs_researcher.core.lines import with_line_feeds

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movement
    r"|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # OSC (links, titles), DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-~]"
    r"|\x9b[0-?]*[ -/]*[@-~]"  # the one-byte CSI
)
_KEPT = {"\n", "\t", "\u200c", "\u200d"}  # the joiners change letters in Persian, Hindi and emoji
_REMOVED = {"Cc", "Cf", "Co", "Cs"}


_ASCII_CONTROLS = bytes(code for code in (*range(0x20), 0x7F) if chr(code) not in "\n\t")


def clean(text: str) -> str:
    r"""`text` without escape sequences and without control, format, private-use and surrogate characters.

    Line breaks become `\n`; tabs stay. Characters that only look odd (accents, CJK, emoji) are untouched.
    """
    if text.isascii() and text.isprintable():
        return text
    text = with_line_feeds(text)
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPES.sub("", text)
    if text.isascii():
        # Deleting bytes is many times as fast as translating text.
        return text.encode("ascii").translate(None, _ASCII_CONTROLS).decode("ascii")
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    removed = {ord(c): None for c in set(text) if c not in _KEPT and unicodedata.category(c) in _REMOVED}
    return text.translate(removed) if removed else text
