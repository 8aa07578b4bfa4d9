"""Packages that are installed on this disk, read where they lie: in `node_modules` with their types, in `site-packages`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from docs_researcher.core.errors import UsageError
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue

CATALOGUE = Catalogue.load()


def add(path: Path | str, store: Store) -> BuildReport:
    return add_source(str(path), store=store, catalogue=CATALOGUE, offline=True)


def pages(report: BuildReport, store: Store) -> list[str]:
    return [path for path, _ in store.open(report.installed).pages()]


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def package(name: str, version: str = "1.2.0", **more: object) -> str:
    return json.dumps({"name": name, "version": version, **more})


def test_an_npm_package_is_read_with_the_types_and_packages_that_are_installed_beside_it(tmp_path: Path, store: Store) -> None:
    modules = write(tmp_path / "node_modules", {
        "turbine/package.json": package("turbine", types="index.d.ts", dependencies={"@turbine/core": "^3.0.0"}),
        "turbine/index.d.ts": 'export * from "@turbine/core";\n',
        "turbine/README.md": "# Turbine\n\nSpin it.\n",
        "turbine/node_modules/hidden/README.md": "# Hidden\n\nNot of turbine.\n",
        "@turbine/core/package.json": package("@turbine/core", "3.1.0", types="index.d.ts"),
        "@turbine/core/index.d.ts": "/** Spins the shaft. */\nexport function spin(): void;\n",
        "@types/turbine/package.json": package("@types/turbine", "1.0.0", types="index.d.ts"),
        "@types/turbine/index.d.ts": "/** Stops the shaft. */\ndeclare function halt(): void;\n",
    })  # fmt: skip
    report = add(modules / "turbine", store)
    assert (report.id, report.version) == ("/npm/turbine", "1.2.0")
    assert pages(report, store) == [
        "README.md", "node_modules/@turbine/core/index.d.ts", "node_modules/@types/turbine/index.d.ts",
    ]  # fmt: skip
    assert "Spins the shaft." in store.open(report.installed).search("spin").hits[0].content


def site(tmp_path: Path, **distributions: Mapping[str, str]) -> Path:
    folder = tmp_path / "lib" / "site-packages"
    for name, files in distributions.items():
        write(folder, files)
        record = "".join(f"{path},,\n" for path in files)
        metadata = f"Name: {name}\nDescription-Content-Type: text/markdown\n\n# {name.title()}\n\nBlow it.\n"
        write(folder / f"{name}-2.0.dist-info", {"RECORD": record, "METADATA": metadata})
        with (folder / f"{name}-2.0.dist-info" / "RECORD").open("a") as file:
            file.write(f"{name}-2.0.dist-info/METADATA,,\n../../bin/x,,\n")
    return folder


CODE = 'def blow(force):\n    """Blow with this force."""\n'


@pytest.mark.parametrize("place", ["gale", "gale-2.0.dist-info"])
def test_a_python_package_is_read_from_what_it_says_that_it_installed(tmp_path: Path, store: Store, place: str) -> None:
    folder = site(tmp_path, gale={"gale/__init__.py": CODE, "gale/more.pyi": "def more() -> int: ...\n"})
    write(folder, {"gale/left_behind.py": CODE, "other/__init__.py": CODE})
    report = add(folder / place, store)
    assert (report.id, report.version) == ("/pypi/gale", "2.0")
    assert pages(report, store)[:2] == ["README.md", "gale/__init__.py"]
    assert "gale/left_behind.py" not in pages(report, store)
    assert "Blow with this force." in store.open(report.installed).search("blow").hits[0].content


def test_the_folder_may_be_given_from_inside(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site(tmp_path, gale={"gale/__init__.py": CODE}))
    assert add("gale", store).id == "/pypi/gale"


def test_a_folder_that_several_packages_share_asks_which_one(tmp_path: Path, store: Store) -> None:
    folder = site(tmp_path, breeze={"wind/breeze/__init__.py": CODE}, gale={"wind/gale/__init__.py": CODE})
    with pytest.raises(UsageError, match="Several packages") as caught:
        add(folder / "wind", store)
    assert "breeze 2.0, gale 2.0" in caught.value.why
    report = add(folder / "breeze-2.0.dist-info", store)
    assert (report.id, pages(report, store)) == ("/pypi/breeze", ["README.md", "wind/breeze/__init__.py"])
