"""From a source to an installed docset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePosixPath

from docs_researcher.core.clean import clean
from docs_researcher.core.errors import DocsetInvalid, DocsResearchError, NoDocumentation
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.core.lines import with_line_feeds
from docs_researcher.docsets.acquiring.collecting import collecting_seldom
from docs_researcher.docsets.building.anchors import Anchors
from docs_researcher.docsets.building.chunks import Chunk, chunk_page
from docs_researcher.docsets.building.openings import HEAD_BYTES, shared_openings, without_openings
from docs_researcher.docsets.building.page_links import with_links
from docs_researcher.docsets.building.titles import titled
from docs_researcher.docsets.building.write import write_docset
from docs_researcher.docsets.installed.store import Installed, Store
from docs_researcher.docsets.readers.base import (
    HTML_SUFFIXES,
    MARKDOWN_SUFFIXES,
    Page,
    Reader,
    Site,
    alias_target,
    says_only_that_it_moved,
)
from docs_researcher.docsets.readers.choose import reader_for
from docs_researcher.docsets.readers.conf import find_conf
from docs_researcher.docsets.readers.includes import Expanded, expand
from docs_researcher.docsets.readers.parts import LONG_CHARACTERS
from docs_researcher.docsets.readers.places import is_conditional, shown_only_at
from docs_researcher.docsets.readers.rst import read_text
from docs_researcher.docsets.readers.site import site_of, with_markdown
from docs_researcher.docsets.readers.text import decode
from docs_researcher.docsets.skipped import Skipped
from docs_researcher.docsets.sources.base import Document, Source, SourceInfo, SourceTree

_Part = tuple[Page, tuple[Chunk, ...]]
"""A page, or one of the parts of a very long one, with its chunks."""
_REFERRING = (".rst", ".rest", ".txt")
FILES_AN_EVENT = 20
"""A listener hears of every so many files."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build made, or what was there already."""

    id: str
    """The library id without a version."""
    version: str | None
    pages: int
    chunks: int
    skipped: tuple[Skipped, ...]
    """Files of the documentation that were left out, each with its reason."""
    installed: Installed
    already: bool
    """The same documentation was installed before; nothing was written."""
    notes: tuple[Skipped, ...] = ()
    """Files that were read, but not as they stand: an encoding that had to be guessed, a page that only points to another."""
    guide_missed: bool = False
    """The library's guide lies elsewhere and was tried, and could not be read; this is its package."""


def build_docset(source: Source, store: Store, listener: Listener = ignore, *, replace: bool = False) -> BuildReport:
    """Read a source, index its documentation and install the docset.

    A version that is installed is not read again unless `replace` is set or an older builder made it. What lies on this disk,
    or has no version, is always read; it counts as installed already when its documentation is the same.

    Raises:
        NoDocumentation: there is nothing in it to index.
        SourceRefused, SourceUnavailable: the source cannot be read.
        StoreUnwritable: there is no room, or no permission. What was installed before stays as it was.
    """
    info = source.info
    target = store.path_for(info.name, info.version, info.purl)
    may_change = info.version is None or (info.purl is None and info.source_url is None)
    kept = not replace and not may_change
    if kept and (installed := _current(store, info)):
        return report_installed(store, installed)
    with store.building(target), collecting_seldom():
        # Another process may have built it while we waited.
        if kept and (installed := _current(store, info)):
            return report_installed(store, installed)
        tree = source.read(listener)
        reading = _Reading(tree, listener)
        finished = target.with_name(f".{target.name}.finished")
        meta = write_docset(finished, tree.info, reading.pages(), skipped=tree.skipped)
        before = _installed(store, info) if not replace else None
        already = before is not None and before.meta == meta
        if already:
            finished.unlink()
        else:
            store.settle(finished, target)
    listener(Event("build", "pages indexed" if meta.pages != 1 else "page indexed", meta.pages, meta.pages))
    return BuildReport(
        id=info.library_id,
        version=info.version,
        pages=meta.pages,
        chunks=meta.chunks,
        skipped=tuple(tree.skipped),
        installed=store.at(target),
        already=already,
        notes=tuple(reading.notes),
    )


def _installed(store: Store, info: SourceInfo) -> Installed | None:
    """The docset of exactly this source, where its file is sound."""
    target = store.path_for(info.name, info.version, info.purl)
    found = next((item for item in store.installed() if item.path == target and item.library_id == info.library_id), None)
    try:
        if found is not None:
            store.open(found).check()
    except DocsetInvalid:  # it is built again
        return None
    return found


def _current(store: Store, info: SourceInfo) -> Installed | None:
    installed = _installed(store, info)
    return None if installed is None or installed.meta.is_by_older_builder else installed


def report_installed(store: Store, installed: Installed) -> BuildReport:
    """What a build would report for a docset that is there already."""
    meta = installed.meta
    skipped = tuple(Skipped(path, reason) for path, reason in store.open(installed).skipped())
    return BuildReport(meta.library_id, meta.version, meta.pages, meta.chunks, skipped, installed, already=True)


