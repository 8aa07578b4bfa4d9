"""What `add` takes as a name or version, and what is said of a library that is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_runs import Run


@pytest.mark.parametrize(
    "name", ["../x", "a/../b", "/etc/x", "./x", "~/x", "c:\\x", "a\tb", "a\nb", "a\x1b[31mb", "x" * 101, "...", "-", "\u202ex"]
)
def test_what_can_be_no_name_is_refused_with_the_rule(docs_research: Run, relay: Path, name: str) -> None:
    shown = docs_research("add", str(relay), f"--name={name}")
    assert shown.code == 2
    assert "--name cannot be" in shown.err and "a name has at most 100 characters" in shown.err
    assert docs_research("list", "--json").value == []


@pytest.mark.parametrize("version", ["../x", "a b", "1\t0", "1\x000", "1" * 101, "/1", "1\\2"])
def test_what_can_be_no_version_is_refused_with_the_rule(docs_research: Run, relay: Path, version: str) -> None:
    shown = docs_research("add", str(relay), f"--pkg-version={version}", "--json")
    assert shown.code == 2
    assert "a version has at most 100 characters" in shown.value["error"]["message"]


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("日本語", "/local/日本語"),
        ("Café", "/local/café"),
        ("@acme/relay", "/local/acme-relay"),
        (".NET", "/local/net"),
        ("x" * 100, f"/local/{'x' * 100}"),
    ],
)
def test_a_name_in_any_script_is_found_again(docs_research: Run, relay: Path, name: str, id: str) -> None:
    assert docs_research("add", str(relay), "--name", name, "--json").value["id"] == id
    assert docs_research("show", id, "--json").value["id"] == id
    assert docs_research("remove", id).code == 0


@pytest.mark.parametrize("text", ["", "# Only a heading\n"])
def test_a_file_without_a_page_is_not_told_to_be_a_folder(docs_research: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "empty.md").write_text(text)
    shown = docs_research("add", str(tmp_path / "empty.md"))
    assert shown.code == 3
    assert "empty.md (nothing to index in it)" in shown.err and "Add a file or folder with pages in it" in shown.err


@pytest.mark.parametrize(
    "command",
    [
        ["search", "LIB", "words"],
        ["show", "LIB"],
        ["outline", "LIB"],
        ["get", "LIB", "page.md"],
        ["remove", "LIB"],
        ["update", "LIB"],
        ["verify", "LIB"],
        ["vectors", "LIB"],
        ["export", "LIB", "x.db"],
    ],
)
@pytest.mark.parametrize(
    ("library", "added"),
    [
        ("click", "docs-research add click;"),
        ("click@8", "docs-research add click@8;"),
        ("/pallets/click", "docs-research add /pallets/click;"),
        ("npm:left-pad", "docs-research add npm:left-pad;"),
        ("/local/mine", "docs-research add FOLDER --name mine;"),
        ("nowhere", "docs-research add npm:nowhere or pypi:nowhere or FOLDER;"),
    ],
)
def test_every_command_names_what_adds_a_library_that_is_not_installed(
    docs_research: Run, home: Path, command: list[str], library: str, added: str
) -> None:
    words = [library if word == "LIB" else word for word in command]
    shown, as_json = docs_research(*words), docs_research(*words, "--json")
    assert (shown.code, as_json.code) == (3, 3)
    assert f"Next: Add it: {added}" in shown.err
    assert added in as_json.value["error"]["next"]
    assert as_json.value["error"]["code"] == "library_not_found"
