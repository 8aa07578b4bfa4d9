"""Conditions of AsciiDoc (`ifdef`, `ifndef`, `ifeval`): the lines that a page in HTML shows."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from docs_researcher.docsets.readers.asciidoc_inline import with_attributes

STANDARD: Mapping[str, str] = {
    "asciidoctor": "", "asciidoctor-version": "2.0.23", "backend": "html5", "backend-html5": "", "basebackend": "html",
    "basebackend-html": "", "doctype": "article", "doctype-article": "", "filetype": "html", "filetype-html": "",
    "outfilesuffix": ".html",
    "safe-mode-level": "20", "sectids": "", "toc-placement": "auto", "note-caption": "Note", "tip-caption": "Tip",
}  # fmt: skip
"""What Asciidoctor sets by itself for a page in HTML. `env-github` and its like are not set: those show the source."""
_CONDITION = re.compile(r"(?P<kind>ifdef|ifndef|ifeval|endif)::(?P<names>[^\[\]\s]*)\[(?P<text>.*)\][ \t]*$")
_ENTRY = re.compile(r":(?P<off>!)?(?P<name>\w[\w-]*)(?P<end>!)?:(?:[ \t]+(?P<value>.*))?$")
_VERBATIM = re.compile(r"(-{4,}|\.{4,}|/{4,}|\+{4,}|`{3,})[\w-]*[ \t]*$")
_COMPARISON = re.compile(r"[ \t]*(.+?)[ \t]*(==|!=|<=|>=|<|>)[ \t]*(.+?)[ \t]*$")
_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_ANY = re.compile(r"^\\?(?:ifdef|ifndef|ifeval)::", re.MULTILINE)


def shown_lines(text: str) -> tuple[list[str], list[int]]:
    """The lines that the conditions let through, and the number of each in the text, counted from 1."""
    lines = text.split("\n")
    if not _ANY.search(text):
        return lines, list(range(1, len(lines) + 1))
    shown = list(_shown(lines))
    return [line for _, line in shown], [number for number, _ in shown]


def _shown(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    attributes = dict(STANDARD)
    branches: list[bool] = []
    """Whether each open condition holds, outermost first."""
    verbatim = ""
    for number, line in enumerate(lines, start=1):
        match = _CONDITION.match(line)
        if match is None:
            if not all(branches):
                continue
            mark = _VERBATIM.match(line)
            if mark and verbatim in ("", mark[1]):
                verbatim = "" if verbatim else mark[1]
            elif not verbatim:
                _note(line, attributes)
            yield (
                number,
                line.removeprefix("\\") if line.startswith(("\\ifdef::", "\\ifndef::", "\\ifeval::", "\\endif::")) else line,
            )
        elif match["kind"] == "endif":
            del branches[-1:]
        elif match["kind"] != "ifeval" and match["text"]:
            if all(branches) and _holds(match, attributes):
                yield number, match["text"]
        else:
            branches.append(not all(branches) or _holds(match, attributes))


def _note(line: str, attributes: dict[str, str]) -> None:
    entry = _ENTRY.match(line)
    if entry is None:
        return
    if entry["off"] or entry["end"]:
        attributes.pop(entry["name"], None)
    else:
        attributes[entry["name"]] = with_attributes(entry["value"] or "", attributes).removesuffix("\\").strip()


def _holds(match: re.Match[str], attributes: Mapping[str, str]) -> bool:
    if match["kind"] == "ifeval":
        return _compares(match["text"], attributes)
    names = match["names"]
    are_set = [name in attributes for name in re.split(r"[,+]", names)]
    is_set = all(are_set) if "+" in names else any(are_set)
    return is_set if match["kind"] == "ifdef" else not is_set


def _compares(text: str, attributes: Mapping[str, str]) -> bool:
    """Whether a comparison holds; one that cannot be read does not."""
    match = _COMPARISON.match(text)
    if match is None:
        return False
    left, right = _value(match[1], attributes), _value(match[3], attributes)
    try:
        return _OPERATORS[match[2]](left, right)
    except TypeError:
        return False


def _value(text: str, attributes: Mapping[str, str]) -> str | float | bool:
    """A quoted text, else a number or a truth value; an attribute that is not set is nothing."""
    filled = re.sub(r"\{[\w-]+\}", "", with_attributes(text, attributes))
    if len(filled) >= 2 and filled[0] == filled[-1] and filled[0] in "\"'":
        return filled[1:-1]
    try:
        return float(filled)
    except ValueError:
        return filled == "true" if filled in ("true", "false") else filled
