"""The guide of a library that its package does not ship: read from a code host or a website on loopback, or said why not."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from git_host import GitHost

from docs_researcher.core.errors import DocsResearchError, SourceUnavailable, VersionNotFound
from docs_researcher.docsets.acquiring.acquire import Acquired, Acquirer, FetchPolicy
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.outside import Outside, Wanted
from docs_researcher.docsets.acquiring.unreachable import REMEMBERED_SECONDS, Unreachable
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.entries import Entry, GitDocs
from loopback_git import code_host, make_repository
from loopback_npm import Files, LoopbackNpm, npm_registry, page
from loopback_web import Answer, Loopback

pytestmark = pytest.mark.interop

DECLARED: Files = {"package.json": '{"types": "index.d.ts"}', "index.d.ts": "/** Turns it. */\nexport function turn(): void;\n"}
PACKAGES: Mapping[str, Mapping[str, Files]] = {
    "svelte": {"5.1.0": DECLARED, "5.2.3": DECLARED},
    "react": {"18.3.1": DECLARED, "19.0.0": DECLARED, "19.1.0": DECLARED},
    "next": {"15.5.0": {"package.json": "{}"}, "16.2.0": {"dist/docs/a.md": page("Auth", "In the package.")}},
    "turbine": {"1.0.0": DECLARED},
}
REPOSITORIES: Mapping[str, Mapping[str | None, Files]] = {
    "sveltejs/svelte": {
        "svelte@5.1.0": {"documentation/docs/runes.md": page("Runes", "Five one.")},
        "svelte@5.2.2": {"documentation/docs/runes.md": page("Runes", "Five two.")},
        "create-svelte@99.0.0": {"packages/create/README.md": page("Create", "Another package.")},
    },
    "reactjs/react.dev": {None: {"src/content/learn/state.md": page("State", "Kept for the newest.")}},
    "vercel/next.js": {"v15.3.0": {"docs/auth.md": page("Auth", "Fifteen.")}, "v15.5.0": {"docs/auth.md": page("Auth", "Last.")}},
}


@pytest.fixture
def npm(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackNpm]:
    with npm_registry(monkeypatch, PACKAGES) as registry:
        yield registry


@pytest.fixture
def github(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHost]:
    for name, versions in REPOSITORIES.items():
        make_repository(tmp_path / "host" / name, versions)
    with code_host(monkeypatch, tmp_path / "host") as host:
        yield host


def acquire(base: str, asked: str | None = None, *, strict: bool = False, catalogue: Catalogue | None = None) -> Acquired:
    policy = FetchPolicy(strict_version=strict)
    return Acquirer(Store(), catalogue or Catalogue.load(), policy).acquire(base, asked)


def said(acquired: Acquired) -> list[str]:
    return [notice.code for notice in acquired.notices]


def texts(acquired: Acquired) -> str:
    with Store().open(acquired.installed) as docset:
        return " ".join(piece.content for piece in docset.pieces())


def turbine(*, git: GitDocs | None = None, llms: str | None = None) -> Catalogue:
    return Catalogue([Entry("Turbine", "/acme/turbine", "npm", "", npm=("turbine",), git=git, llms=llms)])


def test_a_guide_is_read_from_the_tag_of_the_newest_release(npm: LoopbackNpm, github: GitHost) -> None:
    acquired = acquire("/sveltejs/svelte", "5.1.0")
    assert (acquired.installed.version, said(acquired), acquired.version_choice) == ("5.1.0", ["fetched"], "asked for")
    assert "github.com/sveltejs/svelte" in acquired.notices[0].text
    assert texts(acquired) == "Five one."
    assert npm.downloads == [], "the package's archive is not needed"
    assert acquire("/sveltejs/svelte", "5.1.0").notices == ()


def test_a_release_that_is_not_tagged_yet_is_answered_from_the_tag_before_it(npm: LoopbackNpm, github: GitHost) -> None:
    acquired = acquire("/sveltejs/svelte")
    assert (acquired.installed.version, texts(acquired)) == ("5.2.2", "Five two.")


def test_a_guide_without_versions_is_of_the_newest_release_and_says_so_for_an_older_one(
    npm: LoopbackNpm, github: GitHost
) -> None:
    newest = acquire("/facebook/react")
    assert (newest.installed.version, said(newest)) == ("19.1.0", ["fetched"])
    assert newest.installed.meta.edition == "newest"
    older = acquire("/facebook/react", "19.0.0")
    assert (older.installed.version, said(older)) == ("19.1.0", ["version_substituted"])
    assert "kept for the newest release only" in older.notices[0].text


def test_what_was_added_without_its_guide_is_marked_so(npm: LoopbackNpm, github: GitHost) -> None:
    report = add_source("/acme/turbine", store=Store(), catalogue=turbine(git=GitDocs("github.com/acme/gone")))
    assert report.guide_missed
    assert not add_source("npm:turbine", store=Store(), catalogue=turbine(git=GitDocs("github.com/acme/gone"))).guide_missed


def test_a_guide_without_versions_does_not_stand_in_for_another_major_version(npm: LoopbackNpm, github: GitHost) -> None:
    acquired = acquire("/facebook/react", "18")
    assert (acquired.installed.version, said(acquired)) == ("18.3.1", ["source_unavailable", "fetched", "reference_only"])
    assert "newest release only, which is 19.1.0" in acquired.notices[0].text


def test_a_strict_asker_gets_the_right_versions_declarations_instead(npm: LoopbackNpm, github: GitHost) -> None:
    acquired = acquire("/facebook/react", "19.0.0", strict=True)
    assert (acquired.installed.version, acquired.installed.meta.coverage) == ("19.0.0", "reference")


def test_a_version_from_before_the_package_held_its_guide_is_read_from_its_tag(npm: LoopbackNpm, github: GitHost) -> None:
    acquired = acquire("/vercel/next.js", "15")
    assert (acquired.installed.version, said(acquired), texts(acquired)) == ("15.5.0", ["fetched"], "Last.")
    assert npm.paths == []


def test_a_package_that_ships_its_guide_asks_no_other_place(npm: LoopbackNpm, github: GitHost) -> None:
    acquired = acquire("/vercel/next.js", "16.2.0")
    assert texts(acquired) == "In the package."
    assert github.asked == []


def test_a_code_host_that_cannot_be_reached_is_named_and_declarations_answer(npm: LoopbackNpm) -> None:
    acquired = acquire("/sveltejs/svelte")
    assert (acquired.installed.version, acquired.installed.meta.coverage) == ("5.2.3", "reference")
    assert said(acquired) == ["source_unavailable", "fetched", "reference_only"]
    assert " github.com/sveltejs/svelte.git could not be read with git" in acquired.notices[0].text
    assert "docs-research add" not in acquired.notices[2].text, "what was just tried is no advice"


def test_the_guide_is_read_where_only_the_registry_cannot_be_reached(
    home: Path, github: GitHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    acquired = acquire("/sveltejs/svelte")
    assert (acquired.installed.version, texts(acquired)) == ("5.2.2", "Five two.")


def test_where_nothing_can_be_reached_every_place_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    with pytest.raises(SourceUnavailable, match="cannot be reached") as caught:
        acquire("/sveltejs/svelte")
    assert "github.com/sveltejs/svelte" in caught.value.why


def test_an_llms_txt_is_read_where_no_repository_is_known(npm: LoopbackNpm, web: Loopback) -> None:
    web.pages["/llms.txt"] = Answer(b"# Turbine\n\n- [Use](/use.md)\n", content_type="text/plain")
    web.pages["/use.md"] = Answer(b"# Use\n\nSpin it.\n", content_type="text/markdown")
    acquired = acquire("/acme/turbine", catalogue=turbine(llms=f"{web.url}/llms.txt"))
    assert (acquired.installed.version, acquired.installed.meta.edition, said(acquired)) == ("1.0.0", "newest", ["fetched"])
    assert "Spin it." in texts(acquired)
    assert npm.downloads == []


def test_a_website_without_an_llms_txt_is_passed_over(npm: LoopbackNpm, web: Loopback) -> None:
    web.pages["/llms.txt"] = Answer(b"<html><body>Welcome</body></html>", content_type="text/html")
    acquired = acquire("/acme/turbine", catalogue=turbine(llms=f"{web.url}/llms.txt"))
    assert acquired.installed.meta.coverage == "reference"
    assert "no llms.txt" in acquired.notices[0].text


def test_the_next_place_is_tried_when_the_first_has_nothing(npm: LoopbackNpm, web: Loopback) -> None:
    web.pages["/llms.txt"] = Answer(b"# Turbine\n\nSpin it.\n", content_type="text/plain")
    git = GitDocs("http://127.0.0.1:9/acme/turbine.git", "docs")
    acquired = acquire("/acme/turbine", catalogue=turbine(git=git, llms=f"{web.url}/llms.txt"))
    assert "Spin it." in texts(acquired)


def test_a_folder_that_moved_is_looked_for_in_the_usual_places(npm: LoopbackNpm, github: GitHost) -> None:
    git = GitDocs(f"{github.url}/vercel/next.js.git", "website/content", "v{version}")
    acquired = acquire("/acme/turbine", "15.3", catalogue=turbine(git=git))
    assert texts(acquired) == "Fifteen."


@pytest.fixture
def silent() -> Iterator[str]:
    """A host that takes connections and never says a word."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def outside(entry_at: GitDocs, seconds: float) -> Outside:
    entry = Entry("Turbine", "/acme/turbine", "npm", "", git=entry_at)
    return Outside(entry, Store(), reach_seconds=seconds).start()


