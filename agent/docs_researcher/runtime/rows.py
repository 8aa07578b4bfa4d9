"""JSON lines: a file with one object a line, read line by line, with a place for every complaint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from docs_researcher.core.errors import UsageError

MAX_LINE_BYTES = 1_000_000
"""More than any question with everything beside it; a longer line means that the file is something else."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line that is not blank: its number from 1 on, and the object in it, or why there is none."""

    line: int
    values: dict[str, Any]
    problem: str = ""

    def text(self, key: str) -> str | None:
        """The text under a key, without white space around it; a number as text. None where there is none."""
        value = self.values.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        return value.strip() or None if isinstance(value, str) else None


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a file, in order. A line that is no JSON object is a row with a `problem`.

    Raises:
        UsageError: the file cannot be read.
    """
    try:
        with path.open("rb") as stream:
            number = 0
            while line := stream.readline(MAX_LINE_BYTES + 1):
                number += 1
                if len(line) > MAX_LINE_BYTES:
                    raise UsageError(f"Line {number} of {path} is too long", why=f"at most {MAX_LINE_BYTES:,} bytes are read")
                if line.strip(b" \t\r\n\xef\xbb\xbf"):
                    yield _row(number, line)
    except OSError as error:
        raise UsageError(f"{path} cannot be read", why=error.strerror or str(error), next_step="Check the path.") from error


def _row(number: int, line: bytes) -> Row:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Row(number, {}, "it is not UTF-8")
    except ValueError as error:
        return Row(number, {}, f"it is not JSON: {error}")
    if not isinstance(value, dict):
        return Row(number, {}, "it is not an object")
    return Row(number, cast("dict[str, Any]", value))
