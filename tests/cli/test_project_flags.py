"""`--project-dir` and `--no-project`: which project a question is asked in at the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loopback_npm import LoopbackNpm, npm_registry, page

Run = Any  # tests/cli/conftest.py: a call that gives code, out, err and value

TEXT = "To stop a server, call `close` and wait for it:\n\n```js\nawait fastify.close()\n```\n"


@pytest.fixture
def folder(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / "package.json").write_text('{"dependencies": {"fastify": "^4.0.0"}}')
    (shop / "package-lock.json").write_text('{"packages": {"node_modules/fastify": {"version": "4.9.0"}}}')
    return shop


@pytest.fixture
def npm(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackNpm]:
    docs = {"docs/Guides/stop.md": page("Stopping", TEXT)}
    with npm_registry(monkeypatch, {"fastify": {"4.9.0": docs, "5.12.8": docs}}) as registry:
        yield registry


def identified(docs_research: Run, *arguments: str) -> dict[str, object]:
    shown = docs_research("identify", "How do I stop a server in Fastify?", "--json", *arguments)
    assert shown.code == 0
    return shown.value["project"]


def test_the_project_of_the_current_folder_counts(folder: Path, monkeypatch: pytest.MonkeyPatch, docs_research: Run) -> None:
    monkeypatch.chdir(folder)
    assert identified(docs_research) == {
        "Fastify": {
            "version": "4.9.0",
            "file": "package-lock.json",
            "how": "installed in this project (package-lock.json)",
            "counts": True,
            "sentence": "This project has Fastify 4.9.0 (package-lock.json).",
        }
    }
    assert identified(docs_research, "--no-project") == {}


def test_another_project_can_be_named(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, docs_research: Run) -> None:
    monkeypatch.chdir(tmp_path)
    assert identified(docs_research) == {}
    assert list(identified(docs_research, "--project-dir", str(folder))) == ["Fastify"]


def test_identify_shows_the_version_and_its_file_in_the_table(folder: Path, docs_research: Run) -> None:
    shown = docs_research("identify", "How do I stop a server in Fastify?", "--project-dir", str(folder)).out
    assert "project:\n  This project has Fastify 4.9.0 (package-lock.json).\n" in shown
    assert "project: -\n" in docs_research("identify", "How do I stop a server in Fastify?", "--no-project").out


def test_identify_tells_on_stderr_what_could_not_be_read(folder: Path, docs_research: Run) -> None:
    (folder / "package-lock.json").write_text("{\n\n?")
    shown = docs_research("identify", "How do I stop a server in Fastify?", "--project-dir", str(folder))
    assert "This project asks for Fastify ^4.0.0 (package.json)." in shown.out
    assert "package-lock.json:3 was not read: it is not JSON" in shown.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--project-dir", "gone"], "gone is no folder"),
        (["--project-dir", ".", "--no-project"], "--project-dir and --no-project exclude each other"),
    ],
)
@pytest.mark.parametrize("command", ["ask", "identify", "batch", "eval"])
def test_what_cannot_be_a_project_is_a_usage_error(command: str, arguments: list[str], said: str, docs_research: Run) -> None:
    shown = docs_research(command, "How do I stop a server in Fastify?", *arguments)
    assert shown.code == 2
    assert said in shown.err


def test_a_question_is_answered_for_the_version_of_the_project(folder: Path, npm: LoopbackNpm, docs_research: Run) -> None:
    question = ["How do I stop a server in Fastify?", "--docs-from", "local", "--model", "extractive", "--json"]
    answer = docs_research(*question, "--project-dir", str(folder)).value
    assert answer["library"]["version"] == "4.9.0"
    assert answer["library"]["version_choice"] == "installed in this project (package-lock.json)"
    assert {"code": "project_version", "text": "This project has Fastify 4.9.0 (package-lock.json)."} in answer["notices"]
    assert npm.downloads == ["archives/fastify/4.9.0.tgz"]


def test_the_questions_of_a_file_are_answered_for_the_version_of_the_project(
    folder: Path, npm: LoopbackNpm, docs_research: Run, tmp_path: Path
) -> None:
    for version in ("4.9.0", "5.12.8"):
        docs_research("add", f"npm:fastify@{version}")
    question = "How do I stop a server in Fastify?"
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"question": question, "must": [["4.9.0"]]}) + "\n", "utf-8")

    def scored(*arguments: str) -> bool:
        return docs_research("eval", str(file), "--json", *arguments).value["rows"][0]["words"]

    def versions(*arguments: str) -> str:
        return json.loads(docs_research("batch", str(file), "--offline", *arguments).out)["library"]["version"]

    assert (scored(), scored("--no-project"), scored("--project-dir", str(folder))) == (False, False, True)
    assert (versions("--no-project"), versions("--project-dir", str(folder))) == ("5.12.8", "4.9.0")


@pytest.mark.interop
def test_over_mcp_the_version_of_the_project_counts_too(folder: Path, npm: LoopbackNpm, docs_research: Run) -> None:
    question = ["How do I stop a server in Fastify?", "--docs-from", "mcp", "--model", "extractive", "--json"]
    answer = docs_research(*question, "--project-dir", str(folder)).value
    assert answer["library"]["version"] == "4.9.0"
    assert answer["library"]["version_choice"] == "installed in this project (package-lock.json)"
