"""The store: names that stay inside it, versions in their order, a list that survives everything."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from docs_researcher.core.errors import DocsetInvalid, StoreUnwritable
from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.names import file_name
from docs_researcher.docsets.sources.base import SourceInfo
from pages_source import PagesSource


def add(store: Store, name: str, version: str | None, text: str = "# Page\n\nwidget\n", kind: str = "npm") -> None:
    purl = f"pkg:{kind}/{name}@{version}" if kind != "local" else None
    info = SourceInfo(name, version, f"/{kind}/{name}", purl=purl)
    build_docset(PagesSource({"docs/a.md": text}, info), store)


def test_a_store_that_does_not_exist_is_empty_and_is_not_created(store: Store) -> None:
    assert store.installed() == ()
    assert not store.home.exists()


def test_the_environment_names_the_home(home: Path) -> None:
    assert Store().home == home


def test_files_lie_by_ecosystem_and_name(store: Store) -> None:
    add(store, "next", "16.2.0")
    add(store, "@a/b", "1.0")
    add(store, "click", "8.5.1", kind="pypi")
    add(store, "notes", None, kind="local")
    found = sorted(path.relative_to(store.docsets_dir).as_posix() for path in store.docsets_dir.rglob("*.db"))
    assert found == ["local/notes@unversioned.db", "npm/@a__b@1.0.db", "npm/next@16.2.0.db", "pypi/click@8.5.1.db"]


@pytest.mark.parametrize("versions", [["1.15.9", "1.15.10", "1.16.0-rc.2"], ["1.16.0-rc.2", "1.15.10", "1.15.9"]])
def test_versions_are_ordered_as_numbers_and_all_are_listed(store: Store, versions: list[str]) -> None:
    for version in versions:
        add(store, "lib", version)
    assert [item.version for item in store.find("/npm/lib")] == ["1.16.0-rc.2", "1.15.10", "1.15.9"]
    assert [item.version for item in store.installed()] == ["1.16.0-rc.2", "1.15.10", "1.15.9"]


def test_ids_are_found_without_regard_to_case(store: Store) -> None:
    add(store, "Lib", "1")
    assert store.find("/NPM/lib")[0].name == "Lib"
    assert store.find("/npm/other") == ()


def test_one_broken_file_is_reported_and_hides_nothing(store: Store) -> None:
    add(store, "good", "1")
    (store.docsets_dir / "npm" / "bad@1.db").write_bytes(b"not a database")
    listing = store.listing()
    assert [item.name for item in listing.installed] == ["good"]
    assert [(item.path.name, item.reason) for item in listing.broken] == [("bad@1.db", "it is no SQLite file")]


def test_a_link_in_the_store_does_not_count(store: Store, tmp_path: Path) -> None:
    add(store, "good", "1")
    shutil.copy(store.installed()[0].path, tmp_path / "other.db")
    (store.docsets_dir / "npm" / "linked@1.db").symlink_to(tmp_path / "other.db")
    assert len(store.installed()) == 1


def test_a_list_of_hundreds_opens_none_of_them(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    add(store, "lib", "1")
    original = store.installed()[0].path
    for number in range(200):
        shutil.copy(original, original.with_name(f"copy{number}@1.db"))
    assert len(Store(store.home).installed()) == 201

    def forbidden(path: Path) -> None:
        raise AssertionError(f"{path} was opened")

    monkeypatch.setattr("docs_researcher.docsets.file.Docset.open", forbidden)
    assert len(Store(store.home).installed()) == 201


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": 1, "files": []}', '{"format": 1, "files": {"npm/lib@1.db": {"meta": 3}}}']
)
def test_a_broken_memory_costs_nothing_but_time(store: Store, text: str) -> None:
    add(store, "lib", "1")
    (store.docsets_dir / "index.json").write_text(text, encoding="utf-8")
    assert [item.name for item in store.installed()] == ["lib"]


def test_a_replaced_file_is_read_anew(store: Store) -> None:
    add(store, "lib", "1", "# Old\n\nold widget\n")
    add(store, "other", "1", "# New\n\na new and longer widget text\n")
    lib, other = store.find("/npm/lib")[0], store.find("/npm/other")[0]
    assert store.open(lib) is store.open(lib)
    before = store.open(lib)
    other.path.replace(lib.path)
    assert store.open(lib) is not before
    assert [item.name for item in store.installed()] == ["other"]


def test_a_file_that_is_gone_is_an_error_of_ours(store: Store) -> None:
    add(store, "lib", "1")
    installed = store.installed()[0]
    installed.path.unlink()
    with pytest.raises(DocsetInvalid):
        store.open(installed)


def test_a_home_that_cannot_be_written_can_be_read_and_says_so_when_written(home: Path, store: Store) -> None:
    home.write_text("a file in the place of the folder")
    assert store.installed() == ()
    with pytest.raises(StoreUnwritable) as caught:
        add(store, "lib", "1")
    assert "DOCS_RESEARCH_HOME" in caught.value.next_step


@pytest.mark.parametrize(
    "name", ["../../x", "a\\..\\..\\b", "/etc/x", "a//b", "..", ".", "a/../b", "a\x00b", "a\nb", "", "x" * 300]
)
def test_a_name_that_could_leave_the_store_is_refused(store: Store, name: str) -> None:
    with pytest.raises(DocsetInvalid):
        store.path_for(name, "1", None)
    if name:
        with pytest.raises(DocsetInvalid):
            store.path_for("lib", name, None)


@pytest.mark.parametrize("name", ["con", "nul", "@a/b", "org.x:y", ".hidden", "a b", "é", "lib~1", "-rf"])
def test_every_other_name_is_a_file_directly_in_its_folder(store: Store, name: str) -> None:
    path = store.path_for(name, "1.0", "pkg:npm/x")
    assert path.parent == store.docsets_dir / "npm"
    assert path.name.partition(".")[0].lower() not in ("con", "nul", "")


def test_no_two_names_share_a_file() -> None:
    names = ["@a/b", "@a__b", "@a_/b", "@a/_b", "a/b", "a__b", "a___b", "a_b", "org.x:y", "org.x%3Ay", "a/b@1"]
    assert len({file_name(name, "1") for name in names}) == len(names)


def test_a_file_from_elsewhere_is_moved_into_its_place(store: Store, tmp_path: Path) -> None:
    add(store, "lib", "1")
    brought = tmp_path / "brought.db"
    shutil.move(store.installed()[0].path, brought)
    installed = store.install(brought)
    assert installed.path == store.docsets_dir / "npm" / "lib@1.db"
    assert not brought.exists()
    (tmp_path / "bad.db").write_bytes(b"x")
    with pytest.raises(DocsetInvalid):
        store.install(tmp_path / "bad.db")
