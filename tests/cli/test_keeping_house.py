"""The commands that keep the installed documentation in order: outline, get, export, verify, outdated, update."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from loopback_npm import Files, LoopbackNpm, npm_registry, page

Run = Any  # tests/cli/conftest.py: a call that gives code, out, err and value

PACKAGES: Mapping[str, Mapping[str, Files]] = {
    "acme": {"1.9.0": {"docs/use.md": page("Use", "Old.")}, "1.10.0": {"docs/use.md": page("Use", "New.")}},
    "steady": {"2.0.0": {"docs/use.md": page("Use", "Same.")}},
}

ENGINE = f"""\
# Engine

{"It runs for years if it is looked after with some care. " * 20}

## Starting

Turn the key.

## Stopping

Let it cool.

## Oiling

{"Every week the oil is changed by hand. " * 60}

### Cold days

{"Use thin oil when it freezes outside. " * 60}
"""


@pytest.fixture
def installed(docs_research: Run, relay: Path) -> str:
    assert docs_research("add", str(relay), "--pkg-version", "2.1", "--offline").code == 0
    return "/local/relay"


@pytest.fixture
def npm(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackNpm]:
    with npm_registry(monkeypatch, PACKAGES) as registry:
        yield registry


@pytest.fixture
def engine(docs_research: Run, tmp_path: Path) -> None:
    (tmp_path / "engine.md").write_text(ENGINE)
    assert docs_research("add", str(tmp_path / "engine.md"), "--offline").code == 0


@pytest.mark.usefixtures("engine")
def test_outline_lists_pages_and_headings_with_their_anchors(docs_research: Run) -> None:
    shown = docs_research("outline", "engine")
    assert shown.code == 0
    assert "engine.md  Engine" in shown.out
    assert "  Oiling  #oiling" in shown.out
    assert "Oiling" not in docs_research("outline", "engine", "--pages").out
    [listed] = docs_research("outline", "engine", "--json").value
    assert [(item["name"], item["anchor"]) for item in listed["headings"]] == [
        ("Starting", "starting"),
        ("Stopping", "stopping"),
        ("Oiling", "oiling"),
        ("Oiling > Cold days", "cold-days"),
    ]
    lines = ENGINE.split("\n")
    assert all(item["name"].rpartition(" > ")[2] in lines[item["line"] - 1] for item in listed["headings"])


@pytest.mark.usefixtures("engine")
def test_get_prints_a_page_or_the_section_behind_an_anchor(docs_research: Run) -> None:
    whole = docs_research("get", "engine", "engine.md")
    assert all(word in whole.out for word in ("Turn the key", "Let it cool", "Use thin oil"))
    section = docs_research("get", "engine", "engine.md#stopping")
    assert section.out.strip() == "Let it cool."
    assert docs_research("get", "engine", "engine.md#Stopping").out == section.out
    below = docs_research("get", "engine", "engine.md#oiling")
    assert "Every week" in below.out
    assert "### Cold days\n\nUse thin oil" in below.out


@pytest.mark.usefixtures("engine")
def test_get_prints_every_heading_of_a_page(docs_research: Run, tmp_path: Path) -> None:
    headings = [line for line in ENGINE.split("\n") if line.startswith("##")]
    shown = docs_research("get", "engine", "engine.md").out.split("\n")
    assert [line for line in shown if line.startswith("##")] == headings
    (tmp_path / "lone.md").write_text(f"# Lone\n\n## First\n\n### Inside\n\n{'It has no lead-in of its own. ' * 80}\n")
    docs_research("add", str(tmp_path / "lone.md"))
    assert [line for line in docs_research("get", "lone", "lone.md").out.split("\n") if line.startswith("#")] == [
        "## First",
        "### Inside",
    ]


def test_headings_of_one_name_have_anchors_of_their_own(docs_research: Run, tmp_path: Path) -> None:
    parts = "".join(f"## {name}\n\nWhat it does.\n\n### Example\n\nFor {name}.\n\n" for name in ("Map", "Filter", "Reduce"))
    (tmp_path / "list.md").write_text(f"# List\n\nIn front.\n\n{parts}", encoding="utf-8")
    docs_research("add", str(tmp_path / "list.md"))
    [page] = docs_research("outline", "list", "--json").value
    shown = [docs_research("get", "list", f"list.md#{item['anchor']}").out.strip() for item in page["headings"]]
    examples = [text for text, item in zip(shown, page["headings"], strict=True) if item["name"].endswith("Example")]
    assert examples == ["For Map.", "For Filter.", "For Reduce."]
    assert [text.split(".")[0] for text in shown if text not in examples] == ["What it does"] * 3


@pytest.mark.parametrize("anchor", ["engine", "Engine"])
@pytest.mark.usefixtures("engine")
def test_the_anchor_of_the_main_heading_stands_for_the_page(docs_research: Run, anchor: str) -> None:
    assert docs_research("get", "engine", f"engine.md#{anchor}").out == docs_research("get", "engine", "engine.md").out


@pytest.mark.parametrize(("place", "word"), [("sign.md", "similar: signing.md"), ("signing.md#none", "#rotating-secrets")])
def test_get_says_what_there_is_instead(docs_research: Run, installed: str, place: str, word: str) -> None:
    shown = docs_research("get", "relay", place)
    assert shown.code == 3
    assert word in shown.err


def test_what_was_left_out_is_listed(docs_research: Run, installed: str) -> None:
    shown = docs_research("show", "relay", "--skipped")
    assert "broken.md: " in shown.out
    [item] = docs_research("show", "relay", "--skipped", "--json").value
    assert item["path"] == "broken.md"


def test_an_exported_docset_is_installed_elsewhere(
    docs_research: Run, installed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = docs_research("export", "relay", str(tmp_path / "out"))
    assert shown.out.strip() == str(tmp_path / "out" / "relay@2.1.db")
    monkeypatch.setenv("DOCS_RESEARCH_HOME", str(tmp_path / "elsewhere"))
    assert docs_research("add", shown.out.strip(), "--json").value["id"] == "/local/relay"
    assert docs_research("search", "relay", "rotate secrets", "--json").code == 0


def test_save_puts_a_copy_beside(docs_research: Run, relay: Path, tmp_path: Path) -> None:
    shown = docs_research("add", str(relay), "--pkg-version", "3", "--save", str(tmp_path / "copy.db"), "--json")
    assert shown.value["saved_to"] == str(tmp_path / "copy.db")
    assert (tmp_path / "copy.db").is_file()


def test_save_and_export_write_over_an_older_copy_and_nothing_else(docs_research: Run, relay: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    for _ in range(2):
        assert docs_research("add", str(relay), "--pkg-version", "3", "--save", str(target)).code == 0
    refused = docs_research("add", str(relay), "--pkg-version", "4", "--save", str(target))
    assert refused.code == 2
    assert "Why: it is /local/relay 3" in refused.err
    (tmp_path / "notes.txt").write_text("mine")
    assert docs_research("export", "relay@4", str(tmp_path / "notes.txt")).code == 2
    assert docs_research("export", "relay@4", str(target)).code == 2
    assert docs_research("export", "relay@4", str(target), "--force").code == 0
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_export_tells_a_checksum_that_add_takes(docs_research: Run, installed: str, tmp_path: Path) -> None:
    exported = docs_research("export", "relay", str(tmp_path / "out.db"), "--json").value
    assert docs_research("add", exported["file"], "--sha256", exported["sha256"]).code == 0
    wrong = docs_research("add", exported["file"], "--sha256", "0" * 64)
    assert (wrong.code, "not the file that is meant" in wrong.err) == (1, True)


def test_one_page_and_one_chunk_are_not_several(docs_research: Run, tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text("# One\n\nOnly this.\n")
    assert docs_research("add", str(tmp_path / "one.md")).out == "/local/one (no version) is installed: 1 page, 1 chunk.\n"
    assert "1 page " in docs_research("list").out
    assert "1 file checked" in docs_research("verify").err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["docs", "--version", "1.2"], "--pkg-version"),
        (["docs", "--path", "nope"], "holds no documentation in nope"),
        (["docs.tgz", "--path", "nope"], "holds no documentation in nope"),
        (["docs", "--lang", ""], "--lang is empty"),
        (["docs", "--pkg-version", ""], "--pkg-version is empty"),
        (["pkg:cargo/serde"], "npm and PyPI"),
        (["cargo:serde"], "npm and PyPI"),
        (["ftp://example.org/docs"], "http, https, ssh and file"),
        (["http://[::1"], "is no address"),
        (["https://h:99999/x"], "is no address"),
        (["pipe.md"], "no regular file"),
        (["pipe.tgz"], "no regular file"),
        (["x" * 300], "is no folder"),
        (["x" * 5_000], "longer than 4,000 characters"),
        (["~nobody-of-that-name/docs"], "There is no"),
    ],
)
def test_add_says_what_is_wrong_and_never_waits(
    docs_research: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], word: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "use.md").write_text(page("Use", "Turn it."))
    shutil.make_archive("docs", "gztar", tmp_path, "docs")
    (tmp_path / "docs.tar.gz").rename(tmp_path / "docs.tgz")
    for name in ("pipe.md", "pipe.tgz"):
        os.mkfifo(tmp_path / name)
    shown = docs_research("add", *arguments)
    assert shown.code in (1, 2, 3)
    assert word in shown.err
    assert "inside docs-researcher" not in shown.err


def test_sound_files_are_verified_and_broken_ones_named(docs_research: Run, installed: str, home: Path) -> None:
    assert docs_research("verify").code == 0
    [row] = docs_research("verify", "relay", "--json").value
    assert row["problem"] is None
    file = Path(row["file"])
    data = bytearray(file.read_bytes())
    data[4096 * 2 : 4096 * 4] = b"\xaa" * 8192
    file.write_bytes(data)
    (file.parent / "noise@1.db").write_bytes(b"noise")
    shown = docs_research("verify")
    assert shown.code == 1
    assert "noise@1.db: it is no SQLite file" in shown.out
    assert "relay@2.1.db" in shown.out


def test_outline_shows_the_words_of_a_link_in_a_heading(docs_research: Run, tmp_path: Path) -> None:
    (tmp_path / "linked.md").write_text("# Linked\n\nWords.\n\n## The [`run()`](api.md#run) call\n\nOne.\n\n## Next\n\nTwo.\n")
    assert docs_research("add", str(tmp_path / "linked.md")).code == 0
    shown = docs_research("outline", "linked").out
    assert "The run() call" in shown
    assert "api.md" not in shown


def test_outdated_lists_what_has_a_newer_release(docs_research: Run, installed: str, npm: LoopbackNpm) -> None:
    for package in ("npm:acme@1.9.0", "npm:steady@2.0.0"):
        assert docs_research("add", package).code == 0
    shown = docs_research("outdated")
    assert shown.out.split("\n")[0] == "/npm/acme  1.9.0  ->  1.10.0"
    rows = {row["id"]: row for row in docs_research("outdated", "--json").value}
    assert (rows["/npm/acme"]["outdated"], rows["/npm/steady"]["outdated"]) == (True, False)
    assert "no package" in rows["/local/relay"]["unknown"]


def test_outdated_tells_a_docset_that_an_older_version_built_from_a_newer_release(
    docs_research: Run, npm: LoopbackNpm, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs_research("add", "npm:steady@2.0.0")
    monkeypatch.setattr("docs_researcher.docsets.meta.BUILDER", 99)
    shown = docs_research("outdated")
    assert shown.out.strip() == "/npm/steady  2.0.0  ->  2.0.0, built again by this docs-researcher"
    assert docs_research("outdated", "--json").value[0]["built_by_older"] is True


def test_outdated_says_once_what_is_true_of_several(docs_research: Run, installed: str, engine: None) -> None:
    shown = docs_research("outdated")
    [line] = [line for line in shown.err.splitlines() if "it is no package" in line]
    assert line.startswith("/local/engine, /local/relay: ")
    assert [row["unknown"] is not None for row in docs_research("outdated", "--json").value] == [True, True]


def test_update_installs_the_newest_release_beside_the_one_that_was_there(docs_research: Run, npm: LoopbackNpm) -> None:
    docs_research("add", "npm:acme@1.9.0")
    shown = docs_research("update", "acme", "--json")
    assert [(row["before"], row["now"], row["updated"]) for row in shown.value] == [("1.9.0", "1.10.0", True)]
    versions = docs_research("show", "acme", "--json").value["installed_versions"]
    assert versions == ["1.10.0", "1.9.0"]
    assert not docs_research("update", "--all", "--json").value[0]["updated"]


def test_update_goes_on_behind_one_that_cannot_be_asked_for(
    docs_research: Run, npm: LoopbackNpm, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs_research("add", "npm:acme@1.9.0")
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    shown = docs_research("update", "--all", "--json")
    assert shown.code == 0, "what cannot be known is told, and is no failed update"
    assert "cannot be reached" in shown.value[0]["why"]


@pytest.mark.parametrize("arguments", [["update"], ["update", "acme", "--all"]])
def test_update_needs_to_know_what(docs_research: Run, arguments: list[str]) -> None:
    assert docs_research(*arguments).code == 2
