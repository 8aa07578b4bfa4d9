"""npm archives: the folder that npm strips, the catalogue's docs folder and addresses."""

from __future__ import annotations

import io
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from docs_researcher.core.errors import NoDocumentation
from docs_researcher.docsets.sources.npm import NpmSource
from docs_researcher.docsets.sources.pypi import PypiSource
from docs_researcher.library.entries import DocsLocation, Entry


@dataclass(frozen=True)
class Release:
    name: str = "acme"
    version: str = "2.0.1"
    license: str | None = "MIT"
    description: str | None = "Does things"
    date: str | None = "2026-03-18T10:11:12.000Z"


def tarball(path: Path, files: dict[str, str]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return path


ENTRY = Entry(
    name="Acme",
    id="/acme-inc/acme",
    ecosystem="npm",
    description="An example",
    npm=("acme",),
    docs=DocsLocation(package="npm:acme", folder="dist/docs", site="https://acme.example/docs", pages="numbered"),
)


def test_the_catalogues_folder_is_read_and_paths_are_as_shipped(tmp_path: Path) -> None:
    files = {"package/dist/docs/01-app/02-auth.md": "# Auth", "package/README.md": "# Acme", "package/docs/old.md": "# Old"}
    source = NpmSource(Release(), tarball(tmp_path / "a.tgz", files), ENTRY)
    assert [document.path for document in source.read().documents] == ["dist/docs/01-app/02-auth.md"]


def test_what_is_known_comes_from_registry_and_catalogue(tmp_path: Path) -> None:
    info = NpmSource(Release(), tmp_path / "a.tgz", ENTRY).info
    assert (info.name, info.version, info.library_id, info.title) == ("acme", "2.0.1", "/acme-inc/acme", "Acme")
    assert (info.purl, info.license, info.date) == ("pkg:npm/acme@2.0.1", "MIT", "2026-03-18")
    assert info.page_url("dist/docs/01-app/02-auth.md") == "https://acme.example/docs/app/auth"
    assert info.page_url("README.md") is None


def test_a_package_outside_the_catalogue_gets_an_id_of_its_own(tmp_path: Path) -> None:
    info = NpmSource(Release(name="@a/b"), tmp_path / "a.tgz").info
    assert (info.library_id, info.purl) == ("/npm/@a/b", "pkg:npm/%40a/b@2.0.1")


def test_any_first_folder_is_stripped_as_npm_does(tmp_path: Path) -> None:
    source = NpmSource(Release(), tarball(tmp_path / "a.tgz", {"acme-fork/docs/a.md": "# A", "acme-fork/README.md": "# R"}))
    assert [document.path for document in source.read().documents] == ["README.md", "docs/a.md"]


def test_the_docs_folder_of_another_package_of_the_library_is_not_assumed(tmp_path: Path) -> None:
    source = NpmSource(Release(name="acme-react"), tarball(tmp_path / "a.tgz", {"package/README.md": "# R"}), ENTRY)
    assert [document.path for document in source.read().documents] == ["README.md"]


def test_a_package_with_nothing_but_papers_has_no_documentation(tmp_path: Path) -> None:
    files = {"package/CHANGELOG.md": "# 1.0", "package/LICENSE.md": "MIT", "package/node_modules/x/README.md": "# X"}
    with pytest.raises(NoDocumentation, match="acme ships no documentation"):
        list(NpmSource(Release(), tarball(tmp_path / "a.tgz", files)).read().documents)


def test_the_top_folder_of_an_sdist_is_no_part_of_a_path(tmp_path: Path) -> None:
    files = {"click-8.5.1/docs/testing.md": "# Testing", "click-8.5.1/tests/docs/x.md": "# no"}
    source = PypiSource(Release(name="click", version="8.5.1"), tarball(tmp_path / "a.tar.gz", files))
    assert [document.path for document in source.read().documents] == ["docs/testing.md"]
    assert source.info.purl == "pkg:pypi/click@8.5.1"
