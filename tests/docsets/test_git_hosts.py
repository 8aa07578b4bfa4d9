"""Addresses of pages on well-known code hosts, read from repositories that are served on loopback in their place."""

from __future__ import annotations

from pathlib import Path

import pytest
from git_host import git

from docs_researcher.core.errors import NoDocumentation, UsageError
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from loopback_git import code_host, make_repository

pytestmark = pytest.mark.interop

CATALOGUE = Catalogue.load()
FILES = {
    "docs/use.md": "# Use\n\nSpin it slowly.\n",
    "manual/deep/more.md": "# More\n\nThe manual.\n",
    "README.md": "# T\n\nHi.\n",
}


def make(folder: Path) -> str:
    """A repository with a tag, a branch whose name has a slash, and a last commit, which is returned."""
    make_repository(folder, {"v1.0.0": FILES, None: {"docs/use.md": "# Use\n\nSpin it quickly.\n"}})
    git(folder, "branch", "feature/fast")
    return git(folder, "rev-parse", "HEAD")


def add(argument: str, store: Store, tag: str | None = None) -> BuildReport:
    return add_source(argument, store=store, catalogue=CATALOGUE, tag=tag)


def pages(report: BuildReport, store: Store) -> list[str]:
    return [path for path, _ in store.open(report.installed).pages()]


HOSTS = {
    "gitlab": "https://gitlab.com/",
    "bitbucket": "https://bitbucket.org/",
    "codeberg": "https://codeberg.org/",
    "gitea": "https://gitea.example.org/",
    "github": "https://github.com/",
    "own gitlab": "https://gitlab.example.org/",
}


@pytest.mark.parametrize(
    ("host", "path", "rest", "version", "read"),
    [
        ("gitlab", "group/sub/deep/turbine", "/-/tree/main/manual", None, ["manual/deep/more.md"]),
        ("gitlab", "group/sub/turbine", "/-/tree/feature/fast/docs?ref_type=heads", None, ["docs/use.md"]),
        ("gitlab", "group/turbine", "/-/blob/v1.0.0/docs/use.md", "1.0.0", ["docs/use.md"]),
        ("gitlab", "group/turbine", "/-/tree/COMMIT/docs", None, ["docs/use.md"]),
        ("own gitlab", "group/sub/turbine", "/-/tree/v1.0.0/manual/", "1.0.0", ["manual/deep/more.md"]),
        ("bitbucket", "owner/turbine", "/src/main/manual/", None, ["manual/deep/more.md"]),
        ("bitbucket", "owner/turbine", "/src/v1.0.0/docs", "1.0.0", ["docs/use.md"]),
        ("bitbucket", "owner/turbine", "/src/feature/fast/manual/deep", None, ["manual/deep/more.md"]),
        ("bitbucket", "owner/turbine", "/src/COMMIT/docs/use.md", None, ["docs/use.md"]),
        ("codeberg", "owner/turbine", "/src/branch/main/manual", None, ["manual/deep/more.md"]),
        ("codeberg", "owner/turbine", "/src/branch/feature/fast/docs", None, ["docs/use.md"]),
        ("codeberg", "owner/turbine", "/src/tag/v1.0.0/docs", "1.0.0", ["docs/use.md"]),
        ("codeberg", "owner/turbine", "/src/commit/COMMIT/docs", None, ["docs/use.md"]),
        ("gitea", "owner/turbine", "/src/branch/main/docs/use.md", None, ["docs/use.md"]),
        ("github", "owner/turbine", "/tree/feature/fast/manual", None, ["manual/deep/more.md"]),
        ("github", "owner/turbine", "/blob/main/docs/use.md#use", None, ["docs/use.md"]),
    ],
)
def test_the_address_of_a_page_is_read_as_its_host_writes_it(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch, host: str, path: str, rest: str, version: str | None,
    read: list[str],
) -> None:  # fmt: skip
    commit = make(tmp_path / "host" / path)
    with code_host(monkeypatch, tmp_path / "host", HOSTS[host]):
        report = add(f"{HOSTS[host]}{path}{rest.replace('COMMIT', commit)}", store)
    assert report.id == f"/{'/'.join(path.split('/')[-2:])}"
    assert (report.version, pages(report, store)) == (version, read)
    page = store.open(report.installed).page(read[0])
    assert page is not None
    assert page.url is not None
    assert page.url.startswith(f"{HOSTS[host]}{path}/")
    assert page.url.endswith(read[0])


@pytest.mark.parametrize(
    ("host", "path"), [("gitlab", "group/sub/turbine"), ("bitbucket", "owner/turbine"), ("codeberg", "o/turbine")]
)
def test_a_repository_itself_is_read_at_the_tag_that_is_named(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch, host: str, path: str
) -> None:
    make(tmp_path / "host" / path)
    with code_host(monkeypatch, tmp_path / "host", HOSTS[host]):
        with pytest.raises(UsageError, match="1 tag"):
            add(HOSTS[host] + path, store)
        report = add(f"{HOSTS[host]}{path}", store, tag="v1.0.0")
    page = store.open(report.installed).page("docs/use.md")
    assert page is not None
    assert "slowly" in page.content


def test_a_folder_that_is_not_there_is_said(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "host" / "owner" / "turbine")
    with code_host(monkeypatch, tmp_path / "host", HOSTS["codeberg"]), pytest.raises(NoDocumentation, match="nowhere"):
        add("https://codeberg.org/owner/turbine/src/branch/main/nowhere", store)
