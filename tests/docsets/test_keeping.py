"""What was added is remembered with its options, renewed with them, and only what questions fetched is ever removed for room."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from git_host import GitHost, git

from docs_researcher.docsets.acquiring.acquire import Acquired, Acquirer, FetchPolicy
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.keeping import Updated, ages, newest_of_each, update
from docs_researcher.docsets.installed.added import Added
from docs_researcher.docsets.installed.pruning import prune
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from loopback_git import code_host, commit, make_repository
from loopback_npm import Files, LoopbackNpm, npm_registry, page

pytestmark = pytest.mark.interop

CATALOGUE = Catalogue.load()
DECLARED: Files = {"package.json": '{"types": "index.d.ts"}', "index.d.ts": "/** Turns it. */\nexport function turn(): void;\n"}
DOCS: Files = {
    "docs/en/use.md": page("Use", "New."),
    "docs/de/use.md": page("Nutzen", "Neu."),
    "more/extra.md": page("Extra", "More."),
}
PACKAGES: Mapping[str, Mapping[str, Files]] = {
    "acme": {"1.9.0": DOCS, "1.10.0": DOCS},
    "gale": {"1.0.0": {"docs/use.md": page("Use", "Blow.")}},
    "svelte": {"5.1.0": DECLARED},
}


@pytest.fixture
def npm(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackNpm]:
    with npm_registry(monkeypatch, PACKAGES) as registry:
        yield registry


def updated(store: Store) -> Updated:
    [done] = update(newest_of_each(store), store, CATALOGUE)
    return done


def pages(store: Store, done: Updated) -> list[str]:
    assert done.report is not None, done.why
    return [path for path, _ in store.open(done.report.installed).pages()]


def fetched(name: str, *, disk_mb: int = 2_000) -> Acquired:
    policy = FetchPolicy(yes=True, disk_mb=disk_mb)
    return Acquirer(Store(), CATALOGUE, policy).acquire(f"/npm/{name}")


def test_a_package_is_updated_with_its_folder_and_language(npm: LoopbackNpm, store: Store) -> None:
    add_source("npm:acme@1.9.0", store=store, catalogue=CATALOGUE, folder="more")
    done = updated(store)
    assert (done.report and done.report.version, pages(store, done)) == ("1.10.0", ["more/extra.md"])
    assert updated(store).report is None
    german = add_source("npm:acme@1.9.0", store=store, catalogue=CATALOGUE, language="de", replace=True)
    assert [path for path, _ in store.open(german.installed).pages()] == ["docs/de/use.md"]


def test_a_repository_is_updated_to_its_newest_tag_with_its_folder_and_name(tmp_path: Path, store: Store) -> None:
    files = {"docs/use.md": page("Use", "One."), "guide/a.md": page("A", "One.")}
    repository = make_repository(tmp_path / "turbine", {"v1.0.0": files})
    add_source(repository.as_uri(), store=store, catalogue=CATALOGUE, tag="v1.0.0", folder="guide", name="Wind")
    [age] = ages(newest_of_each(store), store, CATALOGUE)
    assert (age.newest, age.is_outdated) == ("1.0.0", False)
    assert updated(store).report is None
    commit(repository, {"guide/a.md": page("A", "Two.")}, "v1.2.0")
    commit(repository, {"guide/a.md": page("A", "Soon.")}, "v2.0.0-rc.1")
    [age] = ages(newest_of_each(store), store, CATALOGUE)
    assert (age.newest, age.is_outdated) == ("1.2.0", True)
    done = updated(store)
    assert done.report is not None
    assert (done.report.id, done.report.version, pages(store, done)) == ("/local/wind", "1.2.0", ["guide/a.md"])


def test_a_branch_is_read_again_when_it_moved(tmp_path: Path, store: Store) -> None:
    repository = make_repository(tmp_path / "turbine", {None: {"docs/use.md": page("Use", "One.")}})
    add_source(repository.as_uri(), store=store, catalogue=CATALOGUE, tag="main")
    assert updated(store).report is None
    commit(repository, {"docs/use.md": page("Use", "Two.")})
    done = updated(store)
    assert done.report is not None
    assert done.report.installed.meta.commit == git(repository, "rev-parse", "main")


def test_a_folder_is_read_again_with_the_version_that_it_was_given(tmp_path: Path, store: Store) -> None:
    (tmp_path / "turbine").mkdir()
    (tmp_path / "turbine" / "use.md").write_text(page("Use", "One."))
    add_source(str(tmp_path / "turbine"), store=store, catalogue=CATALOGUE, pkg_version="3.1")
    assert updated(store).report is None, "nothing changed"
    (tmp_path / "turbine" / "more.md").write_text(page("More", "Two."))
    done = updated(store)
    assert (done.report and done.report.version, pages(store, done)) == ("3.1", ["more.md", "use.md"])
    (tmp_path / "turbine").rename(tmp_path / "gone")
    done = updated(store)
    assert (done.report, done.failed) == (None, True)
    assert "turbine" in done.why


def test_declarations_give_way_to_the_guide_once_it_can_be_reached(
    npm: LoopbackNpm, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_source("svelte", store=store, catalogue=CATALOGUE)
    assert newest_of_each(store)[0].meta.coverage == "reference"
    guide: Mapping[str | None, Files] = {"svelte@5.1.0": {"documentation/docs/a.md": page("A", "Guide.")}}
    make_repository(tmp_path / "host" / "sveltejs" / "svelte", guide)
    with code_host(monkeypatch, tmp_path / "host"):
        done = updated(store)
    assert done.report is not None
    assert (done.report.installed.meta.coverage, pages(store, done)) == ("", ["documentation/docs/a.md"])


def test_credentials_in_an_address_are_not_kept(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_repository(tmp_path / "host" / "acme" / "turbine", {"v1.0.0": {"docs/use.md": page("Use", "One.")}})
    with GitHost(tmp_path / "host") as host:
        address = host.url.replace("http://", "http://user:s3cret@") + "/acme/turbine.git"
        report = add_source(address, store=store, catalogue=CATALOGUE, tag="v1.0.0")
    added = store.added.of(report.installed.path)
    assert added is not None
    assert added.argument == f"{host.url}/acme/turbine.git"
    assert not any(b"s3cret" in path.read_bytes() for path in store.home.rglob("*") if path.is_file())


def test_what_was_used_least_recently_goes_when_room_is_needed(npm: LoopbackNpm, store: Store) -> None:
    first = fetched("acme").installed
    os.utime(store.home / "added" / "npm" / f"{first.path.name}.json", (1_000_000_000, 1_000_000_000))
    second = fetched("gale", disk_mb=0)
    assert [item.library_id for item in store.installed()] == ["/npm/gale"], "what was fetched just now stays"
    pruned = next(notice for notice in second.notices if notice.code == "pruned")
    assert "Removed acme 1.10.0 (last used 2001-09-09)" in pruned.text
    assert "disk_mb" in pruned.text
    assert not (store.home / "added" / "npm" / f"{first.path.name}.json").exists()


def test_a_docset_that_answers_counts_as_used(npm: LoopbackNpm, store: Store) -> None:
    acme, gale = fetched("acme").installed, fetched("gale").installed
    for item in (acme, gale):
        os.utime(store.home / "added" / "npm" / f"{item.path.name}.json", (1_000_000_000, 1_000_000_000))
    fetched("acme")
    room = acme.path.stat().st_size
    assert prune(store, 0, keep=(acme.path,))
    assert [item.library_id for item in store.installed()] == ["/npm/acme"]
    assert prune(store, room // 1_000_000 + 1) == ()


def test_what_the_user_added_is_never_removed(npm: LoopbackNpm, store: Store, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "use.md").write_text(page("Use", "Mine."))
    add_source(str(tmp_path / "own"), store=store, catalogue=CATALOGUE)
    add_source("npm:acme@1.9.0", store=store, catalogue=CATALOGUE)
    fetched("gale")
    kept = fetched("gale").installed
    add_source("npm:gale", store=store, catalogue=CATALOGUE)
    assert store.added.of(kept.path) == Added("npm:gale"), "a fetched one that is added becomes the user's"
    assert prune(store, 0) == ()
    assert len(store.installed()) == 3


def test_a_docset_of_which_nothing_is_known_is_the_users(npm: LoopbackNpm, store: Store) -> None:
    installed = fetched("acme").installed
    note = store.home / "added" / "npm" / f"{installed.path.name}.json"
    for broken in ("", "[]", '{"by": "question"}', '{"argument": "x", "by": "question", "more": "x"}', '{"argument": 1}'):
        note.write_text(broken)
        assert store.added.of(installed.path) is None
        assert prune(store, 0) == ()
    note.unlink()
    assert prune(store, 0) == ()
