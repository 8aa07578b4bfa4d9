"""Marks in code that a site reads and its pages never show: lines to highlight, Rust's hidden lines, what Twoslash checks.

`// [!code --]` stays where old lines stand beside new ones, since without it both would seem to be part of the code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_ANY = re.compile(r"highlight-(?:next-line|start|end)|\[!code |twoslash")
_COMMENT = r"(?://|#|--|;|%|/\*|<!--|\{/\*)[ \t]*"
_CLOSE = r"[ \t]*(?:\*/\}?|-->)?[ \t]*"
_WHOLE = re.compile(rf"[ \t]*{_COMMENT}(?:highlight-(?:next-line|start|end)|(?:docusaurus|theme)-\w+-(?:start|end)){_CLOSE}$")
_CODE_MARK = re.compile(rf"[ \t]*{_COMMENT}\[!code ([^\]\n]+)\]{_CLOSE}$")
_REMOVED = re.compile(r"\[!code --(?::\d+)?\]")
_RUST_HIDDEN = re.compile(r"[ \t]*#(?:[ \t]|$)")
_CUT = re.compile(r"[ \t]*//[ \t]*---cut(?:-before)?---[ \t]*$")
_TWOSLASH = re.compile(r"[ \t]*//[ \t]*(?:@\w+(?::.*)?|\^[?|].*|---cut-(?:start|end|after)---)$")


def shown_lines(lines: Sequence[str], info: str) -> list[str | None] | None:
    """The lines of code as its page shows them, None for one that it does not; None for all where nothing is to be changed.

    `info` is what stands behind the fence that opens it.
    """
    words = info.replace(",", " ").replace("{", " ").split()
    is_rust = bool(words) and words[0] in ("rust", "rs")
    if not is_rust and not _ANY.search(info) and not any(_ANY.search(line) for line in lines):
        return None
    shown: list[str | None] = list(lines)
    if is_rust:
        shown = [None if _RUST_HIDDEN.match(line) else line for line in lines]
    elif "twoslash" in words:
        cut = max((number for number, line in enumerate(lines) if _CUT.match(line)), default=-1)
        shown = [None if number <= cut or _TWOSLASH.match(line) else line for number, line in enumerate(lines)]
    has_removed = any(_REMOVED.search(line) for line in lines)
    shown = [_shown(line, has_removed=has_removed) if line is not None else None for line in shown]
    return None if shown == list(lines) else shown


def _shown(line: str, *, has_removed: bool) -> str | None:
    if _WHOLE.match(line):
        return None
    mark = _CODE_MARK.search(line)
    if mark is None or (has_removed and mark[1].startswith(("++", "--"))):
        return line
    return line[: mark.start()] if line[: mark.start()].strip() else None
