"""Archives are read as streams: what is wanted comes out, what is hostile stays inside and is counted."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any, cast

import pytest

from docs_researcher.core.errors import NoDocumentation, SourceRefused, SourceUnavailable
from docs_researcher.docsets.sources.archive import ArchiveSource
from docs_researcher.docsets.sources.archive_files import ArchiveBudget, read_archive, safe_path
from docs_researcher.docsets.sources.base import SourceInfo

INFO = SourceInfo("acme", "1.0", "/npm/acme")


def is_markdown(path: str) -> bool:
    return path.lower().endswith((".md", ".mdx"))


def member(name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE, linkname: str = "") -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, linkname
    info.size = len(data)
    return info, data


def write_tar(path: Path, members: list[tuple[tarfile.TarInfo, bytes]], mode: str = "gz") -> Path:
    with cast("tarfile.TarFile", cast("Any", tarfile).open(path, f"w:{mode}")) as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return path


HOSTILE = [
    member("../../outside.md", b"x"),
    member("/abs/outside.md", b"x"),
    member("docs/link", kind=tarfile.SYMTYPE, linkname="/etc"),
    member("docs/link/passwd.md", b"x"),
    member("docs/hard.md", kind=tarfile.LNKTYPE, linkname="../../outside.md"),
    member("docs/fifo.md", kind=tarfile.FIFOTYPE),
    member("docs/device.md", kind=tarfile.CHRTYPE),
    member("docs\\..\\..\\win.md", b"x"),
    member("C:\\evil.md", b"x"),
    member("docs/C:evil.md", b"x"),
    member("docs/new\nline.md", b"x"),
    member("docs/\x1b[2Jcolour.md", b"x"),
    member("docs/ok.md", b"# OK\n\nfine"),
]


@pytest.mark.parametrize("mode", ["", "gz", "bz2", "xz"])
def test_only_the_plain_file_of_a_hostile_tar_is_read_and_the_rest_is_counted(tmp_path: Path, mode: str) -> None:
    archive = write_tar(tmp_path / "a.tar", HOSTILE, mode)
    before = set(tmp_path.rglob("*"))
    contents = read_archive(archive, is_markdown)
    assert contents.files == {"docs/ok.md": b"# OK\n\nfine"}
    assert len(contents.skipped) == len(HOSTILE) - 1
    assert all("\x1b" not in item.path and "\n" not in item.path for item in contents.skipped)
    assert set(tmp_path.rglob("*")) == before


def test_only_the_plain_file_of_a_hostile_zip_is_read_and_the_rest_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("../../outside.md", "/abs/outside.md", "docs\\..\\..\\win.md", "docs/ok.md"):
            archive.writestr(zipfile.ZipInfo(name), "# OK")
        link = zipfile.ZipInfo("docs/link.md")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    contents = read_archive(path, is_markdown)
    assert list(contents.files) == ["docs/ok.md"]
    assert len(contents.skipped) == 4


def test_separators_of_windows_are_understood(tmp_path: Path) -> None:
    assert safe_path("docs\\guide\\a.md") == "docs/guide/a.md"
    assert safe_path("./docs//a.md") == "docs/a.md"
    assert safe_path("a..b/c.md") == "a..b/c.md"
    assert safe_path("..") is None


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.tgz"
    with gzip.open(path, "wb", compresslevel=9) as stream:
        info = tarfile.TarInfo("docs/bomb.bin")
        info.size = 5_000_000_000
        stream.write(info.tobuf())
        for _ in range(40):
            stream.write(b"\0" * 1_000_000)
    with pytest.raises(SourceRefused, match="unpacks to more than"):
        read_archive(path, is_markdown)


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("docs/bomb.md", b"\0" * 30_000_000)
    with pytest.raises(SourceRefused, match="unpacks to"):
        read_archive(path, is_markdown)


def test_a_header_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pax.tgz"
    with gzip.open(path, "wb") as stream:
        info = tarfile.TarInfo("pax")
        info.type, info.size = tarfile.XHDTYPE, 4_000_000
        stream.write(info.tobuf(tarfile.USTAR_FORMAT))
        stream.write(b"0" * 4_000_000)
    with pytest.raises(SourceRefused, match="header"):
        read_archive(path, is_markdown)


def test_members_sizes_and_totals_are_bounded(tmp_path: Path) -> None:
    many = write_tar(tmp_path / "many.tgz", [member(f"docs/{n}.md", b"x" * 100) for n in range(20)])
    with pytest.raises(SourceRefused, match="more than 10 files"):
        read_archive(many, is_markdown, budget=ArchiveBudget(members=10))
    with pytest.raises(SourceRefused, match="together"):
        read_archive(many, is_markdown, budget=ArchiveBudget(kept=500))
    with pytest.raises(SourceRefused, match="larger than"):
        read_archive(many, is_markdown, budget=ArchiveBudget(packed=10))
    contents = read_archive(many, is_markdown, budget=ArchiveBudget(member=50))
    assert contents.files == {}
    assert len(contents.skipped) == 20


@pytest.mark.parametrize("cut", [10, 200])
def test_a_damaged_archive_is_refused_with_a_next_step(tmp_path: Path, cut: int) -> None:
    whole = write_tar(tmp_path / "a.tgz", [member("docs/a.md", bytes(range(256)) * 40)]).read_bytes()
    path = tmp_path / "cut.tgz"
    path.write_bytes(whole[:cut])
    with pytest.raises(SourceRefused) as caught:
        read_archive(path, is_markdown)
    assert caught.value.next_step


def test_what_is_no_archive_is_refused_and_what_is_not_there_is_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "a.tgz"
    path.write_text("<html>404</html>")
    with pytest.raises(SourceRefused):
        read_archive(path, is_markdown)
    with pytest.raises(SourceUnavailable):
        read_archive(tmp_path / "missing.tgz", is_markdown)


def test_a_second_file_of_one_name_does_not_replace_the_first(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "a.tgz", [member("docs/a.md", b"first"), member("docs/a.md", b"second")])
    contents = read_archive(path, is_markdown)
    assert contents.files == {"docs/a.md": b"first"}
    assert [item.reason for item in contents.skipped] == ["a second file of the same name"]


def test_the_folder_that_all_files_share_is_no_part_of_their_paths(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "a.tgz", [member("acme-1.0/docs/b.md", b"b"), member("acme-1.0/docs/a.MD", b"a")])
    tree = ArchiveSource(path, INFO, readable=is_markdown).read()
    assert [document.path for document in tree.documents] == ["docs/a.MD", "docs/b.md"]


def test_a_docs_folder_that_all_files_share_stays(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "a.tgz", [member("docs/b.md", b"b"), member("docs/a.md", b"a")])
    tree = ArchiveSource(path, INFO, readable=is_markdown).read()
    assert [document.path for document in tree.documents] == ["docs/a.md", "docs/b.md"]


def test_an_archive_without_documentation_says_so(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "a.tgz", [member("acme/index.js", b"x"), member("acme/LICENSE.md", b"MIT")])
    with pytest.raises(NoDocumentation) as caught:
        list(ArchiveSource(path, INFO, readable=is_markdown).read().documents)
    assert caught.value.next_step
