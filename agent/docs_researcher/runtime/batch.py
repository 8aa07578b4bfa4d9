"""Many questions out of a file: a bounded number at once, one result for each, and none asked twice."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from docs_researcher.core.answer import Answer
from docs_researcher.core.clean import clean
from docs_researcher.core.errors import DocsResearchError, UsageError
from docs_researcher.runtime.research_tool import ResearchArguments, read_row
from docs_researcher.runtime.rows import Row, read_rows

if TYPE_CHECKING:
    from filelock import FileLock

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
    """The results so far, one JSON line each, appended to as they come. Use it as a context manager.

    A row may have several results, when it failed and was asked again: the last one counts.
    """

    def __init__(self, path: Path, locks: Path) -> None:
        """The file of results, and the folder for the lock that keeps a second run out of it."""
        self._path = path
        self._locks = locks
        self._lock: FileLock | None = None
        self._stream: BinaryIO | None = None
        self.ids: set[str] = set()
        """The ids of the results that were in the file when it was opened, without those that failed."""

    def __enter__(self) -> ResultFile:
        """Read what is there, and cut off a line that an earlier run could not finish.

        Raises:
            UsageError: the file cannot be written, holds something else than results, or another run writes it.
        """
        with suppress(OSError):  # opening the file says why it cannot be written
            self._path.parent.mkdir(parents=True, exist_ok=True)
        if self._path.exists() and not self._path.is_file() and not self._path.is_dir():
            raise UsageError(
                f"{self._path} is no regular file",
                why="the results in it are read, so that nothing is asked twice",
                next_step="Name a file, or leave --out away: the results then go to stdout.",
            )
        self._lock = _locked(self._path, self._locks)
        try:
            self._stream = self._path.open("a+b")
            self.ids = _finished(self._path, self._stream)
        except OSError as error:
            self.__exit__()
            raise UsageError(
                f"{self._path} cannot be written", why=error.strerror or str(error), next_step="Name a file that you may write."
            ) from error
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None

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
    """The rows without a result, those that failed among them."""
    return tuple(row for row in rows if row.id not in done)


async def _result(row: BatchRow, ask: Ask) -> Result:
    head: Result = {"id": row.id, "question": clean(row.row.text("question") or "")}
    try:
        if row.row.problem:
            raise UsageError(f"Line {row.row.line} cannot be used", why=row.row.problem)
        answer = await ask(read_row(row.row.values))
    except DocsResearchError as error:
        return {**head, "status": error.status, "error": _error(error.code, error.message, error.next_step)}
    except Exception as error:  # one question that fails by a fault of ours leaves the others their results
        message = f"Something went wrong inside docs-researcher: {type(error).__name__}: {error}"
        return {**head, "status": "failed", "error": _error("internal", message, "Ask this question alone, with --debug.")}
    return {**head, **answer.to_dict()}


def _error(code: str, message: str, next_step: str) -> dict[str, str]:
    return {"code": code, "message": clean(message), "next": clean(next_step)}


def _locked(path: Path, locks: Path) -> FileLock | None:
    """A lock on a file of results; None where no lock can be kept, since a home that cannot be written is no reason to stop.

    Raises:
        UsageError: another run has it.
    """
    from filelock import FileLock, Timeout

    name = hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]
    try:
        locks.mkdir(parents=True, exist_ok=True)
        lock = FileLock(locks / f"batch-{name}.lock", timeout=0)
        lock.acquire()
    except Timeout as error:
        raise UsageError(
            f"{path} is being written by another run",
            why="two runs into one file would ask the same questions twice",
            next_step="Wait until it has ended, or name another file with --out.",
        ) from error
    except OSError:
        return None
    return lock


def _finished(path: Path, stream: BinaryIO) -> set[str]:
    """The ids in the file whose last result did not fail. The file then ends behind its last whole line."""
    ids: set[str] = set()
    end = 0
    stream.seek(0)
    for number, line in enumerate(stream, start=1):
        if not line.endswith(b"\n"):
            break
        if line.strip():
            id, failed = _id(path, number, line)
            (ids.discard if failed else ids.add)(id)
        end += len(line)
    stream.truncate(end)
    os.fsync(stream.fileno())
    return ids


def _id(path: Path, number: int, line: bytes) -> tuple[str, bool]:
    """The id of a result, and whether it failed."""
    try:
        value = json.loads(line)
        return str(value["id"]), value.get("status") == "failed"
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(
            f"{path} holds something else than results",
            why=f"line {number} is no JSON object with an id",
            next_step="Name another file; what is there is kept as it is.",
        ) from error
