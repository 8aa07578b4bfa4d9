"""What a page points at and what it may be pointed at by: links, cross references, labels and described objects, by line.

Links stand in the blocks of a page. Cross references of Sphinx and AsciiDoc are read from its source, since of these the blocks
hold only what a reader sees.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from docs_researcher.docsets.building.anchors import Anchors
from docs_researcher.docsets.building.chunks import Chunk
from docs_researcher.docsets.readers.base import DOC, LABEL, NAME, Page, PageLink
from docs_researcher.docsets.readers.rst_directives import MARKERS, SIGNATURES
from docs_researcher.docsets.readers.rst_roles import NO_OBJECT

_LINK = re.compile(
    r"```+.*?```+|`(`?)(?!`).*?`\1|"
    r"\[(?<!!\[)((?:[^\[\]]|\[[^\[\]]{0,100}\]){1,300})\]\(<?([^()\s<>]{1,300}(?:\([^()\s]{0,100}\)[^()\s<>]{0,100})?)>?[^()]{0,200}\)",
    re.DOTALL,
)
"""A code span, which holds no link, or a link. Each alternative begins with a character, which makes looking for them fast."""
_UNSEEN = re.compile(r"[`*\\]|!\[[^\]]*\]")
"""Marks and images in the words of a link."""
_ROLE = re.compile(r":([A-Za-z][\w:+.-]{0,40}):`([^`]{1,300})`")
_MYST_ROLE = re.compile(r"\{([A-Za-z][\w:+.-]{0,40})\}`([^`]{1,300})`")
_ROLES = ((re.compile(r"`(?<=:`)"), _ROLE), (re.compile(r"\}(?=`)"), _MYST_ROLE))
"""Each with a mark of it that is fast to look for."""
_TITLED = re.compile(r"(.+?)\s*<([^<>]+)>", re.DOTALL)
_PLACE_ROLES = frozenset({"ref", "numref", "any", "eq"})
_DEFINITION = re.compile(
    r"^(?P<indent>[ \t]*)(?:\.\. _`?(?P<label>[^`\n]{1,200}?)`?:|\((?P<myst>[\w. -]{1,100})\)=|"
    r"(?:\.\. |`{3,}\{|:{3,}\{)(?:[a-z]+:)?(?P<kind>[a-z-]+)(?:::|\})[ \t]+(?P<name>\S[^\n]{0,300}))[ \t]*$",
    re.MULTILINE,
)
_MARKS = tuple(map(re.compile, (r"\.(?<=\n\.)\. ", r"\)(?==\n)", r"\{(?<=(?:```|:::)\{)")))
"""What a source has that defines anything. Each begins with a character, which makes looking for it many times as fast."""
_BETWEEN = re.compile(r"(?:[ \t]*\n|\.\. _[^\n]*\n|\([\w. -]+\)=[ \t]*\n|\.\. [\w:-]+::[^\n]*\n)*")
"""What may stand between a mark and the heading that it marks."""
_OBJECT_NAME = re.compile(r"[@\w$.:/*<-][^\s(\[,]*")
_HEADING_WITHIN = 2
"""Lines from the mark of a section to what readers give as the line of its heading, past a line above the title."""
_CROSS = re.compile(r"<<([^,<>\n]{1,200})(?:,([^<>]{1,200}))?>>|(?:link|xref):([^\s\[\]]{1,300})\[([^\]]{0,200})\]")
_ASCIIDOC = (".adoc", ".asciidoc", ".asc")

Defined = tuple[str, int]
"""The name of something that can be pointed at, and its line."""


def with_links(page: Page, chunks: Sequence[Chunk], source: str | None = None) -> tuple[Chunk, ...]:
    """The chunks of a page, each with the links that stand in it and the names of what it describes.

    Args:
        page: as its reader gave it, with its blocks.
        chunks: made of them.
        source: the text that it was read from, where it is a text.
    """
    links, names = list(page.links), list(page.names)
    links += _in_blocks(page)
    names += _headings(page)
    if source is not None:
        links += _in_source(page.path, source)
        names += _defined(page, source)
    if not chunks or not (links or names):
        return tuple(chunks)
    lines = [chunk.line for chunk in chunks]
    found: list[list[PageLink]] = [[] for _ in chunks]
    held: list[dict[str, None]] = [{} for _ in chunks]
    for link in links:
        found[_place(lines, link.line)].append(link)
    for name, line in names:
        held[_place(lines, line)][name] = None
    return tuple(_with(chunk, found[at], held[at]) if found[at] or held[at] else chunk for at, chunk in enumerate(chunks))


def _with(chunk: Chunk, links: Sequence[PageLink], names: Iterable[str]) -> Chunk:
    # `dataclasses.replace` takes ten times as long, which showed in the time of a build.
    return Chunk(
        chunk.path,
        chunk.doc_title,
        chunk.heading,
        chunk.content,
        chunk.line,
        chunk.anchor,
        chunk.tokens,
        chunk.has_code,
        tuple(links),
        tuple(names),
    )


def _place(lines: Sequence[int], line: int) -> int:
    """Which chunk a line of the page stands in."""
    return max(0, bisect_right(lines, line) - 1)


def _in_blocks(page: Page) -> Iterator[PageLink]:
    for block in page.blocks:
        if block.kind != "code" and "](" in block.text:
            for match in _LINK.finditer(block.text):
                if match[3]:
                    yield PageLink(block.line + block.text.count("\n", 0, match.start()), _plain(match[2]), match[3])


def _plain(text: str) -> str:
    return " ".join((_UNSEEN.sub("", text) if any(map(text.__contains__, "`*\\!")) else text).split())


def _headings(page: Page) -> Iterator[Defined]:
    """The anchors of a page's headings; a page made of source names an object in each."""
    anchors = Anchors()
    for block in page.blocks:
        if block.kind == "heading":
            title = block.title or block.text.lstrip("# ")
            yield f"#{anchors.take(title, block.anchor)}", block.line
            if page.is_reference:
                yield f"{NAME}{block.anchor or title}", block.line


