"""Python code with the type parameters of Python 3.12 (PEP 695), written so that every version that we run on parses it alike."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator, Sequence

_MAY_BE_NEWER = re.compile(rb"^[ \t]*(?:type[ \t]+\w+[ \t]*[\[=]|(?:(?:async[ \t]+)?def|class)[ \t]+\w+[ \t]*\[)", re.MULTILINE)
_Place = tuple[int, int]


def older(data: bytes) -> bytes | None:
    """The code of a file without type parameters and with aliases as assignments, lines kept; None where it is no Python then.

    A file without any of these is given back as it is, unread.
    """
    if not _MAY_BE_NEWER.search(data):
        return data
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        text = _without(text, list(_newer(tokens)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what an old file says of its own escapes
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, tokenize.TokenError):
        return None
    return text.encode()


def _newer(tokens: Sequence[tokenize.TokenInfo]) -> Iterator[tuple[_Place, _Place]]:
    """Where the word `type` of an alias, and the brackets of type parameters begin and end."""
    starts = True
    for index, token in enumerate(tokens[:-2]):
        name, behind = tokens[index + 1], tokens[index + 2]
        if token.type == tokenize.NAME and name.type == tokenize.NAME:
            is_alias = starts and token.string == "type" and behind.string in ("=", "[")
            if is_alias:
                yield token.start, name.start
            if (is_alias or token.string in ("def", "class")) and behind.string == "[":
                yield behind.start, _closing(tokens, index + 2)
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            starts = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)


def _closing(tokens: Sequence[tokenize.TokenInfo], start: int) -> _Place:
    """Where the bracket ends that opens at the token `start`."""
    depth = 0
    for token in tokens[start:]:
        depth += {"[": 1, "]": -1}.get(token.string, 0) if token.type == tokenize.OP else 0
        if depth == 0:
            return token.end
    return tokens[start].end


def _without(text: str, parts: Sequence[tuple[_Place, _Place]]) -> str:
    """The text without these parts, each a line and a column; their line breaks stay, inside a continued line."""
    lines = text.split("\n")
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    pieces: list[str] = []
    position = 0
    for (row, column), (last_row, last_column) in parts:
        start, end = offsets[row - 1] + column, offsets[last_row - 1] + last_column
        pieces += [text[position:start], "\\\n" * text.count("\n", start, end)]
        position = end
    return "".join([*pieces, text[position:]])
