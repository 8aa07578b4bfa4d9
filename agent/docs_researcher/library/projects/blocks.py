"""YAML as package managers write it: mappings and lists of plain values, one a line, nested by indentation.

That is all that is needed of their lock files, and reading it so takes a tenth of what importing a YAML library does. A text of
another shape (written by hand, or changed by another tool) goes to PyYAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from docs_researcher.core.parsed import mapping
from docs_researcher.library.projects.files import MAX_DEPTH, ProjectFiles

MAX_YAML_BYTES = 256 * 1024
"""What PyYAML is given: 50 ms of its C loader. The sections that are read have a few kilobytes."""

_LONGEST_LINE = 2_000
"""No name and no range is longer; matching time grows with the square of a line's length."""
_LINE = re.compile(
    r"(?P<indent> *)(?P<dash>- +)?"
    r"(?:(?P<key>'(?:[^']|'')*'|\"[^\"\\]*\"|[^\s'\"#&*!|>%@`\[\]{},:-][^\n#\"'\[\]{}:]*):(?=\s|$))?"
    r"[ ]*(?P<value>'(?:[^']|'')*'|\"[^\"\\]*\"|[^\s'\"#&*!|>%@`\[\]{}][^\n]*?|\{\}|\[\])?[ ]*(?:[ ]#.*)?"
)
_TOP_KEY = re.compile(r"^(?=[^\s#-])", re.MULTILINE)


def sections(text: str, wanted: frozenset[str]) -> str:
    """The text with only the top-level keys that are wanted; the lines of all others are blank, so that line numbers stay."""
    kept: list[str] = []
    for part in _TOP_KEY.split(text):
        key = part.split(":", 1)[0].strip("'\"")
        kept.append(part if key in wanted else "\n" * part.count("\n"))
    return "".join(kept)


def read_yaml(files: ProjectFiles, path: Path, text: str) -> dict[str, Any]:
    """The mapping in a text of `path`; empty, with a notice, for what cannot be read."""
    try:
        return _Blocks(text).mapping()
    except _OtherShape:
        return _with_library(files, path, text)


class _OtherShape(Exception):
    """The text is not of the plain form."""


class _Blocks:
    """The plain form, line after line."""

    def __init__(self, text: str) -> None:
        self._rows: list[tuple[int, bool, str | None, str | None]] = []
        for line in text.split("\n"):
            bare = line.strip()
            if not bare or bare[0] == "#" or bare in ("---", "..."):
                continue
            match = _LINE.fullmatch(line) if len(line) <= _LONGEST_LINE else None
            if match is None or (match["key"] is None and match["dash"] is None):
                raise _OtherShape
            if match["dash"] and match["key"]:
                raise _OtherShape
            self._rows.append((len(match["indent"]), match["dash"] is not None, match["key"], match["value"]))
        self._at = 0

    def mapping(self) -> dict[str, Any]:
        """The whole text."""
        found = self._mapping(0, 0) if self._rows else {}
        if self._at != len(self._rows):
            raise _OtherShape
        return found

    def _mapping(self, indent: int, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self._at < len(self._rows):
            own, dash, key, value = self._rows[self._at]
            if own < indent or (dash and own == indent):
                break
            if own > indent or key is None or depth > MAX_DEPTH:
                raise _OtherShape
            self._at += 1
            name = _plain(key)
            if name in found:
                raise _OtherShape
            found[name] = _plain(value) if value is not None else self._below(indent, depth)
        return found

    def _below(self, indent: int, depth: int) -> Any:
        """What stands under a key without a value: a list, a mapping, or nothing."""
        if self._at >= len(self._rows):
            return None
        own, dash, _, _ = self._rows[self._at]
        if dash and own >= indent:
            return self._list(own)
        return self._mapping(own, depth + 1) if own > indent else None

    def _list(self, indent: int) -> list[Any]:
        found: list[Any] = []
        while self._at < len(self._rows) and self._rows[self._at][:2] == (indent, True):
            found.append(_plain(self._rows[self._at][3] or ""))
            self._at += 1
        return found


def _plain(text: str) -> Any:
    if text in ("{}", "[]"):
        return {} if text == "{}" else []
    if text[:1] == "'":
        return text[1:-1].replace("''", "'")
    return text[1:-1] if text[:1] == '"' else text.strip()


def _with_library(files: ProjectFiles, path: Path, text: str) -> dict[str, Any]:
    if len(text) > MAX_YAML_BYTES:
        files.refuse(path, f"it has YAML of an unusual form, of which {MAX_YAML_BYTES:,} bytes are the most")
        return {}
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for event in cast("Iterator[Any]", yaml.parse(text, loader)):  # pyright: ignore[reportUnknownMemberType] -- untyped
            if isinstance(event, yaml.AliasEvent):  # ten lines of aliases can stand for a billion values
                files.refuse(path, "it holds a YAML alias", event.start_mark.line + 1)
                return {}
        value: object = yaml.load(text, loader)  # noqa: S506 -- the loader is the safe one
    except yaml.MarkedYAMLError as error:
        files.refuse(path, "it is not YAML", error.problem_mark.line + 1 if error.problem_mark else None)
        return {}
    except (yaml.YAMLError, RecursionError, ValueError):
        files.refuse(path, "it is not YAML that can be read")
        return {}
    return dict(mapping(value))
