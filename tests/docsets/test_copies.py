"""Docset files: fetched from an address, held against a checksum, copied without writing over anything else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from docs_researcher.core.errors import DocsetInvalid, DocsResearchError, SourceRefused, SourceUnavailable, UsageError
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.acquiring.copies import file_checksum, save_copy
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from loopback_web import Answer, Loopback

CATALOGUE = Catalogue.load()


def build(folder: Path, name: str = "turbine", version: str = "1.2") -> Path:
    """A docset file that was built on another machine."""
    (folder / name).mkdir(parents=True)
    (folder / name / "use.md").write_text(f"# Use\n\nSpin the {name}.\n")
    other = Store(folder / "elsewhere")
    report = add_source(str(folder / name), store=other, catalogue=CATALOGUE, pkg_version=version)
    return save_copy(report.installed, folder / "out")


def add(argument: str, store: Store, *, sha256: str | None = None, offline: bool = False) -> BuildReport:
    return add_source(argument, store=store, catalogue=CATALOGUE, sha256=sha256, offline=offline)


def test_a_docset_is_fetched_from_an_address_and_installed(tmp_path: Path, store: Store, web: Loopback) -> None:
    web.pages["/turbine@1.2.db"] = Answer(build(tmp_path).read_bytes(), content_type="application/octet-stream")
    report = add(f"{web.url}/turbine@1.2.db", store)
    assert (report.id, report.version, report.pages, report.already) == ("/local/turbine", "1.2", 1, False)
    assert add(f"{web.url}/turbine@1.2.db", store).already


def test_an_address_may_hold_a_query(tmp_path: Path, store: Store, web: Loopback) -> None:
    web.pages["/turbine.db?signed=1"] = Answer(build(tmp_path).read_bytes())
    assert add(f"{web.url}/turbine.db?signed=1", store).pages == 1


@pytest.mark.parametrize("form", ["{}", "sha256:{}", "SHA"])
def test_a_checksum_is_held_against_the_file(tmp_path: Path, store: Store, web: Loopback, form: str) -> None:
    file = build(tmp_path)
    web.pages["/turbine.db"] = Answer(file.read_bytes())
    digits = file_checksum(file)
    right = digits.upper() if form == "SHA" else form.format(digits)
    wrong = form.format("0" * 64) if form != "SHA" else "0" * 64
    with pytest.raises(SourceRefused, match="not the file that is meant"):
        add(f"{web.url}/turbine.db", store, sha256=wrong)
    assert store.installed() == ()
    assert add(f"{web.url}/turbine.db", store, sha256=right).pages == 1


def test_a_checksum_may_stand_in_the_address_or_beside_the_file(tmp_path: Path, store: Store, web: Loopback) -> None:
    file = build(tmp_path)
    web.pages["/turbine.db"] = Answer(file.read_bytes())
    with pytest.raises(SourceRefused):
        add(f"{web.url}/turbine.db#sha256={'0' * 64}", store)
    web.pages["/turbine.db.sha256"] = Answer(f"{'0' * 64}  turbine.db\n".encode())
    with pytest.raises(SourceRefused):
        add(f"{web.url}/turbine.db", store)
    web.pages["/turbine.db.sha256"] = Answer(f"{file_checksum(file)}  turbine.db\n".encode())
    assert add(f"{web.url}/turbine.db", store).pages == 1


def test_a_checksum_is_held_against_a_file_on_disk_too(tmp_path: Path, store: Store) -> None:
    file = build(tmp_path)
    with pytest.raises(SourceRefused, match="not the file that is meant") as caught:
        add(str(file), store, sha256="0" * 64)
    assert file_checksum(file) in caught.value.why
    assert add(str(file), store, sha256=file_checksum(file)).pages == 1


@pytest.mark.parametrize(("sha256", "argument"), [("abc", "x.db"), ("0" * 64, "npm:next"), ("0" * 64, ".")])
def test_a_checksum_that_is_none_or_of_no_file_is_refused(store: Store, sha256: str, argument: str) -> None:
    with pytest.raises(UsageError):
        add(argument, store, sha256=sha256)


def test_what_lies_at_an_address_and_is_no_docset_is_refused(store: Store, web: Loopback) -> None:
    web.pages["/turbine.db"] = Answer(b"<html>Sign in</html>", content_type="text/html")
    with pytest.raises(DocsetInvalid, match="no docset"):
        add(f"{web.url}/turbine.db", store)
    with pytest.raises(DocsResearchError, match=r"nothing at /gone\.db"):
        add(f"{web.url}/gone.db", store)
    assert store.installed() == ()


def test_offline_no_docset_is_fetched(store: Store, web: Loopback) -> None:
    with pytest.raises(SourceUnavailable, match="cannot be read"):
        add(f"{web.url}/turbine.db", store, offline=True)
    assert web.asked == []


def test_a_copy_is_renewed_and_writes_over_nothing_else(tmp_path: Path, store: Store) -> None:
    installed = add(str(build(tmp_path)), store).installed
    other = build(tmp_path / "b", "gale", "3")
    place = tmp_path / "place.db"
    save_copy(installed, place)
    assert save_copy(installed, place) == place
    shutil.copyfile(other, place)
    with pytest.raises(UsageError, match="holds another docset") as caught:
        save_copy(installed, place)
    assert "/local/gale 3" in caught.value.why
    assert "--force" in caught.value.next_step
    (tmp_path / "notes.db").write_text("my notes")
    with pytest.raises(UsageError, match="is no docset"):
        save_copy(installed, tmp_path / "notes.db")
    assert (tmp_path / "notes.db").read_text() == "my notes"
    assert file_checksum(save_copy(installed, place, force=True)) == file_checksum(installed.path)


@pytest.mark.parametrize("place", ["mistyped/out", "mistyped/turbine.db"])
def test_a_copy_makes_no_folders_on_the_way_to_its_place(tmp_path: Path, store: Store, place: str) -> None:
    installed = add(str(build(tmp_path)), store).installed
    with pytest.raises(UsageError, match="There is no folder"):
        save_copy(installed, tmp_path / place)
    assert not (tmp_path / "mistyped").exists()
    assert save_copy(installed, tmp_path / "made").parent == tmp_path / "made"