@dataclass
class _Reading:
    """One pass over the documents of a source. A file that cannot be read is counted and passed over."""

    tree: SourceTree
    listener: Listener
    notes: list[Skipped] = field(default_factory=list[Skipped])
    _paths: list[str] = field(default_factory=list[str])
    _aliases: list[tuple[Document, Page]] = field(default_factory=list["tuple[Document, Page]"])
    """Pages that only point to another one."""
    _shown: dict[str, frozenset[int]] = field(default_factory=dict["str", "frozenset[int]"])
    """What the pages show that may show something else in another place: hashes of their chunks."""

    def pages(self) -> Iterator[_Part]:
        """Every page with its chunks, a very long one in parts.

        Raises:
            NoDocumentation: behind the last document, when there was no page.
        """
        # With `map` nothing holds on to the bytes of a document whose text is read in parts.
        for count, parts in enumerate(map(self._read, self.tree.documents), start=1):
            yield from self._noted(parts)
            if count % FILES_AN_EVENT == 0:
                self.listener(Event("build", self._paths[-1] if self._paths else "", count))
        for document, page in self._aliases:
            yield from self._noted(self._pointed_at(document, page))
        if not self._paths:
            raise NoDocumentation(
                f"{self.tree.info.name} holds no documentation",
                why=_why_empty(self.tree.skipped),
                next_step="Add a file or folder with pages in it, such as Markdown, reStructuredText or HTML.",
            )

    def _noted(self, parts: Iterable[_Part]) -> Iterator[_Part]:
        """The parts of a page, whose path is then known."""
        path = ""
        for page, chunks in parts:
            path = page.path
            yield page, chunks
        if path:
            self._paths.append(path)

    def _read(self, document: Document) -> Iterable[_Part]:
        """The page of a document with its chunks; none, and counted, when there is nothing to index in it."""
        page = document.page
        expanded: Expanded | None = None
        if page is None:
            text = self._text(document)
            if text is None or self._is_part(document.path):
                return ()
            # A source may know better than the file's ending: the catalogue names endings of its own.
            reader = reader_for(document.path) or read_text
            in_parts = _reader_in_parts(document.path) if len(text) > LONG_CHARACTERS else None
            if in_parts is not None:
                return self._read_long(document.path, document.url, in_parts(document.path, text))
            expanded = expand(document.path, text, self._included)
            page = self._page(document, expanded.text, reader)
        if page is None:
            return ()
        if page.alias_of:
            self._aliases.append((document, page))
            return ()
        chunks = self._chunks(page, expanded.text if expanded is not None else None)
        if expanded is not None and self._site.places and is_conditional(expanded.text):
            self._shown[page.path] = frozenset(map(_shown_text, chunks))
        if expanded is not None and expanded.lines is not None:
            chunks = tuple(replace(chunk, line=expanded.lines[min(chunk.line, len(expanded.lines)) - 1]) for chunk in chunks)
        return [(page, chunks)] if chunks else ()

    def _near(self, path: str) -> str | None:
        """The text of another file of the source."""
        data = self.tree.near.read(path)
        text = decode(data).text if data is not None else None
        return with_line_feeds(clean(text)) if text is not None else None

    def _included(self, path: str) -> str | None:
        """The text of a file that a page takes in; a page with a title stands for itself and is not read twice."""
        return None if path.rpartition(".")[0] in self._site.pages else self._near(path)

    @cached_property
    def _site(self) -> Site:
        """What pages refer to in each other."""
        near, version = self.tree.near, self.tree.info.version or ""
        pages = [path for path in near.pages if path.lower().endswith(_REFERRING)]
        read = ((path, text) for path in pages if (text := self._near(path)) is not None)
        site = site_of(read, version, find_conf(pages, self._near)[1]) if pages else Site(version=version)
        markdown = (path for path in near.pages if PurePosixPath(path).suffix.lower() in MARKDOWN_SUFFIXES)
        return with_markdown(site, ((path, data) for path in markdown if (data := near.read(path)) is not None))

    def _is_part(self, path: str) -> bool:
        """Whether a page without a title is taken into others, and is none of its own; counted when it is."""
        is_part = path in self._site.parts and path.rpartition(".")[0] not in self._site.pages
        if is_part:
            self._skip(path, "stands inside other pages")
        return is_part

    def _text(self, document: Document) -> str | None:
        decoded = decode(document.data)
        if decoded.text is None:
            self._skip(document.path, decoded.note)
            return None
        if decoded.note:
            self.notes.append(Skipped.of(document.path, decoded.note))
        return with_line_feeds(clean(decoded.text))

    def _page(self, document: Document, text: str, reader: Reader) -> Page | None:
        try:
            page = reader(document.path, text, self._site)
        except DocsResearchError:
            raise
        except Exception as error:  # whatever one file holds, the others are read
            self._skip(document.path, f"could not be read ({type(error).__name__})")
            return None
        if page is None:
            self._skip(document.path, "nothing to index in it")
            return None
        if not page.alias_of and says_only_that_it_moved(page):
            self._skip(document.path, "only says that it has moved")
            return None
        page = self._without_openings(titled(page, self.tree.info))
        return replace(page, url=document.url) if document.url else page

    @cached_property
    def _openings(self) -> frozenset[tuple[str, ...]]:
        """The paragraphs that most pages open with."""
        near = self.tree.near
        pages = (path for path in near.pages if not path.lower().endswith(tuple(HTML_SUFFIXES)))
        read = (data[:HEAD_BYTES] for path in pages if (data := near.read(path)) is not None)
        return shared_openings(with_line_feeds(data.decode("utf-8", "replace")) for data in read)

    def _without_openings(self, page: Page) -> Page:
        kept = without_openings(page, self._openings) if self._openings else page
        if kept is not page:
            self.notes.append(Skipped.of(page.path, "opens as most pages do; that is left out"))
        return kept

    def _read_long(self, path: str, url: str | None, parts: Iterator[Page]) -> Iterator[_Part]:
        """A very long text, read and cut part by part: its blocks would take fifty times the memory of its text."""
        anchors, line, has_chunks, title = Anchors(), 1, False, ""
        while True:
            try:
                part = self._titled_part(next(parts, None), title)
                chunks = with_links(part, chunk_page(part, anchors=anchors)) if part is not None else ()
            except Exception as error:  # as above
                if has_chunks:
                    self.notes.append(Skipped.of(path, f"read up to line {line} only ({type(error).__name__})"))
                else:
                    self._skip(path, f"could not be read ({type(error).__name__})")
                return
            if part is None:
                break
            title = part.title
            if chunks:
                has_chunks, line = True, chunks[-1].line
                yield replace(part, url=url), chunks
        if not has_chunks:
            self._skip(path, "nothing to index in it")

    def _titled_part(self, part: Page | None, title: str) -> Page | None:
        """A part of a long page under the title that its first part (`title` is empty) has."""
        if part is None or title:
            return replace(part, title=title) if part is not None else None
        return titled(part, self.tree.info)

    def _chunks(self, page: Page, source: str | None) -> tuple[Chunk, ...]:
        try:
            chunks = chunk_page(page)
            chunks = with_links(page, chunks, source) if chunks else ()
        except Exception as error:  # as above
            self._skip(page.path, f"could not be cut into pieces ({type(error).__name__})")
            return ()
        if not chunks:
            self._skip(page.path, "nothing to index in it")
        return chunks

    def _pointed_at(self, document: Document, pointer: Page) -> Iterator[_Part]:
        """What a page that only points to another one shows, as far as the other one does not show the same in its own place."""
        wanted = pointer.alias_of or ""
        target = alias_target(wanted, (path for path in self._paths if path != pointer.path))
        if target is None:
            self._skip(pointer.path, f"only points to {wanted}, which is not there")
            return
        text = self._near(target) if target in self._shown else None
        if text is not None:
            text = expand(target, text, self._included).text
            text = shown_only_at(pointer.path, target, text, self._site.places)
        page = self._page(document, text, reader_for(target) or read_text) if text is not None else None
        if page is not None:
            title = page.title if pointer.title == PurePosixPath(pointer.path).stem else pointer.title
            cut = self._chunks(replace(page, title=title, description=""), text)
            chunks = tuple(chunk for chunk in cut if _shown_text(chunk) not in self._shown[target])
            if chunks:
                self.notes.append(Skipped.of(pointer.path, f"shows {target} as it is here; what is the same in both is left out"))
                yield replace(page, title=title, description=pointer.description or page.description), chunks
                return
        self.notes.append(Skipped.of(pointer.path, f"only points to {target}"))

    def _skip(self, path: str, reason: str) -> None:
        self.tree.skipped.append(Skipped.of(path, reason))


def _reader_in_parts(path: str) -> Callable[[str, str], Iterator[Page]] | None:
    """What reads a very long file of this kind in parts; None: its kind is read whole."""
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in MARKDOWN_SUFFIXES:
        from docs_researcher.docsets.readers.markdown import read_markdown_in_parts

        return read_markdown_in_parts
    if suffix in HTML_SUFFIXES:
        from docs_researcher.docsets.readers.html_parts import read_html_in_parts

        return read_html_in_parts
    return None


def _shown_text(chunk: Chunk) -> int:
    return hash((chunk.heading, chunk.content))


def _why_empty(skipped: list[Skipped]) -> str:
    if not skipped:
        return "its files are empty"
    first = skipped[0]
    others = f" and {len(skipped) - 1} more" if len(skipped) > 1 else ""
    return f"nothing could be read: {first.path} ({first.reason}){others}"
