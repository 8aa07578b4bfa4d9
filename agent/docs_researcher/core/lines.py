"""Where a line ends: at a line feed, a carriage return or both, as in files and editors.

`str.splitlines` ends one at a form feed, a next-line and a U+2028 as well, which stand inside the text of documents and messages:
a sentence would become a heading, and the numbers of lines would be wrong.
"""

from __future__ import annotations


def with_line_feeds(text: str) -> str:
    r"""`text` with `\n` in place of `\r\n` and `\r`."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def lines_of(text: str) -> list[str]:
    """The lines of `text`, without their ends; an end behind the last one begins no other."""
    lines = with_line_feeds(text).split("\n")
    if not lines[-1]:
        lines.pop()
    return lines
