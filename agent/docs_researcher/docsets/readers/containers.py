"""Block rules for what holds Markdown: lines of `:::` and `///`, `!!! note`, `=== "Tab"`, definitions, `::: package.name`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docs_researcher.docsets.readers.admonitions import label
from docs_researcher.docsets.readers.block_tokens import INDENTED, replace

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

_CONTAINER = re.compile(r"(:{3,})[ \t]*\{?([\w-]*)\}?[ \t]*(?:\[([^\]\n]*)\])?[ \t]*([^\n]*)$")
_OBJECT = re.compile(r":::[ \t]+([A-Za-z_]\w*(?:\.\w+)*)[ \t]*$")
_SLASHED = re.compile(r"(/{3,})[ \t]*(?:([A-Za-z][\w-]*)[ \t]*(?:\|[ \t]*([^\n]*))?)?$")
_INDENTED = re.compile(r"(!!!|\?\?\?\+?|===[!+]?)[ \t]+([^\n]+)$")
_DEFINITION = re.compile(r":[ \t]{1,4}(?=\S)")
_QUOTED = re.compile(r"\"([^\"\n]*)\"")
_TITLE_ATTRIBUTE = re.compile(r"\btitle=\"([^\"\n]*)\"")
_BRACED = re.compile(r"\{[^{}\n]*\}")


def container_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line of `:::`, opening or closing: the label of the one is kept, the other goes."""
    position = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith(":::", position) or state.is_code_block(start):
        return False
    match = _CONTAINER.match(state.src, position, state.eMarks[start])
    if match is None:
        return False
    if silent:
        return True
    if _is_object(state, start, end, position):
        return True
    name, bracketed, rest = match.group(2), match.group(3), match.group(4)
    attribute = _TITLE_ATTRIBUTE.search(rest)
    title = bracketed or (attribute.group(1) if attribute else _BRACED.sub("", rest).strip())
    shown = label(name, title)
    return replace(state, start, start + 1, shown, "admonition" if shown else "text")


def _is_object(state: StateBlock, start: int, end: int, position: int) -> bool:
    """`::: package.module` of mkdocstrings, with the options that stand indented below it: the name is kept."""
    match = _OBJECT.match(state.src, position, state.eMarks[start])
    if match is None:
        return False
    last = _indented_end(state, start, end)
    if "." not in match[1] and last == start + 1:
        return False
    return replace(state, start, last, f"`{match[1]}`")


def _indented_end(state: StateBlock, start: int, end: int) -> int:
    """Behind the lines below `start` that are indented by four."""
    last = start + 1
    while last < end and (state.isEmpty(last) or state.sCount[last] >= state.sCount[start] + 4):
        last += 1
    while last > start + 1 and state.isEmpty(last - 1):
        last -= 1
    return last


def slashed_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line of `///`, opening (`/// note | Title`) or closing, with the options that stand indented below it."""
    position = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("///", position) or state.is_code_block(start):
        return False
    match = _SLASHED.match(state.src, position, state.eMarks[start])
    if match is None:
        return False
    if silent:
        return True
    last = start + 1
    while match.group(2) and last < end and not state.isEmpty(last) and state.sCount[last] >= state.sCount[start] + 4:
        last += 1
    shown = label(match.group(2) or "", match.group(3) or "")
    return replace(state, start, last, shown, "admonition" if shown else "text")


def indented_admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`!!! note "Title"`, `??? note` and `=== "Tab"` with the lines that are indented below them."""
    position = state.bMarks[start] + state.tShift[start]
    if state.src[position : position + 1] not in ("!", "?", "=") or state.is_code_block(start):
        return False
    match = _INDENTED.match(state.src, position, state.eMarks[start])
    if match is None or (match.group(1)[0] == "=" and not _QUOTED.search(match.group(2))):
        return False
    if silent:
        return True
    quoted = _QUOTED.search(match.group(2))
    name = "" if match.group(1)[0] == "=" else match.group(2).split()[0].strip('"')
    shown = label(name, quoted.group(1) if quoted else "") or (f"**{name.capitalize()}**" if name else "")
    return _hold(state, start, start + 1, _indented_end(state, start, end), shown)


def definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`:   Definition` below its term, with the paragraphs and blocks that are indented below it."""
    position = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or start == 0 or not _DEFINITION.match(state.src, position, state.eMarks[start]):
        return False
    first = start + 1
    last = _indented_end(state, start, end)
    if last == first or not any(state.isEmpty(line) for line in range(first, last)):
        return False  # one paragraph, which reads well as it stands
    if silent:
        return True
    while not state.isEmpty(first):
        first += 1
    return _hold(state, start, first, last, state.getLines(start, first, state.blkIndent, False).rstrip("\n"))


def _hold(state: StateBlock, start: int, first: int, last: int, shown: str) -> bool:
    """A label, `shown`, for the lines before `first`, and the indented lines from there on as Markdown."""
    opening = state.push(f"{INDENTED}_open", "", 1)
    opening.map = [start, last]
    opening.info = shown
    opening.meta = {"column": state.sCount[start], "first": first}
    saved = state.blkIndent, state.lineMax, state.parentType
    state.blkIndent, state.lineMax, state.parentType = state.sCount[start] + 4, last, "blockquote"
    state.md.block.tokenize(state, first, last)
    state.blkIndent, state.lineMax, state.parentType = saved
    state.push(f"{INDENTED}_close", "", -1)
    state.line = last
    return True
