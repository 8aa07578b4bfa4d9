"""`docs-research add --project`: everything that a project depends on directly, a line a dependency, a summary, an exit code."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from loopback_npm import Files, LoopbackNpm, npm_registry, page

Run = Any  # tests/cli/conftest.py: a call that gives code, out, err and value

DECLARED: Files = {"package.json": '{"types": "index.d.ts"}', "index.d.ts": "/** Turns it. */\nexport function turn(): void;\n"}
PACKAGES: Mapping[str, Mapping[str, Files]] = {
    "acme": {"1.9.0": {"docs/use.md": page("Use", "Old.")}, "1.10.0": {"docs/use.md": page("Use", "New.")}},
    "gale": {"2.0.0": DECLARED},
    "@types/gale": {"2.0.0": DECLARED},
    "@types/node": {"20.0.0": DECLARED},
    "hollow": {"1.0.0": {"index.js": "x"}},
}
MANIFEST = {
    "name": "shop",
    "dependencies": {"acme": "1.9.0", "gale": "^2.0.0", "hollow": "*", "inside": "file:../inside"},
    "devDependencies": {"@types/gale": "*", "@types/node": "^20.0.0"},
}


@pytest.fixture
def npm(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackNpm]:
    with npm_registry(monkeypatch, PACKAGES) as registry:
        yield registry


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "package.json").write_text(json.dumps(MANIFEST))
    monkeypatch.chdir(folder)
    return folder


def test_every_direct_dependency_gets_a_line_at_the_projects_version(docs_research: Run, npm: LoopbackNpm, shop: Path) -> None:
    shown = docs_research("add", "--project")
    *found, hollow = sorted(shown.out.splitlines())
    assert found == [
        "npm:@types/node@^20.0.0: installed: 1 page, README and declarations",
        "npm:acme@1.9.0: installed: 1 page",
        "npm:gale@^2.0.0: installed: 2 pages, README and declarations",
    ]
    assert hollow.startswith("npm:hollow: no documentation: hollow ships no documentation")
    assert shown.err.strip() == "4 dependencies: 3 installed, 1 without documentation."
    assert shown.code == 0
    again = docs_research("add", "--project")
    assert again.err.strip() == "4 dependencies: 3 there already, 1 without documentation."


def test_the_result_is_one_json_value(docs_research: Run, npm: LoopbackNpm, shop: Path) -> None:
    rows = {row["package"]: row for row in docs_research("add", "--project", "--json").value}
    assert (rows["npm:acme@1.9.0"]["result"], rows["npm:acme@1.9.0"]["version"]) == ("added", "1.9.0")
    assert (rows["npm:hollow"]["result"], rows["npm:hollow"]["id"]) == ("nothing", None)
    assert "npm:@types/gale" not in rows, "its types are read with gale"


def test_what_a_project_added_is_the_users(docs_research: Run, npm: LoopbackNpm, shop: Path, home: Path) -> None:
    docs_research("add", "--project")
    notes = [json.loads(path.read_text()) for path in (home / "added" / "npm").iterdir()]
    assert {note["by"] for note in notes} == {"user"}


def test_a_registry_that_cannot_be_reached_is_a_failure_that_spares_what_is_there(
    docs_research: Run, npm: LoopbackNpm, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert docs_research("add", "npm:acme@1.9.0").code == 0
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    shown = docs_research("add", "--project")
    assert shown.code == 4
    assert "npm:acme@1.9.0: was there: 1 page" in shown.out
    assert "4 dependencies: 1 there already, 3 failed." in shown.err
    assert "Next: " in shown.err


def test_nothing_fetched_at_all_is_a_failure(docs_research: Run, home: Path, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    assert docs_research("add", "--project").code == 1
    offline = docs_research("add", "--project", "--offline")
    assert offline.code == 1
    assert "--offline forbids" in offline.out


def test_a_project_elsewhere_is_named_by_its_folder(
    docs_research: Run, npm: LoopbackNpm, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert docs_research("add", "--project").code == 2
    assert docs_research("add", "--project", "--project-dir", str(shop)).code == 0
    assert docs_research("add", "--project-dir", str(tmp_path / "none")).code == 2


@pytest.mark.parametrize(
    "arguments",
    [["npm:acme", "--project"], ["--project", "--name", "x"], ["--project", "--save", "x"], [], ["npm:acme", "--force"],
     ["npm:acme", "--project-dir", "."]],
)  # fmt: skip
def test_what_does_not_go_together_is_refused(docs_research: Run, npm: LoopbackNpm, shop: Path, arguments: list[str]) -> None:
    assert docs_research("add", *arguments).code == 2
    assert npm.paths == []


def test_a_project_of_other_registries_says_what_is_read(docs_research: Run, home: Path, tmp_path: Path) -> None:
    (tmp_path / "rust").mkdir()
    (tmp_path / "rust" / "Cargo.toml").write_text('[package]\nname = "x"\n\n[dependencies]\nserde = "1"\n')
    shown = docs_research("add", "--project", "--project-dir", str(tmp_path / "rust"))
    assert (shown.code, "names no package of npm or PyPI" in shown.err) == (2, True)
