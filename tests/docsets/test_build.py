"""From a source to an installed docset: what is counted, what is an error, what is left as it was."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest

from docs_researcher.core.errors import NoDocumentation
from docs_researcher.core.events import Event
from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.building import write
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.meta import BUILDER
from docs_researcher.docsets.sources.base import SourceInfo
from docs_researcher.docsets.sources.folder import FolderSource
from pages_source import PagesSource


def test_a_folder_becomes_a_docset(tmp_path: Path, store: Store) -> None:
    (tmp_path / "handbook" / "docs").mkdir(parents=True)
    (tmp_path / "handbook" / "docs" / "deploy.md").write_text("# Deploy\n\n```sh\nmake deploy\n```\n", encoding="utf-8")
    events: list[Event] = []
    report = build_docset(FolderSource(tmp_path / "handbook"), store, events.append)
    assert (report.id, report.version, report.pages, report.chunks, report.already) == ("/local/handbook", None, 1, 1, False)
    assert report.installed.meta.snippets == 1
    assert events
    assert {event.kind for event in events} == {"build"}
    assert store.open(report.installed).search("deploy").hits[0].path == "docs/deploy.md"


def test_a_file_that_is_no_text_is_counted_and_the_others_are_read(store: Store) -> None:
    pages = {
        "docs/a.md": "# A\n\nfine\n",
        "docs/binary.md": b"\x00\x01\x02",
        "docs/latin.md": "# Café\n\nserved\n".encode("latin-1"),
        "docs/empty.md": "",
    }
    report = build_docset(PagesSource(pages), store)
    assert report.pages == 2
    assert {item.path: item.reason for item in report.skipped}["docs/binary.md"] == "holds NUL bytes, as no text does"
    assert "docs/empty.md" in {item.path for item in report.skipped}
    assert [item.path for item in report.notes] == ["docs/latin.md"]
    assert store.open(report.installed).search("café").hits[0].path == "docs/latin.md"


def test_the_same_version_again_is_said_to_be_there(store: Store) -> None:
    first = build_docset(PagesSource({"docs/a.md": "# A\n\nold\n", "docs/b.md": b"\x00"}), store)
    again = build_docset(PagesSource({"docs/a.md": "# A\n\nnew\n"}), store)
    assert again.already
    assert (again.id, again.version, again.pages, again.chunks) == (first.id, first.version, first.pages, first.chunks)
    assert again.skipped == first.skipped
    assert store.open(again.installed).search("old").hits


def test_replace_reads_it_anew(store: Store) -> None:
    build_docset(PagesSource({"docs/a.md": "# A\n\nold\n"}), store)
    report = build_docset(PagesSource({"docs/a.md": "# A\n\nnew\n"}), store, replace=True)
    assert not report.already
    assert store.open(report.installed).search("new").hits
    assert len(store.installed()) == 1


def test_a_text_in_front_of_small_sections_stands_under_none_of_their_headings(store: Store) -> None:
    page = "# Billing\n\nCharge a card.\n\n## Refunds\n\nGive back.\n\n## Webhooks\n\nListen.\n"
    docset = store.open(build_docset(PagesSource({"billing.md": page}), store).installed)
    shown = docset.page("billing.md")
    assert shown is not None
    assert shown.content.startswith("Charge a card.")
    assert [line for line in shown.content.splitlines() if line.startswith("#")] == ["## Refunds", "## Webhooks"]


def test_a_folder_with_a_version_that_changed_is_read_anew_too(store: Store, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\none\n", encoding="utf-8")
    source = FolderSource(tmp_path, name="lib", version="1")
    assert not build_docset(source, store).already
    assert build_docset(source, store).already
    (tmp_path / "a.md").write_text("# A\n\ntwo\n", encoding="utf-8")
    changed = build_docset(source, store)
    assert not changed.already
    assert "two" in store.open(changed.installed).search("two").hits[0].content


def test_a_folder_that_changed_is_read_anew_and_one_that_did_not_is_there_already(store: Store) -> None:
    info = SourceInfo("notes", None, "/local/notes")
    assert not build_docset(PagesSource({"a.md": "# A\n\none\n"}, info), store).already
    assert build_docset(PagesSource({"a.md": "# A\n\none\n"}, info), store).already
    changed = build_docset(PagesSource({"a.md": "# A\n\ntwo\n"}, info), store)
    assert not changed.already
    assert store.open(changed.installed).search("two").hits


@pytest.mark.parametrize("pages", [{}, {"docs/a.md": ""}, {"docs/a.md": b"\x00"}])
def test_nothing_to_index_is_an_error_and_nothing_is_installed(store: Store, pages: dict[str, bytes]) -> None:
    with pytest.raises(NoDocumentation) as caught:
        build_docset(PagesSource(pages), store)
    assert caught.value.why
    assert caught.value.next_step
    assert store.installed() == ()
    assert list((store.docsets_dir / "npm").iterdir()) == []


def test_a_failed_replacement_leaves_the_docset_as_it_was(store: Store) -> None:
    build_docset(PagesSource({"docs/a.md": "# A\n\nwidget\n"}), store)
    with pytest.raises(NoDocumentation):
        build_docset(PagesSource({"docs/a.md": b"\x00"}), store, replace=True)
    assert store.open(store.installed()[0]).search("widget").hits


def test_what_a_killed_build_left_is_removed_by_the_next(store: Store) -> None:
    folder = store.docsets_dir / "npm"
    folder.mkdir(parents=True)
    (folder / ".acme@1.0.0.db.abc.partial").write_bytes(b"half")
    (folder / ".acme@1.0.0.db.finished").write_bytes(b"half")
    assert store.installed() == ()
    build_docset(PagesSource({"docs/a.md": "# A\n\nwidget\n"}), store)
    assert [path.name for path in folder.iterdir()] == ["acme@1.0.0.db"]


def test_pages_that_only_point_to_another_are_noted_and_not_indexed(store: Store) -> None:
    pages = {
        "docs/01-app/form.md": "---\ntitle: Form\n---\n\nA widget form.\n",
        "docs/02-pages/form.md": "---\ntitle: Form\nsource: app/form\n---\n\n{/* DO NOT EDIT THIS PAGE. */}\n",
    }
    report = build_docset(PagesSource(pages), store)
    assert report.pages == 1
    assert [(item.path, item.reason) for item in report.notes] == [
        ("docs/02-pages/form.md", "only points to docs/01-app/form.md")
    ]


def test_control_characters_do_not_reach_the_docset(store: Store) -> None:
    report = build_docset(
        PagesSource({"docs/a.md": "# Col\x1b[31mours\n\n\x1b]0;owned\x07widget\x00\n".replace("\x00", "")}), store
    )
    hit = store.open(report.installed).search("widget").hits[0]
    assert "\x1b" not in hit.title + hit.content
    assert hit.title == "Colours"


STALLING = """
import sys
from pathlib import Path
from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.sources.base import Document, SourceInfo, SourceTree
from docs_researcher.docsets.installed.store import Store

