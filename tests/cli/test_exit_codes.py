"""The exit codes of all commands, by one table: the same kind of fault ends each of them in the same way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_runs import Run
from docs_researcher.cli.commands import COMMANDS

MISSING = "nothing-here"
"""The name of no file, library, agent, server or action."""

NOT_THERE: dict[str, tuple[tuple[str, ...], ...]] = {
    "ask": (
        ("How?", "--config", MISSING),
        ("How?", "--agent", MISSING),
        ("How?", "--agent", f"{MISSING}.md"),
        ("How?", "--model", MISSING),
        ("How?", "--server", MISSING),
        ("How?", "--project-dir", MISSING),
    ),
    "add": (
        (f"./{MISSING}",),
        (f"./{MISSING}.db",),
        (f"{MISSING}.zip",),
        ("--project", "--project-dir", MISSING),
    ),
    "identify": (
        ("How?", "--project-dir", MISSING),
        ("--candidates", MISSING),
        ("--candidates", "questions.jsonl", "--project-dir", MISSING),
    ),
    "batch": (
        (MISSING,),
        ("questions.jsonl", "--config", MISSING),
        ("questions.jsonl", "--model", MISSING),
        ("questions.jsonl", "--project-dir", MISSING),
    ),
    "eval": ((MISSING,), ("questions.jsonl", "--project-dir", MISSING), ("questions.jsonl", "--model", MISSING)),
    "agents": (("validate", MISSING), (MISSING,)),
    "trace": ((MISSING,),),
    "mcp": (("tools", MISSING), ("call", MISSING, "tool"), ("approve", MISSING), (MISSING,)),
    "auth": (("login", MISSING), ("status", MISSING), ("logout", MISSING), (MISSING, "docs")),
    "serve": (
        ("--config", MISSING),
        ("--agent", MISSING),
        ("--model", MISSING),
        ("--http", "--tokens", MISSING),
    ),
    "token": (("list", "--tokens", MISSING), ("revoke", "me", "--tokens", MISSING), ("revoke", MISSING), (MISSING,)),
    "setup": ((MISSING,), ("--print", MISSING)),
    "plugins": ((MISSING,), ("path", MISSING)),
    "completion": ((MISSING,),),
    "list": (),
    "show": (),
    "search": (),
    "vectors": (),
    "outline": (),
    "get": (),
    "remove": (),
    "outdated": (),
    "update": (),
    "export": (),
    "verify": (),
    "doctor": (),
}
"""Of each command what names something that is not there, other than a library."""

NOT_INSTALLED = {
    "show": (MISSING,),
    "search": (MISSING, "words"),
    "vectors": (MISSING,),
    "outline": (MISSING,),
    "get": (MISSING, "page.md"),
    "remove": (MISSING,),
    "update": (MISSING,),
    "export": (MISSING, "copy.db"),
    "verify": (MISSING,),
    "add": (MISSING,),
}
"""The commands that take a library, with one that there is not."""


@pytest.fixture(autouse=True)
def folder(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "questions.jsonl").write_text('{"question": "How?", "must": [["x"]]}\n', encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def test_the_table_has_every_command() -> None:
    assert NOT_THERE.keys() == COMMANDS.keys()


@pytest.mark.parametrize("command", COMMANDS)
def test_an_option_that_there_is_not_ends_every_command_with_2(docs_research: Run, command: str) -> None:
    assert docs_research(command, "--no-such-option").code == 2


@pytest.mark.parametrize(("command", "arguments"), [(name, row) for name, rows in NOT_THERE.items() for row in rows])
def test_whatever_is_named_and_is_not_there_is_a_wrong_argument(
    docs_research: Run, command: str, arguments: tuple[str, ...]
) -> None:
    shown = docs_research(command, *arguments)
    assert (shown.code, shown.out) == (2, "")
    assert MISSING in shown.err
    assert "Next: " in shown.err


@pytest.mark.parametrize(("command", "arguments"), NOT_INSTALLED.items())
def test_a_library_that_there_is_not_was_not_found(docs_research: Run, command: str, arguments: tuple[str, ...]) -> None:
    shown = docs_research(command, *arguments, "--json")
    assert (shown.code, shown.value["status"]) == (3, "not_found")


@pytest.mark.parametrize(
    "arguments",
    [
        ("How?", "--config", "bad"),
        ("How?", "--agent", "./bad"),
        ("batch", "questions.jsonl", "--config", "bad"),
        ("serve", "--config", "bad"),
        ("serve", "--agent", "./bad"),
        ("eval", "bad"),
        ("trace", "bad"),
        ("identify", "--candidates", "bad"),
        ("add", "bad.db"),
        ("add", "bad.tgz"),
        ("add", "bad.zip"),
        ("add", "/dev/null"),
        ("How?", "--trace", "bad/trace.jsonl", "--offline"),
        ("batch", "questions.jsonl", "--out", "bad/results.jsonl", "--offline"),
    ],
)
def test_a_file_that_is_named_and_is_not_what_the_command_takes_is_a_wrong_argument(
    docs_research: Run, folder: Path, arguments: tuple[str, ...]
) -> None:
    for name in ("bad", "bad.db", "bad.tgz", "bad.zip"):
        (folder / name).write_text("[\n", encoding="utf-8")
    assert docs_research(*arguments).code == 2


@pytest.mark.parametrize("arguments", [("add", "npm:"), ("add", "pkg:pypi/"), ("How?", "--library", "pkg:npm/")])
def test_a_package_without_a_name_is_a_wrong_argument(docs_research: Run, arguments: tuple[str, ...]) -> None:
    shown = docs_research(*arguments)
    assert shown.code == 2
    assert "npm:NAME" in shown.err


def test_a_query_that_finds_nothing_ends_as_not_found(docs_research: Run, folder: Path) -> None:
    (folder / "page.md").write_text("# Relay\n\nA stamp names the sender.\n", encoding="utf-8")
    assert docs_research("add", "page.md", "--name", "relay").code == 0
    assert docs_research("search", "relay", "stamp").code == 0
    assert docs_research("search", "relay", "zzzz").code == 3
    shown = docs_research("search", "relay", "zzzz", "--json")
    assert (shown.code, shown.value["results"]) == (3, [])


@pytest.mark.parametrize("below", ["", "/docs"])
def test_a_home_that_is_no_folder_is_an_error(
    docs_research: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    monkeypatch.setenv("DOCS_RESEARCH_HOME", f"{folder}/questions.jsonl{below}")
    shown = docs_research("list")
    assert (shown.code, shown.out) == (1, "")
    assert "is no folder" in shown.err


def test_a_file_that_nobody_named_and_that_cannot_be_used_is_a_failure(docs_research: Run, home: Path) -> None:
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.toml").write_text("[\n", encoding="utf-8")
    assert docs_research("How?").code == 1


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (['{"question": "How?", "library": "frobnicate"}'], 0),
        (['{"question": "How?", "library": "frobnicate"}', "no row"], 4),
        (["no row", "[]"], 1),
    ],
)
def test_a_batch_ends_with_4_when_some_rows_failed_and_with_1_when_all_did(
    docs_research: Run, folder: Path, rows: list[str], code: int
) -> None:
    (folder / "rows.jsonl").write_text("\n".join(rows), encoding="utf-8")
    assert docs_research("batch", "rows.jsonl", "--offline").code == code
    shown = docs_research("batch", "rows.jsonl", "--offline", "--out", "out.jsonl", "--json")
    assert (shown.code, shown.value["asked"]) == (code, len(rows))


def test_rows_that_were_answered_before_count_as_done(docs_research: Run, folder: Path) -> None:
    rows = [{"id": "a", "question": "How?", "library": "frobnicate"}]
    (folder / "rows.jsonl").write_text(json.dumps(rows[0]), encoding="utf-8")
    assert docs_research("batch", "rows.jsonl", "--offline", "--out", "out.jsonl").code == 0
    (folder / "rows.jsonl").write_text(json.dumps(rows[0]) + "\nno row\n", encoding="utf-8")
    assert docs_research("batch", "rows.jsonl", "--offline", "--out", "out.jsonl").code == 4