def test_a_silent_host_is_given_up_after_its_time(home: Path, silent: str) -> None:
    asked = outside(GitDocs(f"{silent}/acme/turbine.git"), 0.3)
    assert asked.fetch(Wanted(None, lambda: None)) is None
    assert "did not answer within 0.3 seconds" in asked.missed[0].text


def test_a_host_that_cost_time_is_left_alone_for_a_while(home: Path, github: GitHost) -> None:
    repository = GitDocs(f"{github.url}/reactjs/react.dev.git", "src/content")
    host = github.url.removeprefix("http://")
    memory = Unreachable(Store().cache_dir)
    memory.remember(host, took=4.0)
    asked = outside(repository, 5)
    assert asked.fetch(Wanted(None, lambda: None)) is None
    assert "did not answer a moment ago, so it was not asked again" in asked.missed[0].text
    assert github.asked == []
    memory.forget(host)
    assert outside(repository, 5).fetch(Wanted(None, lambda: None)) is not None


def test_a_refusal_that_cost_nothing_is_not_remembered(home: Path) -> None:
    memory = Unreachable(Store().cache_dir)
    memory.remember("host", took=0.1)
    assert memory.seconds_since("host") is None
    memory.remember("host", took=2.0)
    since = memory.seconds_since("host")
    assert since is not None
    assert since < REMEMBERED_SECONDS
    (Store().cache_dir / "unreachable.json").write_text('{"host": 1.0, "other": "x"}')
    assert memory.seconds_since("host") is None
    (Store().cache_dir / "unreachable.json").write_text("nonsense")
    assert memory.seconds_since("host") is None


