"""Where something of ours goes into a configuration file of somebody else: always one piece of text at one place.

Nothing else of the file is touched, so comments, order, line ends and unknown keys stay as they are, and taking the piece out
again gives the file back byte for byte. Every insertion is checked by reading the result: it must say what the file said
before, and our entry.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from docs_researcher.core.lines import lines_of
from docs_researcher.hosts.object_places import ObjectPlaces
from docs_researcher.tools.servers.jsonc import JsoncError, read_jsonc

MARK_START = "<!-- docs-researcher -->"
MARK_END = "<!-- /docs-researcher -->"

Path_ = tuple[str, ...]
Reader = Callable[[str], Any]


class Unchangeable(ValueError):
    """A file that is left as it is; the text says why, as a phrase."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """One piece of text and the place in front of which it is put."""

    at: int
    text: str

    def into(self, text: str) -> str:
        """`text` with the piece in it."""
        return text[: self.at] + self.text + text[self.at :]


def jsonc_entry(text: str, path: Path_, value: object) -> Insertion | None:
    """The insertion that puts `value` at `path` into a JSON text with or without comments; None if it stands there already.

    Raises:
        Unchangeable: the text cannot be read, or something else stands there.
    """
    before = read_json(text)
    remaining = _missing(before, path, value)
    if not remaining:
        return None
    if not text.strip():
        found = Insertion(len(text), json.dumps(_nested(path, value), indent=2, ensure_ascii=False) + "\n")
    else:
        depth = len(path) - len(remaining)
        places = ObjectPlaces.of(text)
        if any(places.times(path[:end]) > 1 for end in range(1, len(path) + 1)):
            raise Unchangeable(f"the key {'.'.join(path[: depth or 1])} stands there twice")
        empty = not _at(before, path[:depth])
        found = _member(text, places.opening(path[:depth]), remaining[0], _nested(remaining[1:], value), empty=empty)
    return _checked(found, text, read_json, _with(before, path, value))


def toml_table(text: str, path: Path_, value: Mapping[str, object]) -> Insertion | None:
    """The insertion that puts a table at the end of a TOML text; None if it stands there already.

    Raises:
        Unchangeable: the text cannot be read, or something else stands there.
    """
    before = read_toml(text)
    if not _missing(before, path, value):
        return None
    newline = _newline(text)
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    lines = [f"[{'.'.join(path)}]", *(f"{key} = {json.dumps(item)}" for key, item in value.items()), ""]
    found = Insertion(len(text), gap + newline.join(lines))
    return _checked(found, text, read_toml, _with(before, path, value))


def section(text: str, body: str) -> Insertion | None:
    """The insertion that puts a marked section at the end of a Markdown text; None if it stands there already.

    Raises:
        Unchangeable: another section with our marks stands there.
    """
    newline = _newline(text)
    block = newline.join([MARK_START, *lines_of(body.strip()), MARK_END, ""])
    if block.strip() in text:
        return None
    if MARK_START in text:
        raise Unchangeable("a section of docs-researcher stands there already and says something else")
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return Insertion(len(text), gap + block)


def without(text: str, piece: str, reader: Reader, path: Path_) -> str:
    """`text` without a piece that was inserted, if it still stands there, once, and nothing but our entry goes with it.

    Raises:
        Unchangeable: it does not.
    """
    count = text.count(piece)
    if count != 1:
        raise Unchangeable(
            "what was put in stands there no more as it was" if not count else "what was put in stands there twice"
        )
    left = text.replace(piece, "", 1)
    if _pruned(reader(text), path) != _pruned(reader(left), path) or has(reader(left), path):
        raise Unchangeable("taking out what was put in would change something else")
    return left


def without_entry(text: str, piece: str, path: Path_) -> str:
    """A JSON text without our entry alone, where others have written into what was put in around it.

    Raises:
        Unchangeable: the entry is not there, or does not say any more what it said in the piece.
    """
    before = read_json(text)
    if not has(before, path) or _at(before, path) != _told(piece, path):
        raise Unchangeable("what was put in stands there no more as it was")
    start, end = ObjectPlaces.of(text).member(path)
    behind = re.compile(r"\s*,").match(text, end)
    in_front = re.compile(r",\s*$").search(text[:start])
    if behind:
        end = behind.end()
    elif in_front:
        start = in_front.start()
    line = re.compile(r"\r?\n[ \t]*$").search(text[:start])
    left = text[: line.start() if line else start] + text[end:]
    expected = copy.deepcopy(before)
    del _at(expected, path[:-1])[path[-1]]
    if read_json(left) != expected or (not behind and not in_front and _at(expected, path[:-1])):
        raise Unchangeable("taking out what was put in would change something else")
    return left


def read_json(text: str) -> Any:
    """The value of a JSON text; an empty one is an empty object.

    Raises:
        Unchangeable: it is not JSON with an object.
    """
    if not text.strip():
        return {}
    try:
        value = read_jsonc(text).value
    except JsoncError as error:
        raise Unchangeable(f"line {error.line}: {error.what}") from error
    if not isinstance(value, dict):
        raise Unchangeable("it holds no object")
    return cast("dict[str, Any]", value)


def read_toml(text: str) -> Any:
    """The value of a TOML text.

    Raises:
        Unchangeable: it is not TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unchangeable(str(error)) from error


