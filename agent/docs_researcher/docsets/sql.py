"""SQL through apsw with types: its stubs name one that Python 3.11 lacks, so what it returns is typed here, in one place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import apsw


def rows(connection: apsw.Connection, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """Run a statement and return its rows; an empty list for a statement without any."""
    return list(cast("Any", connection).execute(statement, tuple(values)))


def one(connection: apsw.Connection, statement: str, values: Sequence[object] = ()) -> tuple[Any, ...] | None:
    """The first row, or None."""
    return cast("tuple[Any, ...] | None", cast("Any", connection).execute(statement, tuple(values)).fetchone())


def run_many(connection: apsw.Connection, statement: str, values: Iterable[Sequence[object]]) -> None:
    """Run a statement once for each set of values."""
    cast("Any", connection).executemany(statement, values)


def run(connection: apsw.Connection, statement: str, values: Sequence[object] = ()) -> None:
    """Run a statement whose rows are of no interest."""
    cast("Any", connection).execute(statement, tuple(values)).fetchall()
