"""Files of the store that are damaged or may not be read: each is named with what mends it, and no other library stands in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from command_runs import Run
from docs_researcher.docsets.installed.store import Store
from loopback_npm import Files, LoopbackNpm, npm_registry, page
from permissions import POSIX, open_folder, without_rights

PACKAGES: Mapping[str, Mapping[str, Files]] = {"relay": {"1.0.0": {"docs/use.md": page("Use", "Another relay.")}}}
SENTENCE = b"the stamp of the sender"


@pytest.fixture
def npm(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackNpm]:
    with npm_registry(monkeypatch, PACKAGES) as registry:
        yield registry


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "relay"
    folder.mkdir()
    (folder / "use.md").write_text(f"# Use\n\nA request bears {SENTENCE.decode()}.\n")
    return folder


@pytest.fixture
def docset(docs_research: Run, source: Path, home: Path) -> Path:
    assert docs_research("add", str(source), "--offline").code == 0
    return home / "docsets" / "local" / "relay@unversioned.db"


def tear(file: Path) -> None:
    file.write_bytes(b"torn")


def alter(file: Path) -> None:
    """Change a text without touching the form of the file."""
    data = file.read_bytes()
    assert SENTENCE in data
    file.write_bytes(data.replace(SENTENCE, SENTENCE.upper()))


def spoil(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data.replace(SENTENCE, b"\xff" * len(SENTENCE)))


@pytest.mark.parametrize("harm", [tear, alter, spoil])
def test_a_damaged_file_is_refused_by_add_where_the_same_is_installed(
    docs_research: Run, docset: Path, tmp_path: Path, harm: object
) -> None:
    before = docset.read_bytes()
    bad = tmp_path / "bad.db"
    bad.write_bytes(before)
    assert callable(harm)
    harm(bad)
    shown = docs_research("add", str(bad))
    assert shown.code == 2
    assert "bad.db is no docset that can be used" in shown.err and "Traceback" not in shown.err
    assert docset.read_bytes() == before
    assert docs_research("search", "relay", "stamp of the sender").code == 0


@pytest.mark.parametrize("harm", [tear, alter])
@pytest.mark.parametrize("way", ["folder", "file"])
def test_what_is_damaged_is_not_installed_already(
    docs_research: Run, docset: Path, source: Path, tmp_path: Path, harm: object, way: str
) -> None:
    docs_research("export", "relay", str(tmp_path / "copy.db"))
    assert callable(harm)
    harm(docset)
    again = docs_research("add", str(source if way == "folder" else tmp_path / "copy.db"), "--json")
    assert not again.value["already_installed"]
    assert docs_research("verify").code == 0


@pytest.mark.parametrize(
    "command", [["show"], ["search", "-", "stamp"], ["outline"], ["get", "-", "use.md"], ["export", "-", "x"]]
)
def test_every_command_says_whose_docset_is_damaged_where_it_lies_and_what_mends_it(
    docs_research: Run, docset: Path, command: list[str]
) -> None:
    tear(docset)
    name, *words = command
    shown = docs_research(name, "relay", *words[1:])
    assert shown.code == 1
    assert "The docset of relay is damaged" in shown.err and str(docset) in shown.err
    assert "docs-research update relay" in shown.err and "docs-research remove relay" in shown.err


@pytest.mark.parametrize("name", ["relay", "Relay@2.1", "relay==2", "/local/relay", "/local/relay/2.1"])
def test_a_damaged_docset_is_found_by_every_name_that_it_has(docs_research: Run, source: Path, home: Path, name: str) -> None:
    docs_research("add", str(source), "--pkg-version", "2.1")
    tear(home / "docsets" / "local" / "relay@2.1.db")
    assert "The docset of relay@2.1 is damaged" in docs_research("search", name, "stamp").err
    assert "is not installed" in docs_research("search", "another", "stamp").err


def test_a_question_about_a_library_whose_docset_is_damaged_fetches_no_other_of_that_name(
    docs_research: Run, docset: Path, npm: LoopbackNpm
) -> None:
    tear(docset)
    for words in (["How is a request signed?", "--library", "relay"], ["How is a request signed?", "--library", "/local/relay"]):
        shown = docs_research(*words, "--yes", "--model", "extractive")
        assert shown.code == 1
        assert "The docset of relay is damaged" in shown.out + shown.err and str(docset) in shown.out
    assert not npm.downloads


def test_remove_takes_the_damaged_docset_that_was_named_and_no_other(docs_research: Run, docset: Path, npm: LoopbackNpm) -> None:
    assert docs_research("add", "npm:relay").code == 0
    tear(docset)
    shown = docs_research("remove", "relay", "--json")
    assert shown.value == {"id": "/local/relay", "version": None}
    assert not docset.exists()
    assert [row["id"] for row in docs_research("list", "--json").value] == ["/npm/relay"]


def test_a_damaged_version_counts_among_the_versions(docs_research: Run, source: Path, home: Path) -> None:
    for version in ("1.0", "2.0"):
        docs_research("add", str(source), "--pkg-version", version)
    tear(home / "docsets" / "local" / "relay@2.0.db")
    shown = docs_research("remove", "relay")
    assert shown.code == 2 and "2.0 (cannot be used), 1.0" in shown.err
    assert "docset of relay@2.0 is damaged" in docs_research("search", "relay", "stamp").err
    assert docs_research("search", "relay@1.0", "stamp").code == 0
    assert docs_research("remove", "relay@2.0").out == "Removed /local/relay 2.0, which is damaged.\n"
    assert [item.version for item in Store().installed()] == ["1.0"]


@pytest.mark.parametrize("harm", [tear, alter])
def test_update_reads_a_damaged_docset_again_from_where_it_was_added(docs_research: Run, docset: Path, harm: object) -> None:
    assert callable(harm)
    harm(docset)
    assert docs_research("verify", "relay").code == 1
    assert docs_research("update", "relay").out == "/local/relay (no version) was read again: 1 page.\n"
    assert docs_research("verify").code == 0


def test_update_of_a_damaged_package_fetches_the_version_that_it_had(docs_research: Run, npm: LoopbackNpm, home: Path) -> None:
    docs_research("add", "npm:relay@1.0.0")
    tear(home / "docsets" / "npm" / "relay@1.0.0.db")
    assert docs_research("update", "--all").code == 0
    assert docs_research("show", "relay", "--json").value["version"] == "1.0.0"


def test_update_says_what_to_do_where_nobody_knows_where_a_damaged_docset_is_from(
    docs_research: Run, docset: Path, home: Path
) -> None:
    tear(docset)
    for note in (home / "added").rglob("*.json"):
        note.unlink()
    shown = docs_research("update", "relay")
    assert shown.code == 1
    assert str(docset) in shown.err and "docs-research add SOURCE --name relay" in shown.err


@POSIX
@pytest.mark.parametrize("closed", ["file", "folder", "home"])
def test_a_store_that_may_not_be_read_is_no_damaged_one(
    docs_research: Run, source: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    with open_folder() as folder:
        monkeypatch.setenv("DOCS_RESEARCH_HOME", str(folder / "home"))
        assert docs_research("add", str(source)).code == 0
        place = {"file": "docsets/local/relay@unversioned.db", "folder": "docsets/local", "home": ""}[closed]
        path = folder / "home" / place
        path.chmod(0)
        with without_rights():
            shown = docs_research("search", "relay", "stamp")
        path.chmod(0o755)
        assert shown.code == 1
        assert "cannot be read" in shown.err and "Permission denied" in shown.err and str(path) in shown.err
        assert "damaged" not in shown.err.replace("nothing is known to be damaged", "") and "not installed" not in shown.err


@POSIX
def test_a_store_that_may_not_be_written_is_told_as_that_and_not_as_a_full_disk(
    docs_research: Run, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_folder() as folder:
        monkeypatch.setenv("DOCS_RESEARCH_HOME", str(folder / "home"))
        assert docs_research("add", str(source)).code == 0
        with without_rights():
            added = docs_research("add", str(Path(__file__).parents[2] / "docs" / "json.md"))
            removed = docs_research("remove", "relay")
            assert docs_research("search", "relay", "stamp").code == 0, "what may be read is read"
        for shown in (added, removed):
            assert shown.code == 1
            assert "right to write" in shown.err and "Permission denied" in shown.err and "space" not in shown.err
            assert str(folder / "home") in shown.err


@POSIX
def test_without_a_home_folder_the_variables_that_name_one_are_told(docs_research: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCS_RESEARCH_HOME", "~nobody-of-that-name/docs")
    shown = docs_research("list")
    assert shown.code == 1
    assert "no home folder" in shown.err and "DOCS_RESEARCH_HOME" in shown.err
