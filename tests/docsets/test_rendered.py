"""Documentation that lies in a tree rendered as well as in its sources is read once, from its sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_researcher.docsets.sources.choose import choose
from docs_researcher.docsets.sources.folder import FolderSource
from docs_researcher.docsets.sources.rendered import COPIED, RENDERED

SOURCES = ["docs/index.rst", "docs/guide/a.rst", "docs/guide/b.rst"]
PAGES = ["index.html", "guide/a.html", "guide/b.html", "search.html", "genindex.html"]


@pytest.mark.parametrize("root", ["docs/html", "docs/build/html", "docs/public", "docs"])
def test_rendered_pages_beside_their_sources_are_left_out_and_counted(root: str) -> None:
    rendered = [f"{root}/{page}" for page in PAGES]
    copies = [f"{root}/_sources/{path.removeprefix('docs/')}.txt" for path in SOURCES]
    chosen = choose([*SOURCES, *rendered, *copies])
    assert chosen.paths == tuple(sorted(SOURCES))
    assert {item.path: item.reason for item in chosen.left_out} == {
        **dict.fromkeys(rendered, RENDERED),
        **dict.fromkeys(copies, COPIED),
    }


def test_pages_with_folders_as_addresses_are_known_as_rendered() -> None:
    sources = ["docs/src/a.md", "docs/src/b/c.md", "docs/src/b/index.md"]
    rendered = ["docs/site/a/index.html", "docs/site/b/c/index.html", "docs/site/b/index.html", "docs/site/404.html"]
    assert choose([*sources, *rendered]).paths == tuple(sources)


def test_rendered_pages_without_their_sources_are_read_and_the_copies_are_not() -> None:
    paths = ["guide/a.html", "index.html", "_sources/guide/a.rst.txt", "_sources/index.rst.txt"]
    assert choose(paths).paths == ("guide/a.html", "index.html")


def test_pages_written_in_html_beside_a_few_texts_of_the_same_name_are_read() -> None:
    paths = ["docs/a.html", "docs/b.html", "docs/c.html", "docs/d.html", "docs/notes/a.md", "docs/e.md"]
    assert choose(paths).paths == tuple(sorted(paths))


def test_a_folder_with_both_is_indexed_once(tmp_path: Path) -> None:
    for path in ("a.md", "b.md", "html/a.html", "html/b.html"):
        (tmp_path / "docs" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "docs" / path).write_text("# A\n" if path.endswith("md") else "<h1>A</h1>", encoding="utf-8")
    tree = FolderSource(tmp_path).read()
    assert [document.path for document in tree.documents] == ["docs/a.md", "docs/b.md"]
    assert [(item.path, item.reason) for item in tree.skipped] == [("docs/html/a.html", RENDERED), ("docs/html/b.html", RENDERED)]
