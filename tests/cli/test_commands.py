"""Every command, in process and piped: what it prints, its JSON, its exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.cli.main import run
from docs_researcher.runtime.researcher import MAX_QUESTION_CHARACTERS

Run = Any  # tests/cli/conftest.py: a call that gives code, out, err and value

ANSWER_FIELDS = {"status", "text", "library", "examples", "references", "notices", "needs", "usage"}


@pytest.fixture
def installed(docs_research: Run, relay: Path) -> str:
    assert docs_research("add", str(relay), "--pkg-version", "2.1", "--offline").code == 0
    return "/local/relay"


def test_add_tells_id_version_and_what_was_skipped(docs_research: Run, relay: Path) -> None:
    shown = docs_research("add", str(relay), "--pkg-version", "2.1", "--json")
    assert shown.code == 0
    value = shown.value
    assert {"id", "version", "pages", "chunks", "skipped"} <= set(value)
    assert (value["id"], value["version"], value["pages"]) == ("/local/relay", "2.1", 2)
    assert [(item["path"], bool(item["reason"])) for item in value["skipped"]] == [("broken.md", True)]
    assert value["chunks"] >= 2


def test_adding_again_tells_the_same(docs_research: Run, relay: Path) -> None:
    first = docs_research("add", str(relay), "--json").value
    again = docs_research("add", str(relay), "--json")
    assert again.code == 0
    assert {**again.value, "already_installed": None} == {**first, "already_installed": None}


def test_add_takes_a_name(docs_research: Run, relay: Path) -> None:
    assert docs_research("add", str(relay), "--name", "Courier", "--json").value["id"].startswith("/local/")
    assert docs_research("search", "courier", "sign a request", "--json").code == 0


def test_a_folder_without_documentation_is_an_error(docs_research: Run, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    shown = docs_research("add", str(empty), "--json")
    assert (shown.code, shown.value["status"], shown.value["error"]["code"]) == (3, "not_found", "no_documentation")
    assert docs_research("list", "--json").value == []


def test_a_source_that_does_not_exist_is_an_error(docs_research: Run, tmp_path: Path) -> None:
    shown = docs_research("add", str(tmp_path / "nowhere"))
    assert shown.code in (1, 2, 3)
    assert shown.out == ""
    assert shown.err.startswith("Error: ")


def test_the_first_list_is_empty_and_needs_no_folder(docs_research: Run, home: Path) -> None:
    shown = docs_research("list", "--json")
    assert (shown.code, shown.value) == (0, [])
    assert docs_research("list").out == ""


def test_list_and_show_tell_the_facts(docs_research: Run, installed: str) -> None:
    row = docs_research("list", "--json").value[0]
    assert (row["id"], row["version"], row["pages"]) == (installed, "2.1", 2)
    assert installed in docs_research("list").out
    facts = docs_research("show", "relay", "--json").value
    assert facts["id"] == installed
    assert facts["installed_versions"] == ["2.1"]
    assert "2.1" in docs_research("show", installed).out


def test_search_gives_results_with_path_heading_and_score(docs_research: Run, installed: str) -> None:
    value = docs_research("search", installed, "rotate the secret", "--json").value
    assert (value["library"], value["version"]) == (installed, "2.1")
    assert 0 < value["confidence"] <= 1
    best = value["results"][0]
    assert best["path"] == "signing.md"
    assert "Rotating secrets" in best["heading"]
    assert {"path", "heading", "url", "score", "tokens"} <= set(best)
    scores = [result["score"] for result in value["results"]]
    assert scores == sorted(scores, reverse=True)


def test_search_obeys_its_limit_and_says_which_version_it_used(docs_research: Run, installed: str) -> None:
    assert len(docs_research("search", installed, "secret request", "--limit", "1", "--json").value["results"]) == 1
    assert "2.1" in docs_research("search", installed, "secret").err


@pytest.mark.parametrize(
    "name", ["/local/relay", "/local/relay/2.1", "/local/relay@2.1", "relay", "Relay", "relay@2.1", "relay@2"]
)
def test_a_library_is_named_by_id_or_name_with_or_without_version(docs_research: Run, installed: str, name: str) -> None:
    value = docs_research("search", name, "sign", "--json").value
    assert (value["library"], value["version"]) == (installed, "2.1")


@pytest.mark.parametrize("name", ["nope", "/local/nope", "/", "", "npm:nope", "pkg:npm/nope@1", "@"])
def test_a_library_that_is_not_installed_is_not_found(docs_research: Run, installed: str, name: str) -> None:
    shown = docs_research("search", name, "sign", "--json")
    assert (shown.code, shown.value["status"], shown.value["error"]["code"]) == (3, "not_found", "library_not_found")


def test_a_version_that_is_not_installed_is_not_found(docs_research: Run, installed: str) -> None:
    shown = docs_research("show", f"{installed}/9.9", "--json")
    assert (shown.code, shown.value["error"]["code"]) == (3, "version_not_found")
    assert "2.1" in shown.value["error"]["message"]


def test_without_a_version_the_newest_is_used(docs_research: Run, installed: str, relay: Path) -> None:
    assert docs_research("add", str(relay), "--pkg-version", "10.0").code == 0
    assert docs_research("search", "relay", "sign", "--json").value["version"] == "10.0"
    assert docs_research("search", "relay@2", "sign", "--json").value["version"] == "2.1"


def test_remove_takes_exactly_one_version(docs_research: Run, installed: str, relay: Path) -> None:
    docs_research("add", str(relay), "--pkg-version", "10.0")
    refused = docs_research("remove", "relay", "--json")
    assert (refused.code, refused.value["error"]["code"]) == (2, "usage")
    assert docs_research("remove", "relay@2.1", "--json").value == {"id": installed, "version": "2.1"}
    assert docs_research("remove", "relay").code == 0
    assert docs_research("list", "--json").value == []
    assert docs_research("remove", "relay").code == 3


def test_an_answer_from_an_installed_folder_offline(docs_research: Run, installed: str) -> None:
    shown = docs_research("How do I sign a request with relay?", "--library", installed, "--offline", "--json")
    answer = shown.value
    assert shown.code == 0
    assert set(answer) == ANSWER_FIELDS
    assert answer["status"] == "complete"
    assert answer["library"]["id"] == installed
    assert answer["references"][0]["path"] == "signing.md"
    assert 'sign_request(secret="s3cret"' in answer["text"]


def test_the_answer_alone_is_on_stdout(docs_research: Run, installed: str) -> None:
    arguments = ["How do I sign a request with relay?", "--library", installed, "--offline"]
    shown = docs_research(*arguments)
    assert "sign_request" in shown.out
    assert "tokens read" in shown.err
    assert "tokens read" not in shown.out
    quiet = docs_research(*arguments, "--quiet")
    assert (quiet.out, quiet.err) == (shown.out, "")


def test_a_question_may_come_in_bare_words_before_or_after_the_options(docs_research: Run, installed: str) -> None:
    before = docs_research("--library", installed, "--offline", "--json", "how", "do", "I", "sign", "a", "request")
    after = docs_research("how", "do", "I", "sign", "a", "request", "--json", "--offline", "--library", installed)
    assert before.code == after.code == 0
    assert before.value["text"] == after.value["text"]


def test_a_question_that_begins_with_an_id_or_a_dash(docs_research: Run, installed: str) -> None:
    assert docs_research(f"{installed} how do I sign a request", "--offline", "--json").value["library"]["id"] == installed
    shown = docs_research("--rotate secret of relay", "--library", installed, "--offline", "--json")
    assert shown.value["status"] in ("complete", "partial")


def test_tags_and_brackets_of_the_documentation_are_shown_as_written(docs_research: Run, installed: str) -> None:
    shown = docs_research("How do I draw the screen in Suspense?", "--library", installed, "--offline")
    assert '<App mood=":smile:">{arr[bold]}</App>' in shown.out


def test_identify_is_a_table_with_the_reason_for_each_library(docs_research: Run) -> None:
    shown = docs_research("identify", "sqlalchmey 2.0: dispose, pool size and events in FastAPI", "--no-project").out
    assert shown.splitlines() == [
        "use docs: yes",
        "reason: SQLAlchemy is named",
        "libraries:",
        '  SQLAlchemy  2.0  /sqlalchemy/sqlalchemy  "sqlalchmey" is taken for a misspelling of it',
        '  FastAPI     -    /fastapi/fastapi        called "FastAPI"',
        "docs id: -",
        "project: -",
        "concepts:",
        "  1  dispose FastAPI",
        "  2  pool size FastAPI",
        "  3  events in FastAPI",
        "left out: -",
    ]


@pytest.mark.parametrize("question", ["", " ", "/", "//", "fastify", "?", "how do I reverse a list"])
def test_a_question_without_enough_in_it_gets_one_back(docs_research: Run, question: str) -> None:
    shown = docs_research(question, "--offline", "--json")
    assert shown.code in (3, 5)
    assert set(shown.value) in (ANSWER_FIELDS, {"status", "error"})
    assert "Traceback" not in shown.err


def test_only_a_word_that_is_no_english_is_taken_for_a_misspelt_name(docs_research: Run) -> None:
    assert "Did you mean Fastify?" in docs_research("what is fastfy?", "--offline").out
    shown = docs_research("what is the weather today", "--offline")
    assert (shown.code, "Did you mean" in shown.out) == (5, False)


def test_the_help_tells_how_long_a_question_may_be(docs_research: Run) -> None:
    assert f"{MAX_QUESTION_CHARACTERS:,} characters" in docs_research("ask", "--help").out
    assert docs_research("x" * (MAX_QUESTION_CHARACTERS + 1), "--offline").code == 2


def test_a_misspelt_command_is_pointed_to_the_right_one(docs_research: Run) -> None:
    assert "docs-research search" in docs_research("serach", "--offline").err
    assert "Did you mean" not in docs_research("fastify", "--offline").err


@pytest.mark.parametrize(
    ("line", "right"),
    [
        (("serch", "flask", "blueprint"), "docs-research search flask blueprint"),
        (("idnetify", "flask", "3"), "docs-research identify flask 3"),
        (("ad", "flask"), "docs-research add flask"),
        (("serv", "--http"), "docs-research serve --http"),
    ],
)
def test_a_misspelt_command_with_arguments_is_refused_before_it_costs_anything(
    docs_research: Run, line: tuple[str, ...], right: str
) -> None:
    shown = docs_research(*line)
    assert shown.code == 2
    assert right in shown.err


@pytest.mark.parametrize(
    "line",
    [
        ("how", "flask"), ("last", "flask"), ("ad", "blockers", "with", "playwright"), ("rest", "api"), ("serch flask",),
        ("online", "docs"), ("ask", "serch", "flask"),
    ],
)  # fmt: skip
def test_words_that_may_be_a_question_are_one(docs_research: Run, line: tuple[str, ...]) -> None:
    assert docs_research(*line, "--offline").code != 2


def test_what_the_answer_says_is_not_said_again(docs_research: Run, installed: str) -> None:
    shown = docs_research("How do I sign a request with relay 1.0?", "--library", "/local/relay/1.0", "--offline")
    assert "2.1" in shown.out
    assert not [
        line for line in shown.err.splitlines() if line.removeprefix("Note: ").rstrip(".") in shown.out and "Note" in line
    ]


def test_a_question_on_stdin(docs_research: Run, installed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    text = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfHow do I sign a request?\n"), encoding="latin-1")
    monkeypatch.setattr(sys, "stdin", text)
    assert docs_research("-", "--library", installed, "--offline", "--json").value["status"] == "complete"


def test_a_trace_is_written_where_it_was_asked_for(docs_research: Run, installed: str, tmp_path: Path) -> None:
    trace = tmp_path / "trace of a run.jsonl"
    assert docs_research("how do I sign a request", "--library", installed, f"--trace={trace}", "--offline").code == 0
    lines = trace.read_text(encoding="utf-8").splitlines()
    assert all(isinstance(json.loads(line), dict) for line in lines)
    assert lines


def test_identify_tells_library_version_and_concepts(docs_research: Run) -> None:
    value = docs_research("identify", "How do I set up auth in Next.js 15?", "--json").value
    assert value["use_docs"] is True
    assert {"use_docs", "libraries", "concepts", "left_out"} <= set(value)
    first = value["libraries"][0]
    assert (first["version"], first["id"]) == ("15", "/vercel/next.js")
    assert 1 <= len(value["concepts"]) <= 3
    assert "15" in docs_research("identify", "auth in Next.js 15").out


@pytest.mark.parametrize("question", ["", "next"])
def test_identify_answers_an_empty_and_a_one_word_question(docs_research: Run, question: str) -> None:
    shown = docs_research("identify", question, "--json")
    assert shown.code == 0
    assert isinstance(shown.value["libraries"], list)


ROW: dict[str, Any] = {
    "library": "NumPy",
    "version": "2",
    "query": "replacement for compare_chararrays",
    "candidates": [
        {"id": "/cpmpy/cpmpy", "title": "CPMpy", "code_snippets": 382, "benchmark_score": 94.5, "versions": []},
        {"id": "/numpy/numpy", "title": "NumPy", "code_snippets": 3593, "versions": ["v2.3.1", "v2.1.3"]},
    ],
}


def test_identify_picks_among_candidates(docs_research: Run, tmp_path: Path) -> None:
    file = tmp_path / "row.json"
    file.write_text(json.dumps(ROW), encoding="utf-8-sig")
    value = docs_research("identify", "--candidates", str(file), "--json").value
    assert value["picked"] == "/numpy/numpy/v2.3.1"
    assert value["version"] == "v2.3.1"
    assert isinstance(value["warnings"], list)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"candidates": 3}', b"\xff\xfe"])
def test_candidates_that_cannot_be_read_are_a_usage_error(docs_research: Run, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "row.json"
    file.write_bytes(content)
    shown = docs_research("identify", "--candidates", str(file), "--json")
    assert (shown.code, shown.value["error"]["code"]) == (2, "usage")
    assert docs_research("identify", "--candidates", str(tmp_path / "none"), "--json").code == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_names_the_command(docs_research: Run, shell: str) -> None:
    shown = docs_research("completion", shell)
    assert shown.code == 0
    assert "docs-research" in shown.out
    assert docs_research("completion", shell, "--json").value["script"].strip() == shown.out.strip()


def test_the_shell_gets_commands_and_options(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_DOCS_RESEARCH_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "docs-research se")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run([]) == 0
    assert {"plain,search", "plain,serve"} <= set(capsys.readouterr().out.split())


def test_version_and_help(docs_research: Run) -> None:
    from docs_researcher import __version__

    assert docs_research("--version").out.strip() == f"docs-researcher {__version__}"
    assert docs_research("--version", "--json").value == {"version": __version__}
    assert docs_research("add", ".", "--version").code == 2
    nothing = docs_research()
    assert nothing.code == 0
    assert nothing.out == docs_research("--help").out


def test_search_explains_what_was_looked_for_and_what_each_place_is_made_of(docs_research: Run, relay: Path) -> None:
    docs_research("add", str(relay), "--quiet")
    done = docs_research("search", "relay", "rotate_secret every month", "--explain")
    first, explained = done.out.split("\n\nLooked for:\n")
    assert first.startswith("1. Signing requests > Rotating secrets")
    assert "rotate_secret, also rotate, secret: in 1 passage\n" in explained
    assert "holds rotate_secret, month" in explained
    row = json.loads(docs_research("search", "relay", "rotate_secret every month", "--explain", "--json").out)["explanation"]
    best = row["chunks"][0]
    assert best["text"] > best["own"] > 0
    assert best["factor"] > 1
    assert best["score"] > 1
    assert best["similarity"] > 0


def test_search_shows_the_pages_that_its_results_are_linked_with(docs_research: Run, relay: Path) -> None:
    (relay / "keys.md").write_text("# Keys\n\nWhere [secrets](signing.md#rotating-secrets) are kept.\n", encoding="utf-8")
    docs_research("add", str(relay), "--quiet")
    done = docs_research("search", "relay", "rotate_secret every month", "--limit", "1", "--related")
    assert done.out.endswith("\n\nSee also:\n  Keys  (keys.md; links to 1 result)\n")
    value = docs_research("search", "relay", "rotate_secret every month", "--limit", "1", "--related", "--json").value
    assert value["related"] == [{"path": "keys.md", "title": "Keys", "url": None, "links_to": 1, "linked_from": 0}]
    alone = docs_research("search", "relay", "draw", "--limit", "1", "--related")
    assert "See also: no page is linked with these results." in alone.out


@pytest.mark.parametrize("query", ["", "  "])
def test_an_empty_query_is_a_wrong_argument(installed: str, docs_research: Run, query: str) -> None:
    shown = docs_research("search", installed, query)
    assert (shown.code, shown.out) == (2, "")
    assert "query is empty" in shown.err


def test_what_the_answer_says_itself_is_not_said_on_stderr_too(relay: Path, docs_research: Run) -> None:
    assert docs_research("add", str(relay), "--name", "relay", "--pkg-version", "2.0.0").code == 0
    asked = docs_research("--offline", "How do I sign a request with relay 1?", "--library", "relay@1")
    sentence = "this is from the documentation of 2.0.0"
    assert asked.out.count(sentence) == 1
    assert sentence not in asked.err
