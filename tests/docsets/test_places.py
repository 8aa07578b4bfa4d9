"""Single files, docsets made elsewhere, languages, and what is saved beside."""

from __future__ import annotations

import shutil
from pathlib import Path

import apsw
import pytest

from docs_researcher.core.errors import DocsetInvalid, LibraryNotFound, SourceUnavailable, UsageError
from docs_researcher.docsets.acquiring.add import add_source, save_copy
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sql import run
from docs_researcher.library.catalogue import Catalogue

CATALOGUE = Catalogue.load()
FULL = """\
# Turning
Source: https://turbine.example/docs/turning

Turn the handle.

```sh
# not a title
turn
```

# Stopping

Let go of it.
"""


@pytest.fixture
def store(home: Path) -> Store:
    return Store()


def add(argument: Path | str, store: Store, *, name: str | None = None, language: str = "en") -> BuildReport:
    return add_source(str(argument), store=store, catalogue=CATALOGUE, name=name, language=language)


def paths(report: BuildReport, store: Store) -> list[str]:
    return [path for path, _ in store.open(report.installed).pages()]


@pytest.mark.parametrize(("name", "text"), [("use.md", "# Use\n\nSpin it.\n"), ("use.rst", "Use\n===\n\nSpin it.\n")])
def test_a_single_page_is_a_library_of_its_own(tmp_path: Path, store: Store, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    report = add(tmp_path / name, store)
    assert (report.id, report.pages) == ("/local/use", 1)
    assert store.open(report.installed).search("spin").hits[0].path == name


def test_llms_full_is_cut_into_the_pages_it_is_made_of(tmp_path: Path, store: Store) -> None:
    (tmp_path / "llms-full.txt").write_text(FULL)
    report = add(tmp_path / "llms-full.txt", store, name="turbine")
    assert paths(report, store) == ["docs/turning.md", "stopping.md"]
    [hit, *_] = store.open(report.installed).search("turn the handle").hits
    assert (hit.title, hit.url) == ("Turning", "https://turbine.example/docs/turning")
    assert "# not a title" in hit.content


def test_a_file_that_is_no_page_is_refused_with_what_can_be_read(tmp_path: Path, store: Store) -> None:
    (tmp_path / "film.mp4").write_bytes(b"x")
    with pytest.raises(UsageError, match=r"film\.mp4 is no file that can be read") as caught:
        add(tmp_path / "film.mp4", store)
    assert "Markdown" in caught.value.why


@pytest.mark.parametrize("argument", ["./nothing", "/nothing/at/all.tgz", "./gone.db"])
def test_a_path_that_is_not_there_is_said(argument: str, store: Store) -> None:
    with pytest.raises(SourceUnavailable, match="There is no"):
        add(argument, store)


def test_a_file_address_of_what_is_no_repository_is_to_be_given_as_a_path(tmp_path: Path, store: Store) -> None:
    folder, archive = tmp_path / "a b", tmp_path / "x.tgz"
    folder.mkdir()
    archive.touch()
    for place in (folder, archive):
        with pytest.raises(UsageError, match="no git repository") as caught:
            add(place.as_uri(), store)
        assert str(place) in caught.value.next_step


def test_an_unknown_word_is_no_path(store: Store) -> None:
    with pytest.raises(LibraryNotFound, match="is no folder"):
        add("zzgarblzz", store)


@pytest.fixture
def translated(tmp_path: Path) -> Path:
    for path in ("docs/en/a.md", "docs/de/a.md", "docs/fr-FR/a.md", "docs/plain.md", "docs/guide.zh-CN.md", "docs/id/tokens.md"):
        (tmp_path / "t" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "t" / path).write_text(f"# {path}\n\nText of {path}.\n")
    return tmp_path / "t"


@pytest.mark.parametrize(
    ("language", "kept"),
    [
        ("en", ["docs/en/a.md", "docs/plain.md"]),
        ("de", ["docs/de/a.md", "docs/plain.md"]),
        ("fr", ["docs/fr-FR/a.md", "docs/plain.md"]),
        ("all", ["docs/de/a.md", "docs/en/a.md", "docs/fr-FR/a.md", "docs/guide.zh-CN.md", "docs/id/tokens.md", "docs/plain.md"]),
    ],
)
def test_one_language_is_kept_and_what_says_none(translated: Path, store: Store, language: str, kept: list[str]) -> None:
    assert paths(add(translated, store, language=language), store) == kept


def test_a_folder_called_id_is_no_language_where_no_other_stands_beside_it(tmp_path: Path, store: Store) -> None:
    (tmp_path / "t" / "docs" / "id").mkdir(parents=True)
    (tmp_path / "t" / "docs" / "id" / "tokens.md").write_text("# Ids\n\nAbout identifiers.\n")
    (tmp_path / "t" / "docs" / "b.md").write_text("# B\n\nText.\n")
    assert paths(add(tmp_path / "t", store), store) == ["docs/b.md", "docs/id/tokens.md"]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A docset file that was built on another machine."""
    (tmp_path / "turbine").mkdir()
    (tmp_path / "turbine" / "use.md").write_text("# Use\n\nSpin it.\n")
    other = Store(tmp_path / "elsewhere")
    report = add_source(str(tmp_path / "turbine"), store=other, catalogue=CATALOGUE, pkg_version="1.2")
    return save_copy(report.installed, tmp_path / "out")


def test_a_docset_is_saved_to_a_folder_or_under_a_name(built: Path, tmp_path: Path, store: Store) -> None:
    assert built == tmp_path / "out" / "turbine@1.2.db"
    report = add(built, store)
    assert save_copy(report.installed, tmp_path / "deep" / "x.db") == tmp_path / "deep" / "x.db"
    assert (tmp_path / "deep" / "x.db").read_bytes() == built.read_bytes()


def test_a_docset_made_elsewhere_is_installed_and_stays_where_it_was(built: Path, store: Store) -> None:
    report = add(built, store)
    assert (report.id, report.version, report.already) == ("/local/turbine", "1.2", False)
    assert built.is_file()
    assert store.open(report.installed).search("spin").hits
    assert add(built, store).already


def change(path: Path, statement: str) -> None:
    connection = apsw.Connection(str(path))
    run(connection, statement)
    connection.close()


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON meta BEGIN SELECT 1; END", "holds a trigger"),
        ("CREATE VIEW v AS SELECT 1", "holds a view"),
        ("DELETE FROM meta WHERE key = 'name'", "does not say which library"),
        ("UPDATE chunks SET content = x'00ff'", "no text"),
        ("UPDATE chunks SET content = replace(hex(zeroblob(2000000)), '00', 'ab')", "characters"),
        ("DROP TABLE chunks_fts", "chunks_fts is missing"),
    ],
)
def test_a_docset_with_something_wrong_is_refused_before_it_is_copied(
    built: Path, store: Store, statement: str, why: str
) -> None:
    change(built, statement)
    with pytest.raises(DocsetInvalid) as caught:
        add(built, store)
    assert why in caught.value.why
    assert store.installed() == ()


def test_a_damaged_docset_is_refused(built: Path, store: Store) -> None:
    data = bytearray(built.read_bytes())
    data[4096 * 2 : 4096 * 3] = b"\xaa" * 4096
    built.write_bytes(data)
    with pytest.raises(DocsetInvalid):
        add(built, store)
    assert store.installed() == ()


def test_a_docset_brings_its_own_name(built: Path, store: Store) -> None:
    with pytest.raises(UsageError, match="says itself"):
        add(built, store, name="other")


def test_a_copy_that_cannot_be_written_is_an_error(built: Path, tmp_path: Path, store: Store) -> None:
    from docs_researcher.core.errors import StoreUnwritable

    installed = add(built, store).installed
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnwritable):
        save_copy(installed, tmp_path / "file" / "x.db")
    shutil.rmtree(tmp_path / "out")
