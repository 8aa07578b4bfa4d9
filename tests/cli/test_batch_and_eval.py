"""`batch` and `eval` over a real docset: files in, results and scores out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

Run = Any  # tests/cli/conftest.py: a call that gives code, out, err and value

SIGN = "How do I sign a request?"


@pytest.fixture
def installed(docs_research: Run, relay: Path) -> str:
    assert docs_research("add", str(relay), "--pkg-version", "2.1", "--offline").code == 0
    return "/local/relay"


def write(path: Path, *rows: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def results(text: str) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in map(json.loads, text.splitlines())}


def test_batch_prints_one_result_a_line_with_the_fields_of_json(docs_research: Run, installed: str, tmp_path: Path) -> None:
    file = write(
        tmp_path / "q.jsonl",
        {"id": "sign", "question": SIGN, "library": installed},
        {"id": "rotate", "question": "How do I rotate the secret?", "library": f"{installed}/2.1"},
        {"id": "nothing", "library": installed},
        {"id": "unknown", "question": SIGN, "library": "nosuchlibraryatall"},
    )
    shown = docs_research("batch", file, "--offline", "--jobs", "2")
    assert shown.code == 4  # one of the four is no question
    found = results(shown.out)
    assert set(found) == {"sign", "rotate", "nothing", "unknown"}
    assert "sign_request(" in found["sign"]["text"]
    assert {"status", "text", "library", "examples", "references", "notices", "needs", "usage"} <= set(found["sign"])
    assert "rotate_secret(" in found["rotate"]["text"]
    assert found["nothing"]["error"]["code"] == "arguments_refused"
    assert found["unknown"]["status"] == "not_found"
    assert "4 asked" in shown.err


def test_batch_goes_on_where_it_was_stopped(docs_research: Run, installed: str, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    rows = [{"id": f"q{number}", "question": SIGN, "library": installed} for number in range(4)]
    first = docs_research("batch", write(tmp_path / "q.jsonl", *rows[:2]), "--out", str(out), "--offline", "--json")
    assert first.value == {"asked": 2, "skipped": 0, "statuses": {"complete": 2}}
    out.write_bytes(out.read_bytes()[:-20])
    again = docs_research("batch", write(tmp_path / "q.jsonl", *rows), "--out", str(out), "--offline", "--json")
    assert again.value == {"asked": 3, "skipped": 1, "statuses": {"complete": 3}}
    assert set(results(out.read_text("utf-8"))) == {"q0", "q1", "q2", "q3"}
    assert len(out.read_text("utf-8").splitlines()) == 4


def test_results_go_neither_into_the_questions_nor_into_a_device(docs_research: Run, tmp_path: Path) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"question": "How?", "id": "a"}\n', encoding="utf-8")
    before = questions.read_bytes()
    shown = docs_research("batch", str(questions), "--out", str(questions))
    assert shown.code == 2 and "holds the questions" in shown.err
    assert questions.read_bytes() == before
    if Path("/dev/full").exists():
        assert "no regular file" in docs_research("batch", str(questions), "--out", "/dev/full").err


@pytest.mark.parametrize("arguments", [["missing.jsonl"], ["q.jsonl", "--json"], ["q.jsonl", "--jobs", "0"]])
def test_batch_refuses_what_it_cannot_do(
    docs_research: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "q.jsonl", {"question": SIGN})
    assert docs_research("batch", *arguments).code == 2


def test_eval_scores_what_stands_in_the_answers(docs_research: Run, installed: str, tmp_path: Path) -> None:
    question = f"{installed} how do I sign a request"
    file = write(
        tmp_path / "answers.jsonl",
        {"id": "right", "kind": "api", "question": question, "must_code": [["sign_request("]], "cite": ["signing.md"]},
        {"id": "words", "kind": "api", "question": question, "must": [["no such word"]], "cite": ["signing.md"]},
        {"id": "page", "kind": "other", "question": question, "must": [["sign_request"]], "cite": ["screen2.md"]},
    )
    shown = docs_research("eval", file, "--json")
    assert shown.code == 0
    assert {row["id"]: (row["words"], row["cited"], row["right"]) for row in shown.value["rows"]} == {
        "right": (True, True, True),
        "words": (False, True, False),
        "page": (True, False, False),
    }
    assert shown.value["rows"][1]["missing"] == ["no 'no such word'"]
    summary = shown.value["summary"]
    assert (summary["rows"], summary["words"], summary["cited"], summary["right"]) == (3, 0.667, 0.667, 0.333)
    assert summary["kinds"]["api"]["right"] == 0.5
    assert summary["tokens_returned"] > 0
    table = docs_research("eval", file)
    assert table.code == 0
    assert "no 'no such word'" in table.out
    assert table.out.splitlines()[-1].split()[:3] == ["all", "3", "67%"]


def test_eval_installs_the_packages_that_the_rows_name(docs_research: Run, relay: Path, tmp_path: Path) -> None:
    row = {"question": "/local/relay how do I sign a request", "must": [["sign_request"]]}
    file = write(tmp_path / "a.jsonl", {**row, "package": str(relay)}, {**row, "package": str(tmp_path / "nowhere")})
    assert docs_research("eval", file, "--json").value["summary"]["words"] == 0
    shown = docs_research("eval", file, "--install")
    assert shown.code == 0
    assert shown.out.splitlines()[-1].split()[:3] == ["all", "2", "100%"]
    assert "nowhere is not installed" in shown.err


def test_eval_refuses_a_file_without_questions(docs_research: Run, tmp_path: Path) -> None:
    assert docs_research("eval", write(tmp_path / "empty.jsonl")).code == 2
    assert docs_research("eval", write(tmp_path / "bad.jsonl", {"question": "q"})).code == 2
