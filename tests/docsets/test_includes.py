"""What pages take from other files of their source: text, code, parts of files; and titles of other pages."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.readers.include_lines import numbered, rst_lines, tagged
from docs_researcher.docsets.readers.includes import MAX_CHARACTERS, candidates, expand, wanted_files
from docs_researcher.docsets.sources.archive import ArchiveSource
from docs_researcher.docsets.sources.base import Source, SourceInfo
from docs_researcher.docsets.sources.folder import FolderSource

CODE = '''\
"""An example."""
import os


@decorated
class Spider:
    def parse(self):
        # [START]
        return 1  # here
        # [END]


def main():
    pass
'''
INDEX = """\
Index
=====

.. include:: /shared/note.inc

.. literalinclude:: ../examples/spider.py
   :pyobject: Spider.parse
   :caption: The spider

Behind it, see :ref:`tuning`, :doc:`guide/deploy` and |version|.

.. literalinclude:: gone.py
"""
TREE = {
    "docs/index.rst": INDEX,
    "docs/shared/note.inc": "Mind the *gap*.\n",
    "docs/guide/deploy.rst": ".. _tuning:\n\nTuning ``it``\n-------------\n\nSet more.\n\n.. include:: ../part.rst\n",
    "docs/part.rst": "A part that is no page of its own.\n",
    "docs/moved.rst": "Moved\n=====\n\nThis document has moved to :doc:`guide/deploy`.\n",
    "docs/_templates/base.rst": "Base\n====\n\n{{ name }}\n",
    "examples/spider.py": CODE,
}


def folder_of(files: Mapping[str, str], path: Path) -> Source:
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text, encoding="utf-8")
    return FolderSource(path, name="acme", version="1.2")


def archive_of(files: Mapping[str, str], path: Path) -> Source:
    with tarfile.open(path / "acme.tar.gz", "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"acme-1.2/{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return ArchiveSource(path / "acme.tar.gz", SourceInfo("acme", "1.2", "/local/acme"), strip_top=True)


@pytest.mark.parametrize("source_of", [folder_of, archive_of])
def test_pages_show_what_they_include_and_the_titles_of_what_they_refer_to(
    source_of: Callable[[Mapping[str, str], Path], Source], tmp_path: Path, store: Store
) -> None:
    report = build_docset(source_of(TREE, tmp_path), store)
    docset = store.open(report.installed)
    [index] = [hit for hit in docset.search("gap spider behind").hits if hit.path == "docs/index.rst"]
    assert "Mind the *gap*." in index.content
    assert "The spider:\n\n```python\n    def parse(self):\n        # [START]\n        return 1  # here\n```" in index.content
    assert "see Tuning it, Tuning it and 1.2." in index.content
    assert "Code: `gone.py`" in index.content
    assert {hit.path for hit in docset.search("part page own more set").hits} == {"docs/guide/deploy.rst"}
    assert {(item.path, item.reason) for item in report.skipped} >= {
        ("docs/part.rst", "stands inside other pages"),
        ("docs/moved.rst", "only says that it has moved"),
    }
    assert report.pages == 2


def test_a_chunk_behind_what_is_included_keeps_its_own_line(tmp_path: Path, store: Store) -> None:
    text = "# A\n\n{* ../code.py *}\n\n" + "## B\n\n" + "word " * 300 + "\n"
    report = build_docset(folder_of({"docs/a.md": text, "code.py": "x = 1\n" * 50}, tmp_path), store)
    hits = store.open(report.installed).search("word").hits
    assert [hit.line for hit in hits if hit.heading == "B"] == [5]


def test_nothing_hidden_linked_or_outside_is_read_for_a_page(tmp_path: Path, store: Store) -> None:
    (tmp_path / "secret.py").write_text("outside = 'word'\n")
    files = {f"acme/docs/{name}.rst": f"Word\n====\n\n.. literalinclude:: {target}\n" for name, target in TARGETS.items()}
    folder_of({**files, "acme/.env": "KEY = 'word'\n", "acme/here/a.py": "inside = 'word'\n"}, tmp_path)
    (tmp_path / "acme" / "link.py").symlink_to(tmp_path / "secret.py")
    (tmp_path / "acme" / "linked").symlink_to(tmp_path)
    report = build_docset(FolderSource(tmp_path / "acme"), store)
    found = {hit.path: hit.content for hit in store.open(report.installed).search("word").hits}
    assert "inside = 'word'" in found.pop("docs/inside.rst")
    assert not [text for text in found.values() if "= 'word'" in text]


TARGETS = {
    "hidden": "../.env",
    "link": "../link.py",
    "through": "../linked/secret.py",
    "outside": "../../secret.py",
    "absolute": "/../../secret.py",
    "inside": "/../here/a.py",
}


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("docs/a.md", "```{literalinclude} x.py\n:lines: 1,3\n```", "```python\none\ntwo\n```"),
        ("docs/a.md", "```{include} part.md\n```", "\nPart.\n\n"),
        ("docs/a.md", '```python\n--8<-- "x.py:mid"\n```', "```python\ntwo\n```"),
        ("docs/a.md", "<<< @/x.py#mid{2}", "```python\ntwo\n```"),
        ("docs/a.md", "- item\n\n  {!> x.py!}", "- item\n\n  ```python\n  one\n  two\n  ```"),
        ("docs/a.adoc", ":dir: sub\n\n----\ninclude::{dir}/b.txt[lines=2..3]\n----", ":dir: sub\n\n----\nb2\nb3\n----"),
        ("docs/a.adoc", "include::tagged.adoc[tag=mid,leveloffset=+1]", "=== Mid"),
        ("modules/m/pages/a.adoc", "include::example$b.rb[]", "puts 1"),
        ("docs/a.rst", "Text\n\n  .. include:: p.rst\n     :start-after: MARK\n", "Text\n\n\n  Behind.\n\n"),
        ("docs/a.rst", ".. include:: <isonum.txt>", ".. include:: <isonum.txt>"),
        ("docs/a.rst", ".. include:: loop.rst", "\nLoop\n" * 5 + "\n.. include:: loop.rst\n" + "\n" * 4),
    ],
)
def test_every_form_takes_what_it_names(path: str, text: str, expected: str) -> None:
    files = {
        "docs/x.py": "one\n# region mid\ntwo\n# endregion mid\n",
        "docs/part.md": "Part.\n",
        "docs/sub/b.txt": "b1\nb2\nb3\n",
        "docs/tagged.adoc": "no\n// tag::mid[]\n== Mid\n// end::mid[]\n",
        "modules/m/examples/b.rb": "puts 1\n",
        "docs/p.rst": "Before.\nMARK\nBehind.\n",
        "docs/loop.rst": "Loop\n\n.. include:: loop.rst\n",
    }
    shown = expand(path, text, files.get).text
    if "loop" in text:
        assert shown.count("Loop") == 5
    else:
        assert shown.strip() == expected.strip()


def test_what_cannot_be_had_stays_as_it_is() -> None:
    text = "include::gone.adoc[]\n\n.. include:: gone.rst\n"
    for path in ("a.adoc", "a.rst", "a.md"):
        assert expand(path, text, lambda _: None).text == text


def test_a_bomb_of_includes_is_bounded() -> None:
    text = expand("a.rst", ".. include:: b.rst\n" * 1000, lambda _: "x" * 100_000).text
    assert len(text) < MAX_CHARACTERS * 1.1


def test_where_a_target_may_lie_never_leaves_the_source() -> None:
    assert list(candidates("docs/a/b.rst", "../../../x")) == []
    assert list(candidates("docs/a/b.rst", "/x")) == ["docs/a/x", "docs/x", "x"]
    assert "docs/x.py" in set(wanted_files("docs/a.rst", ".. literalinclude:: x.py"))


def test_lines_are_chosen_by_number_mark_and_name() -> None:
    assert rst_lines(CODE, {"pyobject": "main"}) == "def main():\n    pass"
    assert (rst_lines(CODE, {"pyobject": "Spider"}) or "").startswith("@decorated\nclass Spider:")
    assert rst_lines(CODE, {"pyobject": "Gone"}) is None
    assert rst_lines(CODE, {"start-after": "[START]", "end-before": "[END]", "dedent": "8"}) == "return 1  # here"
    assert rst_lines(CODE, {"start-at": "def main", "end-at": "pass", "dedent": ""}) == "def main():\n    pass"
    assert rst_lines(CODE, {"start-after": "nowhere"}) is None
    assert rst_lines("a\nb\nc", {"start-line": "1", "end-line": "x"}) == "b\nc"
    assert numbered(["a", "b", "c", "d"], "2-3,1,9-", "-") == ["b", "c", "a"]
    assert tagged("a\n// tag::x[]\nb\n// end::x[]\nc", ["x"]) == "b"
    assert tagged("a\n// tag::x[]\nb\n// end::x[]\nc", []) == "a\nb\nc"
    assert tagged("a", ["x"]) is None
