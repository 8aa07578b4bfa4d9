"""A docset that lies inside an installed package: found in a project, held against the package, installed without a network."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import apsw
import pytest

from docs_researcher.core.errors import DocsetInvalid, DocsResearchError
from docs_researcher.docsets.acquiring.acquire import Acquired, Acquirer, FetchPolicy
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.copies import save_copy
from docs_researcher.docsets.installed.embedded import distribution_files
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sql import run
from docs_researcher.library.catalogue import Catalogue
from project_reading import read_project

CATALOGUE = Catalogue.load()


def docset(folder: Path, name: str, version: str, text: str = "Spin it.") -> Path:
    (folder / "pages").mkdir(parents=True)
    (folder / "pages" / "use.md").write_text(f"# Use\n\n{text}\n")
    report = add_source(
        str(folder / "pages"), store=Store(folder / "elsewhere"), catalogue=CATALOGUE, name=name, pkg_version=version
    )
    return save_copy(report.installed, folder / "out")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with turbine from npm and gale from PyPI installed, each with a docset inside."""
    root = tmp_path / "project"
    package = root / "node_modules" / "turbine"
    (package / "dist" / "docs").mkdir(parents=True)
    (root / "package.json").write_text(json.dumps({"name": "x", "dependencies": {"turbine": "^1.0.0"}}))
    (package / "package.json").write_text(json.dumps({"name": "turbine", "version": "1.2.0"}))
    shutil.copyfile(docset(tmp_path / "a", "turbine", "1.2.0"), package / "dist" / "docs" / "docset.db")
    site = root / ".venv" / "lib" / "python3.12" / "site-packages"
    (site / "gale" / "docs").mkdir(parents=True)
    (root / ".venv" / "pyvenv.cfg").write_text("version = 3.12\n")
    (root / "requirements.txt").write_text("gale==2.0\n")
    shutil.copyfile(docset(tmp_path / "b", "gale", "2.0", "Blow it."), site / "gale" / "docs" / "gale@2.0.db")
    (site / "gale-2.0.dist-info").mkdir()
    (site / "gale-2.0.dist-info" / "RECORD").write_text("gale/__init__.py,,\ngale/docs/gale@2.0.db,,\n")
    return root


def acquire(project: Path, base: str, asked: str | None = None) -> Acquired:
    policy = FetchPolicy(offline=True, project=read_project(project))
    return Acquirer(Store(), CATALOGUE, policy).acquire(base, asked)


@pytest.mark.parametrize(
    ("base", "version", "purl"),
    [("/npm/turbine", "1.2.0", "pkg:npm/turbine@1.2.0"), ("/pypi/gale", "2.0", "pkg:pypi/gale@2.0")],
)
def test_the_docset_in_an_installed_package_answers_offline(
    home: Path, project: Path, base: str, version: str, purl: str
) -> None:
    acquired = acquire(project, base, version)
    installed = acquired.installed
    assert (installed.library_id, installed.version, installed.meta.purl) == (base, version, purl)
    assert acquired.version_choice == "installed in the project"
    assert Store().open(installed).search("use").hits
    assert acquire(project, base).version_choice == "newest installed", "it is copied once"


def test_another_version_than_the_installed_one_is_not_answered_from_it(home: Path, project: Path) -> None:
    with pytest.raises(DocsResearchError, match="not installed"):
        acquire(project, "/npm/turbine", "2")


def test_a_package_that_the_project_does_not_use_is_not_looked_into(home: Path, project: Path) -> None:
    (project / "package.json").write_text("{}")
    with pytest.raises(DocsResearchError, match="not installed"):
        acquire(project, "/npm/turbine")


def test_a_docset_that_claims_to_be_of_another_library_is_passed_over(home: Path, project: Path, tmp_path: Path) -> None:
    inside = project / "node_modules" / "turbine" / "dist" / "docs" / "docset.db"
    shutil.copyfile(docset(tmp_path / "c", "next", "16.0.0"), inside)
    with pytest.raises(DocsResearchError, match="not installed"):
        acquire(project, "/npm/turbine")
    with pytest.raises(DocsetInvalid, match="passed over") as caught:
        add_source(str(project / "node_modules" / "turbine"), store=Store(), catalogue=CATALOGUE)
    assert "says that it is of next 16.0.0" in caught.value.why
    assert Store().installed() == ()


def test_a_docset_cannot_take_the_id_of_another_library(home: Path, project: Path) -> None:
    inside = project / "node_modules" / "turbine" / "dist" / "docs" / "docset.db"
    connection = apsw.Connection(str(inside))
    run(connection, "UPDATE meta SET value = '/vercel/next.js' WHERE key = 'library_id'")
    connection.close()
    assert acquire(project, "/npm/turbine").installed.library_id == "/npm/turbine"
    assert Store().find("/vercel/next.js") == ()


def test_a_docset_with_a_trigger_inside_a_package_is_refused(home: Path, project: Path) -> None:
    inside = project / "node_modules" / "turbine" / "dist" / "docs" / "docset.db"
    connection = apsw.Connection(str(inside))
    run(connection, "CREATE TRIGGER t AFTER INSERT ON meta BEGIN SELECT 1; END")
    connection.close()
    with pytest.raises(DocsetInvalid, match="no docset"):
        add_source(str(project / "node_modules" / "turbine"), store=Store(), catalogue=CATALOGUE)


@pytest.mark.parametrize(
    ("place", "id"),
    [
        ("node_modules/turbine", "/npm/turbine"),
        (".venv/lib/python3.12/site-packages/gale", "/pypi/gale"),
        (".venv/lib/python3.12/site-packages/gale-2.0.dist-info", "/pypi/gale"),
    ],
)
def test_add_takes_the_folder_of_an_installed_package(home: Path, project: Path, place: str, id: str) -> None:
    report = add_source(str(project / place), store=Store(), catalogue=CATALOGUE)
    assert (report.id, report.pages, report.already) == (id, 1, False)


def test_a_file_of_a_distribution_may_have_a_line_break_in_its_name(tmp_path: Path) -> None:
    (tmp_path / "RECORD").write_text('"a\nb.txt",,\ngale/one\u2028two.md,,\n', encoding="utf-8")
    assert distribution_files(tmp_path) == ["a\nb.txt", "gale/one\u2028two.md"]


def test_an_installed_package_without_a_docset_is_read_where_it_lies(home: Path, project: Path) -> None:
    package = project / "node_modules" / "next"
    (package / "dist" / "docs" / "01-app").mkdir(parents=True)
    (package / "package.json").write_text('{"name": "next", "version": "16.3.0", "license": "MIT"}')
    (package / "dist" / "docs" / "01-app" / "auth.md").write_text("# Auth\n\nProtect it.\n")
    (package / "CHANGELOG.md").write_text("# Changes\n\nMany.\n")
    report = add_source(str(package), store=Store(), catalogue=CATALOGUE, offline=True)
    assert (report.id, report.version, report.pages) == ("/vercel/next.js", "16.3.0", 1)
    [hit] = Store().open(report.installed).search("auth").hits
    assert hit.url == "https://nextjs.org/docs/app/auth"
    assert report.installed.meta.license == "MIT"