def has(value: Any, path: Path_) -> bool:
    """Whether something stands at a path."""
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return False
        value = cast("dict[str, Any]", value)[key]
    return bool(path)


def _member(text: str, opening: int, key: str, value: object, *, empty: bool) -> Insertion:
    """A member in front of all others of the object whose brace ends at `opening`; a comment behind the brace stays there."""
    end = "" if empty else ","
    if "\n" not in text.strip():
        flat = f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        return Insertion(opening, flat + (end + " " if end else ""))
    comment = re.compile(r"[ \t]*(?://[^\r\n]*|/\*(?:(?!\*/)[^\r\n])*\*/[ \t]*(?=\r?\n))").match(text, opening)
    at = comment.end() if comment else opening
    newline, unit = _newline(text), _unit(text)
    line = text[text.rfind("\n", 0, opening) + 1 : opening]
    base = line[: len(line) - len(line.lstrip())]
    first = re.compile(r"[^\S\n]*\r?\n([ \t]*)\"").match(text, at)
    indent = first.group(1) if first else base + unit
    body = json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", newline + indent)
    if empty and re.compile(r"[ \t]*\}").match(text, at):
        end = newline + base
    return Insertion(at, f"{newline}{indent}{json.dumps(key)}: {body}{end}")


def _checked(found: Insertion, text: str, reader: Reader, expected: object) -> Insertion:
    try:
        right = reader(found.into(text)) == expected
    except Unchangeable:
        right = False
    if not right:
        raise Unchangeable("it is written in a form into which nothing can be put without changing something else")
    return found


def _missing(before: Any, path: Path_, value: object) -> Path_:
    """The part of a path that is not there yet; nothing if all of it is and holds `value`."""
    here: Any = before
    for number, key in enumerate(path):
        if not isinstance(here, dict):
            raise Unchangeable(f"{'.'.join(path[:number])} is no table")
        if key not in here:
            return path[number:]
        here = cast("dict[str, Any]", here)[key]
    if here != value:
        raise Unchangeable(f"{'.'.join(path)} stands there already and says something else")
    return ()


def _told(piece: str, path: Path_) -> object:
    """The value that an inserted piece gave to our entry. The piece begins with some key of the path, or is a whole object."""
    text = piece.strip().removesuffix(",")
    value = read_json(text if text.startswith("{") else f"{{{text}}}")
    while path and not has(value, path):
        path = path[1:]
    return _at(value, path)


def _nested(path: Sequence[str], value: object) -> object:
    for key in reversed(path):
        value = {key: value}
    return value


def _at(value: Any, path: Path_) -> Any:
    for key in path:
        value = value[key]
    return value


def _with(before: Any, path: Path_, value: object) -> Any:
    changed = copy.deepcopy(before)
    here = changed
    for key in path[:-1]:
        here = here.setdefault(key, {})
    here[path[-1]] = value
    return changed


def _pruned(value: Any, path: Path_) -> Any:
    """A value without what stands at `path`, and without the objects on the way that hold nothing else."""
    if not path or not isinstance(value, dict):
        return value
    key, *further = path
    table = dict(cast("dict[str, Any]", value))
    below = table.pop(key, None)
    left = _pruned(below, tuple(further)) if further else None
    return table | {key: left} if left else table


def _newline(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _unit(text: str) -> str:
    """One step of indentation: that of the first line that has any."""
    found = re.search(r"^([ \t]+)[^\s*]", text, re.MULTILINE)
    return found.group(1) if found else "  "
