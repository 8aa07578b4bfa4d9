"""What stands where in a docset: its pages with their headings, and one page or section by its path."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from docs_researcher.core.errors import LibraryNotFound
from docs_researcher.docsets.building.anchors import Anchors
from docs_researcher.docsets.file import Docset, PieceOfPage
from docs_researcher.docsets.searching.joined import joined_sections

_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*?)[ \t]*$")
_LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\])")
_OWN_ANCHOR = re.compile(r"[ \t]*\{#([^\s{}]+)\}$")
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Heading:
    """One section of a page: the path of its headings (`Setup > Windows`), and its anchor where it has one."""

    name: str
    anchor: str | None
    line: int


@dataclass(frozen=True, slots=True)
class OutlinedPage:
    """One page with its sections in their order."""

    path: str
    title: str
    tokens: int
    headings: tuple[Heading, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A page, or the section behind an anchor."""

    path: str
    title: str
    url: str | None
    content: str


def outline(docset: Docset) -> tuple[OutlinedPage, ...]:
    """Every page in the docset's order. Sections that share a chunk are listed one by one."""
    pages: dict[str, tuple[str, int, list[Heading]]] = {}
    anchors: dict[str, Anchors] = defaultdict(Anchors)
    for piece in docset.pieces():
        title, tokens, headings = pages.get(piece.path, (piece.title, 0, []))
        found_inside = _headings_in(piece, anchors[piece.path])
        inside = [Heading(found.name, found.anchor, piece.line + found.start) for found in found_inside]
        own = piece.heading.rpartition(" > ")[2]
        is_new = not headings or headings[-1].name != piece.heading
        if piece.heading and is_new and not any(item.name in own for item in inside):
            headings.append(Heading(piece.heading, piece.anchor, piece.line))
        headings.extend(inside)
        pages[piece.path] = (title, tokens + piece.tokens, headings)
    return tuple(OutlinedPage(path, title, tokens, tuple(found)) for path, (title, tokens, found) in pages.items())


def excerpt(docset: Docset, place: str) -> Excerpt:
    """The page at a path, or with `#anchor` behind it the section of that anchor and what stands below it.

    The path may be the end of one, if only one page ends so; a heading's name does for an anchor too.

    Raises:
        LibraryNotFound: there is no such page or section; says what there is.
    """
    path, _, anchor = place.partition("#")
    found = _full_path(docset, path)
    page = docset.page(found)
    if page is None:
        raise _missing(docset, path)
    if not anchor:
        return Excerpt(found, page.title, page.url, page.content)
    pieces = [piece for piece in docset.pieces() if piece.path == found]
    anchors = Anchors()
    for piece in pieces:
        for heading in _headings_in(piece, anchors):
            if anchor in (heading.anchor, heading.name):
                content = "\n".join(piece.content.split("\n")[heading.start + 1 : heading.end]).strip("\n")
                return Excerpt(found, f"{page.title} > {heading.name}", _at(page.url, heading.anchor), content)
    start = next((piece for piece in pieces if anchor in (piece.anchor, piece.heading, piece.heading.rpartition(" > ")[2])), None)
    if start is None and anchor in (page.title, Anchors().take(page.title)):  # its main heading
        return Excerpt(found, page.title, page.url, page.content)
    if start is None:
        known = ", ".join(f"#{item.anchor}" for item in _page_headings(docset, found) if item.anchor)
        raise LibraryNotFound(
            f"{found} has no section {anchor}",
            why=f"it has {known}" if known else "it has no sections",
            next_step=f"See them: docs-research outline {docset.meta.library_id}",
        )
    section = [piece for piece in pieces if piece.heading == start.heading or piece.heading.startswith(f"{start.heading} > ")]
    content = "\n\n".join(_with_heading(piece.heading, piece.content, start.heading) for piece in section)
    return Excerpt(found, f"{page.title} > {start.heading}", _at(page.url, start.anchor), content)


def _page_headings(docset: Docset, path: str) -> tuple[Heading, ...]:
    return next((page.headings for page in outline(docset) if page.path == path), ())


def _at(url: str | None, anchor: str | None) -> str | None:
    return f"{url}#{anchor}" if url and anchor else url


@dataclass(frozen=True, slots=True)
class _Inside:
    """A heading inside a chunk: lines counted from 0; `end` is where the next one of its level or above stands."""

    name: str
    anchor: str
    level: int
    start: int
    end: int


def _headings_in(piece: PieceOfPage, anchors: Anchors) -> list[_Inside]:
    """The headings inside a piece; `anchors` are those that the page has given out in the pieces before it."""
    lines = piece.content.split("\n")
    found: list[tuple[int, int, str, str | None]] = []
    fence = ""
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        heading = _HEADING.match(line) if not fence and not mark else None
        if heading:
            own = _OWN_ANCHOR.search(heading[2])
            shown = heading[2][: own.start()] if own else heading[2]
            found.append((number, len(heading[1]), re.sub(r"[*`]", "", _LINK.sub(r"\1", shown)), own[1] if own else None))
    ends = [
        next((later for later, other, _, _ in found[place + 1 :] if other <= level), len(lines))
        for place, (_, level, _, _) in enumerate(found)
    ]
    own = piece.anchor
    if own is not None and not any(own in (id, Anchors().take(name)) for _, _, name, id in found):
        anchors.note(own)
    return [
        _Inside(name, anchors.take(name, id), level, start, end)
        for (start, level, name, id), end in zip(found, ends, strict=True)
    ]


def _with_heading(heading: str, content: str, start: str) -> str:
    return content if heading == start else joined_sections([(heading, content)], whole_page=True)


def _full_path(docset: Docset, path: str) -> str:
    paths = [known for known, _ in docset.pages()]
    if path in paths:
        return path
    stems = [known for known in paths if known.rpartition(".")[0] == path]
    if len(stems) == 1:  # a page at the top, without its ending
        return stems[0]
    ending = [known for known in paths if known.endswith(f"/{path}") or known.rpartition(".")[0].endswith(f"/{path}")]
    return ending[0] if len(ending) == 1 else path


def _missing(docset: Docset, path: str) -> LibraryNotFound:
    wanted = path.rpartition("/")[2].partition(".")[0].casefold()
    near = [known for known, _ in docset.pages() if wanted and wanted in known.casefold()][:5]
    return LibraryNotFound(
        f"{docset.meta.title} has no page {path}" if path else "No page is named",
        why=f"similar: {', '.join(near)}" if near else "",
        next_step=f"See its pages: docs-research outline {docset.meta.library_id}",
    )
