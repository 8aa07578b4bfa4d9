"""Many questions out of a file: a bounded number at once, one result for each, and none asked twice."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from docs_researcher.core.answer import Answer
from docs_researcher.core.clean import clean
from docs_researcher.core.errors import DocsResearchError, UsageError
from docs_researcher.runtime.research_tool import ResearchArguments, read_arguments
from docs_researcher.runtime.rows import Row, read_rows

Ask = Callable[[ResearchArguments], Awaitable[Answer]]
Result = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One question of the file, or the line that is none."""

    id: str
    """As the row gives it, else the number of its line: "line 3"."""
    row: Row


def batch_rows(path: Path) -> tuple[BatchRow, ...]:
    """Every row of a file.

    Raises:
        UsageError: the file cannot be read, or two rows have the same id, of which a later run could keep only one.
    """
    rows = tuple(BatchRow(row.text("id") or f"line {row.line}", row) for row in read_rows(path))
    seen: dict[str, int] = {}
    for batch_row in rows:
        first = seen.setdefault(batch_row.id, batch_row.row.line)
        if first != batch_row.row.line:
            raise UsageError(
                f"{path} has the id {batch_row.id!r} twice",
                why=f"lines {first} and {batch_row.row.line}",
                next_step="Give each row an id of its own, or leave the ids out.",
            )
    return rows


class ResultFile:
    """The results so far, one JSON line each, appended to as they come. Use it as a context manager."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stream: BinaryIO | None = None
        self.ids: set[str] = set()
        """The ids of the results that were in the file when it was opened."""

    def __enter__(self) -> ResultFile:
        """Read what is there, and cut off a line that an earlier run could not finish.

        Raises:
            UsageError: the file cannot be written, or holds something else than results.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            stream = self._path.open("a+b")  # what another run appends meanwhile is not written over
        except OSError as error:
            raise UsageError(f"{self._path} cannot be written", why=error.strerror or str(error)) from error
        try:
            self.ids = set(_finished(self._path, stream))
        except BaseException:
            stream.close()
            raise
        self._stream = stream
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def write(self, result: Result) -> None:
        """Append one result; it is in the file when this returns."""
        if self._stream is None:
            raise ValueError("the file is not open")
        self._stream.write(result_line(result).encode("utf-8") + b"\n")
        self._stream.flush()


def result_line(result: Result) -> str:
    """A result as one line of JSON."""
    return json.dumps(result, ensure_ascii=False)


async def run_batch(rows: Iterable[BatchRow], ask: Ask, *, jobs: int) -> AsyncIterator[Result]:
    """Ask the question of every row, at most `jobs` at once. Yields each result as it comes, errors too.

    A result is the id, the question and the fields of the answer; or `status` and `error` as `--json` shows them.
    """
    waiting = iter(rows)
    running: set[asyncio.Task[Result]] = set()
    try:
        while True:
            while len(running) < jobs and (row := next(waiting, None)) is not None:
                running.add(asyncio.create_task(_result(row, ask)))
            if not running:
                return
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def left_to_do(rows: Sequence[BatchRow], done: Collection[str]) -> tuple[BatchRow, ...]:
    """The rows without a result."""
    return tuple(row for row in rows if row.id not in done)


async def _result(row: BatchRow, ask: Ask) -> Result:
    head: Result = {"id": row.id, "question": clean(row.row.text("question") or "")}
    try:
        if row.row.problem:
            raise UsageError(f"Line {row.row.line} cannot be used", why=row.row.problem)
        answer = await ask(read_arguments(row.row.values))
    except DocsResearchError as error:
        return {**head, "status": error.status, "error": _error(error.code, error.message, error.next_step)}
    except Exception as error:  # one question that fails by a fault of ours leaves the others their results
        message = f"Something went wrong inside docs-researcher: {type(error).__name__}: {error}"
        return {**head, "status": "failed", "error": _error("internal", message, "Ask this question alone, with --debug.")}
    return {**head, **answer.to_dict()}


def _error(code: str, message: str, next_step: str) -> dict[str, str]:
    return {"code": code, "message": clean(message), "next": clean(next_step)}


def _finished(path: Path, stream: BinaryIO) -> list[str]:
    """The ids in the file, which then ends behind its last whole line."""
    ids: list[str] = []
    end = 0
    stream.seek(0)
    for number, line in enumerate(stream, start=1):
        if not line.endswith(b"\n"):
            break
        if line.strip():
            ids.append(_id(path, number, line))
        end += len(line)
    stream.truncate(end)
    os.fsync(stream.fileno())
    return ids


def _id(path: Path, number: int, line: bytes) -> str:
    try:
        value = json.loads(line)
        return str(value["id"])
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(
            f"{path} holds something else than results",
            why=f"line {number} is no JSON object with an id",
            next_step="Name another file; what is there is kept as it is.",
        ) from error
