"""Text that only some folders of a documentation show: `<AppOnly>` in a page below `app/`, `<PagesOnly>` in one below `pages/`.

One file is then published in several places. What the others show goes before the page is read; its lines stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from docs_researcher.docsets.readers.base import route
from docs_researcher.docsets.readers.frontmatter import split_front_matter

_NAMED = re.compile(rb"<([A-Z][A-Za-z0-9]*)Only[ \t]*>")
_TAG = re.compile(r"<(/?)([A-Z]\w*)Only[ \t]*>")
_FENCE = re.compile(r"```+|~~~+")
_TICKS = re.compile(r"`(?=``)`+")
"""The first of the two alone: one character to look for makes it many times as fast."""
_HEADING = re.compile(r"^##?[ \t]", re.MULTILINE)
_COMMENT = re.compile(r"\{/\*.*?\*/\}|<!--.*?-->", re.DOTALL)


def folders_of(paths: Iterable[str]) -> frozenset[str]:
    """The names of the folders that these paths lie in, in lower case and without numbers that only order them."""
    folders = {path.rpartition("/")[0] for path in paths}
    return frozenset(part.lower() for folder in folders for part in route(folder))


def named_in(data: bytes) -> Iterator[str]:
    """The names of the places that a file names in such components, in lower case: `app` for `<AppOnly>`."""
    if b"Only>" in data:
        yield from (match[1].decode("ascii").lower() for match in _NAMED.finditer(data))


def is_conditional(text: str) -> bool:
    """Whether a text may hold what only some places show."""
    return "Only>" in text and _TAG.search(text) is not None


def shown_at(path: str, text: str, known: frozenset[str]) -> str:
    """The text as the page at `path` shows it. `known` are the places: folders that components are named after.

    A component that no folder is called like (`<ClientOnly>`) means something else. A page in none of these folders shows all.
    """
    if not known or not is_conditional(text):
        return text
    own = known & folders_of([path])
    if not own:
        return text
    hidden = known - own
    if not any(match[2].lower() in hidden for match in _TAG.finditer(text)):
        return text
    pieces: list[str] = []
    position = 0
    for start, end in _elements(text, hidden, _code(text)):
        if start >= position:
            pieces += [text[position:start], "\n" * text.count("\n", start, end)]
            position = end
    return "".join([*pieces, text[position:]])


def shown_only_at(path: str, other: str, text: str, known: frozenset[str]) -> str | None:
    """What the page at `path` shows of a text and the page at `other` does not, in whole sections; None: it is the same.

    The front matter and the main heading stay, and so do the numbers of all lines.
    """
    here, there = shown_at(path, text, known), shown_at(other, text, known)
    if here == there:
        return None
    lines, others = here.split("\n"), there.split("\n")
    code = _code(text)
    first = split_front_matter(text)[0].lines
    borders = [first, *_borders(text, code), len(lines)]
    kept = lines[:first]
    for start, end in pairwise(borders):
        section = lines[start:end]
        if section == others[start:end]:
            section = [line if line.startswith("# ") else "" for line in section[:1]] + [""] * (len(section) - 1)
        kept += section
    return "\n".join(kept)


def _borders(text: str, code: tuple[tuple[int, int], ...]) -> Iterator[int]:
    """The numbers of the lines with a heading of the first two levels, counted from 0."""
    line, position = 0, 0
    for match in _HEADING.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        if not any(start <= position < end for start, end in code):
            yield line


def _elements(text: str, hidden: frozenset[str], code: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """Where the elements of these names begin and end, in order; one that is never closed is none."""
    open_tags: list[tuple[str, int]] = []
    found: list[tuple[int, int]] = []
    for match in _TAG.finditer(text):
        name = match[2].lower()
        if name not in hidden or _is_code(text, match.start(), code):
            continue
        if not match[1]:
            open_tags.append((name, match.start()))
        elif open_tags and open_tags[-1][0] == name:
            found.append((open_tags.pop()[1], match.end()))
    return sorted(found)


def _is_code(text: str, position: int, code: tuple[tuple[int, int], ...]) -> bool:
    """Whether a tag stands in a block of code, in a comment, or in a code span of its line."""
    if any(start <= position < end for start, end in code):
        return True
    return text.count("`", text.rfind("\n", 0, position) + 1, position) % 2 == 1


@lru_cache(maxsize=2)  # a page and the one that points at it ask for the same text one after the other
def _code(text: str) -> tuple[tuple[int, int], ...]:
    """Where blocks of code and comments begin and end; a block that is never closed runs to the end."""
    found: list[tuple[int, int]] = []
    mark, start = "", 0
    for match in (_FENCE if "~~~" in text else _TICKS).finditer(text):
        if text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip(" \t>"):
            continue
        if not mark:
            mark, start = match[0], match.start()
        elif match[0].startswith(mark) and not text[match.end() : text.find("\n", match.end())].strip():
            found.append((start, match.end()))
            mark = ""
    if "<!--" in text or "{/*" in text:
        found += [match.span() for match in _COMMENT.finditer(text)]
    return (*found, (start, len(text))) if mark else tuple(found)
