"""The file: its tables, its bytes, and what is refused when it comes from elsewhere."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import apsw
import pytest

from docs_researcher.core.errors import DocsetInvalid, StoreUnwritable
from docs_researcher.docsets.building.chunks import chunk_page
from docs_researcher.docsets.file import Docset, write_docset
from docs_researcher.docsets.readers.base import Block, Page
from docs_researcher.docsets.schema import APPLICATION_ID, SCHEMA_VERSION
from docs_researcher.docsets.skipped import Skipped
from docs_researcher.docsets.sources.base import SourceInfo
from foreign_docset import foreign

INFO = SourceInfo("acme", "1.0.0", "/npm/acme", purl="pkg:npm/acme@1.0.0", title="Acme", license="MIT", date="2026-03-18")


def page(path: str, title: str, *texts: str) -> Page:
    blocks = [Block("heading", f"# {title}", 1, level=1, title=title)]
    blocks += [Block("text", text, line) for line, text in enumerate(texts, start=3)]
    return Page(path, title, "", tuple(blocks))


def write(target: Path, *pages: Page, info: SourceInfo = INFO) -> None:
    write_docset(target, info, [(one, chunk_page(one)) for one in pages], skipped=[Skipped("docs/x.md", "not UTF-8 text")])


def test_a_page_that_comes_in_parts_is_one_page(tmp_path: Path) -> None:
    parts = [page("docs/a.md", "Auth", text) for text in ("Log in with `login()`.", "Log out with `logout()`.")]
    write(tmp_path / "a.db", *parts, PAGES[1])
    with Docset.open(tmp_path / "a.db") as docset:
        assert [path for path, _ in docset.pages()] == ["docs/a.md", "docs/b.md"]
        assert (docset.meta.pages, docset.meta.chunks) == (2, 3)
        found = docset.page("docs/a.md")
    assert found is not None
    assert "login()" in found.content
    assert "logout()" in found.content


PAGES = (page("docs/a.md", "Auth", "Log in with `login()`."), page("docs/b.md", "Cache", "Cached for a minute."))


def test_the_tables_are_those_of_the_context_project_with_more_beside(tmp_path: Path) -> None:
    write(tmp_path / "a.db", *PAGES)
    connection: Any = apsw.Connection(str(tmp_path / "a.db"), flags=apsw.SQLITE_OPEN_READONLY)
    meta = {str(key): str(value) for key, value in connection.execute("SELECT key, value FROM meta").fetchall()}
    assert (meta["name"], meta["version"], meta["library_id"]) == ("acme", "1.0.0", "/npm/acme")
    assert [row[1] for row in connection.execute("PRAGMA table_info(chunks_fts)")] == [
        "doc_title",
        "section_title",
        "content",
        "doc_path",
    ]
    peer = (
        "SELECT c.doc_path, c.doc_title, c.section_title, c.content, c.tokens, c.has_code FROM chunks_fts "
        "JOIN chunks c ON c.id = chunks_fts.rowid WHERE chunks_fts MATCH ? ORDER BY bm25(chunks_fts, 5, 10, 1) LIMIT 20"
    )
    assert [row[0] for row in connection.execute(peer, ("login",))] == ["docs/a.md"]
    assert connection.execute("PRAGMA application_id").fetchall() == [(APPLICATION_ID,)]
    assert connection.execute("PRAGMA user_version").fetchall() == [(SCHEMA_VERSION,)]
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_equal_input_gives_equal_bytes(tmp_path: Path) -> None:
    write(tmp_path / "a.db", *PAGES)
    write(tmp_path / "b.db", *PAGES)
    assert (tmp_path / "a.db").read_bytes() == (tmp_path / "b.db").read_bytes()


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    write(tmp_path / "a.db", *PAGES)
    with Docset.open(tmp_path / "a.db") as docset:
        meta = docset.meta
        assert (meta.name, meta.version, meta.purl, meta.license, meta.date) == (
            "acme",
            "1.0.0",
            "pkg:npm/acme@1.0.0",
            "MIT",
            "2026-03-18",
        )
        assert (meta.pages, meta.chunks) == (2, 2)
        assert docset.pages() == (("docs/a.md", "Auth"), ("docs/b.md", "Cache"))
        assert docset.skipped() == (("docs/x.md", "not UTF-8 text"),)
        text = docset.page("docs/a.md")
        assert text is not None
        assert text.content == "Log in with `login()`."
        assert docset.page("docs/none.md") is None


def test_a_library_without_a_version_has_none_afterwards(tmp_path: Path) -> None:
    write(tmp_path / "a.db", *PAGES, info=SourceInfo("notes", None, "/local/notes"))
    with Docset.open(tmp_path / "a.db") as docset:
        assert docset.meta.version is None


def test_addresses_come_from_the_sources_rule(tmp_path: Path) -> None:
    info = SourceInfo("acme", "1", "/npm/acme", page_url=lambda path: f"https://acme.example/{path.removesuffix('.md')}")
    write(tmp_path / "a.db", *PAGES, info=info)
    with Docset.open(tmp_path / "a.db") as docset:
        assert docset.search("login").hits[0].url == "https://acme.example/docs/a"


def test_the_file_is_the_only_thing_that_is_left(tmp_path: Path) -> None:
    write(tmp_path / "a.db", *PAGES)
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


def test_a_failed_build_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a.db"
    write(target, *PAGES)
    before = target.read_bytes()

    def failing() -> object:
        yield PAGES[0], chunk_page(PAGES[0])
        raise RuntimeError("stopped")

    with pytest.raises(RuntimeError):
        write_docset(target, INFO, failing())  # type: ignore[arg-type]  # a generator that fails
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


@pytest.mark.interop
@pytest.mark.parametrize("size", [0, 8_192, 120_000])
def test_a_full_disk_is_said_and_leaves_nothing_behind(tmp_path: Path, size: int) -> None:
    script = f"""
