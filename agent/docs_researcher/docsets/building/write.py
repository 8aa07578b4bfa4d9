"""Writing a docset: a temporary file beside its place, which takes that place in one step when it is complete."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from docs_researcher.docsets.building.relations import Relations
from docs_researcher.docsets.chunk_digest import chunk_digest
from docs_researcher.docsets.file_errors import unwritable
from docs_researcher.docsets.linked import LINK_TABLES, LINKS_BACK, write_links
from docs_researcher.docsets.meta import BUILDER, DocsetMeta, meta_rows, one_line
from docs_researcher.docsets.names import ecosystem_of
from docs_researcher.docsets.readers.base import is_beside_code, is_readme
from docs_researcher.docsets.readers.examples import is_example
from docs_researcher.docsets.schema import APPLICATION_ID, SCHEMA_VERSION, STATIC_VECTORS_TABLE, TABLES
from docs_researcher.docsets.searching.ranking import Titles, is_release_notes
from docs_researcher.docsets.searching.terms import extra_words
from docs_researcher.docsets.sql import run, run_many
from docs_researcher.docsets.static_vectors.chunk_vectors import TABLE_KEY, ChunkVectors
from docs_researcher.docsets.static_vectors.table import word_table
from docs_researcher.docsets.unfinished import unfinished

if TYPE_CHECKING:
    from docs_researcher.docsets.building.chunks import Chunk
    from docs_researcher.docsets.readers.base import Page
    from docs_researcher.docsets.skipped import Skipped
    from docs_researcher.docsets.sources.base import SourceInfo

    _Pages = Iterable[tuple[Page, tuple[Chunk, ...]]]

INDEX_MEMORY = 64 * 1024 * 1024
"""Up to so much index is held back and written in one piece, which leaves no free pages in the file."""


def write_docset(
    target: Path,
    info: SourceInfo,
    pages: _Pages,
    *,
    skipped: Sequence[Skipped] = (),
) -> DocsetMeta:
    """Write a docset: into a temporary file beside `target`, which takes its place in one step when it is complete.

    Equal input gives equal bytes. `pages` and `skipped` are read while writing; `skipped` may grow until the last page. A very
    long page may come in parts, one behind the other with the same path, so that it is never in memory as a whole.

    Raises:
        StoreUnwritable: the disk is full, read-only or not ours. Nothing half made is left behind.
    """
    import tempfile

    temporary: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name.lstrip('.')}.", suffix=".partial", dir=target.parent)
        os.close(handle)
        temporary = Path(name)
        with unfinished(temporary):
            meta = _write(temporary, info, pages, skipped)
            _settle(temporary, target)
        return meta
    except (OSError, apsw.FullError, apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise unwritable(target, error) from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _write(
    path: Path, info: SourceInfo, pages: Iterable[tuple[Page, tuple[Chunk, ...]]], skipped: Sequence[Skipped]
) -> DocsetMeta:
    connection = apsw.Connection(str(path))
    try:
        run(
            connection,
            f"PRAGMA page_size = 4096; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION}",
        )
        # The file is thrown away unless it is complete, so there is nothing to roll back to.
        run(connection, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000")
        run(connection, "BEGIN")
        for statement in (*TABLES.values(), *LINK_TABLES.values(), LINKS_BACK, STATIC_VECTORS_TABLE):
            run(connection, statement)
        run(connection, "INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('hashsize', ?)", (INDEX_MEMORY,))
        vectors = ChunkVectors(word_table())
        counts = _write_pages(connection, info, pages, vectors)
        vectors.flush(connection)
        meta = _meta_of(info, counts)
        run_many(connection, "INSERT INTO skipped VALUES (?, ?)", [(item.path, item.reason) for item in skipped])
        run_many(connection, "INSERT INTO meta VALUES (?, ?)", [*meta_rows(meta), (TABLE_KEY, vectors.digest)])
        run(connection, "COMMIT")
        return meta
    finally:
        connection.close()


MIN_GUIDE_TOKENS = 60
"""A page of fewer at the top of a package says what the package is, as the `PACKAGE.md` of Nest's does."""


@dataclass(slots=True)
class _Counts:
    pages: int = 0
    chunks: int = 0
    snippets: int = 0
    guides: int = 0
    """Pages that are neither a README, nor release notes or the notes of an upgrade, nor made of declarations."""
    references: int = 0
    examples: int = 0
    links: int = 0
    dangling_links: int = 0
    content_hash: str = ""


