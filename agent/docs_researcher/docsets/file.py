"""A docset: one SQLite file that holds one library version's documentation, indexed. Written once, then only read."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import apsw

from docs_researcher.core.errors import DocsetInvalid, SemanticUnavailable
from docs_researcher.docsets.building.write import write_docset
from docs_researcher.docsets.file_check import fault_in
from docs_researcher.docsets.file_errors import invalid
from docs_researcher.docsets.meta import DocsetMeta, read_meta
from docs_researcher.docsets.schema import check_schema, header
from docs_researcher.docsets.searching.index import Index
from docs_researcher.docsets.searching.joined import joined_sections
from docs_researcher.docsets.searching.ranking import Titles
from docs_researcher.docsets.searching.search import SearchResult, search
from docs_researcher.docsets.sql import one, rows

if TYPE_CHECKING:
    from docs_researcher.core.passages import RelatedPage
    from docs_researcher.docsets.searching.explain import Explanation
    from docs_researcher.docsets.searching.fusion import Nearest
    from docs_researcher.docsets.searching.hits import Hit
    from docs_researcher.docsets.static_vectors.nearest import StaticVectors
    from docs_researcher.docsets.vectors.nearest import Vectors

__all__ = ["Docset", "DocsetMeta", "PageText", "write_docset"]

MAX_VALUE_BYTES = 50_000_000
"""No text in a docset is longer; a file from elsewhere could claim one that fills the memory."""


@dataclass(frozen=True, slots=True)
class PageText:
    """One page as the docset holds it: its chunks put together again."""

    path: str
    title: str
    description: str
    url: str | None
    content: str


@dataclass(frozen=True, slots=True)
class PieceOfPage:
    """One chunk as the docset holds it."""

    path: str
    title: str
    heading: str
    """Joined by ` > `; empty above the first heading."""
    anchor: str | None
    line: int
    tokens: int
    content: str


class Docset:
    """An open docset. Safe to use from several threads; searches of one docset run one after another."""

    def __init__(self, connection: apsw.Connection, path: Path, meta: DocsetMeta, own_schema: bool, library: str = "") -> None:
        self.path = path
        self.meta = meta
        self._library = library
        self._own_schema = own_schema
        self._connection = connection
        self._lock = threading.Lock()
        self._vectors: Vectors | None = None
        self._static: StaticVectors | None = None
        self._looked_for_static = False
        names = sorted({meta.title, meta.name} - {""}, key=len, reverse=True)
        self.index = Index(
            connection, own_schema, tuple(names), meta.chunks, Titles(connection), linked=own_schema and meta.links > 0
        )

    @classmethod
    def open(cls, path: Path, *, library: str = "") -> Docset:
        """Open a docset file: read-only, immutable, its schema not trusted.

        Args:
            path: the file.
            library: what an installed one is called; errors then name it, and the commands that mend it.

        Raises:
            DocsetInvalid: no docset, damaged, made by a newer version, or holding views or triggers.
            DocsetUnreadable: it may not be read.
        """
        header(path)
        try:
            connection = _connect_to_read(path)
            try:
                own = check_schema(connection, path)
                return cls(connection, path, read_meta(connection, path), own, library)
            except BaseException:
                connection.close()
                raise
        except (apsw.Error, UnicodeDecodeError) as error:
            raise invalid(path, _damage(error)) from error

    def search(self, query: str, *, limit: int = 10, max_tokens: int | None = None, semantic: bool | None = None) -> SearchResult:
        """The best chunks for a question; see `search.search`. Never an error for what the question holds.

        Args:
            query: the question.
            limit: how many at most.
            max_tokens: what they may have together.
            semantic: whether the docset's vectors are used. None: if it has any and the model that made them can be run; the
                result's `note` says why not.

        Raises:
            DocsetInvalid: the file is damaged.
            SemanticUnavailable: `semantic` is True, and it has no vectors or the model cannot be run.
        """
        nearest, note = self._nearest(semantic)
        with self._reading():
            result = search(self.index, query, limit=limit, max_tokens=max_tokens, nearest=nearest)
        return replace(result, note=note) if note else result

    def explain(self, query: str, *, limit: int = 10, semantic: bool | None = None) -> Explanation:
        """Why `search` puts its first chunks where it does, for the same arguments.

        Raises:
            DocsetInvalid, SemanticUnavailable: as `search`.
        """
        from docs_researcher.docsets.searching.explain import explain

        nearest, _ = self._nearest(semantic)
        with self._reading():
            return explain(self.index, query, limit=limit, nearest=nearest)

    def related(self, hits: Sequence[Hit], *, limit: int = 5) -> tuple[RelatedPage, ...]:
        """Pages that these results of `search` link to or are linked from, best first; none where the docset has no links.

        Raises:
            DocsetInvalid: the file is damaged.
        """
        from docs_researcher.docsets.searching.related import related_pages

        if not self.meta.links or not self._own_schema:
            return ()
        with self._reading():
            return related_pages(self._connection, hits, limit)

    def page(self, path: str) -> PageText | None:
        """A page by its path as shipped, or None.

        Raises:
            DocsetInvalid: the file is damaged.
        """
        with self._reading():
            return self._own_page(path) if self._own_schema else self._foreign_page(path)

    def pages(self) -> tuple[tuple[str, str], ...]:
        """Path and title of every page, in the order of the paths."""
        select = "SELECT path, title FROM pages ORDER BY id"
        if not self._own_schema:
            select = "SELECT doc_path, max(doc_title) FROM chunks GROUP BY doc_path ORDER BY doc_path"
        with self._reading():
            return tuple((str(path), str(title)) for path, title in rows(self._connection, select))

    def pieces(self) -> tuple[PieceOfPage, ...]:
        """Every chunk, in the order of the pages."""
        own = "anchor, line" if self._own_schema else "NULL, 1"
        select = f"SELECT doc_path, doc_title, section_title, {own}, tokens, content FROM chunks ORDER BY id"  # noqa: S608 - our words
        with self._reading():
            return tuple(
                PieceOfPage(str(path), str(title), str(heading), anchor, int(line), int(tokens), str(content))
                for path, title, heading, anchor, line, tokens, content in rows(self._connection, select)
            )

    @property
    def can_hold_vectors(self) -> bool:
        """Whether its chunks are numbered as ours are: from 1 on, without a gap."""
        return self._own_schema

    @cached_property
    def vectors_model(self) -> str | None:
        """The digest of the model whose vectors it holds, or None."""
        if not self._own_schema:
            return None
        with self._reading():
            row = one(self._connection, "SELECT value FROM meta WHERE key = 'vectors_model'")
        return str(row[0]) if row else None

    def skipped(self) -> tuple[tuple[str, str], ...]:
        """Path and reason of every file that was left out when the docset was built."""
        if not self._own_schema:
            return ()
        with self._reading():
            return tuple((str(path), str(reason)) for path, reason in rows(self._connection, "SELECT path, reason FROM skipped"))

    def check(self) -> None:
        """Read the whole file: its pages, index and texts must be what they say, and no value larger than any real one.

        Raises:
            DocsetInvalid: something is not.
        """
        with self._reading():
            fault = fault_in(self._connection, own=self._own_schema, chunks=self.meta.chunks)
        if fault is not None:
            raise self._invalid(fault)

    def holds_the_same(self, other: Docset) -> bool:
        """Whether another docset says the same of itself and has the same texts; vectors do not count."""
        return self.meta == other.meta and self.pieces() == other.pieces()

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Docset:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    def _nearest(self, semantic: bool | None) -> tuple[Nearest | None, str]:
        """The search by meaning, or None; and why it is not that of the model, where somebody could expect that."""
        if semantic is False:
            return self._nearest_static(), ""
        model = self.vectors_model
        if model is None:
            if not semantic:
                return self._nearest_static(), ""
            raise SemanticUnavailable(
                f"{self.meta.title} has no vectors", next_step=f"Make them: docs-research vectors {self.meta.library_id}"
            )
        from docs_researcher.docsets.searching.fusion import blended
        from docs_researcher.docsets.vectors.nearest import Vectors

        try:
            if self._vectors is None:
                with self._reading():
                    self._vectors = Vectors(self._connection, model)
            return blended(self._vectors.nearest, self._nearest_static()), ""
        except SemanticUnavailable as error:
            if semantic:
                raise
            why = f"The vectors of {self.meta.title} are not used. {error.message}. {error.next_step}"
            return self._nearest_static(), why

    def _nearest_static(self) -> Nearest | None:
        """The search by static vectors; None for a docset without them, or with those of another word table."""
        if not self._looked_for_static and self._own_schema:
            from docs_researcher.docsets.static_vectors.nearest import opened

            with self._reading():
                self._static = opened(self._connection)
            self._looked_for_static = True
        return self._static.nearest if self._static is not None else None

    def _own_page(self, path: str) -> PageText | None:
        select = "SELECT title, description, url, first_chunk, chunk_count FROM pages WHERE path = ?"
        row = one(self._connection, select, (path,))
        if row is None:
            return None
        title, description, url, first, count = row
        chunks = rows(
            self._connection,
            "SELECT section_title, content FROM chunks WHERE id >= ? AND id < ? ORDER BY id",
            (first, first + count),
        )
        return PageText(path, str(title), str(description), url, _joined(chunks))

    def _foreign_page(self, path: str) -> PageText | None:
        found = list(
            rows(self._connection, "SELECT section_title, content, doc_title FROM chunks WHERE doc_path = ? ORDER BY id", (path,))
        )
        return PageText(path, str(found[0][2]), "", None, _joined(found)) if found else None

    def _invalid(self, why: str) -> DocsetInvalid:
        return invalid(self.path, why, self._library)

    @contextmanager
    def _reading(self) -> Generator[None]:
        with self._lock:
            try:
                yield
            except apsw.ConnectionClosedError:
                raise
            except (apsw.Error, UnicodeDecodeError) as error:
                raise self._invalid(_damage(error)) from error


def _connect_to_read(path: Path) -> apsw.Connection:
    address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    connection = apsw.Connection(address, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    return connection


def _damage(error: Exception) -> str:
    if isinstance(error, apsw.TooBigError):
        return f"a value in it is larger than {MAX_VALUE_BYTES // 1_000_000} MB"
    return "it is damaged (a text in it is no UTF-8)" if isinstance(error, UnicodeDecodeError) else f"it is damaged ({error})"


def _joined(chunks: Iterable[tuple[Any, ...]]) -> str:
    return joined_sections([(str(row[0]), str(row[1])) for row in chunks], whole_page=True)
