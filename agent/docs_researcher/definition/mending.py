"""A second try for frontmatter that is not valid YAML but that people write and hosts load.

Each top-level key is read for itself. What YAML refuses is taken as the text that it looks like: a value with an unquoted
colon, `@`, `{` or quotes inside of quotes; a text whose further lines are not indented; a list indented with tabs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docs_researcher.core.errors import DefinitionError
from docs_researcher.definition.entries import Entry, Unreadable, read_yaml
from docs_researcher.definition.schema import KNOWN_KEYS, USED_KEYS, RepairLog

_KEY = re.compile(r"([\"']?)([A-Za-z_][\w.-]*)\1[ \t]*:(?=[ \t]|$)[ \t]*")
_BLOCK_MARK = re.compile(r"[|>][+-]?[1-9]?[+-]?")
_LEADING_BLANKS = re.compile("^[ \t\xa0\u3000]+")
_NESTED_VALUE = re.compile(r"([ ]*+(?:- +)*+(?:[A-Za-z_][\w.-]*:[ ]+)?+)([^\s\"'|>\[].*)")
_TEXT_KEYS = frozenset({"name", "description", "model", "tools", "disallowedTools", "initialPrompt"})
"""Keys whose value may be taken as text when YAML refuses it."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """The lines of one top-level key. `start` counts from 0 in the frontmatter."""

    key: str
    start: int
    lines: tuple[str, ...]


def mend(lines: Sequence[str], first_line: int, fault: Unreadable, log: RepairLog) -> tuple[Entry, ...]:
    """The entries of a frontmatter that `fault` keeps from being read in one go.

    Raises:
        DefinitionError: a key that we use cannot be read either way.
    """
    pieces = list(_pieces(lines, first_line, log.path))
    if not pieces:
        raise _unreadable(fault, lines, first_line, log.path)
    found: dict[str, Entry] = {}
    for piece in pieces:
        entry = _read_piece(piece, first_line + piece.start, log)
        earlier = found.pop(entry.key, None)
        if earlier is not None:
            what = f"the key `{entry.key}` stands twice; this one is used, line {earlier.line} is not"
            log.add(entry.line, entry.column, what)
        found[entry.key] = entry
    return tuple(found.values())


def _pieces(lines: Sequence[str], first_line: int, path: str) -> Iterator[_Piece]:
    """Cut the frontmatter at its top-level keys.

    Inside a text whose lines are not indented (an example dialogue, say) only a known key that was not there before begins a
    new piece: `user: ...` belongs to the dialogue.
    """
    start, key, in_text = 0, "", False
    seen: set[str] = set()
    for number, line in enumerate(lines):
        match = _KEY.match(line)
        if match and (not in_text or (match.group(2) in KNOWN_KEYS and match.group(2) not in seen)):
            if key:
                yield _Piece(key, start, tuple(lines[start:number]))
            start, key, in_text = number, match.group(2), False
            seen.add(key)
        elif line.strip() and line[0] not in " \t\xa0#-":
            if not key:
                raise _unreadable(Unreadable("this is not `key: value`", first_line + number, 1), lines, first_line, path)
            in_text = True
        elif line.startswith("-") and key in _TEXT_KEYS and _first_value(lines[start]):
            in_text = True
    if key:
        yield _Piece(key, start, tuple(lines[start:]))


def _read_piece(piece: _Piece, line: int, log: RepairLog) -> Entry:
    read = read_yaml(piece.lines, line, log)
    if not isinstance(read, Unreadable):
        return read[0]
    fault = read
    for mended, what in ((_without_tabs(piece.lines), "tabs"), (_with_quotes(_without_tabs(piece.lines)), "values quoted")):
        changed = next((number for number, text in enumerate(mended) if text != piece.lines[number]), None)
        read = read_yaml(mended, line, log) if changed is not None and not _first_value(piece.lines[0]) else fault
        if changed is not None and not isinstance(read, Unreadable):
            said = (
                "tabs were read as two spaces of indentation" if what == "tabs" else "a value was read as if it stood in quotes"
            )
            log.add(line + changed, 1, f"{said} (YAML: {fault.problem})")
            return read[0]
    if piece.key in _TEXT_KEYS and _first_value(piece.lines[0]):
        return _as_text(piece, line, fault, log)
    if piece.key in USED_KEYS:
        raise _unreadable(fault, piece.lines, line, log.path)
    log.add(line, 1, f"the value of `{piece.key}` cannot be read and was kept as text (YAML: {fault.problem})")
    return _entry(piece, line, "\n".join(piece.lines)[_value_start(piece.lines[0]) :].strip())


def _as_text(piece: _Piece, line: int, fault: Unreadable, log: RepairLog) -> Entry:
    first = _first_value(piece.lines[0])
    rest = [text.strip() for text in piece.lines[1:]]
    if all(not text or text.startswith("#") for text in rest):
        rest = []  # comments between two keys
    while rest and not rest[-1]:
        rest.pop()
    text = "\n".join(rest if _BLOCK_MARK.fullmatch(first) else [first, *rest])
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    column = _value_start(piece.lines[0]) + 1
    log.add(line, column, f"the value of `{piece.key}` was read as if it stood in quotes (YAML: {fault.problem})")
    if rest:
        log.add(line + 1, 1, f"the lines behind `{piece.key}` were read as part of its text; indent them by two spaces")
    return _entry(piece, line, text.strip())


def _entry(piece: _Piece, line: int, text: str) -> Entry:
    return Entry(piece.key, text, text, line, 1, line, _value_start(piece.lines[0]) + 1)


def _value_start(line: str) -> int:
    match = _KEY.match(line)
    return match.end() if match else 0


def _first_value(line: str) -> str:
    """What stands behind the colon on the first line of a piece."""
    return line[_value_start(line) :].strip()


def _without_tabs(lines: Sequence[str]) -> list[str]:
    def spaces(match: re.Match[str]) -> str:
        return match.group().replace("\t", "  ").replace("\xa0", " ").replace("\u3000", "  ")

    return [_LEADING_BLANKS.sub(spaces, line) for line in lines]


def _with_quotes(lines: Sequence[str]) -> list[str]:
    """The same lines with each nested value that YAML may stumble over in single quotes."""

    def quoted(line: str) -> str:
        match = _NESTED_VALUE.fullmatch(line)
        if not match or not match.group(1) or not re.search(r": |:$|^[@`%&*!{?,\]}-]", match.group(2)):
            return line
        value = match.group(2).rstrip().replace("'", "''")
        return f"{match.group(1)}'{value}'"

    return [lines[0], *map(quoted, lines[1:])]


def _unreadable(fault: Unreadable, lines: Sequence[str], first_line: int, path: str) -> DefinitionError:
    number = min(max(fault.line - first_line, 0), len(lines) - 1)
    text = lines[number].strip() if lines else ""
    shown = repr(text if len(text) <= 60 else text[:57] + "...")
    return DefinitionError(
        f"the frontmatter cannot be read at {shown}",
        why=fault.problem,
        next_step='Write each key as `key: "value"` on one line, with the value in double quotes, or as `key: |` with the text '
        "below it indented by two spaces.",
        path=path,
        line=first_line + number,
        column=fault.column,
    )
