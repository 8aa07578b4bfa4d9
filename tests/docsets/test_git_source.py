"""Documentation in git repositories: made here, served as files and over HTTP, read through git's objects."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Sequence
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from git_host import git, serve_commits

from docs_researcher.core.errors import NoDocumentation, SourceUnavailable, UsageError, VersionNotFound
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sources.git import GitSource, git_info
from docs_researcher.docsets.sources.git_address import GitAddress, parse_git_address
from docs_researcher.docsets.sources.git_refs import Refs, Revision, choose_revision, list_refs
from docs_researcher.library.catalogue import Catalogue
from loopback_git import commit, make_repository

pytestmark = pytest.mark.interop

MIT = "MIT License\n\nPermission is hereby granted, free of charge, to any person\n"
CATALOGUE = Catalogue.load()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "turbine"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    commit(folder, {"docs/use.md": "# Use\n\nSpin it slowly.\n", "LICENSE": MIT, "src/x.md": "# No\n\nNo.\n"}, "v1.9.0")
    commit(folder, {"docs/use.md": "# Use\n\nSpin it quickly.\n", "other/guide.md": "# Other\n\nElsewhere.\n"}, "v1.10.0")
    git(folder, "branch", "feature/fast")
    commit(folder, {"docs/use.md": "# Use\n\nSpin it sideways.\n"})
    return folder


def add(
    argument: str, store: Store, *, tag: str | None = None, folder: str | None = None, name: str | None = None
) -> BuildReport:
    return add_source(argument, store=store, catalogue=CATALOGUE, tag=tag, folder=folder, name=name)


def text(report: BuildReport, store: Store, path: str = "docs/use.md") -> str:
    page = store.open(report.installed).page(path)
    return page.content if page is not None else ""


def test_a_tag_is_read_with_its_version_commit_date_and_licence(repository: Path, store: Store) -> None:
    report = add(repository.as_uri(), store, tag="v1.9.0")
    assert (report.id, report.version, report.pages) == ("/local/turbine", "1.9.0", 1)
    assert "slowly" in text(report, store)
    meta = report.installed.meta
    assert meta.commit == git(repository, "rev-parse", "v1.9.0^{commit}")
    assert (meta.date, meta.license, meta.source_url) == ("2026-03-18", "MIT", repository.as_uri())


@pytest.mark.parametrize(
    ("tag", "version", "word"),
    [("latest", "1.10.0", "quickly"), ("1.9", "1.9.0", "slowly"), ("main", None, "sideways"), ("feature/fast", None, "quickly"),
     ("HEAD", None, "sideways")],
)  # fmt: skip
def test_a_tag_may_be_a_version_a_branch_or_head(
    repository: Path, store: Store, tag: str, version: str | None, word: str
) -> None:
    report = add(repository.as_uri(), store, tag=tag)
    assert report.version == version
    assert word in text(report, store)


def test_without_a_terminal_the_error_names_the_option_and_the_newest_tags(repository: Path, store: Store) -> None:
    with pytest.raises(UsageError, match="2 tags") as caught:
        add(repository.as_uri(), store)
    assert caught.value.why == "the newest are v1.10.0, v1.9.0"
    assert "--tag v1.10.0" in caught.value.next_step


def test_a_terminal_is_offered_the_tags_newest_first(repository: Path, store: Store) -> None:
    offered: list[str] = []

    def choose(tags: Sequence[str]) -> str:
        offered.extend(tags)
        return tags[1]

    report = add_source(repository.as_uri(), store=store, catalogue=CATALOGUE, choose_tag=choose)
    assert offered == ["v1.10.0", "v1.9.0"]
    assert report.version == "1.9.0"


def test_a_tag_that_is_not_there_is_named_with_those_that_are(repository: Path, store: Store) -> None:
    with pytest.raises(VersionNotFound, match="no tag or branch v7") as caught:
        add(repository.as_uri(), store, tag="v7")
    assert "v1.10.0" in caught.value.why
    assert "main" in caught.value.why


def test_a_repository_without_tags_is_read_as_it_is(tmp_path: Path, store: Store) -> None:
    (tmp_path / "bare").mkdir()
    git(tmp_path / "bare", "init", "-q")
    commit(tmp_path / "bare", {"README.md": "# Bare\n\nHi.\n"})
    assert add((tmp_path / "bare").as_uri(), store).pages == 1


def test_a_tag_may_hold_a_character_that_only_looks_like_a_line_break(tmp_path: Path, store: Store) -> None:
    name = "v1.0\u2028rc"
    make_repository(tmp_path / "odd", {name: {"README.md": "# Odd\n\nHi.\n"}})
    address = parse_git_address((tmp_path / "odd").as_uri())
    assert address is not None
    assert list(list_refs(address).tags) == [name]


def test_the_folder_in_a_trees_address_is_told_apart_by_the_refs_of_the_remote() -> None:
    refs = Refs({"main": "1", "feature/fast": "2"}, {"v1": "3"}, "main")
    for rest, ref, folder in (
        ("main/docs", "refs/heads/main", "docs"),
        ("feature/fast/docs/a", "refs/heads/feature/fast", "docs/a"),
        ("feature/fast", "refs/heads/feature/fast", None),
        ("v1", "refs/tags/v1", None),
        ("a" * 40 + "/docs", "a" * 40, "docs"),
    ):
        revision = choose_revision(GitAddress("https://h/o/r", "h", "o/r", rest), refs, None, None)
        assert (revision.ref, revision.folder) == (ref, folder)


@pytest.mark.parametrize(
    ("tag", "version"),
    [("v1.3", "1.3"), ("release-1.2.3", "1.2.3"), ("pkg@1.2.3", "1.2.3"), ("@s/pkg@1.2.3", "1.2.3"), ("1.0.0rc1", "1.0.0rc1"),
     ("pkg-v2.0.0", "2.0.0"), ("2024.10.1", "2024.10.1"), ("nightly", "nightly")],
)  # fmt: skip
def test_tags_are_read_as_versions(tag: str, version: str) -> None:
    revision = choose_revision(GitAddress("https://h/o/r", "h", "o/r"), Refs({}, {tag: "1"}), tag, None)
    assert revision.version == version


def test_tags_are_offered_by_number_and_stable_ones_first() -> None:
    refs = Refs({}, dict.fromkeys(("v1.15.9", "v2.0.0-rc.2", "v1.15.10", "v2.0.0-rc.10", "docs"), "1"))
    assert refs.newest_tags() == ["v1.15.10", "v1.15.9", "v2.0.0-rc.10", "v2.0.0-rc.2", "docs"]


def test_a_sister_packages_tag_or_a_canary_is_not_the_newest() -> None:
    refs = Refs({}, dict.fromkeys(("v16.1.6", "v16.2.0-canary.23", "create-app@99.0.0", "nightly"), "1"))
    assert refs.newest_tags("next.js")[0] == "v16.1.6"
    revision = choose_revision(GitAddress("https://h/vercel/next.js", "h", "vercel/next.js"), refs, "latest", None)
    assert (revision.ref, revision.version) == ("refs/tags/v16.1.6", "16.1.6")
    parts = Refs({}, dict.fromkeys(("core@1.2.0", "router@1.10.0", "router@1.9.0", "@tan/router@1.11.0"), "1"))
    assert parts.newest_tags("router")[0] == "@tan/router@1.11.0"


def test_the_path_option_names_the_docs_folder(repository: Path, store: Store) -> None:
    report = add(repository.as_uri(), store, tag="v1.10.0", folder="other")
    assert "Elsewhere" in text(report, store, "other/guide.md")
    assert report.pages == 1
    with pytest.raises(NoDocumentation, match="nowhere"):
        add(repository.as_uri(), store, tag="v1.10.0", folder="nowhere", name="x")


def test_a_checkout_stays_as_it_is_in_every_state(repository: Path, store: Store) -> None:
    (repository / "docs" / "use.md").write_text("# Use\n\nNot committed.\n")
    (repository / "docs" / "new.md").write_text("# New\n\nStaged.\n")
    git(repository, "add", "docs/new.md")
    before = (
        git(repository, "status", "--porcelain=v2", "--branch"),
        git(repository, "for-each-ref"),
        git(repository, "config", "-l"),
    )
    index = (repository / ".git" / "index").read_bytes()
    report = add(str(repository), store, tag="v1.9.0", name="tagged")
    assert "slowly" in text(report, store)
    assert (repository / ".git" / "index").read_bytes() == index
    after = (
        git(repository, "status", "--porcelain=v2", "--branch"),
        git(repository, "for-each-ref"),
        git(repository, "config", "-l"),
    )
    assert after == before
    work_tree = add(str(repository), store)
    assert work_tree.version is None
    assert "Not committed" in text(work_tree, store), "a folder is read as it stands there"


def test_a_bare_repository_is_read(repository: Path, tmp_path: Path, store: Store) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "turbine.git")
    report = add(str(tmp_path / "turbine.git"), store, tag="v1.9.0")
    assert (report.id, report.version) == ("/local/turbine", "1.9.0")


def test_links_and_submodules_are_reported_and_not_followed(repository: Path, store: Store) -> None:
    (repository / "docs" / "secret.md").symlink_to("/etc/passwd")
    commit(repository, {"docs/more.md": "# More\n\nText.\n"}, "v2.0.0")
    report = add(repository.as_uri(), store, tag="v2.0.0")
    assert ("docs/secret.md", "a link") in [(item.path, item.reason) for item in report.skipped]
    assert report.pages == 2


@pytest.mark.parametrize("tag", ["--upload-pack=touch x", "-x", "a b", "v1;id", "refs/../x"])
def test_a_tag_cannot_be_an_option_or_a_command(repository: Path, store: Store, tag: str) -> None:
    with pytest.raises((VersionNotFound, UsageError)):
        add(repository.as_uri(), store, tag=tag)


def test_a_repository_cannot_run_anything_of_its_own(repository: Path, tmp_path: Path, store: Store) -> None:
    proof = tmp_path / "ran"
    for hook in ("post-checkout", "reference-transaction", "post-merge"):
        (repository / ".git" / "hooks").mkdir(exist_ok=True)
        path = repository / ".git" / "hooks" / hook
        path.write_text(f"#!/bin/sh\ntouch {proof}\n")
        path.chmod(0o755)
    git(repository, "config", "core.fsmonitor", f"touch {proof}")
    commit(repository, {".gitattributes": "*.md filter=evil\n"})
    git(repository, "config", "filter.evil.smudge", f"touch {proof}")
    proof.unlink(missing_ok=True)
    add(repository.as_uri(), store, tag="main")
    assert not proof.exists()


def test_what_is_no_repository_is_an_error_with_gits_own_words(tmp_path: Path, store: Store) -> None:
    with pytest.raises(SourceUnavailable, match="could not be read with git") as caught:
        add(f"{tmp_path.as_uri()}/nothing.git", store)
    assert "nothing.git" in caught.value.why


def test_a_machine_without_git_says_so(repository: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(SourceUnavailable, match="git cannot be started"):
        add(repository.as_uri(), store)


def test_a_server_that_filters_sends_only_what_is_read(repository: Path, tmp_path: Path) -> None:
    commit(repository, {"media/film.bin": "x" * 200_000}, "v3.0.0")
    serve_commits(repository)
    address = parse_git_address(repository.as_uri())
    assert address is not None
    tree = GitSource(address, Revision("refs/tags/v3.0.0", "3.0.0"), tmp_path / "objects").read()
    assert [(document.path, b"sideways" in document.data) for document in tree.documents] == [("docs/use.md", True)]
    there = git(tmp_path / "objects", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    assert git(repository, "rev-parse", "v3.0.0:docs/use.md") in there
    assert git(repository, "rev-parse", "v3.0.0:media/film.bin") not in there


@pytest.fixture
def served(repository: Path, tmp_path: Path) -> Iterator[str]:
    """The repository over plain HTTP, as any web server offers it."""
    git(tmp_path, "clone", "-q", "--bare", str(repository), "served.git")
    git(tmp_path / "served.git", "update-server-info")

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/served.git"
    server.shutdown()
    server.server_close()
    thread.join(5)


def test_a_repository_is_read_over_plain_http(served: str, store: Store) -> None:
    assert "slowly" in text(add(served, store, tag="v1.9.0", name="turbine"), store)


def test_refs_are_listed_over_http(served: str) -> None:
    address = parse_git_address(served)
    assert address is not None
    assert list_refs(address).newest_tags() == ["v1.10.0", "v1.9.0"]


def test_a_repository_that_is_not_there_is_said_over_http(served: str, store: Store) -> None:
    with pytest.raises(SourceUnavailable, match="could not be read with git"):
        add(served.replace("served", "gone"), store)


@pytest.mark.parametrize("address", ["https://github.com/o/r", "github.com/honojs/hono", "git@github.com:vercel/next.js.git"])
def test_offline_no_remote_is_asked_and_no_package_is_taken_instead(store: Store, address: str) -> None:
    with pytest.raises(SourceUnavailable, match="cannot be read") as caught:
        add_source(address, store=store, catalogue=CATALOGUE, offline=True)
    assert "--offline" in caught.value.why


def test_a_repository_of_a_known_library_is_filed_under_its_id() -> None:
    address = parse_git_address("https://github.com/honojs/hono")
    assert address is not None
    info = git_info(address, Revision("refs/tags/v4.0.0", "4.0.0"), catalogue=CATALOGUE)
    assert (info.library_id, info.version, info.title) == ("/honojs/hono", "4.0.0", "Hono")