def _in_source(path: str, source: str) -> Iterator[PageLink]:
    if path.lower().endswith(_ASCIIDOC):
        yield from _cross_references(source)
        return
    for mark, role in _ROLES:
        line, position = 1, 0
        for match in role.finditer(source) if mark.search(source) else ():
            line += source.count("\n", position, match.start())
            position = match.start()
            yield from _of_role(match[1].lower(), match[2], line)


def _of_role(role: str, text: str, line: int) -> Iterator[PageLink]:
    titled = _TITLED.fullmatch(text)
    shown, target = (" ".join(titled[1].split()), titled[2].strip()) if titled else ("", text.strip())
    short = role.rpartition(":")[2]
    if short == "doc":
        yield PageLink(line, shown, DOC + target)
    elif short in _PLACE_ROLES:
        yield PageLink(line, shown, LABEL + " ".join(target.lower().split()))
    elif short not in NO_OBJECT and not target.startswith("!") and " " not in target:
        yield PageLink(line, shown, NAME + target.lstrip("~.").removesuffix("()"))


def _cross_references(source: str) -> Iterator[PageLink]:
    line, position = 1, 0
    for match in _CROSS.finditer(source):
        line += source.count("\n", position, match.start())
        position = match.start()
        target = match[1] or match[3]
        is_place = match[1] is not None and "#" not in target and PurePosixPath(target).suffix not in _ASCIIDOC
        yield PageLink(line, (match[2] or match[4] or "").strip(" ^"), f"#{target}" if is_place else target)


def _defined(page: Page, source: str) -> Iterator[Defined]:
    """The labels and objects that a page in reStructuredText or MyST defines, an object under its class."""
    if not any(mark.search(source) for mark in _MARKS):
        return
    headings = sorted(block.line for block in page.blocks if block.kind == "heading")
    line, position = 1, 0
    outer: list[tuple[int, str]] = []
    for match in _DEFINITION.finditer(source):
        line += source.count("\n", position, match.start())
        position = match.start()
        label = match["label"] or match["myst"]
        if label:
            yield LABEL + " ".join(label.lower().split()), _marked(source, match, line, headings)
        elif (match["kind"] in SIGNATURES or match["kind"] == "module") and (name := _OBJECT_NAME.match(match["name"])):
            indent = len(match["indent"])
            while outer and outer[-1][0] >= indent:
                outer.pop()
            above = outer[-1][1] if outer else ""
            full = f"{above}.{name[0]}" if above and not name[0].startswith(f"{above}.") else name[0]
            if match["kind"] in ("class", "exception", "autoclass", "autoexception", "interface"):
                outer.append((indent, full))
            marks = match["kind"] in MARKERS or match["kind"] == "module"
            yield NAME + full, _marked(source, match, line, headings) if marks and line not in headings else line


def _marked(source: str, mark: re.Match[str], line: int, headings: Sequence[int]) -> int:
    """The line of the heading that a mark stands above, else that of the mark."""
    between = _BETWEEN.match(source, min(mark.end() + 1, len(source)))
    after = line + 1 + source.count("\n", mark.end() + 1, between.end()) if between else line
    at = bisect_right(headings, after - 1)
    return headings[at] if at < len(headings) and headings[at] <= after + _HEADING_WITHIN else line
