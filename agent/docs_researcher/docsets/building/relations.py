"""Which page points at which: the links of a documentation, resolved when all of its pages are known."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from docs_researcher.docsets.readers.base import DOC, LABEL, NAME, route
from docs_researcher.docsets.searching.ranking import is_release_notes

if TYPE_CHECKING:
    from docs_researcher.docsets.building.chunks import Chunk
    from docs_researcher.docsets.readers.base import Page

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_MEMBER = re.compile(r"[.:]+")


@dataclass(frozen=True, slots=True)
class Relation:
    """One link within the documentation: the chunk that it stands in, the chunk that it leads to, and its words."""

    source: int
    target: int
    text: str


@dataclass(slots=True)
class Relations:
    """Gathers the links of each page, then resolves them."""

    library: str
    """Its name, which its modules begin with as a rule."""
    dangling: int = 0
    """Links to pages or labels of the documentation that are not there."""
    _pending: list[tuple[int, str, str, str]] = field(default_factory=list["tuple[int, str, str, str]"])
    """The number of a chunk, the path of its page, and the words and the target of a link in it."""
    _texts: dict[str, str] = field(default_factory=dict[str, str])
    """The words of links, each kept once."""
    _pages: dict[str, int] = field(default_factory=dict[str, int])
    """The first chunk of a page by its path, by that without its ending, and by its address."""
    _routes: dict[str, list[tuple[tuple[str, ...], int]]] = field(
        default_factory=dict["str", "list[tuple[tuple[str, ...], int]]"]
    )
    """The same by the last part of the route that the page is published under."""
    _anchors: dict[int, dict[str, int]] = field(default_factory=dict[int, "dict[str, int]"])
    """The chunks of anchors, by the first chunk of their page."""
    _labels: dict[str, int] = field(default_factory=dict[str, int])
    _objects: dict[str, int] = field(default_factory=dict[str, int])
    _members: dict[str, set[str]] = field(default_factory=dict["str", "set[str]"])
    """Objects by the last part of their name."""
    _found: dict[tuple[str, str], int | None] = field(default_factory=dict["tuple[str, str]", "int | None"])
    """The pages that addresses mean, while links are resolved, by folder or path and address."""
    _modules: set[str] = field(default_factory=set[str])
    """What the dotted names of objects and the paths of the source begin with."""

    def add(self, page: Page, url: str | None, first: int, number: int, chunks: Iterable[Chunk]) -> None:
        """A page whose chunks are numbered from `first` on, published at `url`, or a further part whose own begin at `number`."""
        if number == first:
            self._add_page(page, url, first)
        is_history = is_release_notes(page.path)
        for place, chunk in enumerate(chunks, start=number):
            for name in chunk.names:
                self._name(name, place, first)
            for link in chunk.links:
                if url or not link.target.startswith(("http://", "https://")):
                    # What release notes call a thing ("fixed in #12") is not what it is about.
                    text = "" if is_history else self._texts.setdefault(link.text, link.text)
                    self._pending.append((place, page.path, text, link.target))

    def _add_page(self, page: Page, url: str | None, first: int) -> None:
        self._pages.setdefault(page.path, first)
        self._pages.setdefault(posixpath.splitext(page.path)[0], first)
        if url:
            self._pages.setdefault(url, first)
        ways = route(page.path)
        self._routes.setdefault(ways[-1] if ways else "", []).append((ways, first))

    def _name(self, name: str, chunk: int, first: int) -> None:
        if name.startswith("#"):
            self._anchors.setdefault(first, {}).setdefault(name[1:], chunk)
        elif name.startswith(LABEL):
            self._labels.setdefault(name.removeprefix(LABEL), chunk)
        else:
            bare = name.removeprefix(NAME)
            if bare not in self._objects:
                self._objects[bare] = chunk
                self._members.setdefault(_MEMBER.split(bare)[-1], set()).add(bare)
                if "." in bare:
                    self._modules.add(bare.partition(".")[0])

    def resolved(self) -> Iterator[Relation]:
        """The links whose target is in the documentation, in its order."""
        for source, path, text, address in self._pending:
            target = self._target(path, address)
            if target is None:
                self.dangling += not _may_be_elsewhere(address)
            elif target and target != source:
                yield Relation(source, target, text)

    def _target(self, path: str, target: str) -> int | None:
        """The chunk that a link on the page at `path` leads to; 0: it leaves the documentation; None: it is not there."""
        if target.startswith(NAME):
            return self._object(target.removeprefix(NAME))
        if target.startswith(LABEL):
            return self._labels.get(target.removeprefix(LABEL)) or self._objects.get(target.removeprefix(LABEL))
        if target.startswith(DOC):
            return self._page(path, target.removeprefix(DOC))
        address, _, anchor = target.partition("#")
        if _SCHEME.match(address) or address.startswith("//"):
            page = self._pages.get(address) or self._pages.get(address.rstrip("/")) or 0
        else:
            page = self._page(path, unquote(address.partition("?")[0])) if address else self._pages[path]
            if page is None and "/" not in address:  # MyST links to labels and objects like this
                return self._labels.get(address.lower()) or self._object(address)
        return self._anchors.get(page, {}).get(unquote(anchor), page) if page and anchor else page

    def _object(self, name: str) -> int | None:
        """The chunk that describes an object; of a name that several share none is meant for sure.

        `scrapy.crawler.Crawler` may be described as `Crawler`, or `Crawler` as `scrapy.crawler.Crawler`.
        """
        if name in self._objects:
            return self._objects[name]
        members = self._members.get(_MEMBER.split(name)[-1], ())
        found = [full for full in members if full.endswith(f".{name}")] or [full for full in members if name.endswith(f".{full}")]
        if found and name.endswith(f".{found[0]}"):
            longest = max(map(len, found))
            found = [full for full in found if len(full) == longest and self._is_own(name)]
        return self._objects[found[0]] if len(found) == 1 else None

    def _is_own(self, name: str) -> bool:
        """Whether a dotted name begins with a module of this library, and not with one of another."""
        module = name.partition(".")[0]
        return module in self._modules or module.lower() == self.library.lower().replace("-", "_")

    def _page(self, path: str, address: str) -> int | None:
        """The first chunk of the page that an address means: from the page's folder, from the page, or as it is published."""
        # An address from the root means the same on all pages of a folder, and most are written many times.
        key = (_folder(path) if address.startswith("/") else path, address)
        if key not in self._found:
            self._found[key] = self._searched(path, address)
        return self._found[key]

    def _searched(self, path: str, address: str) -> int | None:
        folder = posixpath.dirname(path)
        if not address.startswith("/"):
            for base in (folder, posixpath.splitext(path)[0]):
                if (found := self._file(posixpath.normpath(posixpath.join(base, address)))) is not None:
                    return found
        else:
            while folder:
                if (found := self._file(posixpath.normpath(posixpath.join(folder, address.lstrip("/"))))) is not None:
                    return found
                folder = posixpath.dirname(folder)
        return self._route(route(posixpath.normpath(posixpath.join("/", posixpath.dirname(path), address))), address)

    def _file(self, path: str) -> int | None:
        without = posixpath.splitext(path)[0] if path.endswith((".html", ".htm", ".md", ".mdx")) else path
        names = (path, without, f"{path}/index", f"{path}/README", f"{path}/_index")
        return next((self._pages[name] for name in names if name in self._pages), None)

    def _route(self, ways: tuple[str, ...], address: str) -> int | None:
        """The page that is published under these folders, those above the documentation's root aside."""
        wanted = route(address) if address.startswith("/") else ways
        if not wanted:
            return None
        found = [(len(own), first) for own, first in self._routes.get(wanted[-1], ()) if own[-len(wanted) :] == wanted]
        shortest = min(found, default=(0, 0))[0]
        found = [entry for entry in found if entry[0] == shortest]
        return found[0][1] if len(found) == 1 else None


@lru_cache(maxsize=256)  # a page has many links
def _folder(path: str) -> str:
    return posixpath.dirname(path)


def _may_be_elsewhere(target: str) -> bool:
    """Whether a target that is not there may belong to other documentation: an object, or a label like `python:glossary`."""
    return target.startswith(NAME) or (target.startswith((LABEL, DOC)) and ":" in target.partition(":")[2])
