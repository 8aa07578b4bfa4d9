"""What a docset says about itself, as a value and as the rows of its `meta` table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.core.clean import clean
from docs_researcher.docsets.file_errors import invalid
from docs_researcher.docsets.schema import NO_VERSION
from docs_researcher.docsets.sql import one, rows

if TYPE_CHECKING:
    import apsw

BUILDER = 6
"""What reads, cuts and indexes pages: a larger number makes another docset of the same documentation. 3 keeps links and static
vectors."""
MAX_META_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class DocsetMeta:
    """What a docset says about itself."""

    name: str
    version: str | None
    library_id: str
    purl: str | None = None
    title: str = ""
    description: str = ""
    pages: int = 0
    chunks: int = 0
    snippets: int = 0
    """Blocks of code."""
    links: int = 0
    """How many chunks link to how many others: pairs."""
    dangling_links: int = 0
    """Links to a page or label of the documentation that is not there."""
    license: str | None = None
    date: str | None = None
    """Date of the documentation (ISO 8601, day)."""
    source_url: str | None = None
    """Where it was read from, when that was a repository or a web address."""
    commit: str | None = None
    """Of the repository."""
    coverage: str = ""
    """For a package without a guide, what its pages are: `readme`; `reference` with what its code declares; `examples` with the
    programs that it ships. `page` for one page of a site. Empty for a guide."""
    edition: str = ""
    """`newest` for documentation that is kept for the newest release only; `version` is what that was when it was read."""
    content_hash: str = ""
    """Of all pages: two docsets with the same one hold the same documentation."""
    builder: int = 0
    """The `BUILDER` that made it; 0 when it does not say."""

    @property
    def is_by_older_builder(self) -> bool:
        """Whether the same documentation would make a better docset today."""
        return self.builder < BUILDER


def read_meta(connection: apsw.Connection, path: Path) -> DocsetMeta:
    """The meta table as a value; what a file from elsewhere does not say is counted.

    Raises:
        DocsetInvalid: name or version are missing.
    """
    said: dict[str, str] = {
        key: one_line(value)
        for key, value in rows(connection, "SELECT key, value FROM meta LIMIT 100")
        if isinstance(key, str) and isinstance(value, str)
    }
    name, version = said.get("name"), said.get("version")
    if not name or not version:
        raise invalid(path, "it does not say which library and version it holds")
    return DocsetMeta(
        name=name,
        version=None if version == NO_VERSION else version,
        library_id=said.get("library_id") or f"/local/{name}",
        purl=said.get("purl") or None,
        title=said.get("title") or name,
        description=said.get("description", ""),
        pages=_number(said, "pages") or _count(connection, "SELECT count(DISTINCT doc_path) FROM chunks"),
        chunks=_number(said, "chunks") or _count(connection, "SELECT count(*) FROM chunks"),
        snippets=_number(said, "snippets") or _count(connection, "SELECT coalesce(sum(has_code), 0) FROM chunks"),
        links=_number(said, "links"),
        dangling_links=_number(said, "dangling_links"),
        license=said.get("license") or None,
        date=said.get("date") or None,
        source_url=said.get("source_url") or None,
        commit=said.get("source_commit") or None,
        coverage=said.get("coverage", ""),
        edition=said.get("edition", ""),
        content_hash=said.get("content_hash", ""),
        builder=_number(said, "builder"),
    )


def _number(said: dict[str, str], key: str) -> int:
    text = said.get(key, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _count(connection: apsw.Connection, select: str) -> int:
    row = one(connection, select)
    return int(row[0]) if row else 0


def meta_rows(meta: DocsetMeta) -> list[tuple[str, str]]:
    """The rows of the meta table; what is None has no row."""
    values: dict[str, object] = {
        "name": meta.name,
        "version": meta.version or NO_VERSION,
        "library_id": meta.library_id,
        "purl": meta.purl,
        "title": meta.title,
        "description": meta.description,
        "pages": meta.pages,
        "chunks": meta.chunks,
        "snippets": meta.snippets,
        "links": meta.links,
        "dangling_links": meta.dangling_links,
        "license": meta.license,
        "date": meta.date,
        "source_url": meta.source_url,
        "source_commit": meta.commit,
        "coverage": meta.coverage or None,
        "edition": meta.edition or None,
        "content_hash": meta.content_hash,
        "builder": meta.builder or None,
    }
    return [(key, str(value)) for key, value in values.items() if value is not None]


def one_line(text: str) -> str:
    """A text from outside on one line, without control characters, at most `MAX_META_CHARS` long."""
    return " ".join(clean(text).split())[:MAX_META_CHARS]
