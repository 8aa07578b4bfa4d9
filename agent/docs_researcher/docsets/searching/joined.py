"""Pieces of one page put together again, each under its heading."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.core.lines import lines_of


def joined_sections(sections: Sequence[tuple[str, str]], *, whole_page: bool = False) -> str:
    """Pieces of one page as one text. A piece lacks its own heading, which is set before it where more than one is joined.

    On a whole page it is set before a single piece as well: there nothing else tells it.
    """
    if len(sections) == 1 and not whole_page:
        return sections[0][1].strip("\n")
    parts: list[str] = []
    before = ""
    for heading, body in sections:
        text = body.strip("\n")
        if heading and heading != before and not _holds(text, heading):
            path = heading.split(" > ")
            parts.append(f"{'#' * min(6, len(path) + 1)} {path[-1]}")
        parts.append(text)
        before = heading
    return "\n\n".join(parts)


def _holds(text: str, heading: str) -> bool:
    """Whether a piece holds its own heading: small neighbours keep theirs (`Alpha / Beta`), and so does one behind a lead-in."""
    own = _plain(heading.rpartition(" > ")[2])
    names = [_plain(line.lstrip("#").strip()) for line in lines_of(text) if line.startswith("#")]
    return any(name and (own == name or own.startswith(f"{name} / ")) for name in names)


def _plain(heading: str) -> str:
    return re.sub(r"[*`]", "", heading)


def joined_heading(headings: Sequence[str]) -> str:
    """One heading path for neighbours: what they share, then what they do not, joined with " / "."""
    distinct = list(dict.fromkeys(heading for heading in headings if heading))
    if len(distinct) < 2:
        return distinct[0] if distinct else ""
    paths = [heading.split(" > ") for heading in distinct]
    shared = 0
    while all(len(path) > shared and path[shared] == paths[0][shared] for path in paths):
        shared += 1
    rest = " / ".join(" > ".join(path[shared:]) for path in paths if len(path) > shared)
    return " > ".join([*paths[0][:shared], rest])
