"""Which files of a folder are its documentation."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docs_researcher.core.errors import NoDocumentation, SourceUnavailable
from docs_researcher.docsets.readers.text import decode
from docs_researcher.docsets.sources.choose import choose
from docs_researcher.docsets.sources.folder import FolderSource
from docs_researcher.docsets.sources.wishes import NO_WISHES, read_wishes


def write(root: Path, *paths: str) -> Path:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# {path}\n", encoding="utf-8")
    return root


def read(root: Path, **options: str) -> tuple[list[str], dict[str, str]]:
    tree = FolderSource(root, **options).read()  # type: ignore[arg-type]  # only name, version and folder are passed
    paths = [document.path for document in tree.documents]
    return paths, {item.path: item.reason for item in tree.skipped}


@pytest.mark.parametrize("folder", ["docs", "Documentation", "doc", "dist/docs", "doc/en"])
def test_the_docs_folder_is_found_and_the_readme_comes_with_it(tmp_path: Path, folder: str) -> None:
    write(tmp_path, f"{folder}/a.md", "README.md", "src/notes.md", "CHANGELOG.md")
    assert sorted(read(tmp_path)[0]) == sorted(["README.md", f"{folder}/a.md"])


def test_a_named_folder_goes_first(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "guide/b.md")
    assert read(tmp_path, folder="guide")[0] == ["guide/b.md"]


def test_a_named_folder_that_is_not_there_falls_back_to_the_usual_places(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md")
    assert read(tmp_path, folder="dist/docs")[0] == ["docs/a.md"]


def test_a_docs_folder_without_a_page_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "docs/LICENSE.md", "doc/a.md")
    assert read(tmp_path)[0] == ["doc/a.md"]


def test_the_docs_of_a_monorepos_packages_are_read(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "packages/core/docs/b.md", "packages/core/src/c.md")
    assert read(tmp_path)[0] == ["docs/a.md", "packages/core/docs/b.md"]


def test_without_a_docs_folder_the_root_is_read_but_not_tests_and_papers(tmp_path: Path) -> None:
    write(tmp_path, "README.md", "guide/a.md", "tests/b.md", "node_modules/x/README.md", ".github/c.md", "CHANGELOG.md")
    write(tmp_path, "LICENSE.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "vendor/lib/README.md")
    assert read(tmp_path)[0] == ["README.md", "guide/a.md"]


def test_inside_the_docs_folder_ordinary_names_stay(tmp_path: Path) -> None:
    names = [
        "docs/build/a.md",
        "docs/changelog.md",
        "docs/dev/b.md",
        "docs/releases/1.0.md",
        "docs/security.md",
        "docs/tests/c.md",
    ]
    write(tmp_path, *names, "docs/license.md", "docs/code-of-conduct.md", "docs/.hidden/x.md", "docs/node_modules/y/z.md")
    paths, skipped = read(tmp_path)
    assert paths == names
    assert set(skipped) == {"docs/license.md", "docs/code-of-conduct.md"}


def test_translations_are_left_out_and_counted(tmp_path: Path) -> None:
    kept = ["docs/en/a.md", "docs/guide.md", "docs/id/identifiers.md"]
    left = ["docs/fr-FR/a.md", "docs/guide.zh-CN.md", "docs/i18n/ja/a.md", "docs/pt_BR/a.md", "docs/guide_ja.md"]
    assert choose([*kept[:2], "docs/x/id/identifiers.md", *left]).paths == (*kept[:2], "docs/x/id/identifiers.md")
    assert {item.path for item in choose([*kept[:2], *left]).left_out} == set(left)


def test_a_folder_that_is_a_word_as_well_is_a_language_only_beside_others() -> None:
    assert choose(["docs/id/a.md", "docs/b.md"]).paths == ("docs/b.md", "docs/id/a.md")
    assert choose(["docs/id/a.md", "docs/ja/a.md", "docs/b.md"]).paths == ("docs/b.md",)


def test_documentation_in_one_other_language_stays() -> None:
    assert choose(["docs/zh/a.md", "docs/zh/b.md"]).paths == ("docs/zh/a.md", "docs/zh/b.md")


def test_ignored_files_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "docs/_build/b.md", "docs/draft.md")
    (tmp_path / ".gitignore").write_text("_build/\ndraft.md\n[\n", encoding="utf-8")
    assert read(tmp_path)[0] == ["docs/a.md"]


def test_the_ignored_files_of_a_folder_are_named_in_it_and_may_be_taken_back(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "docs/draft/b.md", "docs/draft/kept.md", "docs/api/draft/c.md", "docs/api/x.md", "docs/api/y.md")
    (tmp_path / ".gitignore").write_text("docs/draft/*\n!docs/draft/kept.md\nx.md\n", encoding="utf-8")
    (tmp_path / "docs" / "api" / ".gitignore").write_text("# own\n!x.md\n/draft/\ny.md\n", encoding="utf-8")
    assert read(tmp_path)[0] == ["docs/a.md", "docs/api/x.md", "docs/draft/kept.md"]


def test_a_folder_in_a_repository_is_read_by_the_rules_of_the_repository(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "docs/_out/b.md", "docs/c.md", "out/d.md")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("/docs/_out/\nc.md\n/out/\n", encoding="utf-8")
    assert read(tmp_path / "docs")[0] == ["a.md"]
    assert read(tmp_path / "out")[0] == ["d.md"], "it was named to be read"


def test_the_rules_above_a_folder_end_at_its_own_repository(tmp_path: Path) -> None:
    write(tmp_path, "inner/docs/a.md")
    (tmp_path / ".git").mkdir()
    (tmp_path / "inner" / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("a.md\n", encoding="utf-8")
    assert read(tmp_path / "inner")[0] == ["docs/a.md"]


def test_links_are_never_followed_and_counted(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", "secret.md")
    root = write(tmp_path / "project", "docs/a.md")
    (root / "docs" / "file.md").symlink_to(outside / "secret.md")
    (root / "docs" / "folder").symlink_to(outside)
    paths, skipped = read(root)
    assert paths == ["docs/a.md"]
    assert skipped == {"docs/file.md": "a link", "docs/folder": "a link"}


def test_a_pipe_does_not_stop_the_reading(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md")
    os.mkfifo(tmp_path / "docs" / "pipe.md")
    paths, skipped = read(tmp_path)
    assert paths == ["docs/a.md"]
    assert skipped == {"docs/pipe.md": "not a regular file"}


def test_a_folder_with_the_name_of_a_page_is_no_page(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md")
    (tmp_path / "docs" / "x.md").mkdir()
    assert read(tmp_path)[0] == ["docs/a.md"]


def test_a_folder_without_documentation_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("x = 1")
    with pytest.raises(NoDocumentation) as caught:
        read(tmp_path)
    assert caught.value.next_step


def test_a_folder_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(SourceUnavailable, match="cannot be read"):
        read(tmp_path / "missing")


def test_a_folder_called_docs_is_named_after_its_project(tmp_path: Path) -> None:
    assert FolderSource(tmp_path / "My Project" / "docs").info.library_id == "/local/my-project"
    assert FolderSource(tmp_path / "x", name="Handbook", version="3").info.title == "Handbook"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfcaf\xc3\xa9", "café"),
        ("café".encode("utf-16"), "café"),
        (b"\xfe\xff" + "café".encode("utf-16-be"), "café"),
        ("café".encode(), "café"),
        (b"", ""),
    ],
)
def test_marked_and_plain_unicode_is_read_without_a_note(data: bytes, text: str) -> None:
    assert (decode(data).text, decode(data).note) == (text, "")


def test_latin_1_is_read_with_a_note() -> None:
    decoded = decode("café".encode("latin-1"))
    assert decoded.text == "café"
    assert "Latin-1" in decoded.note


def test_a_page_that_a_nul_byte_got_into_is_read_without_it_and_that_is_said() -> None:
    decoded = decode("# Café\n\nTurn the \x00handle.\n".encode())
    assert decoded.text == "# Café\n\nTurn the handle.\n"
    assert "NUL" in decoded.note


def test_utf_16_without_a_mark_is_said_to_hold_nul_bytes() -> None:
    assert decode("# Use\n\nTurn it.\n".encode("utf-16-le")).note.startswith("holds NUL bytes")


@pytest.mark.parametrize("data", [b"a\x00b", b"\x89PNG\r\n\x1a\n\x00\xff", b"\xff\xd8\x01\x02", b"\xff\xfea"])
def test_what_is_no_text_gets_a_reason(data: bytes) -> None:
    assert decode(data).text is None
    assert decode(data).note


@pytest.mark.parametrize(
    ("version", "kept"),
    [(None, "docs/v10/a.md"), ("2.1.0", "docs/v2/a.md"), ("v1.5", "docs/version-1.5/a.md"), ("7", "docs/v10/a.md")],
)
def test_of_folders_named_after_versions_the_fitting_one_is_read(version: str | None, kept: str) -> None:
    paths = [
        "docs/index.md",
        "docs/v2/a.md",
        "docs/v10/a.md",
        "docs/version-1.5/a.md",
        "docs/upgrade/v2/b.md",
        "docs/upgrade/v3/b.md",
    ]
    chosen = choose(paths, version=version)
    assert chosen.paths == tuple(sorted(["docs/index.md", kept, "docs/upgrade/v2/b.md", "docs/upgrade/v3/b.md"]))
    assert {item.reason for item in chosen.left_out} == {"of another version"}


def test_one_folder_that_looks_like_a_version_and_years_are_read() -> None:
    paths = ["docs/a.md", "docs/v2/a.md", "docs/2023/a.md", "docs/2024/a.md"]
    assert choose(paths).paths == tuple(sorted(paths))


def test_what_a_project_says_in_context7_json_is_followed_and_counted(tmp_path: Path) -> None:
    (tmp_path / "context7.json").write_text(
        '{"folders": ["guide", "packages/*/manual"], "excludeFolders": ["old", "./guide/drafts", "**/tmp"], '
        '"excludeFiles": ["NEWS.md"]}'
    )
    for name in ("guide/a.md", "guide/old/b.md", "guide/drafts/c.md", "guide/x/tmp/d.md", "guide/NEWS.md", "docs/e.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("# T\n\ntext\n")
    (tmp_path / "packages/p/manual").mkdir(parents=True)
    (tmp_path / "packages/p/manual/f.md").write_text("# T\n\ntext\n")
    tree = FolderSource(tmp_path).read()
    assert [document.path for document in tree.documents] == ["guide/a.md", "packages/p/manual/f.md"]
    assert {item.path for item in tree.skipped} == {"guide/old/b.md", "guide/drafts/c.md", "guide/x/tmp/d.md", "guide/NEWS.md"}


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"folders": 3}', b"\xff", b'{"folders": [1, ""]}'])
def test_a_broken_context7_json_is_passed_over(data: bytes) -> None:
    assert read_wishes(data) == NO_WISHES
