"""Every option of `add` is followed for a kind of source, or refused with the reason; none is left aside in silence."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from docs_researcher.core.errors import UsageError
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from loopback_git import code_host, make_repository

CATALOGUE = Catalogue.load()


def add(argument: object, store: Store, **options: str) -> BuildReport:
    return add_source(str(argument), store=store, catalogue=CATALOGUE, **options)  # type: ignore[arg-type]


def place(kind: str, folder: Path, store: Store) -> Path:
    """A source of this kind with pages in two folders and two languages."""
    pages = {"docs/a.md": "# A\n\nOne.\n", "docs/de/a.md": "# A\n\nEins.\n", "guide/b.md": "# B\n\nTwo.\n"}
    if kind == "archive":
        with tarfile.open(folder / "acme.tgz", "w:gz") as archive:
            for path, text in pages.items():
                member = tarfile.TarInfo(f"acme/{path}")
                member.size = len(text)
                archive.addfile(member, io.BytesIO(text.encode()))
        return folder / "acme.tgz"
    for path, text in pages.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    if kind == "docset":
        return add(folder, store, name="acme", pkg_version="1.0").installed.path
    return {"folder": folder, "page": folder / "docs" / "a.md", "llms": folder / "llms-full.txt"}[kind]


def paths(report: BuildReport, store: Store) -> list[str]:
    return [path for path, _ in store.open(report.installed).pages()]


@pytest.mark.parametrize("kind", ["folder", "archive"])
def test_a_folder_and_an_archive_take_the_docs_folder_and_the_language(kind: str, tmp_path: Path, store: Store) -> None:
    source = place(kind, tmp_path / "x", store) if kind == "folder" else place(kind, tmp_path, store)
    assert paths(add(source, store, folder="guide"), store) == ["guide/b.md"]
    assert "docs/de/a.md" in paths(add(source, store, language="de"), store)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("page", {"folder": "docs"}),
        ("page", {"language": "de"}),
        ("page", {"tag": "v1"}),
        ("page", {"sha256": "0" * 64}),
        ("llms", {"folder": "docs"}),
        ("folder", {"tag": "v1"}),
        ("folder", {"sha256": "0" * 64}),
        ("archive", {"tag": "v1"}),
        ("docset", {"folder": "docs"}),
        ("docset", {"language": "de"}),
        ("docset", {"name": "other"}),
        ("docset", {"pkg_version": "2"}),
        ("docset", {"tag": "v1"}),
        ("https://acme.example/docs", {"folder": "docs"}),
        ("https://acme.example/docs", {"language": "de"}),
        ("https://acme.example/docs", {"tag": "v1"}),
        ("npm:acme", {"name": "other"}),
        ("npm:acme", {"tag": "v1"}),
        ("npm:acme@1", {"pkg_version": "2"}),
        ("npm:acme", {"sha256": "0" * 64}),
    ],
)
def test_an_option_that_a_source_cannot_follow_is_refused(
    kind: str, options: dict[str, str], tmp_path: Path, store: Store
) -> None:
    (tmp_path / "llms-full.txt").write_text("# A\n\nText.\n", encoding="utf-8")
    source = kind if ":" in kind else place(kind, tmp_path, store)
    with pytest.raises(UsageError) as refused:
        add(source, store, **options)
    assert refused.value.next_step


@pytest.mark.parametrize(
    ("address", "options"), [("/tree/main", {"tag": "v1"}), ("/tree/main/docs", {"folder": "guide"})], ids=["tag", "folder"]
)
def test_an_address_and_an_option_that_say_different_things_are_refused(
    address: str, options: dict[str, str], tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_repository(tmp_path / "owner" / "acme", {"v1": {"docs/a.md": "# A\n", "guide/b.md": "# B\n"}})
    with code_host(monkeypatch, tmp_path), pytest.raises(UsageError, match=r"Two (revisions|folders) are given"):
        add(f"https://github.com/owner/acme{address}", store, **options)
