"""Tool results kept in one SQLite file, bound in rows, bytes and age; the one that was used longest ago goes first.

A cache that cannot be opened, read or written costs a later call and nothing else: no error leaves this module. A damaged file
is made anew once.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import apsw

FORMAT = 1
"""The file's `user_version`; one with another is emptied."""
MAX_ROWS = 2_000
MAX_BYTES = 32 * 1024 * 1024
MAX_ENTRY_BYTES = 1024 * 1024
"""A result of a foreign server is cut at 8,000 tokens, far below this."""
KEEP_SECONDS = 30 * 24 * 3600.0
"""Older results are of no use even where the server cannot be asked."""
USE_STEP_SECONDS = 60.0
"""A use is written down at most this often, so that a result read again and again costs no writes."""
BUSY_MILLISECONDS = 250
"""How long another process's write is waited for. Going on without the cache is no great loss."""

_SCHEMA = """\
CREATE TABLE results(key BLOB PRIMARY KEY, stored REAL NOT NULL, used REAL NOT NULL, bytes INTEGER NOT NULL, value TEXT NOT NULL);
CREATE INDEX results_by_use ON results(used, bytes);
"""
_EVICT = """\
DELETE FROM results WHERE rowid IN (
    SELECT rowid FROM (
        SELECT rowid, row_number() OVER latest AS place, sum(bytes) OVER latest AS size
        FROM results WINDOW latest AS (ORDER BY used DESC, rowid DESC)
    ) WHERE place > ? OR size > ?
)
"""
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Stored:
    """A value and when it was stored (seconds since the epoch)."""

    value: str
    at: float


class ResultStore:
    """Texts by keys. Opened with its first use; safe to share between processes, used from one thread at a time."""

    def __init__(self, path: Path, *, max_rows: int = MAX_ROWS, max_bytes: int = MAX_BYTES) -> None:
        self._path = path
        self._max_rows = max_rows
        self._max_bytes = max_bytes
        self._connection: apsw.Connection | None = None
        self._usable = True

    def get(self, key: bytes, now: float) -> Stored | None:
        """What is stored under a key, unless it is too old; it counts as used now."""
        return self._guarded(lambda connection: _get(connection, key, now))

    def put(self, key: bytes, value: str, now: float) -> None:
        """Store a value, then drop what is too old and what is over the bounds."""
        size = len(value.encode("utf-8", "surrogatepass"))
        if size <= min(MAX_ENTRY_BYTES, self._max_bytes):
            self._guarded(lambda connection: self._put(connection, key, value, size, now))

    def close(self) -> None:
        """Close the file. Safe to call twice; a later use opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _put(self, connection: apsw.Connection, key: bytes, value: str, size: int, now: float) -> None:
        from docs_researcher.docsets.sql import one, run

        with connection:
            run(connection, "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)", (key, now, now, size, value))
            run(connection, "DELETE FROM results WHERE stored < ?", (now - KEEP_SECONDS,))
            rows, total = one(connection, "SELECT count(*), total(bytes) FROM results") or (0, 0.0)
            if rows > self._max_rows or total > self._max_bytes:
                run(connection, _EVICT, (self._max_rows, self._max_bytes))

    def _guarded(self, use: Callable[[apsw.Connection], _Value]) -> _Value | None:
        """Use the file. None where that is not possible; a damaged file is removed and tried once more."""
        import apsw

        for attempt in range(2):
            if not self._usable:
                return None
            try:
                if self._connection is None:
                    self._connection = _open(self._path)
                return use(self._connection)
            except (apsw.NotADBError, apsw.CorruptError):
                self._usable = attempt == 0 and self._remove()
            except apsw.BusyError:
                return None
            except (OSError, apsw.Error):  # no permission, no room, no such disk
                self.close()
                self._usable = False
        return None

    def _remove(self) -> bool:
        """Take a damaged file away; False if that is not possible."""
        self.close()
        for name in (self._path, *(self._path.with_name(f"{self._path.name}{end}") for end in ("-wal", "-shm"))):
            with suppress(OSError):
                name.unlink()
        return not self._path.exists()


def _open(path: Path) -> apsw.Connection:
    """The file, readable by its owner alone, with our tables in it."""
    import apsw

    from docs_researcher.docsets.sql import one, run

    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # before SQLite makes it, and the files beside it take its mode
    path.chmod(0o600)
    connection = apsw.Connection(str(path))
    try:
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        run(connection, "PRAGMA trusted_schema = OFF")
        run(connection, "PRAGMA journal_mode = WAL")
        run(connection, "PRAGMA synchronous = NORMAL")
        with connection:
            if one(connection, "PRAGMA user_version") != (FORMAT,):
                run(connection, "DROP TABLE IF EXISTS results")
                run(connection, _SCHEMA)
                run(connection, f"PRAGMA user_version = {FORMAT}")
    except BaseException:
        connection.close()
        raise
    return connection


def _get(connection: apsw.Connection, key: bytes, now: float) -> Stored | None:
    import apsw

    from docs_researcher.docsets.sql import one, run

    row = one(connection, "SELECT value, stored, used FROM results WHERE key = ? AND stored >= ?", (key, now - KEEP_SECONDS))
    if row is None:
        return None
    value, stored, used = row
    if abs(now - used) >= USE_STEP_SECONDS:
        with suppress(apsw.BusyError):  # another process writes: the order of use is not worth waiting for
            run(connection, "UPDATE results SET used = ? WHERE key = ?", (now, key))
    return Stored(value, stored)
