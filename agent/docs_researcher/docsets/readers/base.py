"""What a reader makes of one file: a page of blocks.

A reader takes the path as shipped and the decoded text, and returns the page, or None when the file holds no documentation.
It never raises for what stands in the text: odd input gives a plainer page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

Kind = Literal["heading", "text", "code", "table", "list", "quote", "admonition"]


class Block(NamedTuple):
    """One piece of a page that belongs together: a paragraph, a whole list, a fenced code block. A tuple, as there are many."""

    kind: Kind
    text: str
    """Markdown as written, without what is never shown (comments, component tags). Headings keep `#` marks, code its fence."""
    line: int
    """First line in the source file, counted from 1."""
    level: int = 0
    """1 to 6 for a heading."""
    language: str = ""
    """First word behind a code fence."""
    title: str = ""
    """Visible text of a heading, without Markdown marks."""
    anchor: str | None = None
    """A heading's own id where its page gives one (`## Title {#id}`)."""


DOC, LABEL, NAME = "doc:", "label:", "name:"
"""What the target of a link begins with when it is no address: a page's path without its ending, a label, an object."""


class PageLink(NamedTuple):
    """A link as it stands in a page. A tuple, since a large documentation has tens of thousands."""

    line: int
    text: str
    """What its reader sees; empty where that is the title of the target."""
    target: str
    """An address as it is written, or what begins with `DOC`, `LABEL` or `NAME`."""


@dataclass(frozen=True, slots=True)
class Page:
    """One document. `path` is as shipped, with forward slashes."""

    path: str
    title: str
    description: str
    blocks: tuple[Block, ...]
    url: str | None = None
    alias_of: str | None = None
    """Set when the page only points to another one; see `alias_target`. Its own blocks are then empty."""
    is_reference: bool = False
    """A page of names that source code declares: each name stays in the heading of its chunk."""
    links: tuple[PageLink, ...] = ()
    """Links that its blocks do not show: those of HTML within the documentation."""
    names: tuple[tuple[str, int], ...] = ()
    """Places in it that links may mean beside its headings (`#id`), each with its line."""


@dataclass(frozen=True, slots=True)
class Site:
    """What a page may refer to in the other pages of its documentation. Titles are plain text."""

    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    """Titles of sections by the label above them, normalised (lower case, single blanks)."""
    pages: Mapping[str, str] = field(default_factory=dict[str, str])
    """Titles of pages by their path without its ending."""
    parts: frozenset[str] = frozenset()
    """Paths of files that pages include."""
    version: str = ""
    """Of the library."""
    shared: str = ""
    """Substitutions and link targets in reStructuredText that every page has."""
    highlight: str = ""
    """The language of code that names none."""
    captions: Mapping[str, str] = field(default_factory=dict[str, str])
    """What a role of the project's own shows, with `%s` for its text."""
    is_myst: bool = False
    """Its pages in Markdown are MyST, in which a line behind `%` is a comment."""
    places: frozenset[str] = frozenset()
    """Folders that components are named after (`app` for `<AppOnly>`), see `readers/places.py`."""


NO_SITE = Site()


class Reader(Protocol):
    """Path as shipped and text in, page out; None: nothing to index."""

    def __call__(self, path: str, text: str, site: Site = NO_SITE, /) -> Page | None:
        """Read one file."""
        ...


MARKDOWN_SUFFIXES = frozenset({".md", ".mdx", ".markdown", ".mdown", ".mkd", ".mdoc", ".qmd", ".rmd"})
HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
_ORDER_PREFIX = re.compile(r"^\d+[-_.]")


_MOVED = re.compile(
    r"(?:this|the) (?:\w+ ){1,3}(?:has |have |was )?(?:been )?(?:moved|removed|renamed|merged|superseded|replaced)\b|"
    r"(?:moved|renamed) to\b|(?:obsolete|deprecated|removed)[,.:] see\b|(?:please )?see [^.]{1,80}\.?$",
    re.IGNORECASE,
)
_MOVED_CHARS = 160


def says_only_that_it_moved(page: Page) -> bool:
    """Whether a page without sections holds nothing but a sentence that sends its readers elsewhere."""
    shown = [block for block in page.blocks if block.kind != "heading"]
    text = " ".join(block.text for block in shown)
    is_short = (
        len(page.blocks) - len(shown) <= 1 and len(text) <= _MOVED_CHARS and not any(block.kind == "code" for block in shown)
    )
    return is_short and _MOVED.match(text.strip("*_ ")) is not None


def is_readme(path: str) -> bool:
    """Whether a file is called README, in whatever format."""
    return path.rpartition("/")[2].lower().startswith("readme.")


_OF_CODE = frozenset(("lib", "src", "types"))
_OF_PAGES = frozenset(("doc", "docs", "documentation", "guide", "guides", "pages", "content", "site", "website", "examples"))


def is_beside_code(path: str) -> bool:
    """Whether a page lies among source files, as a note to those who work on them does, and not in a folder of pages."""
    folders = path.lower().split("/")[:-1]
    return bool(folders) and folders[0] in _OF_CODE and _OF_PAGES.isdisjoint(folders)


def alias_target(alias_of: str, paths: Iterable[str]) -> str | None:
    """The one of `paths` that a page's `alias_of` means, or None when none or several fit.

    An alias is written as a route: `app/guides/forms` for `docs/01-app/02-guides/forms.mdx`. The numbers that only order
    files, endings and `index` do not count, and folders above the documentation's root may come first.
    """
    wanted = route(alias_of)
    if not wanted:
        return None
    found = [path for path in paths if wanted[-1] in path and route(path)[-len(wanted) :] == wanted]
    if len(found) > 1:
        shortest = min(len(route(path)) for path in found)
        found = [path for path in found if len(route(path)) == shortest]
    return found[0] if len(found) == 1 else None


def route(path: str) -> tuple[str, ...]:
    """The parts of the address that a page is published under, without numbers that only order files, endings and `index`."""
    # Every link of a documentation is asked for here: with `PurePosixPath` it took four times as long.
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if parts:
        name, _, ending = parts[-1].rpartition(".")
        if name and f".{ending.lower()}" in MARKDOWN_SUFFIXES:
            parts[-1] = name
    parts = [_ORDER_PREFIX.sub("", part) if part[0].isdigit() else part for part in parts]
    if parts and parts[-1].lower() == "index":
        parts.pop()
    return tuple(parts)
