"""Docset files from elsewhere, added from a path and from an address: sound ones answer, odd ones are refused with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_researcher.core.errors import DocsetInvalid, DocsResearchError
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.acquiring.copies import file_checksum
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from foreign_docset import foreign
from loopback_web import Answer, Loopback

CATALOGUE = Catalogue.load()
LONG = "hex(zeroblob(1500000))"
"""Three million characters."""
AGAIN = "INSERT INTO chunks_fts(chunks_fts) VALUES ('rebuild')"
ODD = {
    "a trigger": ["CREATE TRIGGER spy AFTER INSERT ON chunks BEGIN SELECT 1; END"],
    "a view": ["CREATE VIEW spy AS SELECT * FROM chunks"],
    "the virtual table": ["CREATE VIRTUAL TABLE more USING fts5(a)"],
    "chunks.content holds something that is no text": ["UPDATE chunks SET content = x'00ff' WHERE id = 2"],
    "chunks.doc_path holds something that is no text": ["UPDATE chunks SET doc_path = x'00ff' WHERE id = 2"],
    "no UTF-8": ["UPDATE chunks SET content = CAST(x'ff00fe' AS TEXT) WHERE id = 2"],
    "chunks.tokens holds something that is no such number": ["UPDATE chunks SET tokens = 'many'"],
    "chunks.tokens holds": ["UPDATE chunks SET tokens = -5"],
    "chunks.has_code holds": ["UPDATE chunks SET has_code = 'yes'"],
    "chunks.content has 3,000,000 characters": [f"UPDATE chunks SET content = {LONG} WHERE id = 2", AGAIN],
    "chunks.doc_title has 3,000,000 characters": [f"UPDATE chunks SET doc_title = {LONG} WHERE id = 2", AGAIN],
    "chunks.doc_path has 3,000,000 characters": [f"UPDATE chunks SET doc_path = {LONG} WHERE id = 2"],
    "larger than 50 MB": ["UPDATE chunks SET content = hex(zeroblob(30000000)) WHERE id = 2"],
    "there is no text in it": ["DELETE FROM chunks", AGAIN],
    "its full-text index knows 0 of its 2 chunks": ["INSERT INTO chunks_fts(chunks_fts) VALUES ('delete-all')"],
    "does not say which library": ["UPDATE meta SET value = NULL WHERE key = 'name'"],
    "does not say which": ["UPDATE meta SET value = x'00ff' WHERE key = 'version'"],
    "no library is called": ["UPDATE meta SET value = '../../x' WHERE key = 'name'"],
    "what no library is called": [f"UPDATE meta SET value = {LONG} WHERE key = 'version'"],
}


def add(argument: str, store: Store, sha256: str | None = None) -> BuildReport:
    return add_source(argument, store=store, catalogue=CATALOGUE, sha256=sha256)


@pytest.mark.parametrize("reason", ODD)
def test_an_odd_file_is_refused_with_the_reason_and_leaves_nothing(
    tmp_path: Path, store: Store, home: Path, web: Loopback, reason: str
) -> None:
    path = foreign(tmp_path / "peer.db", *ODD[reason])
    web.pages["/peer.db"] = Answer(path.read_bytes())
    for argument, sha256 in ((str(path), None), (f"{web.url}/peer.db", file_checksum(path))):
        with pytest.raises(DocsetInvalid) as caught:
            add(argument, store, sha256)
        assert reason in caught.value.why
        assert caught.value.next_step
    assert store.installed() == ()
    assert [file for file in home.rglob("*.db*") if file.is_file()] == []


@pytest.mark.parametrize(
    "more",
    [[], ["CREATE TABLE more (x)"], ["CREATE INDEX by_title ON chunks(doc_title)"], ["UPDATE chunks SET has_code = NULL"],
     ["PRAGMA journal_mode = wal"]],
)  # fmt: skip
def test_a_sound_file_answers_whatever_stands_beside_its_tables(
    tmp_path: Path, store: Store, web: Loopback, more: list[str]
) -> None:
    path = foreign(tmp_path / "peer.db", *more)
    web.pages["/peer.db"] = Answer(path.read_bytes())
    report = add(f"{web.url}/peer.db", store, file_checksum(path))
    assert (report.id, report.version, report.chunks) == ("/local/peer", "3.1", 2)
    assert store.open(report.installed).search("draw a widget").hits[0].heading == "Widgets"
    assert add(str(path), store).already


def test_a_cut_file_is_refused(tmp_path: Path, store: Store, web: Loopback) -> None:
    path = foreign(tmp_path / "peer.db")
    web.pages["/peer.db"] = Answer(path.read_bytes()[:9_000])
    with pytest.raises(DocsResearchError, match="no docset that can be used"):
        add(f"{web.url}/peer.db", store)
    assert store.installed() == ()
