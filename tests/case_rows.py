"""Rows of tests/cases, and the comparison of names and versions that they are judged by."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docs_researcher.core.passages import Candidate

CASES = Path(__file__).parent / "cases"

Row = dict[str, Any]


def rows(name: str) -> tuple[Row, ...]:
    """All rows of `tests/cases/NAME.jsonl`, in file order."""
    lines = (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines if line.strip())


def fold(name: str) -> str:
    """A library name as names are compared: lower case without spaces, dots, hyphens and underscores."""
    return "".join(character for character in name.casefold() if character not in " .-_")


def accepted_names(row: Row) -> set[str | None]:
    """The folded names that are right for `row`; None stands for "no library identified"."""
    names = [row["library"], *row.get("also_ok", ())]
    return {None if name is None else fold(name) for name in names}


def same_version(left: str | None, right: str | None) -> bool:
    """Whether two versions are the same text after a leading v is dropped."""
    return _without_v(left) == _without_v(right)


def expected_version(row: Row, name: str | None) -> str | None:
    """The version that `row` states for the library called `name`: the asked one's, or that of another named library."""
    if name is not None:
        for other in row["other_libraries"]:
            if fold(name) in accepted_names(other):
                return other["version"]
    return row["version"]


def right_counts(row: Row) -> set[int]:
    """The numbers of concepts that are right: at most three queries, and where stated another count."""
    return {min(3, len(row["concepts"])), *row.get("also_concepts_n", ())}


def candidate(fields: Row) -> Candidate:
    """A candidate from a row's fields, words such as "Unknown" in number fields being missing data."""
    snippets, score = fields["code_snippets"], fields["benchmark_score"]
    return Candidate(
        id=fields["id"],
        title=fields["title"],
        description=fields["description"],
        snippets=snippets if isinstance(snippets, int) else None,
        reputation=fields["source_reputation"],
        score=float(score) if isinstance(score, int | float) else None,
        versions=tuple(fields["versions"]),
    )


def _without_v(version: str | None) -> str | None:
    return version[1:] if version and version[0] in "vV" else version
