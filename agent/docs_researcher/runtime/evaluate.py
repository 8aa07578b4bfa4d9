"""Questions whose answers are known, and how far an answer is right.

A row says what has to stand in the answer, letter for letter (`must`: of each group one; `must_code`: the same inside a block of
code), what must not (`never`), and which pages it may be taken from (`cite`: one of them among the references).
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from docs_researcher.core.answer import Answer, Reference
from docs_researcher.core.errors import DocsResearchError, UsageError
from docs_researcher.runtime.batch import Ask
from docs_researcher.runtime.research_tool import ResearchArguments
from docs_researcher.runtime.rows import Row, read_rows
from docs_researcher.steps.fences import split_fences

Groups = tuple[tuple[str, ...], ...]

_NUMBERED = re.compile(r"\d+-(?=.)")
"""`01-app/06-linking`: the numbers order files and stand in no address."""


@dataclass(frozen=True, slots=True)
class Expected:
    """One question with what is right."""

    id: str
    question: str
    package: str | None = None
    kind: str = ""
    library: str | None = None
    must: Groups = ()
    must_code: Groups = ()
    cite: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scored:
    """One question, what was answered, and what of it is right."""

    expected: Expected
    status: str
    missing: tuple[str, ...]
    """What does not stand in the answer, or stands in it wrongly, in words. Empty: the words are right."""
    cited: bool
    tokens_returned: int
    tokens_read: int
    seconds: float
    text: str
    """The answer, or the error."""

    @property
    def words(self) -> bool:
        """Whether everything stands in the answer that has to, and nothing that must not."""
        return not self.missing

    @property
    def right(self) -> bool:
        """Words and citation together."""
        return self.words and self.cited


def read_expected(path: Path) -> tuple[Expected, ...]:
    """The questions of a file.

    Raises:
        UsageError: the file cannot be read, or a row has no question, nothing to judge by, or a field of the wrong shape.
    """
    rows = tuple(_expected(path, row) for row in read_rows(path))
    if not rows:
        raise UsageError(f"{path} holds no questions", next_step="Write one JSON object a line: question, must, cite.")
    return rows


async def score(expected: Expected, ask: Ask) -> Scored:
    """Ask one question and judge the answer. An error of this package is an answer in which everything is missing."""
    started = time.monotonic()
    try:
        answer = await ask(ResearchArguments(expected.question))
    except DocsResearchError as error:
        answer = Answer("failed", f"{error.message}. {error.next_step}".strip())
    usage = replace(answer.usage, seconds=answer.usage.seconds or round(time.monotonic() - started, 3))
    return Scored(
        expected=expected,
        status=answer.status,
        missing=missing(expected, answer.text if answer.status != "failed" else ""),
        cited=not expected.cite or any(is_cited(page, answer.references) for page in expected.cite),
        tokens_returned=usage.tokens_returned,
        tokens_read=usage.tokens_read,
        seconds=usage.seconds,
        text=answer.text,
    )


def missing(expected: Expected, text: str) -> tuple[str, ...]:
    """What a text lacks or has wrongly. A line break where a string has a space is fine."""
    blocks = [segment.code for segment in split_fences(text) if segment.code is not None]
    found = [_wanted(group, "") for group in expected.must if not _holds(text, group)]
    found += [_wanted(group, " in code") for group in expected.must_code if not any(_holds(block, group) for block in blocks)]
    return (*found, *(f"has {word!r}" for word in expected.never if _holds(text, (word,))))


def is_cited(page: str, references: Iterable[Reference]) -> bool:
    """Whether a page, relative to the folder of the documentation, is among the references: by its path or its address."""
    return any(_ends_with(reference.path, page) or _is_address(reference.url, page) for reference in references)


def share(scored: Sequence[Scored], field: str) -> float:
    """The share of rows for which `field` ("words", "cited", "right") is true, 0 to 1."""
    return sum(bool(getattr(row, field)) for row in scored) / len(scored) if scored else 0.0


def _wanted(group: tuple[str, ...], where: str) -> str:
    return f"no {' or '.join(repr(word) for word in group)}{where}"


def _holds(text: str, group: Sequence[str]) -> bool:
    flat = re.sub(r"\s*\n\s*", " ", text)
    return any(word in text or word in flat for word in group)


def _ends_with(path: str | None, page: str) -> bool:
    wanted = PurePosixPath(page).parts
    return path is not None and PurePosixPath(path).parts[-len(wanted) :] == wanted


def _is_address(url: str | None, page: str) -> bool:
    """Whether an address is that of a page: the same last parts without suffix, order numbers and `index`."""
    wanted = _plain_parts(page)
    return url is not None and bool(wanted) and _plain_parts(unquote(urlsplit(url).path))[-len(wanted) :] == wanted


def _plain_parts(path: str) -> list[str]:
    parts = [_NUMBERED.sub("", part, count=1) for part in path.split("/") if part and part != "."]
    if parts:
        parts[-1] = re.sub(r"\.(mdx?|rst|html?|txt|markdown|ipynb|adoc)$", "", parts[-1])
    return parts[:-1] if parts and parts[-1] in ("index", "README") else parts


def _expected(path: Path, row: Row) -> Expected:
    question = row.text("question")
    if row.problem or question is None:
        raise _unusable(path, row, row.problem or "it has no question")
    expected = Expected(
        id=row.text("id") or f"line {row.line}",
        question=question,
        package=row.text("package"),
        kind=row.text("kind") or "",
        library=row.text("library"),
        must=_groups(path, row, "must"),
        must_code=_groups(path, row, "must_code"),
        cite=_texts(path, row, "cite", row.values.get("cite", [])),
        never=_texts(path, row, "never", row.values.get("never", [])),
    )
    if not (expected.must or expected.must_code or expected.cite or expected.never):
        raise _unusable(path, row, "it says nothing that an answer could be judged by")
    return expected


def _groups(path: Path, row: Row, key: str) -> Groups:
    value = row.values.get(key, [])
    if not isinstance(value, list):
        raise _unusable(path, row, f"`{key}` is not a list of lists of texts")
    return tuple(_texts(path, row, key, group) for group in cast("list[Any]", value))


def _texts(path: Path, row: Row, key: str, value: object) -> tuple[str, ...]:
    items = cast("list[Any]", value) if isinstance(value, list) else None
    if items is None or not all(isinstance(item, str) for item in items):
        raise _unusable(path, row, f"`{key}` does not hold lists of texts")
    return tuple(items)


def _unusable(path: Path, row: Row, why: str) -> UsageError:
    return UsageError(
        f"Line {row.line} of {path} cannot be used",
        why=why,
        next_step='A row looks like {"question": "...", "must": [["one", "or this"]], "must_code": [["f("]], "cite": ["a.md"]}.',
    )
