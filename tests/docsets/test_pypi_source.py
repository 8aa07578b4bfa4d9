"""Source archives of Python projects: RST pages, paths as shipped, what their metadata says; from there to a search."""

from __future__ import annotations

import io
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from docs_researcher.core.errors import NoDocumentation, SourceRefused
from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sources.pypi import PypiSource
from docs_researcher.library.entries import DocsLocation, Entry

METADATA = """\
Metadata-Version: 2.4
Name: acme
Version: 2.0.1
Summary: Does things
License-Expression: BSD-3-Clause
Classifier: License :: OSI Approved :: MIT License

Summary: not this one
"""
AUTH = """\
Signing in
==========

Pass a token to :class:`~acme.Client`::

    from acme import Client

    client = Client(token="t")
"""


@dataclass(frozen=True)
class Release:
    name: str = "acme"
    version: str = "2.0.1"
    date: str | None = "2026-03-18"


def sdist(path: Path, files: dict[str, str], top: str = "acme-2.0.1") -> Path:
    with tarfile.open(path / "acme-2.0.1.tar.gz", "w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(f"{top}/{name}")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return path / "acme-2.0.1.tar.gz"


ENTRY = Entry(
    name="Acme",
    id="/acme-inc/acme",
    ecosystem="pypi",
    description="An example",
    pypi=("acme",),
    docs=DocsLocation(package="pypi:acme", folder="docs", site="https://acme.example/en/", pages="folder", suffixes=(".txt",)),
)


def test_the_docs_folder_and_the_readme_are_read(tmp_path: Path) -> None:
    files = {
        "PKG-INFO": METADATA,
        "README.rst": "Acme\n====\n\nText.\n",
        "CHANGES.rst": "2.0\n===\n",
        "docs/auth.rst": AUTH,
        "docs/requirements.txt": "sphinx\n",
        "docs/license.rst": "License\n=======\n",
        "tests/docs/x.rst": "X\n=\n",
        "src/acme.egg-info/SOURCES.txt": "setup.py\n",
    }
    source = PypiSource(Release(), sdist(tmp_path, files))
    assert [document.path for document in source.read().documents] == ["README.rst", "docs/auth.rst"]


def test_what_is_known_comes_from_the_index_the_metadata_and_the_catalogue(tmp_path: Path) -> None:
    archive = sdist(tmp_path, {"PKG-INFO": METADATA, "docs/auth.txt": AUTH})
    alone = PypiSource(Release(), archive).info
    assert (alone.library_id, alone.title, alone.purl) == ("/pypi/acme", "acme", "pkg:pypi/acme@2.0.1")
    assert (alone.description, alone.license, alone.date) == ("Does things", "BSD-3-Clause", "2026-03-18")
    listed = PypiSource(Release(), archive, ENTRY).info
    assert (listed.library_id, listed.title) == ("/acme-inc/acme", "Acme")
    assert listed.page_url("docs/auth.txt") == "https://acme.example/en/auth/"


@pytest.mark.parametrize(
    ("fields", "license"),
    [
        ("License: MIT\n", "MIT"),
        ("License: UNKNOWN\nClassifier: License :: OSI Approved :: MIT License\n", "MIT License"),
        (f"License: {'Permission is granted ' * 20}\nClassifier: License :: OSI Approved :: ISC\n", "ISC"),
        ("License:\n", None),
        ("", None),
    ],
)
def test_the_licence_is_a_name_or_not_said(tmp_path: Path, fields: str, license: str | None) -> None:
    files = {"PKG-INFO": f"Name: acme\n{fields}Home-page: x\n\nText", "docs/a.rst": AUTH}
    assert PypiSource(Release(), sdist(tmp_path, files)).info.license == license


def test_an_archive_without_metadata_or_documentation_is_no_crash(tmp_path: Path) -> None:
    source = PypiSource(Release(), sdist(tmp_path, {"setup.py": "x"}))
    assert (source.info.description, source.info.license) == ("", None)
    with pytest.raises(NoDocumentation, match="acme ships no documentation"):
        list(source.read().documents)


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "acme-2.0.1.tar.gz"
    path.write_bytes(b"\x1f\x8b\x08\x00 no archive")
    with pytest.raises(SourceRefused):
        PypiSource(Release(), path)


def test_rst_in_text_files_is_indexed_and_found_with_its_code(tmp_path: Path, store: Store) -> None:
    archive = sdist(tmp_path, {"PKG-INFO": METADATA, "docs/topics/auth.txt": AUTH, "docs/notes.txt": "only words\n"})
    report = build_docset(PypiSource(Release(), archive, ENTRY), store)
    assert (report.id, report.version, report.pages) == ("/acme-inc/acme", "2.0.1", 1)
    assert [skipped.path for skipped in report.skipped] == ["docs/notes.txt"]
    [hit] = store.open(report.installed).search("sign in with a client token").hits
    assert (hit.path, hit.title, hit.has_code) == ("docs/topics/auth.txt", "Signing in", True)
    assert '```python\nfrom acme import Client\n\nclient = Client(token="t")\n```' in hit.content
    assert "`Client`" in hit.content
    assert hit.url == "https://acme.example/en/topics/auth/"


def test_the_endings_that_the_catalogue_names_are_read_as_well(tmp_path: Path, store: Store) -> None:
    docs = DocsLocation(package="pypi:acme", folder="docs", suffixes=(".inc",))
    entry = Entry(name="Acme", id="/acme-inc/acme", ecosystem="pypi", description="", pypi=("acme",), docs=docs)
    archive = sdist(tmp_path, {"docs/auth.inc": AUTH, "docs/other.xyz": AUTH})
    report = build_docset(PypiSource(Release(), archive, entry), store)
    assert [path for path, _ in store.open(report.installed).pages()] == ["docs/auth.inc"]


@pytest.mark.registry
def test_flask_is_added_from_its_real_archive(tmp_path: Path, store: Store) -> None:
    from docs_researcher.docsets.acquiring.fetch import PackageFetcher
    from docs_researcher.library.catalogue import Catalogue
    from docs_researcher.library.packages import PackageRef

    entry = Catalogue.load().find("flask")
    report = PackageFetcher(store, lambda event: None).fetch(PackageRef("pypi", "flask", "3.1.3"), "3.1.3", entry)
    assert (report.id, report.version) == ("/pallets/flask", "3.1.3")
    assert report.pages > 60
    hits = store.open(report.installed).search("register a blueprint").hits
    assert hits[0].path == "docs/blueprints.rst"
    assert any("```python" in hit.content and "register_blueprint" in hit.content for hit in hits)