def _write_pages(connection: apsw.Connection, info: SourceInfo, pages: _Pages, vectors: ChunkVectors) -> _Counts:
    counts = _Counts()
    relations = Relations(info.name)
    content = hashlib.blake2b(digest_size=16)
    for _, parts in groupby(pages, key=lambda part: part[0].path):
        first = counts.chunks + 1
        page: Page | None = None
        tokens = 0
        for part, chunks in parts:
            page = page or replace(part, blocks=())
            relations.add(part, part.url or info.page_url(part.path), first, counts.chunks + 1, chunks)
            _write_chunks(connection, counts.chunks + 1, counts.pages + 1, chunks)
            for chunk in chunks:
                vectors.add(connection, chunk.doc_title, " ".join(chunk.heading), chunk.content)
                content.update(f"{chunk.path}\n{chunk.doc_title}\n{chunk.heading}\n{chunk.content}\n".encode("utf-8", "replace"))
            counts.chunks += len(chunks)
            tokens += sum(chunk.tokens for chunk in chunks)
            counts.snippets += sum(block.kind == "code" for block in part.blocks)
        if page is None or counts.chunks < first:
            continue
        counts.pages += 1
        url = page.url or info.page_url(page.path)
        run(
            connection,
            "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?)",
            (counts.pages, page.path, page.title, page.description, url, first, counts.chunks + 1 - first),
        )
        counts.references += page.is_reference
        counts.examples += page.is_reference and is_example(page.path)
        counts.guides += not (page.is_reference or _is_no_guide(page.path, tokens))
    counts.links = write_links(connection, relations.resolved(), Titles(connection).of)
    counts.dangling_links = relations.dangling
    counts.content_hash = content.hexdigest()
    return counts


def _write_chunks(connection: apsw.Connection, first: int, page: int, chunks: Sequence[Chunk]) -> None:
    """Write the chunks of a page, numbered from `first` on."""
    shown: list[tuple[object, ...]] = []
    indexed: list[tuple[object, ...]] = []
    for id, chunk in enumerate(chunks, start=first):
        heading = " > ".join(chunk.heading)
        digest = chunk_digest(heading, chunk.content)
        facts = (chunk.tokens, int(chunk.has_code), page, chunk.line, chunk.anchor, digest)
        shown.append((id, chunk.path, chunk.doc_title, heading, *facts, chunk.content))
        # The index holds more words than the text; what is shown is always the text.
        words = f"{chunk.content}\n{extra_words(f'{chunk.doc_title} {heading} {chunk.content}')}"
        indexed.append((id, chunk.doc_title, heading, words, chunk.path))
    run_many(connection, "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", shown)
    run_many(
        connection, "INSERT INTO chunks_fts(rowid, doc_title, section_title, content, doc_path) VALUES (?, ?, ?, ?, ?)", indexed
    )


def _settle(temporary: Path, target: Path) -> None:
    """Bring the file to the disk, then to its place."""
    with temporary.open("rb+") as file:
        os.fsync(file.fileno())
    temporary.chmod(0o644)
    temporary.replace(target)
    if os.name == "posix":
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _is_no_guide(path: str, tokens: int) -> bool:
    """Whether a written page does not tell how a library is used: a README, release notes, a note beside the sources."""
    is_a_remark = "/" not in path and tokens < MIN_GUIDE_TOKENS
    return is_a_remark or is_readme(path) or is_release_notes(path) or is_beside_code(path)


def _coverage(info: SourceInfo, counts: _Counts) -> str:
    """What a docset holds when it is no guide; a user's folder is what its user says it is."""
    if info.is_site and counts.pages == 1:
        return "page"
    if ecosystem_of(info.purl) == "local" or counts.guides:
        return ""
    if counts.examples:
        return "examples"
    return "reference" if counts.references else "readme"


def _meta_of(info: SourceInfo, counts: _Counts) -> DocsetMeta:
    return DocsetMeta(
        name=info.name,
        version=info.version,
        library_id=info.library_id,
        purl=info.purl,
        title=one_line(info.title) or info.name,
        description=one_line(info.description),
        pages=counts.pages,
        chunks=counts.chunks,
        snippets=counts.snippets,
        links=counts.links,
        dangling_links=counts.dangling_links,
        license=one_line(info.license or "") or None,
        date=info.date,
        source_url=info.source_url,
        commit=info.commit,
        coverage=_coverage(info, counts),
        edition=info.edition,
        content_hash=counts.content_hash,
        builder=BUILDER,
    )
