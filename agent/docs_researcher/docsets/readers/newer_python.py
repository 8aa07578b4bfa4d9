"""Python code with the type parameters of Python 3.12 (PEP 695), written so that every version that we run on parses it alike."""

from __future__ import annotations

import ast
import re
import warnings

_MAY_BE_NEWER = re.compile(
    rb"^[ \t]*(?:type[ \t]+\w+[ \t]*[\[=]|(?:async[ \t]+)?def[ \t]+\w+[ \t]*\[|class[ \t]+\w+[ \t]*\[)", re.MULTILINE
)
_ALIAS = re.compile(r"^([ \t]*)type[ \t]+(\w+)[ \t]*(?=[\[=])", re.MULTILINE)
_GENERIC = re.compile(r"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+\w+[ \t]*(?=\[)", re.MULTILINE)
_MARK = "\0"


def older(data: bytes) -> bytes | None:
    """The code of a file without type parameters and with aliases as assignments, lines kept; None where it is no Python then.

    A file without any of these is given back as it is, unread.
    """
    if not _MAY_BE_NEWER.search(data):
        return data
    text = data.decode("utf-8", "replace")
    text = _ALIAS.sub(rf"\1\2{_MARK}", text)
    text = _without_brackets(text, re.compile(rf"{_MARK}(?=\[)")).replace(_MARK, "")
    text = _without_brackets(text, _GENERIC)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what an old file says of its own escapes
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return text.encode()


def _without_brackets(text: str, before: re.Pattern[str]) -> str:
    """The text without the brackets that stand behind each match; their line breaks are kept."""
    pieces: list[str] = []
    start = 0
    for match in before.finditer(text):
        if match.end() < start:
            continue
        end = _closing(text, match.end())
        pieces += [text[start : match.end()], "" if end == match.end() else _breaks(text[match.end() : end])]
        start = end
    return "".join([*pieces, text[start:]])


def _breaks(text: str) -> str:
    """As many line breaks, each inside a continued line."""
    return "\\\n" * text.count("\n")


def _closing(text: str, start: int) -> int:
    """Behind the bracket that closes the one at `start`; `start` itself where none does."""
    depth = 0
    for place in range(start, min(len(text), start + 2_000)):
        depth += {"[": 1, "]": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return start
