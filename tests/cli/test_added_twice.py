"""Adding what has the name of something installed: nothing is replaced, shadowed or left aside without a word."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.docsets.installed.store import Store
from loopback_npm import Files, LoopbackNpm, npm_registry, page

Run = Any  # tests/cli/conftest.py: a call that gives code, out, err and value

PACKAGES: Mapping[str, Mapping[str, Files]] = {
    "acme": {"1.0.0": {"docs/use.md": page("Use", "Turn it."), "guide/b.md": page("Guide", "Oil it.")}},
    "fastify": {"5.1.0": {"docs/hooks.md": page("Hooks", "Register a hook with addHook.")}},
}


@pytest.fixture
def npm(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackNpm]:
    with npm_registry(monkeypatch, PACKAGES) as registry:
        yield registry


def handbook(folder: Path, text: str) -> str:
    (folder / "handbook").mkdir(parents=True)
    (folder / "handbook" / "a.md").write_text(page("Hooks", text), encoding="utf-8")
    return str(folder / "handbook")


def text_of(docs_research: Run, library: str, path: str = "a.md") -> str:
    return docs_research("get", library, path).out


def test_another_folder_of_the_same_name_replaces_nothing_unless_told_to(docs_research: Run, tmp_path: Path) -> None:
    first, second = handbook(tmp_path / "A", "Ours."), handbook(tmp_path / "B", "Theirs.")
    assert docs_research("add", first).code == 0
    refused = docs_research("add", second)
    assert refused.code == 2
    assert f"it is from {first}" in refused.err and "--name OTHER" in refused.err and "--replace" in refused.err
    assert "Ours." in text_of(docs_research, "handbook")
    assert docs_research("add", second, "--name", "theirs").code == 0
    assert docs_research("add", second, "--replace").code == 0
    assert "Theirs." in text_of(docs_research, "handbook")


def test_the_same_folder_is_added_again_however_it_is_written(
    docs_research: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = handbook(tmp_path / "A", "Ours.")
    assert docs_research("add", first).code == 0
    Path(first, "a.md").write_text(page("Hooks", "Changed."), encoding="utf-8")
    monkeypatch.chdir(tmp_path / "A")
    assert docs_research("add", "./handbook").code == 0
    assert "Changed." in text_of(docs_research, "handbook")


def test_a_docset_file_takes_no_place_of_a_folder_unless_told_to(docs_research: Run, tmp_path: Path) -> None:
    first, second = handbook(tmp_path / "A", "Ours."), handbook(tmp_path / "B", "Theirs.")
    assert docs_research("add", second, "--save", str(tmp_path / "theirs.db")).code == 0
    assert docs_research("remove", "handbook").code == 0
    assert docs_research("add", first).code == 0
    refused = docs_research("add", str(tmp_path / "theirs.db"))
    assert refused.code == 2 and "--replace" in refused.err
    assert "Ours." in text_of(docs_research, "handbook")
    assert docs_research("add", str(tmp_path / "theirs.db"), "--replace").code == 0
    assert "Theirs." in text_of(docs_research, "handbook")


def test_a_name_of_a_known_library_means_the_users_docset_to_every_command_and_that_is_said(
    docs_research: Run, tmp_path: Path, npm: LoopbackNpm
) -> None:
    assert docs_research("add", "npm:fastify").code == 0
    added = docs_research("add", handbook(tmp_path, "Ours."), "--name", "fastify")
    assert "Fastify is a known library" in added.err and "another --name" in added.err
    assert docs_research("show", "fastify", "--json").value["id"] == "/local/fastify"
    assert docs_research("show", "Fastify", "--json").value["id"] == "/local/fastify"
    assert docs_research("show", "npm:fastify", "--json").value["id"] == "/fastify/fastify"
    assert docs_research("remove", "fastify").code == 0
    assert docs_research("show", "fastify", "--json").value["id"] == "/fastify/fastify"


def test_a_name_of_nothing_else_is_added_without_a_word_about_it(docs_research: Run, tmp_path: Path) -> None:
    assert "known library" not in docs_research("add", handbook(tmp_path, "Ours.")).err


def test_options_that_choose_other_pages_are_followed_for_what_is_installed(docs_research: Run, npm: LoopbackNpm) -> None:
    assert docs_research("add", "npm:acme").code == 0
    refused = docs_research("add", "npm:acme", "--path", "nodir")
    assert refused.code != 0 and "nodir" in refused.err
    assert "Turn it." in text_of(docs_research, "acme", "docs/use.md")
    assert "is installed already" not in docs_research("add", "npm:acme", "--path", "guide").out
    assert [path for path, _ in Store().open(Store().installed()[0]).pages()] == ["guide/b.md"]
    assert "is installed already" in docs_research("add", "npm:acme@1.0.0", "--path", "guide").out
    assert docs_research("add", "npm:acme@1.0.0", "--path", "docs", "--offline").code != 0


@pytest.mark.parametrize("name", ["a b/ü", "We Ird", "Café Noir"])
def test_a_name_finds_its_docset_as_it_was_given_and_as_it_is_listed(docs_research: Run, relay: Path, name: str) -> None:
    added = docs_research("add", str(relay), "--name", name, "--json").value["id"]
    title = docs_research("list", "--json").value[0]["title"]
    for said in (name, title, name.upper(), added):
        assert docs_research("show", said, "--json").value["id"] == added
    assert docs_research("remove", name).code == 0


def test_a_file_that_is_too_large_in_an_archive_is_told_with_the_limit(docs_research: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "big.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("big.md", b"# Big\n\n" + b"x" * 70_000_000)
    shown = docs_research("add", str(tmp_path / "big.zip"))
    assert shown.code != 0
    assert "big.md in its archive is larger than 40 MB" in shown.err and "Split it" in shown.err
