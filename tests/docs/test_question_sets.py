"""The question sets of benchmarks/questions are whole, half of the rows are paraphrases, and those do not name their page."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from docs_researcher.runtime.evaluate import read_expected

QUESTIONS = Path(__file__).parents[2] / "benchmarks" / "questions"
CASES = Path(__file__).parents[1] / "cases"
PACKAGE = re.compile(r"(?:npm|pypi):[\w@/.-]+@\d[\w.]*")
RETRIEVAL_FIELDS = {"id", "split", "package", "kind", "question", "topic", "gold"}
ANSWER_FIELDS = {"id", "split", "library", "package", "kind", "question", "must", "must_code", "cite", "note"}
JUDGED_FIELDS = {"id", "package", "library_id", "question"}
ANSWER_KINDS = {"keyword", "paraphrase", "howto-multi-concept", "api-detail", "error", "what-is", "migration", "compare"}
LEAST_ROWS_A_LIBRARY = 12
LEAST_TYPED_ROWS_A_LIBRARY = 10
LEAST_ANSWERS_A_LIBRARY = 5
LEAST_WORDS = 4
LEAST_TYPED_WORDS = 2
"""The questions of the typed splits are typed as people type them, some of them in two words."""
TYPED_SPLITS = ("unseen", "later")
"""Each has files of its own for the search, the answers and the readers."""

Row = dict[str, Any]


def rows(name: str) -> list[Row]:
    """All rows of `benchmarks/questions/NAME.jsonl`, in file order."""
    lines = (QUESTIONS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


RETRIEVAL = rows("retrieval")
ANSWERS = rows("answers")
FRESH_RETRIEVAL = rows("retrieval_fresh")
FRESH_ANSWERS = rows("answers_fresh")
TYPED_RETRIEVAL = {split: rows(f"retrieval_{split}") for split in TYPED_SPLITS}
TYPED_ANSWERS = {split: rows(f"answers_{split}") for split in TYPED_SPLITS}
TYPED_JUDGED = {split: rows(f"judged_{split}") for split in TYPED_SPLITS}
ALL_RETRIEVAL = RETRIEVAL + FRESH_RETRIEVAL + [row for split in TYPED_RETRIEVAL.values() for row in split]
ALL_ANSWERS = ANSWERS + FRESH_ANSWERS + [row for split in TYPED_ANSWERS.values() for row in split]
JUDGED = rows("judged") + rows("judged_fresh") + [row for split in TYPED_JUDGED.values() for row in split]


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
    for field in ("id", "question"):
        texts = Counter(row[field] for row in ALL_RETRIEVAL + ALL_ANSWERS + JUDGED)
        assert [text for text, times in texts.items() if times > 1] == []


def test_a_library_is_pinned_to_one_version_and_one_split() -> None:
    held: dict[str, set[tuple[str, str]]] = {}
    for row in ALL_RETRIEVAL + ALL_ANSWERS:
        assert PACKAGE.fullmatch(row["package"]), row["id"]
        held.setdefault(row["package"].rpartition("@")[0], set()).add((row["package"], row["split"]))

    assert {name: found for name, found in held.items() if len(found) > 1} == {}
    assert {row["split"] for row in RETRIEVAL} == {row["split"] for row in ANSWERS} == {"tune", "held"}
    assert {row["split"] for row in FRESH_RETRIEVAL} == {row["split"] for row in FRESH_ANSWERS} == {"fresh"}
    for split in TYPED_SPLITS:
        assert {row["split"] for row in TYPED_RETRIEVAL[split]} == {row["split"] for row in TYPED_ANSWERS[split]} == {split}


@pytest.mark.parametrize("split", TYPED_SPLITS)
def test_libraries_of_a_typed_split_stand_in_no_other_file_and_all_of_them_are_judged(split: str) -> None:
    names = {row["package"].rpartition("@")[0] for row in TYPED_RETRIEVAL[split]}
    others = [path for path in (*QUESTIONS.glob("*.jsonl"), *CASES.glob("*.jsonl")) if not path.stem.endswith(f"_{split}")]

    assert len(others) > 10
    assert [(path.name, name) for path in others for name in names if f'"{name}@' in path.read_text(encoding="utf-8")] == []
    assert {row["package"] for row in TYPED_JUDGED[split]} == {row["package"] for row in TYPED_RETRIEVAL[split]}
    assert all(set(row) == JUDGED_FIELDS for row in TYPED_JUDGED[split])


@pytest.mark.parametrize(
    ("retrieval", "answered"),
    [
        (RETRIEVAL, ANSWERS),
        (FRESH_RETRIEVAL, FRESH_ANSWERS),
        *((TYPED_RETRIEVAL[split], TYPED_ANSWERS[split]) for split in TYPED_SPLITS),
    ],
)
def test_both_files_ask_about_the_same_libraries(retrieval: list[Row], answered: list[Row]) -> None:
    answers = Counter(row["package"] for row in answered)

    assert set(answers) == {row["package"] for row in retrieval}
    assert min(answers.values()) >= LEAST_ANSWERS_A_LIBRARY


@pytest.mark.parametrize("split", ["tune", "held", "fresh", *TYPED_SPLITS])
def test_every_kind_of_answer_is_asked_for_in_each_split(split: str) -> None:
    assert {row["kind"] for row in ALL_ANSWERS if row["split"] == split} == ANSWER_KINDS


def test_half_of_the_questions_of_each_library_are_paraphrases() -> None:
    for (package, split), count in Counter((row["package"], row["split"]) for row in ALL_RETRIEVAL).items():
        paraphrases = sum(row["package"] == package and row["kind"] == "paraphrase" for row in ALL_RETRIEVAL)
        assert count >= (LEAST_TYPED_ROWS_A_LIBRARY if split in TYPED_SPLITS else LEAST_ROWS_A_LIBRARY), package
        assert abs(count - 2 * paraphrases) <= 1, package


@pytest.mark.parametrize("row", ALL_RETRIEVAL, ids=named)
def test_a_question_has_every_field_and_up_to_three_pages(row: Row) -> None:
    assert set(row) == RETRIEVAL_FIELDS
    assert row["kind"] in {"keyword", "paraphrase"}
    assert len(row["question"].split()) >= (LEAST_TYPED_WORDS if row["split"] in TYPED_SPLITS else LEAST_WORDS)
    assert 2 <= len(row["topic"].split()) <= 6
    assert 1 <= len(row["gold"]) <= 3
    assert len(set(row["gold"])) == len(row["gold"])
    assert [path for path in row["gold"] if not is_page(path)] == []


@pytest.mark.parametrize("row", [row for row in ALL_RETRIEVAL if row["kind"] == "paraphrase"], ids=named)
def test_a_paraphrase_shares_no_word_with_the_path_of_its_page(row: Row) -> None:
    assert [path for path in row["gold"] if words(row["question"]) & words(path)] == []


@pytest.mark.parametrize("row", ALL_ANSWERS, ids=named)
def test_an_answer_says_what_must_stand_in_it_beyond_the_words_of_its_question(row: Row) -> None:
    groups = row["must"] + row["must_code"]

    assert set(row) == ANSWER_FIELDS
    assert groups and all(group and all(isinstance(text, str) and text for text in group) for group in groups)
    assert [group for group in groups if not any(text in row["question"] for text in group)] != []
    assert row["cite"] and [path for path in row["cite"] if not is_page(path)] == []


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("answers", ANSWERS),
        ("answers_fresh", FRESH_ANSWERS),
        *((f"answers_{split}", TYPED_ANSWERS[split]) for split in TYPED_SPLITS),
    ],
)
def test_the_answers_are_read_as_eval_reads_them(name: str, written: list[Row]) -> None:
    expected = read_expected(QUESTIONS / f"{name}.jsonl")

    assert [row.id for row in expected] == [row["id"] for row in written]
    assert [list(row.must_code) for row in expected] == [[tuple(group) for group in row["must_code"]] for row in written]
