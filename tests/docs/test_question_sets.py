"""The question sets of benchmarks/questions are whole: every field is there, half are paraphrases, and none names its page."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

QUESTIONS = Path(__file__).parents[2] / "benchmarks" / "questions"
PACKAGE = re.compile(r"(?:npm|pypi):[\w@/.-]+@\d[\w.]*")
RETRIEVAL_FIELDS = {"id", "split", "package", "kind", "question", "topic", "gold"}
LEAST_ROWS_A_LIBRARY = 12

Row = dict[str, Any]


def rows(name: str) -> list[Row]:
    """All rows of `benchmarks/questions/NAME.jsonl`, in file order."""
    lines = (QUESTIONS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


RETRIEVAL = rows("retrieval")


def named(row: Row) -> str:
    return row["id"]


def words(text: str) -> set[str]:
    """The words of four letters and more in `text`, in lower case without a plural's s."""
    return {word.removesuffix("s") for word in re.findall(r"[a-z]{4,}", text.lower())}


def is_page(path: str) -> bool:
    """Whether `path` is relative, normal, and names a file."""
    pure = PurePosixPath(path)
    return str(pure) == path and not pure.is_absolute() and ".." not in pure.parts and pure.suffix != ""


def test_every_id_and_question_stands_once() -> None:
    assert [id for id, times in Counter(row["id"] for row in RETRIEVAL).items() if times > 1] == []
    assert [text for text, times in Counter(row["question"] for row in RETRIEVAL).items() if times > 1] == []


def test_a_library_is_pinned_to_one_version_and_one_split() -> None:
    held: dict[str, set[tuple[str, str]]] = {}
    for row in RETRIEVAL:
        assert PACKAGE.fullmatch(row["package"]), row["id"]
        held.setdefault(row["package"].rpartition("@")[0], set()).add((row["package"], row["split"]))

    assert {name: found for name, found in held.items() if len(found) > 1} == {}
    assert {row["split"] for row in RETRIEVAL} <= {"tune", "held"}


def test_half_of_the_questions_of_each_library_are_paraphrases() -> None:
    for package, count in Counter(row["package"] for row in RETRIEVAL).items():
        paraphrases = sum(row["package"] == package and row["kind"] == "paraphrase" for row in RETRIEVAL)
        assert count >= LEAST_ROWS_A_LIBRARY, package
        assert abs(count - 2 * paraphrases) <= 1, package


@pytest.mark.parametrize("row", RETRIEVAL, ids=named)
def test_a_question_has_every_field_and_up_to_three_pages(row: Row) -> None:
    assert set(row) == RETRIEVAL_FIELDS
    assert row["kind"] in {"keyword", "paraphrase"}
    assert len(row["question"].split()) >= 4
    assert 2 <= len(row["topic"].split()) <= 6
    assert 1 <= len(row["gold"]) <= 3
    assert len(set(row["gold"])) == len(row["gold"])
    assert [path for path in row["gold"] if not is_page(path)] == []


@pytest.mark.parametrize("row", [row for row in RETRIEVAL if row["kind"] == "paraphrase"], ids=named)
def test_a_paraphrase_shares_no_word_with_the_path_of_its_page(row: Row) -> None:
    assert [path for path in row["gold"] if words(row["question"]) & words(path)] == []
