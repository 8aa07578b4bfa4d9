"""Substitutions in TypeScript that leave its comments and strings as they are written."""

from __future__ import annotations

import re
from collections.abc import Callable

_STRING = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`"
_LEFT_ALONE = re.compile(rf"(/\*.*?\*/|//[^\n]*|{_STRING})", re.DOTALL)
_BLOCK_COMMENT = re.compile(rf"(//[^\n]*|{_STRING})|^[ \t]*/\*.*?\*/[ \t]*\n|[ \t]*/\*.*?\*/", re.DOTALL | re.MULTILINE)


def sub_in_code(pattern: re.Pattern[str], replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
    """`pattern.sub(replacement, text)` for what is neither comment nor string: ", in milliseconds" holds no variance word."""
    if pattern.search(text) is None:
        return text
    pieces = _LEFT_ALONE.split(text)
    pieces[::2] = (pattern.sub(replacement, piece) for piece in pieces[::2])
    return "".join(pieces)


def without_block_comments(text: str) -> str:
    """The code without its block comments, and without the lines that hold nothing else."""
    return _BLOCK_COMMENT.sub(lambda match: match[1] or "", text)
