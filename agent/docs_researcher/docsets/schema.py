"""The tables of a docset file, and the check that a file is one.

The tables `meta`, `chunks` and `chunks_fts` are those of the Context project, whose files can be opened here and the other
way round. Everything else stands in further columns and tables. A file from elsewhere is data, not a program: views and
triggers are refused.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import apsw

from docs_researcher.core.errors import DocsetNewer
from docs_researcher.docsets.file_errors import invalid, unreadable
from docs_researcher.docsets.linked import LINK_TABLES
from docs_researcher.docsets.sql import rows

APPLICATION_ID = 0x444F4352
"""`DOCR` in the file's header: a docset that we wrote."""
SCHEMA_VERSION = 1
"""Kept in `user_version`. A file with a higher one is refused with the advice to upgrade."""
NO_VERSION = "unversioned"
"""What `meta.version` holds for a library without a version, since readers of such files demand one."""

TABLES: dict[str, str] = {
    "meta": "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "pages": "CREATE TABLE pages (id INTEGER PRIMARY KEY, path TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL, "
    "url TEXT, first_chunk INTEGER NOT NULL, chunk_count INTEGER NOT NULL)",
    # The content stands last: what is read while ranking then needs no look at the pages of the file that hold the text.
    "chunks": "CREATE TABLE chunks (id INTEGER PRIMARY KEY, doc_path TEXT NOT NULL, doc_title TEXT NOT NULL, "
    "section_title TEXT NOT NULL, tokens INTEGER NOT NULL, has_code INTEGER NOT NULL, page_id INTEGER NOT NULL, "
    "line INTEGER NOT NULL, anchor TEXT, digest INTEGER NOT NULL, content TEXT NOT NULL)",
    "skipped": "CREATE TABLE skipped (path TEXT NOT NULL, reason TEXT NOT NULL)",
    "chunks_fts": "CREATE VIRTUAL TABLE chunks_fts USING fts5(doc_title, section_title, content, doc_path, "
    "content='chunks', content_rowid='id', tokenize='porter unicode61')",
}
VECTORS_TABLE = "CREATE TABLE vectors (first_chunk INTEGER PRIMARY KEY, data BLOB NOT NULL)"
"""Added by the extra `semantic`: whole numbers of one byte, chunk after chunk, in blocks."""
STATIC_VECTORS_TABLE = "CREATE TABLE static_vectors (first_chunk INTEGER PRIMARY KEY, data BLOB NOT NULL)"
"""Two bits a dimension for each chunk, in blocks. A docset from before November 2026 has none."""
WEIGHTS = (5.0, 5.0, 1.0, 5.0)
"""bm25 weights of doc_title, section_title, content, doc_path; 3/3/1/3 to 10/10/1/10 rank alike (measured 2026-11-29)."""

_ADDED = {**LINK_TABLES, "vectors": VECTORS_TABLE, "static_vectors": STATIC_VECTORS_TABLE}
"""Tables that a docset of our own may have or not."""
_FTS_SHADOWS = frozenset(f"chunks_fts_{name}" for name in ("data", "idx", "docsize", "config", "content"))
_REQUIRED: dict[str, dict[str, str]] = {
    "meta": {"key": "TEXT", "value": "TEXT"},
    "chunks": {
        "id": "INTEGER",
        "doc_path": "TEXT",
        "doc_title": "TEXT",
        "section_title": "TEXT",
        "content": "TEXT",
        "tokens": "INTEGER",
        "has_code": "INTEGER",
    },
}
_FTS_START = re.compile(
    r"CREATE VIRTUAL TABLE (?:IF NOT EXISTS )?[\"']?chunks_fts[\"']? USING fts5\s*\(\s*doc_title,\s*section_title,\s*content\b",
    re.IGNORECASE,
)
_KNOWN_TOKENIZER = re.compile(
    r"tokenize\s*=\s*(['\"])(?:porter|unicode61|ascii|trigram|remove_diacritics|[0-2 ])+\1", re.IGNORECASE
)


def header(path: Path) -> tuple[int, int]:
    """`application_id` and `user_version` from the first hundred bytes.

    Raises:
        DocsetInvalid: no SQLite file, or one of another program.
        DocsetUnreadable: it may not be read.
    """
    try:
        with path.open("rb") as file:
            start = file.read(100)
    except FileNotFoundError as error:
        raise invalid(path, "it is gone") from error
    except OSError as error:
        raise unreadable(path, error) from error
    if len(start) < 100 or not start.startswith(b"SQLite format 3\x00"):
        raise invalid(path, "it is no SQLite file")
    application = int.from_bytes(start[68:72], "big")
    version = int.from_bytes(start[60:64], "big")
    if application not in (0, APPLICATION_ID):
        raise invalid(path, "it belongs to another program")
    if application == APPLICATION_ID and version > SCHEMA_VERSION:
        raise DocsetNewer(
            f"{path.name} was made by a newer docs-researcher",
            why=f"its schema is {version}, this version knows {SCHEMA_VERSION}",
            next_step="Upgrade docs-researcher, or remove the docset and add it again.",
        )
    return application, version


def check_schema(connection: apsw.Connection, path: Path) -> bool:
    """Check what the file declares; True when it is exactly our own schema, False for another one that can be read.

    Raises:
        DocsetInvalid: views, triggers, unknown virtual tables, or a table or column that is missing or of another type.
    """
    objects: dict[str, tuple[str, str]] = {}
    for kind, name, sql in rows(connection, "SELECT type, name, coalesce(sql, '') FROM sqlite_schema"):
        if kind not in ("table", "index"):
            raise invalid(path, f"it holds a {kind}, which no docset needs")
        if kind == "table":
            objects[str(name)] = (str(kind), str(sql))
    known = {**TABLES, **{name: sql for name, sql in _ADDED.items() if name in objects}}
    if (
        all(objects.get(name, ("", ""))[1] == sql for name, sql in known.items())
        and objects.keys() <= known.keys() | _FTS_SHADOWS
    ):
        return True
    _check_foreign(connection, objects, path)
    return False


def _check_foreign(connection: apsw.Connection, objects: dict[str, tuple[str, str]], path: Path) -> None:
    for name in ("meta", "chunks", "chunks_fts"):
        if name not in objects:
            raise invalid(path, f"the table {name} is missing")
    for name, (_, sql) in objects.items():
        if sql.upper().startswith("CREATE VIRTUAL") and name != "chunks_fts":
            raise invalid(path, f"it holds the virtual table {name}, which no docset needs")
    fts = objects["chunks_fts"][1]
    tokenizer = "tokenize" not in fts.lower() or _KNOWN_TOKENIZER.search(fts)
    if not _FTS_START.match(fts) or not tokenizer:
        raise invalid(path, "its full-text index is of an unknown form")
    for table, columns in _REQUIRED.items():
        found = {str(name): str(type).upper() for name, type in _plain_columns(connection, table)}
        for column, type in columns.items():
            if found.get(column) != type:
                raise invalid(path, f"the column {table}.{column} is missing or no {type}")


def _plain_columns(connection: apsw.Connection, table: str) -> list[tuple[Any, Any]]:
    """Name and declared type of the columns that are stored as they are."""
    return [
        (row[0], row[1]) for row in rows(connection, "SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0", (table,))
    ]
