"""Docstrings that a guide leaves to autodoc or mkdocstrings are read beside it, whatever the guide and the code lie in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from loopback_git import code_host, make_repository

CATALOGUE = Catalogue.load()
CODE = {
    "{root}acme/__init__.py": '"""Acme."""\n\nfrom ._client import Client\n',
    "{root}acme/_client.py": (
        'class Client:\n    """Talks to a turbine."""\n\n    def spin(self, speed: int) -> None:\n        """Spin it up."""\n'
    ),
    "{root}acme/other.py": 'def unnamed():\n    """Not asked for by the guide."""\n',
    "tests/acme/__init__.py": '"""A test double."""\n\nclass Client:\n    """Fake."""\n',
    "setup.py": "raise SystemExit('run')\n",
}
SPHINX = {"docs/index.rst": "Acme\n====\n\n.. autoclass:: acme.Client\n   :members:\n"}
MKDOCS = {"docs/index.md": "# Acme\n\n::: acme.Client\n    options:\n      show_source: false\n"}


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def code(root: str) -> dict[str, str]:
    return {path.format(root=root): text for path, text in CODE.items()}


def add(argument: object, store: Store, **options: str) -> BuildReport:
    return add_source(str(argument), store=store, catalogue=CATALOGUE, **options)  # type: ignore[arg-type]


def pages(report: BuildReport, store: Store) -> dict[str, str]:
    docset = store.open(report.installed)
    return {path: page.content for path, _ in docset.pages() if (page := docset.page(path)) is not None}


@pytest.mark.parametrize("guide", [SPHINX, MKDOCS], ids=["sphinx", "mkdocs"])
@pytest.mark.parametrize("root", ["", "src/", "lib/python/"])
def test_a_folder_with_guide_and_code_gives_both(guide: dict[str, str], root: str, tmp_path: Path, store: Store) -> None:
    found = pages(add(write(tmp_path / "acme", {**guide, **code(root)}), store), store)
    assert set(found) == {*guide, f"{root}acme/_client.py"}
    reference = found[f"{root}acme/_client.py"]
    assert "acme.Client" in reference
    assert "Spin it up." in reference
    assert "def spin(speed: int) -> None" in reference


def test_the_path_of_the_configuration_says_which_of_two_packages_is_meant(tmp_path: Path, store: Store) -> None:
    conf = "import sys\nsys.path.insert(0, '../newer/src')\nextensions = []\n"
    files = {**SPHINX, **code("older/"), **code("newer/src/"), "docs/conf.py": conf}
    assert "newer/src/acme/_client.py" in pages(add(write(tmp_path / "acme", files), store), store)


def test_a_guide_that_leaves_nothing_to_autodoc_is_read_alone(tmp_path: Path, store: Store) -> None:
    files = {"docs/index.rst": "Acme\n====\n\nSpin :class:`acme.Client`.\n", **code("")}
    assert set(pages(add(write(tmp_path / "acme", files), store), store)) == {"docs/index.rst"}


def test_a_repository_gives_the_docstrings_of_the_commit_that_is_read(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = {"src/acme/_client.py": 'class Client:\n    """Changed since."""\n'}
    make_repository(tmp_path / "owner" / "acme", {"v1.0": {**SPHINX, **code("src/")}, "v2.0": changed})
    with code_host(monkeypatch, tmp_path):
        report = add("https://github.com/owner/acme", store, tag="v1.0")
    found = pages(report, store)
    assert set(found) == {"docs/index.rst", "src/acme/_client.py"}
    assert "Talks to a turbine." in found["src/acme/_client.py"]
    assert report.version == "1.0"
