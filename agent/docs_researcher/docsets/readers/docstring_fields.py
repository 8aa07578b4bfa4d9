"""The fields of Sphinx in a docstring (`:param name: ...`), and the text before and behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_FIELD = re.compile(r"^:(?P<kind>[A-Za-z]\w*)(?:[ \t]+(?P<argument>[^:\n]+))?:(?:[ \t]+(?P<text>.*))?$")
_PARAMETERS = frozenset({"param", "parameter", "arg", "argument", "key", "keyword", "kwarg", "kwparam"})
_ATTRIBUTES = frozenset({"ivar", "cvar", "var"})
_RAISES = frozenset({"raises", "raise", "except", "exception"})
_RETURNS = frozenset({"return", "returns"})
_YIELDS = frozenset({"yield", "yields"})
_SILENT = frozenset({"type", "vartype", "copyright", "license", "author", "authors", "meta", "nodefault", "module", "synopsis"})
"""Types stand in the signature; the rest is about the file."""
_TITLES = {"parameters": "Parameters", "attributes": "Attributes", "raises": "Raises", "returns": "Returns", "yields": "Yields"}
_GROUPS = (
    (_PARAMETERS, "parameters"), (_ATTRIBUTES, "attributes"), (_RAISES, "raises"), (_RETURNS, "returns"), (_YIELDS, "yields"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """One field: the group that it belongs to (`parameters`, else its own name), what it names, and its text."""

    group: str
    argument: str
    text: str


@dataclass(slots=True)
class Part:
    """A run of lines: running text, or fields."""

    lines: list[str] = field(default_factory=list[str])
    fields: list[Field] = field(default_factory=list[Field])


def has_fields(text: str) -> bool:
    """Whether a docstring has a field at its margin."""
    return any(_FIELD.match(line) for line in text.split("\n")) if ":" in text else False


def parts_of(text: str) -> Iterator[Part]:
    """The docstring in order. A field ends before the next line at its margin."""
    lines = text.split("\n")
    part = Part()
    number = 0
    while number < len(lines):
        match = _FIELD.match(lines[number])
        if match is None:
            if part.fields and lines[number].strip():
                yield part
                part = Part()
            part.lines.append(lines[number])
            number += 1
            continue
        if not part.fields and any(line.strip() for line in part.lines):
            yield part
            part = Part()
        end = number + 1
        while end < len(lines) and (not lines[end].strip() or lines[end][:1].isspace()):
            end += 1
        body = [match["text"] or "", *_to_margin(lines[number + 1 : end])]
        part.fields.append(_field(match["kind"], (match["argument"] or "").strip(), "\n".join(body).strip()))
        number = end
    yield part


def with_types(fields: list[Field]) -> list[Field]:
    """The fields with the type of what is returned (`:rtype:`) at the field that describes it."""
    kinds = [found.text for found in fields if found.group == "rtype" and "\n" not in found.text]
    if not kinds:
        return fields
    others = [found for found in fields if found.group != "rtype"]
    at = next((number for number, found in enumerate(others) if found.group in ("returns", "yields")), None)
    if at is None:
        return [*others, Field("returns", kinds[0], "")]
    others[at] = Field(others[at].group, kinds[0], others[at].text)
    return others


def titled(group: str) -> str:
    """What stands above the fields of a group; empty for one that names itself."""
    return _TITLES.get(group, "")


def is_silent(found: Field) -> bool:
    """Whether a field says nothing to a reader of the published page."""
    return found.group in _SILENT or not (found.text or found.argument)


def _field(kind: str, argument: str, text: str) -> Field:
    name = kind.lower()
    group = next((group for names, group in _GROUPS if name in names), name)
    if group in ("parameters", "attributes"):
        argument = argument.rpartition(" ")[2]  # `:param str name:` states the type first
    return Field(group, argument.replace("\\", ""), text)


def _to_margin(lines: list[str]) -> list[str]:
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    margin = min(indents, default=0)
    return [line[margin:] for line in lines]
