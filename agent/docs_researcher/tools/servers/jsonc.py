"""JSON as people write it into configuration files: comments, trailing commas, a byte order mark, any line ends."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MAX_DEPTH = 100
"""Brackets inside brackets; configurations have five."""

_SPACE = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRINGS = json.JSONDecoder(strict=False)
_SCALAR = re.compile(r"-?\d[\d.eE+-]*|true|false|null|NaN|-?Infinity")

Path_ = tuple[str, ...]
"""Keys from the outermost object inwards; positions in arrays as text."""


class JsoncError(ValueError):
    """Text that cannot be read: what is wrong, and in which line (counted from 1)."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what)
        self.what = what
        self.line = line


@dataclass(frozen=True, slots=True)
class Document:
    """A value and the line in which each of its keys stands."""

    value: Any
    lines: Mapping[Path_, int] = field(repr=False)

    def line(self, *path: str) -> int | None:
        """The line of the innermost key of `path` that is there."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return None


def read_jsonc(text: str) -> Document:
    """Read a whole text.

    Raises:
        JsoncError: it is not JSON, leniency aside.
    """
    reader = _Reader(text)
    value = reader.value((), 0)
    reader.skip()
    if reader.at < len(text):
        raise reader.error(f"{_shown(text, reader.at)} behind the end of the value")
    return Document(value, reader.lines)


def decode(data: bytes) -> str:
    """The text in a file's bytes: UTF-8 or UTF-16 by its byte order mark.

    Raises:
        UnicodeDecodeError: it is neither.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16")
    return data.decode("utf-8-sig")


class _Reader:
    """A position in a text, and what has been read up to it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path_, int] = {}
        self._counted_to = 0
        self._line = 1

    def error(self, what: str) -> JsoncError:
        return JsoncError(what, self.line_here())

    def line_here(self) -> int:
        """The line of the position, which only moves forward."""
        self._line += self.text.count("\n", self._counted_to, self.at)
        self._counted_to = max(self._counted_to, self.at)
        return self._line

    def skip(self) -> str:
        """Go over white space and comments; the character that follows, or nothing at the end."""
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        if self.text.startswith("/*", self.at):
            raise self.error("a comment that is not closed")
        return self.text[self.at : self.at + 1]

    def value(self, path: Path_, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise self.error(f"more than {MAX_DEPTH} brackets inside each other")
        start = self.skip()
        if start == "{":
            return self._object(path, depth)
        if start == "[":
            return self._array(path, depth)
        if start == '"':
            return self._string()
        scalar = _SCALAR.match(self.text, self.at)
        if scalar is None:
            raise self.error(f"{_shown(self.text, self.at)} where a value is due")
        try:
            value = json.loads(scalar.group())
        except ValueError as error:
            raise self.error(f"{scalar.group()!r} is no value") from error
        self.at = scalar.end()
        return value

    def _object(self, path: Path_, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self.at += 1
        while self.skip() != "}":
            if self.text[self.at : self.at + 1] != '"':
                raise self.error(f"{_shown(self.text, self.at)} where a key in double quotes is due")
            line = self.line_here()
            key = self._string()
            self.lines[(*path, key)] = line
            if self.skip() != ":":
                raise self.error(f"no colon behind the key {key!r}")
            self.at += 1
            found[key] = self.value((*path, key), depth + 1)
            self._comma("}")
        self.at += 1
        return found

    def _array(self, path: Path_, depth: int) -> list[Any]:
        found: list[Any] = []
        self.at += 1
        while self.skip() != "]":
            here = (*path, str(len(found)))
            self.lines[here] = self.line_here()
            found.append(self.value(here, depth + 1))
            self._comma("]")
        self.at += 1
        return found

    def _comma(self, end: str) -> None:
        """Go over a comma; without one, the bracket has to close."""
        following = self.skip()
        if following == ",":
            self.at += 1
        elif following != end:
            raise self.error(f"{_shown(self.text, self.at)} where a comma or {end!r} is due")

    def _string(self) -> str:
        try:
            text, self.at = _STRINGS.raw_decode(self.text, self.at)
        except ValueError as error:
            raise self.error("a text that is not closed, or a wrong escape in it") from error
        return text


def _shown(text: str, at: int) -> str:
    return repr(text[at : at + 20].split("\n")[0]) if at < len(text) else "the end"
