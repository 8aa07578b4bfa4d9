"""The file that tool results are kept in: its bounds, its owner, and what damage does to it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import apsw
import pytest

from docs_researcher.docsets.sql import rows, run
from docs_researcher.tools.result_store import FORMAT, KEEP_SECONDS, MAX_ENTRY_BYTES, ResultStore, Stored

NOW = 1_800_000_000.0
HOUR = 3600.0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "results.db"


def test_the_file_is_its_owners_alone(file: Path) -> None:
    store = ResultStore(file)
    old = os.umask(0)
    try:
        store.put(b"k", "v", NOW)
    finally:
        os.umask(old)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}
    store.close()
    assert set(modes.values()) == {0o600}
    file.chmod(0o644)
    again = ResultStore(file)
    assert again.get(b"k", NOW) == Stored("v", NOW)
    again.close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_least_used_rows_go_first(file: Path) -> None:
    store = ResultStore(file, max_rows=3)
    for number in range(3):
        store.put(bytes([number]), "v", NOW + number)
    assert store.get(b"\0", NOW + 100)
    store.put(b"\3", "v", NOW + 101)
    assert [bool(store.get(bytes([number]), NOW + 102)) for number in range(4)] == [True, False, True, True]
    store.close()


def test_the_bytes_are_bound(file: Path) -> None:
    store = ResultStore(file, max_bytes=1_000)
    for number in range(5):
        store.put(bytes([number]), "é" * 200, NOW + number)
    assert [bool(store.get(bytes([number]), NOW + 20)) for number in range(5)] == [False, False, False, True, True]
    store.put(b"large", "x" * 1_001, NOW + 30)
    assert store.get(b"large", NOW + 31) is None
    assert store.get(b"\4", NOW + 31) is not None
    store.close()


def test_a_huge_result_is_not_kept(file: Path) -> None:
    store = ResultStore(file)
    store.put(b"k", "x" * (MAX_ENTRY_BYTES + 1), NOW)
    assert store.get(b"k", NOW) is None
    store.close()


def test_what_is_too_old_is_dropped_with_the_next_write(file: Path) -> None:
    store = ResultStore(file)
    store.put(b"old", "v", NOW)
    store.put(b"new", "v", NOW + KEEP_SECONDS + 1)
    store.close()
    connection = apsw.Connection(str(file))
    found = rows(connection, "SELECT key FROM results")
    connection.close()
    assert found == [(b"new",)]


@pytest.mark.parametrize("data", [b"not a database at all" * 100, b""])
def test_a_damaged_file_is_made_anew(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True)
    file.write_bytes(data)
    store = ResultStore(file)
    store.put(b"k", "v", NOW)
    assert store.get(b"k", NOW) == Stored("v", NOW)
    store.close()


def test_a_file_of_another_format_is_emptied(file: Path) -> None:
    store = ResultStore(file)
    store.put(b"k", "v", NOW)
    store.close()
    connection = apsw.Connection(str(file))
    run(connection, f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()
    assert store.get(b"k", NOW) is None
    store.put(b"k", "w", NOW)
    assert store.get(b"k", NOW) == Stored("w", NOW)
    store.close()


def test_another_process_that_writes_holds_nobody_up(file: Path) -> None:
    store = ResultStore(file)
    store.put(b"k", "v", NOW)
    other = apsw.Connection(str(file))
    run(other, "BEGIN IMMEDIATE")
    store.put(b"k", "w", NOW)
    assert store.get(b"k", NOW + HOUR) == Stored("v", NOW)
    run(other, "ROLLBACK")
    other.close()
    assert store.get(b"k", NOW) == Stored("v", NOW)
    store.put(b"k", "w", NOW)
    assert store.get(b"k", NOW) == Stored("w", NOW)
    store.close()