import resource, signal, sys
from pathlib import Path
from typing import Any
from docs_researcher.core.errors import StoreUnwritable
from docs_researcher.docsets.building.chunks import chunk_page
from docs_researcher.docsets.file import write_docset
from docs_researcher.docsets.readers.base import Block, Page
from docs_researcher.docsets.sources.base import SourceInfo
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
pages = [Page(f"{{n}}.md", "T", "", (Block("text", " ".join(f"word{{n}}x{{m}}" for m in range(400)), 1),)) for n in range(200)]
try:
    write_docset(Path(sys.argv[1]) / "a.db", SourceInfo("a", "1", "/npm/a"), ((page, chunk_page(page)) for page in pages))
except StoreUnwritable as error:
    print(error.what, "|", error.next_step)
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, timeout=50, check=False)
    assert done.stderr == ""
    assert "could not be written" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnwritable) as caught:
        write(tmp_path / "file" / "a.db", *PAGES)
    assert caught.value.next_step


def test_a_file_of_the_context_project_is_searched(tmp_path: Path) -> None:
    with Docset.open(foreign(tmp_path / "peer.db")) as docset:
        assert (docset.meta.library_id, docset.meta.version, docset.meta.pages, docset.meta.chunks) == (
            "/local/peer",
            "3.1",
            1,
            2,
        )
        hit = docset.search("how do I draw a widget?").hits[0]
        assert (hit.path, hit.title, hit.heading, hit.url, hit.line) == ("guide.md", "Guide", "Widgets", None, 0)
        text = docset.page("guide.md")
        assert text is not None
        assert "Frame it." in text.content


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW spy AS SELECT 1",
        "CREATE TRIGGER spy AFTER INSERT ON chunks BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE more USING fts5(a)",
        "DROP TABLE chunks",
        "DROP TABLE chunks_fts",
        "ALTER TABLE chunks DROP COLUMN tokens",
        "DELETE FROM meta WHERE key = 'version'",
        "PRAGMA application_id = 7",
    ],
)
def test_an_odd_file_from_elsewhere_is_refused(tmp_path: Path, statement: str) -> None:
    with pytest.raises(DocsetInvalid) as caught:
        Docset.open(foreign(tmp_path / "peer.db", statement))
    assert caught.value.next_step


def test_a_view_in_the_place_of_a_table_is_refused(tmp_path: Path) -> None:
    path = foreign(
        tmp_path / "peer.db", "ALTER TABLE chunks RENAME TO real_chunks", "CREATE VIEW chunks AS SELECT * FROM real_chunks"
    )
    with pytest.raises(DocsetInvalid, match="view"):
        Docset.open(path)


def test_a_newer_schema_is_refused_with_the_advice_to_upgrade(tmp_path: Path) -> None:
    write(tmp_path / "a.db", *PAGES)
    connection: Any = apsw.Connection(str(tmp_path / "a.db"))
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    with pytest.raises(DocsetInvalid, match="newer docs-researcher") as caught:
        Docset.open(tmp_path / "a.db")
    assert "Upgrade" in caught.value.next_step


@pytest.mark.parametrize("data", [b"", b"hello", b"SQLite format 3\x00" + b"\x00" * 200])
def test_what_is_no_docset_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.db").write_bytes(data)
    with pytest.raises(DocsetInvalid):
        Docset.open(tmp_path / "a.db")
    with pytest.raises(DocsetInvalid):
        Docset.open(tmp_path / "missing.db")


def test_damage_inside_is_an_error_of_ours(tmp_path: Path) -> None:
    write(tmp_path / "a.db", *(page(f"docs/{n}.md", f"Page {n}", "widget words " * 200) for n in range(40)))
    data = bytearray((tmp_path / "a.db").read_bytes())
    for start in range(40_000, len(data), 4096):
        data[start : start + 4096] = b"\xff" * len(data[start : start + 4096])
    (tmp_path / "a.db").write_bytes(data)
    with pytest.raises(DocsetInvalid), Docset.open(tmp_path / "a.db") as docset:
        docset.search("widget words")


def test_one_docset_is_searched_from_several_threads(make_docset: Callable[[Mapping[str, str]], Docset]) -> None:
    docset = make_docset({f"{n}.md": f"# Page {n}\n\nwidget {n}\n" for n in range(50)})
    results: list[str] = []

    def look(number: int) -> None:
        results.extend(docset.search(f"page {number} widget").hits[0].path for _ in range(20))

    threads = [threading.Thread(target=look, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(set(results)) == [f"{number}.md" for number in range(8)]
    assert len(results) == 160
