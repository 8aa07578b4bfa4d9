"""PyPI's index, on loopback; and the real one."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from docs_researcher.core.errors import PackageNotFound, SourceRefused, SourceUnavailable
from docs_researcher.library.registries.pypi import PypiIndex
from docs_researcher.library.registries.settings import RegistrySettings
from loopback_web import Answer, Loopback

ARCHIVE = b"an archive"
SHA256 = hashlib.sha256(ARCHIVE).hexdigest()
JSON_TYPE = "application/vnd.pypi.simple.v1+json"


def file(name: str, **more: object) -> dict[str, object]:
    return {"filename": name, "url": f"/files/{name}", "hashes": {"sha256": SHA256}, "size": len(ARCHIVE), **more}


def project(*files: dict[str, object]) -> Answer:
    return Answer(json.dumps({"meta": {"api-version": "1.1"}, "files": files}).encode(), content_type=JSON_TYPE)


@pytest.fixture
def index(loopback: Loopback) -> PypiIndex:
    return PypiIndex(RegistrySettings(pypi_indexes=(f"{loopback.url}/simple",)))


def test_the_source_archive_of_the_newest_stable_version_is_chosen(loopback: Loopback, index: PypiIndex) -> None:
    loopback.pages["/simple/my-lib/"] = project(
        file("my_lib-1.9.0.tar.gz"),
        file("my_lib-1.10.0-py3-none-any.whl"),
        file("my_lib-1.10.0.zip"),
        file("my_lib-1.10.0.tar.gz", **{"upload-time": "2026-05-06T07:08:09.123Z", "yanked": False}),
        file("my_lib-1.11.0.tar.gz", yanked="broken"),
        file("my_lib-2.0.0rc1.tar.gz"),
        file("my_lib-1.12.0-py3-none-any.whl"),
        file("other-9.9.tar.gz"),
        file("my_lib-1.0.exe"),
    )
    assert index.newest("My.Lib") == "1.10.0"
    assert index.versions("my-lib") == ("2.0.0rc1", "1.10.0", "1.9.0")
    release = index.release("my_lib")
    assert (release.filename, release.version, release.date) == ("my_lib-1.10.0.tar.gz", "1.10.0", "2026-05-06")
    assert release.url == f"{loopback.url}/files/my_lib-1.10.0.tar.gz"
    assert release.size == len(ARCHIVE)
    assert len(loopback.asked) == 1
    assert JSON_TYPE in loopback.asked[0].headers["accept"]


def test_a_version_is_found_exactly_or_by_range(loopback: Loopback, index: PypiIndex) -> None:
    loopback.pages["/simple/lib/"] = project(
        file("lib-5.2.tar.gz"), file("lib-5.2.9.tar.gz"), file("lib-6.0.tar.gz"), file("lib-5.9-py3-none-any.whl"),
        file("lib-4.0.tar.gz", yanked=True),
    )  # fmt: skip
    assert index.release("lib", "5.2").version == "5.2"
    assert index.release("lib", "5").version == "5.2.9"
    assert index.release("lib", ">=5,<6").version == "5.2.9"
    assert index.release("lib", "4.0").yanked
    assert index.release("lib", "5.9").filename == "lib-5.9-py3-none-any.whl"
    with pytest.raises(PackageNotFound, match="no version 7 of lib") as caught:
        index.release("lib", "7")
    assert "6.0" in caught.value.next_step


def test_an_unknown_project_is_not_found(loopback: Loopback, index: PypiIndex) -> None:
    with pytest.raises(PackageNotFound, match="PyPI has no project nothing"):
        index.files("nothing")
    with pytest.raises(PackageNotFound):
        index.files("../etc")
    assert [asked.path for asked in loopback.asked] == ["/simple/nothing/"]


def test_an_index_in_html_is_read_too(loopback: Loopback, index: PypiIndex) -> None:
    page = (
        f'<!DOCTYPE html><a href="../../f/lib-1.0.tar.gz#sha256={SHA256}">lib-1.0.tar.gz</a>'
        '<a href="/f/lib-2.0.tar.gz" data-yanked="bad">x</a><a>no address</a>'
    )
    loopback.pages["/simple/lib/"] = Answer(page.encode(), content_type="text/html; charset=utf-8")
    release = index.release("lib")
    assert (release.version, release.url) == ("1.0", f"{loopback.url}/f/lib-1.0.tar.gz")
    assert release.integrity is not None
    assert [found.yanked for found in index.files("lib")] == [False, True]


def test_the_first_index_that_knows_the_project_answers(loopback: Loopback, other_loopback: Loopback) -> None:
    index = PypiIndex(RegistrySettings(pypi_indexes=(f"{loopback.url}/simple", f"{other_loopback.url}/simple")))
    other_loopback.pages["/simple/lib/"] = project(file("lib-9.0.tar.gz"))
    other_loopback.pages["/simple/both/"] = project(file("both-9.0.tar.gz"))
    loopback.pages["/simple/both/"] = project(file("both-1.0.tar.gz"))
    assert index.newest("lib") == "9.0"
    assert index.newest("both") == "1.0"


def test_files_that_lie_elsewhere_over_plain_http_are_left_out(loopback: Loopback, index: PypiIndex) -> None:
    loopback.pages["/simple/lib/"] = project(
        {**file("lib-2.0.tar.gz"), "url": "http://192.0.2.1/lib-2.0.tar.gz"},
        {**file("lib-1.0.tar.gz"), "url": "file:///etc/lib-1.0.tar.gz"},
        file("lib-0.9.tar.gz"),
    )
    assert index.versions("lib") == ("0.9",)


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"files": 1}'])
def test_an_answer_of_another_form_is_an_unavailable_index(loopback: Loopback, index: PypiIndex, body: bytes) -> None:
    loopback.pages["/simple/lib/"] = Answer(body, content_type=JSON_TYPE)
    with pytest.raises(SourceUnavailable, match="does not answer like a Python package index"):
        index.files("lib")


def test_a_project_without_files_has_no_newest_version(loopback: Loopback, index: PypiIndex) -> None:
    loopback.pages["/simple/lib/"] = project()
    with pytest.raises(PackageNotFound, match="no files of lib"):
        index.newest("lib")


def test_an_archive_is_downloaded_and_checked(loopback: Loopback, index: PypiIndex, tmp_path: Path) -> None:
    loopback.pages["/simple/lib/"] = project(file("lib-1.0.tar.gz"))
    loopback.pages["/files/lib-1.0.tar.gz"] = Answer(ARCHIVE)
    release = index.release("lib")
    assert index.download(release, tmp_path / "a", max_bytes=100) == len(ARCHIVE)
    loopback.pages["/files/lib-1.0.tar.gz"] = Answer(b"another!!!")
    with pytest.raises(SourceRefused, match="sha256 checksum differs"):
        index.download(release, tmp_path / "b", max_bytes=100)


@pytest.mark.registry
def test_the_real_index_answers(tmp_path: Path) -> None:
    index = PypiIndex()
    release = index.release("iniconfig", "2.0.0")
    assert release.filename == "iniconfig-2.0.0.tar.gz"
    assert index.download(release, tmp_path / "x.tar.gz", max_bytes=1_000_000) > 1000
    with pytest.raises(PackageNotFound):
        index.release("iniconfig", "0.0.99")
