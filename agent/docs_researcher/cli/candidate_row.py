"""One JSON object with a library, a version, a query and the candidates offered for it, as the values that `pick` takes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from docs_researcher.cli.question import read_stdin
from docs_researcher.core.errors import UsageError
from docs_researcher.core.parsed import mapping
from docs_researcher.core.passages import Candidate, Reputation

MAX_FILE_BYTES = 1_000_000
"""More than any list of candidates."""


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """What was asked for, and what was offered."""

    library: str
    version: str | None
    query: str
    candidates: tuple[Candidate, ...]


def read_row(file: str) -> CandidateRow:
    """The row in a file; `-` is stdin. A candidate's missing fields, and words in the place of numbers, are unknown.

    Raises:
        UsageError: there is no such file, or no such row in it.
    """
    text = read_stdin() if file == "-" else _read(Path(file))
    try:
        row = json.loads(text)
    except ValueError as error:
        raise _unusable(file, f"it is not one JSON value: {error}") from error
    offered = mapping(row).get("candidates")
    if not isinstance(offered, list):
        raise _unusable(file, "it is not an object with a list of candidates")
    fields = mapping(row)
    return CandidateRow(
        library=_text(fields.get("library")) or "",
        version=_text(fields.get("version")),
        query=_text(fields.get("query")) or "",
        candidates=tuple(_candidate(mapping(item)) for item in cast("list[Any]", offered)),
    )


def _candidate(fields: dict[str, Any]) -> Candidate:
    versions: Any = fields.get("versions")
    reputation = _text(fields.get("source_reputation"))
    snippets, score = _number(fields.get("code_snippets")), _number(fields.get("benchmark_score"))
    return Candidate(
        id=_text(fields.get("id")) or "",
        title=_text(fields.get("title")) or "",
        description=_text(fields.get("description")) or "",
        snippets=None if snippets is None else int(snippets),
        reputation=cast(Reputation, reputation) if reputation in get_args(Reputation) else "Unknown",
        score=score,
        versions=tuple(str(version) for version in cast("list[Any]", versions)) if isinstance(versions, list) else (),
    )


def _text(value: Any) -> str | None:
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _read(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_FILE_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise _unusable(str(path), error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise _unusable(str(path), "it is not UTF-8") from error


def _unusable(file: str, why: str) -> UsageError:
    return UsageError(
        f"{file} cannot be used as candidates",
        why=why,
        next_step="Give a file with one JSON object: library, version, query, candidates (a list with id, title, ...).",
    )
