"""`docs-research trace`: a transcript as a timeline, damaged lines counted and never fatal."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.core.answer import Answer, Notice
from docs_researcher.core.messages import AssistantMessage, ToolCall, ToolMessage, ToolResult, UserMessage
from docs_researcher.core.passages import Passage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.runtime import timeline
from docs_researcher.runtime.transcript import Transcript

Run = Any  # tests/cli/conftest.py: a call that gives code, out, err and value

CALL = ToolCall("1", "query-docs", {"libraryId": "/a/b", "query": "how to sign"})
RESULT = ToolResult(
    "### Signing\n\nCall it.",
    passages=(Passage("Signing", "Call it.", score=3.25, confidence=0.5),),
    notices=(Notice("stale", "An old one."),),
)


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    """What the runtime writes of a run with one call made ahead and one asked for."""
    path = tmp_path / "run.jsonl"
    written = Transcript(path)
    written.question("How do I sign?", "You look things up.")
    written.message(UserMessage("How do I sign?", ((CALL, RESULT),)))
    written.message(AssistantMessage("", (CALL,)))
    written.message(ToolMessage(((CALL, RESULT),)))
    written.message(AssistantMessage("Call sign()."))
    written.answer(Answer("complete", "Call sign()."))
    written.close()
    return path


def test_every_step_is_shown_with_its_call_and_outcome(transcript: Path, docs_research: Run) -> None:
    shown = docs_research("trace", str(transcript))
    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert lines[0].split() == ["seconds", "tokens", "sum", "step"]
    call = "query-docs(libraryId='/a/b', query='how to sign') -> ok, 1 passage, confidence 0.50"
    steps = [line.split(". ", 1)[1] for line in lines[1:] if ". " in line and "stale" not in line]
    assert steps == [
        "question 'How do I sign?'",
        "user 'How do I sign?'",
        f"ahead: {call}",
        "assistant calls query-docs",
        call,
        "assistant 'Call sign().'",
        "answer (complete) 'Call sign().'",
    ]
    assert sum("stale: An old one." in line for line in lines) == 2


def test_tokens_add_up_to_what_the_conversation_holds(transcript: Path, docs_research: Run) -> None:
    steps = docs_research("trace", str(transcript), "--json").value["steps"]
    total = 0
    for step in steps:
        total += 0 if step["kind"] == "answer" else step["tokens"]
        assert step["total"] == total
    said = ["You look things up.", "How do I sign?", RESULT.text, json.dumps(dict(CALL.arguments)), RESULT.text, "Call sign()."]
    assert total == sum(map(estimate_tokens, said))


def test_the_json_has_every_field_of_a_step(transcript: Path, docs_research: Run) -> None:
    value = docs_research("trace", str(transcript), "--json").value
    assert value["damaged"] == 0
    assert value["steps"][2] == {
        "at": value["steps"][2]["at"],
        "kind": "tool",
        "text": "",
        "tokens": estimate_tokens(RESULT.text),
        "total": value["steps"][2]["total"],
        "tool": "query-docs",
        "arguments": {"libraryId": "/a/b", "query": "how to sign"},
        "outcome": "ok",
        "passages": 1,
        "ahead": True,
        "calls": [],
        "notices": ["stale: An old one."],
        "found": ["Signing (score 3.25)"],
        "confidence": 0.5,
        "tokens_read": estimate_tokens(RESULT.text),
    }


def test_of_a_result_that_was_trimmed_the_timeline_says_how_much_was_passed_on(tmp_path: Path, docs_research: Run) -> None:
    path = tmp_path / "run.jsonl"
    written = Transcript(path)
    written.message(ToolMessage(((CALL, replace(RESULT, tokens_read=4_100)),)))
    written.close()
    passed = estimate_tokens(RESULT.text)
    assert f"-> ok, 1 passage, {passed} of 4,100 tokens passed on, confidence" in docs_research("trace", str(path)).out
    (step,) = docs_research("trace", str(path), "--json").value["steps"]
    assert (step["tokens"], step["tokens_read"], step["total"]) == (passed, 4_100, passed)


@pytest.mark.parametrize(
    "line",
    [
        b'{"at": 1.0, "kind": "us',
        b"\xff\xfe",
        b"[]",
        b"null",
        b'{"kind": "user"}',
        b'{"at": "1", "kind": "user"}',
        b'{"at": NaN, "kind": "user"}',
        b'{"at": 1e999, "kind": "user"}',
        b'{"at": 1, "kind": 2}',
        b"[" * 100_000,
    ],
    ids=range(10),
)
def test_a_damaged_line_is_counted_and_the_rest_is_shown(transcript: Path, docs_research: Run, line: bytes) -> None:
    lines = transcript.read_bytes().splitlines()
    transcript.write_bytes(b"\n".join([lines[0], line, b"", *lines[1:]]))
    shown = docs_research("trace", str(transcript))
    assert shown.code == 0
    assert "answer (complete)" in shown.out
    assert shown.err == "1 damaged line left out.\n"


def test_a_file_of_which_no_line_can_be_read_is_no_transcript(tmp_path: Path, docs_research: Run) -> None:
    path = tmp_path / "program"
    path.write_bytes(b"\x7fELF\x02\x01\n\xff\xfe\n")
    for more in ([], ["--json"]):
        shown = docs_research("trace", str(path), *more)
        assert shown.code == 2
        assert "is no transcript" in shown.out + shown.err


def test_odd_values_inside_a_step_are_no_reason_to_stop(tmp_path: Path, docs_research: Run) -> None:
    path = tmp_path / "odd.jsonl"
    odd: list[dict[str, Any]] = [
        {"at": 1, "kind": "tool", "call": 3, "passages": {}, "tokens": True, "notices": [1]},
        {"at": 1, "kind": "assistant", "text": 4, "tool_calls": [None, {"name": 1, "arguments": []}]},
        {"at": 1, "kind": "answer", "answer": []},
        {"at": 1, "kind": "of later versions"},
    ]
    path.write_text("\n".join(map(json.dumps, odd)), encoding="utf-8")
    shown = docs_research("trace", str(path))
    assert shown.code == 0
    assert len(shown.out.splitlines()) >= 5
    assert len(docs_research("trace", str(path), "--json").value["steps"]) == 4


def test_what_a_page_wrote_cannot_steer_the_terminal(tmp_path: Path, docs_research: Run) -> None:
    path = tmp_path / "hostile.jsonl"
    step = {"at": 1, "kind": "tool", "call": {"name": "query-docs", "arguments": {"query": "\x1b]0;x\x07\x1b[31m\u202ered\nnew"}}}
    path.write_text(json.dumps(step), encoding="utf-8")
    shown = docs_research("trace", str(path))
    assert not {"\x1b", "\x07", "\u202e"} & set(shown.out)
    assert len(shown.out.splitlines()) == 2


def test_an_empty_transcript_says_so(tmp_path: Path, docs_research: Run) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(b"")
    shown = docs_research("trace", str(path))
    assert (shown.code, shown.out, shown.err) == (0, "", "The transcript holds no step.\n")


def test_a_file_that_cannot_be_opened_is_a_wrong_argument(tmp_path: Path, docs_research: Run) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        shown = docs_research("trace", str(path))
        assert shown.code == 2
        assert "cannot be read" in shown.err


def test_a_file_that_never_ends_is_given_up_at_a_bound(docs_research: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline, "MAX_BYTES", 20_000_000)
    shown = docs_research("trace", "/dev/zero")
    assert (shown.code, shown.out) == (2, "")
    assert "larger than 20 MB" in shown.err


def test_a_file_of_many_lines_beyond_the_bound_is_no_transcript(
    transcript: Path, docs_research: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeline, "MAX_BYTES", transcript.stat().st_size)
    assert docs_research("trace", str(transcript)).code == 0
    monkeypatch.setattr(timeline, "MAX_BYTES", transcript.stat().st_size - 1)
    assert docs_research("trace", str(transcript)).code == 2
