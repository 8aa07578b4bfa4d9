"""Many questions at once: how many run together, what a result is, and what a file of results survives."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.core.answer import Answer
from docs_researcher.core.errors import LibraryNotFound, UsageError
from docs_researcher.runtime.batch import Ask, BatchRow, Result, ResultFile, batch_rows, left_to_do, run_batch
from docs_researcher.runtime.research_tool import ResearchArguments


def rows(tmp_path: Path, *values: Any) -> tuple[BatchRow, ...]:
    file = tmp_path / "questions.jsonl"
    file.write_text("".join((value if isinstance(value, str) else json.dumps(value)) + "\n" for value in values), "utf-8")
    return batch_rows(file)


def run(batch: tuple[BatchRow, ...], ask: Ask, jobs: int = 3) -> list[Result]:
    async def collect() -> list[Result]:
        return [result async for result in run_batch(batch, ask, jobs=jobs)]

    return asyncio.run(collect())


async def echo(asked: ResearchArguments) -> Answer:
    return Answer("complete", f"{asked.question} ({asked.library}, {asked.answer_tokens})")


def test_no_more_than_the_allowed_number_runs_at_once_and_every_place_is_used(tmp_path: Path) -> None:
    running = 0
    seen: list[int] = []

    async def ask(asked: ResearchArguments) -> Answer:
        nonlocal running
        running += 1
        seen.append(running)
        for _ in range(3):
            await asyncio.sleep(0)
        running -= 1
        return Answer("complete", asked.question)

    results = run(rows(tmp_path, *({"id": n, "question": f"q{n}"} for n in range(20))), ask)
    assert {result["id"]: result["text"] for result in results} == {str(n): f"q{n}" for n in range(20)}
    assert max(seen) == 3


def test_a_row_says_library_version_and_budget(tmp_path: Path) -> None:
    (result,) = run(rows(tmp_path, {"question": "q", "library": "next", "version": 15, "answer_tokens": 300}), echo)
    assert result["text"] == "q (next@15, 300)"


def test_what_cannot_be_asked_is_a_result_too(tmp_path: Path) -> None:
    async def ask(asked: ResearchArguments) -> Answer:
        if asked.question == "unknown":
            raise LibraryNotFound("Never heard of it", next_step="Spell it.")
        if asked.question == "fault":
            raise ZeroDivisionError("oh")
        return await echo(asked)

    batch = rows(tmp_path, {"id": "a", "question": "unknown"}, "{broken", {"id": "c"}, {"question": "fault"}, {"question": "ok"})
    results = {result["id"]: result for result in run(batch, ask)}
    assert results["a"]["status"] == "not_found"
    assert results["a"]["error"] == {"code": "library_not_found", "message": "Never heard of it", "next": "Spell it."}
    assert "not JSON" in results["line 2"]["error"]["message"]
    assert "question" in results["c"]["error"]["message"]
    assert results["line 4"]["error"]["code"] == "internal"
    assert results["line 5"]["status"] == "complete"


def test_an_id_that_stands_twice_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="twice"):
        rows(tmp_path, {"id": "a", "question": "q"}, {"id": "a", "question": "p"})


@pytest.mark.parametrize("head", [b"", b"\xef\xbb\xbf"])
def test_a_file_of_another_system_is_read(tmp_path: Path, head: bytes) -> None:
    file = tmp_path / "windows.jsonl"
    file.write_bytes(head + b'{"question": "one"}\r\n\r\n{"question": "\xff"}\r\n{"question": "three"}')
    batch = batch_rows(file)
    assert [(row.id, bool(row.row.problem)) for row in batch] == [("line 1", False), ("line 3", True), ("line 4", False)]


def test_results_that_are_there_are_not_asked_again(tmp_path: Path) -> None:
    batch = rows(tmp_path, {"id": "a", "question": "q"}, {"id": "b", "question": "p"})
    out = tmp_path / "results.jsonl"
    with ResultFile(out, tmp_path / "locks") as results:
        results.write({"id": "a", "text": "Grüße"})
    with ResultFile(out, tmp_path / "locks") as results:
        assert [row.id for row in left_to_do(batch, results.ids)] == ["b"]
        results.write({"id": "b"})
    assert [json.loads(line) for line in out.read_text("utf-8").splitlines()] == [{"id": "a", "text": "Grüße"}, {"id": "b"}]


def test_a_line_that_was_cut_by_the_end_of_a_run_is_asked_again(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    out.write_bytes(b'{"id": "a"}\n{"id": "b", "te')
    with ResultFile(out, tmp_path / "locks") as results:
        assert results.ids == {"a"}
        results.write({"id": "b"})
    assert out.read_bytes() == b'{"id": "a"}\n{"id": "b"}\n'


def test_a_file_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_bytes(b"my notes\nmore")
    with pytest.raises(UsageError, match="something else"), ResultFile(out, tmp_path / "locks"):
        pass
    assert out.read_bytes() == b"my notes\nmore"


def test_a_second_run_into_one_file_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    (tmp_path / "link.jsonl").symlink_to(out)
    with ResultFile(out, tmp_path / "locks") as one:
        for name in (out, tmp_path / "link.jsonl"):
            with pytest.raises(UsageError, match="another run"), ResultFile(name, tmp_path / "locks"):
                pass
        with ResultFile(tmp_path / "other.jsonl", tmp_path / "locks") as other:
            other.write({"id": "b"})
        one.write({"id": "a"})
    with ResultFile(out, tmp_path / "locks") as again:
        assert again.ids == {"a"}


def test_what_failed_is_asked_again_and_its_last_result_counts(tmp_path: Path) -> None:
    batch = rows(tmp_path, *({"id": name, "question": name} for name in "abc"))
    out = tmp_path / "results.jsonl"
    with ResultFile(out, tmp_path / "locks") as results:
        for name, status in (("a", "failed"), ("b", "not_found"), ("c", "complete")):
            results.write({"id": name, "status": status})
    with ResultFile(out, tmp_path / "locks") as results:
        assert [row.id for row in left_to_do(batch, results.ids)] == ["a"]
        results.write({"id": "a", "status": "complete"})
    with ResultFile(out, tmp_path / "locks") as results:
        assert left_to_do(batch, results.ids) == ()


def test_the_folder_of_the_results_is_made(tmp_path: Path) -> None:
    with ResultFile(tmp_path / "no" / "such" / "x.jsonl", tmp_path / "locks") as results:
        assert results.ids == set()
    assert (tmp_path / "no" / "such" / "x.jsonl").is_file()


def test_results_below_a_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be written"), ResultFile(tmp_path / "file" / "x.jsonl", tmp_path / "locks"):
        pass


def test_a_home_without_room_for_locks_does_not_stop_a_batch(tmp_path: Path) -> None:
    (tmp_path / "locks").write_bytes(b"")
    with ResultFile(tmp_path / "x.jsonl", tmp_path / "locks") as results:
        results.write({"id": "a"})
    assert (tmp_path / "x.jsonl").read_bytes() == b'{"id": "a"}\n'


def test_stopping_the_batch_stops_what_runs(tmp_path: Path) -> None:
    stopped: list[str] = []

    async def ask(asked: ResearchArguments) -> Answer:
        if asked.question == "quick":
            return Answer("complete", "here")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append(asked.question)
            raise
        raise AssertionError

    async def first() -> None:
        results = run_batch(rows(tmp_path, {"question": "quick"}, {"question": "slow"}), ask, jobs=2)
        assert (await anext(results))["text"] == "here"
        await results.aclose()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] -- it is a generator

    asyncio.run(first())
    assert stopped == ["slow"]
