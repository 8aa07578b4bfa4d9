"""Docset files as others write them: a file of the Context project, and what may be wrong with one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apsw


def foreign(path: Path, *more: str, meta: Mapping[str, str] | None = None) -> Path:
    """A package file as the Context project writes it."""
    connection: Any = apsw.Connection(str(path))
    connection.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
    connection.execute(
        "CREATE TABLE chunks (id INTEGER PRIMARY KEY, doc_path TEXT NOT NULL, doc_title TEXT NOT NULL, "
        "section_title TEXT NOT NULL, content TEXT NOT NULL, tokens INTEGER NOT NULL, has_code INTEGER DEFAULT 0)"
    )
    connection.execute(
        "CREATE VIRTUAL TABLE chunks_fts USING fts5(doc_title, section_title, content, content='chunks', content_rowid='id', "
        "tokenize='porter unicode61')"
    )
    for key, value in (meta or {"name": "peer", "version": "3.1"}).items():
        connection.execute("INSERT INTO meta VALUES (?, ?)", (key, value))
    connection.execute("INSERT INTO chunks VALUES (1, 'guide.md', 'Guide', 'Widgets', 'Draw a widget.', 4, 0)")
    connection.execute("INSERT INTO chunks VALUES (2, 'guide.md', 'Guide', 'Frames', 'Frame it.', 3, 1)")
    connection.execute("INSERT INTO chunks_fts(chunks_fts) VALUES ('rebuild')")
    for statement in more:
        connection.execute(statement)
    connection.close()
    return path
