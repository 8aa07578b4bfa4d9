"""Whether the rows of a docset file are what its tables promise: SQLite keeps anything in any column, and no index is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_researcher.docsets.chunk_digest import chunk_digest
from docs_researcher.docsets.sql import one, rows

if TYPE_CHECKING:
    import apsw

MAX_CHUNK_CHARS = 2_000_000
"""The longest block of code that stays whole is far shorter; no answer could hold more."""
MAX_NAME_CHARS = 10_000
"""Of a path, a title or a heading path; the longest known, an overloaded signature, has a tenth of it."""
MAX_TOKENS = 10 * MAX_CHUNK_CHARS
"""More than any count of tokens of the longest chunk."""

_TEXTS = ("doc_path", "doc_title", "section_title", "content")
_ODD_NUMBERS = {
    "tokens": f"typeof(tokens) <> 'integer' OR tokens NOT BETWEEN 0 AND {MAX_TOKENS}",
    "has_code": "typeof(has_code) NOT IN ('integer', 'null')",
}


def fault_in(connection: apsw.Connection, *, own: bool, chunks: int) -> str | None:
    """What is wrong with a docset, read from its first byte to its last; None where nothing is.

    Args:
        connection: the open file, its schema checked.
        own: whether it has our own tables, with a digest for each text.
        chunks: how many chunks it says that it has.

    Raises:
        apsw.Error, UnicodeDecodeError: it is damaged.
    """
    result = one(connection, "PRAGMA quick_check(1)")
    if result is None or result[0] != "ok":
        return f"it is damaged ({result[0] if result else 'nothing can be read'})"
    fault = _wrong_types(connection) or _wrong_sizes(connection) or _wrong_counts(connection, chunks)
    return fault or _wrong_texts(connection, own)


def _wrong_types(connection: apsw.Connection) -> str | None:
    for column in _TEXTS:
        if one(connection, f"SELECT 1 FROM chunks WHERE typeof({column}) <> 'text' LIMIT 1"):  # noqa: S608 - our names
            return f"chunks.{column} holds something that is no text"
    for column, odd in _ODD_NUMBERS.items():
        if one(connection, f"SELECT 1 FROM chunks WHERE {odd} LIMIT 1"):  # noqa: S608 - our words
            return f"chunks.{column} holds something that is no such number"
    return None


def _wrong_sizes(connection: apsw.Connection) -> str | None:
    for column in _TEXTS:
        found = one(connection, f"SELECT max(length({column})) FROM chunks")  # noqa: S608 - our names
        longest = (found[0] if found is not None else None) or 0
        if longest > (MAX_CHUNK_CHARS if column == "content" else MAX_NAME_CHARS):
            return f"a value in chunks.{column} has {longest:,} characters"
    return None


def _wrong_counts(connection: apsw.Connection, chunks: int) -> str | None:
    count = one(connection, "SELECT count(*) FROM chunks")
    held = count[0] if count is not None else 0
    if not held:
        return "there is no text in it"
    if held != chunks:
        return f"it counts its chunks as {chunks} and holds {held}"
    if one(connection, "SELECT 1 FROM sqlite_schema WHERE name = 'chunks_fts_docsize'"):
        indexed = one(connection, "SELECT count(*) FROM chunks_fts_docsize")
        if indexed is None or indexed[0] != held:
            return f"its full-text index knows {indexed[0] if indexed else 0} of its {held} chunks"
    return None


def _wrong_texts(connection: apsw.Connection, own: bool) -> str | None:
    """Reads every text, which raises where one is no UTF-8, and holds it against the digest that was written with it."""
    if not own:
        for _ in rows(connection, "SELECT doc_path, doc_title, section_title, content FROM chunks"):
            pass
        return None
    for section, content, digest in rows(connection, "SELECT section_title, content, digest FROM chunks"):
        if chunk_digest(str(section), str(content)) != digest:
            return "it is damaged (a text in it is not the one that was written)"
    return None
