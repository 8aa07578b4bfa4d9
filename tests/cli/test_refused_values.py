"""Values that cannot be used: each is refused with the values that can, before anything is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_runs import Run


@pytest.mark.parametrize(
    ("flags", "allowed"),
    [
        (("--answer-tokens", "5"), "a whole number of at least 100"),
        (("--seconds", "0"), "a number above 0"),
        (("--turns", "0"), "a whole number of at least 1"),
        (("--library", ""), "a name, name@version"),
        (("--library", "  "), "a name, name@version"),
    ],
)
def test_a_value_out_of_range_is_refused_with_the_range(docs_research: Run, flags: tuple[str, str], allowed: str) -> None:
    shown = docs_research(*flags, "How do I retry in acme?")
    assert (shown.code, shown.out) == (2, "")
    assert f"it takes {allowed}" in shown.err
    assert "cannot be " in shown.err


def test_a_range_with_two_ends_is_said_in_words(docs_research: Run) -> None:
    shown = docs_research("search", "acme", "retry", "--limit", "500")
    assert "500 cannot be used; it takes a whole number from 1 to 100" in shown.err


def test_identify_refuses_an_empty_library_too(docs_research: Run) -> None:
    assert docs_research("identify", "--library", "", "How do I retry?").code == 2


@pytest.mark.parametrize("name", ["agent.yaml", "agent"])
def test_a_file_named_without_a_folder_is_read_and_its_fault_told_with_the_line(
    docs_research: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("---\n- a\n- b\n---\nYou look things up.\n", encoding="utf-8")
    shown = docs_research("--agent", name, "How do I retry in acme?")
    assert shown.code == 2
    assert f"{name}:2:1" in shown.err
    assert "`key: value`" in shown.err
    assert "no agent named" not in shown.err


def test_a_name_that_broken_yaml_swallowed_is_refused_with_the_words_of_the_parser(docs_research: Run, tmp_path: Path) -> None:
    path = tmp_path / "agent.md"
    path.write_text("---\nname: mine\n\tdescription: x\n  - [\n: {\n---\nYou look things up.\n", encoding="utf-8")
    shown = docs_research("--agent", str(path), "How do I retry in acme?")
    assert shown.code == 2
    assert "agent.md:2:7" in shown.err
    assert "line 2: YAML" in shown.err


def test_a_name_that_a_broken_file_may_have_is_not_only_called_unknown(
    docs_research: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ".docs-research" / "agents"
    folder.mkdir(parents=True)
    (folder / "other.md").write_text("---\n- name: mine\n---\nYou look things up.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shown = docs_research("--agent", "mine", "How do I retry in acme?")
    assert shown.code == 2
    assert "no agent named 'mine'" in shown.err
    assert "a file that cannot be loaded may be it: " in shown.err
    assert "other.md:2" in shown.err


def test_the_best_result_scores_one_however_common_its_words_are(docs_research: Run, tmp_path: Path) -> None:
    folder = tmp_path / "acme"
    folder.mkdir()
    (folder / "a.md").write_text("# Retry\n\nCall `retry()`.\n", encoding="utf-8")
    docs_research("add", str(folder))
    shown = docs_research("search", "acme", "retry")
    assert "confidence 0.9" in shown.err  # the only page there is, and it has the word in its heading
    assert "score 1.00" in shown.out
    assert "text 0.00" not in docs_research("search", "acme", "retry", "--explain").out


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--model", "nope"), "There is no model 'nope'"),
        (("--agent", "nope"), "there is no agent named 'nope'"),
        (("--config", "missing.toml"), "missing.toml cannot be read"),
        (("--http", "--model", "nope"), "There is no model 'nope'"),
    ],
)
def test_a_server_does_not_start_with_what_its_calls_could_not_use(docs_research: Run, flags: tuple[str, ...], said: str) -> None:
    shown = docs_research("serve", *flags)
    assert (shown.code, shown.out) == (2, "")
    assert said in shown.err
    assert "Next: " in shown.err