class Stalling:
    info = SourceInfo("acme", "1.0.0", "/npm/acme", purl="pkg:npm/acme@1.0.0")
    def read(self, listener):
        return SourceTree(self.info, self.documents())
    def documents(self):
        yield Document("docs/a.md", b"# A\\n\\nhalf\\n")
        print("half", flush=True)
        sys.stdin.read()

build_docset(Stalling(), Store(Path(sys.argv[1])), replace=True)
"""


@pytest.mark.interop
def test_a_build_that_is_killed_leaves_the_store_as_it_was_and_the_next_one_tidies_up(store: Store) -> None:
    build_docset(PagesSource({"docs/a.md": "# A\n\nwhole\n"}), store)
    command = [sys.executable, "-c", STALLING, str(store.home)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "half\n"
        child.kill()
    folder = store.docsets_dir / "npm"
    assert len(list(folder.iterdir())) == 2
    assert store.open(store.installed()[0]).search("whole").hits
    build_docset(PagesSource({"docs/a.md": "# A\n\nagain\n"}), store, replace=True)
    assert [path.name for path in folder.iterdir()] == ["acme@1.0.0.db"]


def _build_in_a_process(home: str) -> bool:
    folder = Path(home) / "source"
    return build_docset(FolderSource(folder, name="lib", version="1"), Store(Path(home) / "home")).already


@pytest.mark.interop
def test_processes_that_build_the_same_docset_build_it_once(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "a.md").write_text("# A\n\nwidget\n", encoding="utf-8")
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        results = pool.map(_build_in_a_process, [str(tmp_path)] * 3)
    assert sorted(results) == [False, True, True]


def test_a_readme_without_a_main_heading_is_called_after_its_library(store: Store) -> None:
    pages = {
        "README.md": b'<h1 align="center">Acme</h1>\n\n## [Read the docs](https://acme.example)\n\nSay hello.\n',
        "docs/README.md": b"## Guides\n\nSay more.\n",
    }
    report = build_docset(PagesSource(pages), store)
    titles = {hit.path: hit.title for hit in store.open(report.installed).search("say").hits}
    assert titles == {"README.md": report.installed.meta.title, "docs/README.md": "Guides"}


def test_what_an_older_builder_made_is_built_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "BUILDER", BUILDER - 1)
    old = build_docset(PagesSource({"docs/a.md": "# A\n\nfine\n"}), store)
    assert old.installed.meta.is_by_older_builder
    monkeypatch.undo()
    new = build_docset(PagesSource({"docs/a.md": "# A\n\nfine\n"}), store)
    assert not new.already
    assert store.open(new.installed).meta.builder == BUILDER
    assert build_docset(PagesSource({"docs/a.md": "# A\n\nfine\n"}), store).already