def test_add_reads_the_guide_of_a_library_and_the_package_of_a_package(npm: LoopbackNpm, github: GitHost) -> None:
    library = add_source("Svelte@5.1", store=Store(), catalogue=Catalogue.load())
    assert (library.id, library.version, library.installed.meta.coverage) == ("/sveltejs/svelte", "5.1.0", "")
    package = add_source("npm:svelte@5.1.0", store=Store(), catalogue=Catalogue.load())
    assert (package.id, package.installed.meta.coverage, package.already) == ("/sveltejs/svelte", "reference", False)
    assert "Five one." in texts(acquire("/sveltejs/svelte", "5.1.0")), "of two docsets for one version the guide answers"


def test_add_of_a_library_takes_its_declarations_where_the_guide_cannot_be_reached(npm: LoopbackNpm) -> None:
    report = add_source("svelte", store=Store(), catalogue=Catalogue.load())
    assert (report.version, report.installed.meta.coverage) == ("5.2.3", "reference")


def test_add_never_takes_a_guide_of_another_version(npm: LoopbackNpm, github: GitHost) -> None:
    report = add_source("React@19.0.0", store=Store(), catalogue=Catalogue.load())
    assert (report.version, report.installed.meta.coverage) == ("19.0.0", "reference")
    with pytest.raises(VersionNotFound):
        add_source("React@77", store=Store(), catalogue=Catalogue.load())


def test_a_library_without_a_package_names_the_repository_to_add(home: Path) -> None:
    catalogue = Catalogue([Entry("Gale", "/acme/gale", "rust", "", packages=("cargo:gale",))])
    with pytest.raises(DocsResearchError) as caught:
        acquire("/acme/gale", catalogue=catalogue)
    assert "docs-research add github.com/acme/gale" in caught.value.next_step
