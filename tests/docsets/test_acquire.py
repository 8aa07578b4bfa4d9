"""Which docset answers, fetched from a registry on loopback when it is not installed."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from docs_researcher.core.errors import (
    ConsentRequired,
    LibraryNotFound,
    NoDocumentation,
    PackageNotFound,
    SourceUnavailable,
    UsageError,
    VersionNotFound,
)
from docs_researcher.docsets.acquiring.acquire import Acquired, Acquirer, FetchPolicy
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from loopback_npm import Files, LoopbackNpm, npm_registry, page

NEXT_DOCS: Files = {"package.json": "{}", "dist/docs/01-app/02-guides/authentication.md": page("Authentication", "Protect it.")}
PACKAGES: Mapping[str, Mapping[str, Files]] = {
    "next": {"15.5.0": {"package.json": "{}"}, "16.2.0": NEXT_DOCS, "16.4.6": NEXT_DOCS},
    "fastify": {
        "4.9.0": {"docs/Guides/start.md": page("Start", "Four.")},
        "5.12.8": {"docs/Guides/start.md": page("Start", "Five.")},
    },
    "acme": {"1.9.0": {"docs/use.md": page("Use", "Old.")}, "1.10.0": {"docs/use.md": page("Use", "New.")}},
    "hollow": {"1.0.0": {"index.js": "x"}},
}


@pytest.fixture
def npm(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackNpm]:
    with npm_registry(monkeypatch, PACKAGES) as registry:
        yield registry


def acquire(base: str, asked: str | None = None, policy: FetchPolicy | None = None) -> Acquired:
    return Acquirer(Store(), Catalogue.load(), policy).acquire(base, asked)


def codes(acquired: Acquired) -> list[str]:
    return [notice.code for notice in acquired.notices]


def test_a_damaged_docset_is_said_to_be_damaged_where_nothing_may_be_fetched(npm: LoopbackNpm) -> None:
    path = acquire("/fastify/fastify").installed.path
    path.write_bytes(b"SQLite format 3\x00 and no more")
    with pytest.raises(SourceUnavailable, match="fastify is damaged") as caught:
        acquire("/fastify/fastify", policy=FetchPolicy(offline=True))
    assert path.name in caught.value.why and "--offline" in caught.value.why
    assert "docs-research update npm:fastify@5.12.8" in caught.value.next_step
    assert acquire("/fastify/fastify").installed.version == "5.12.8"  # with a network it is fetched anew
    with pytest.raises(SourceUnavailable, match="npm:acme is not installed"):
        acquire("/npm/acme", policy=FetchPolicy(offline=True))


def test_a_docset_is_found_by_the_id_of_its_package_and_by_that_of_its_library(npm: LoopbackNpm) -> None:
    acquire("/fastify/fastify")
    assert acquire("/npm/fastify", policy=FetchPolicy(offline=True)).installed.library_id == "/fastify/fastify"
    unknown = Acquirer(Store(), Catalogue(()), FetchPolicy(yes=True)).acquire("/npm/next")
    assert unknown.installed.library_id == "/npm/next"
    assert acquire("/vercel/next.js", policy=FetchPolicy(offline=True)).installed == unknown.installed


def test_the_newest_release_is_fetched_once_and_then_read_from_disk(npm: LoopbackNpm) -> None:
    first = acquire("/fastify/fastify")
    assert (first.installed.version, codes(first)) == ("5.12.8", ["fetched"])
    second = acquire("/fastify/fastify", policy=FetchPolicy(offline=True))
    assert (second.installed.version, second.version_choice, codes(second)) == ("5.12.8", "newest installed", [])
    assert npm.downloads == ["archives/fastify/5.12.8.tgz"]


def test_a_docset_of_an_older_builder_answers_and_says_what_indexes_it_again(
    npm: LoopbackNpm, monkeypatch: pytest.MonkeyPatch
) -> None:
    acquire("/fastify/fastify")
    monkeypatch.setattr("docs_researcher.docsets.meta.BUILDER", 99)
    acquired = acquire("/fastify/fastify", policy=FetchPolicy(offline=True))
    assert (acquired.installed.version, codes(acquired)) == ("5.12.8", ["older_builder"])
    assert "docs-research update /fastify/fastify" in acquired.notices[0].text
    assert npm.downloads == ["archives/fastify/5.12.8.tgz"]


def test_an_exact_version_is_fetched_as_asked(npm: LoopbackNpm) -> None:
    acquired = acquire("/fastify/fastify", "4.9.0")
    assert (acquired.installed.version, acquired.version_choice, codes(acquired)) == ("4.9.0", "asked for", ["fetched"])


def test_a_major_version_is_the_newest_release_that_fits(npm: LoopbackNpm) -> None:
    assert acquire("/fastify/fastify", "4").installed.version == "4.9.0"
    assert acquire("/fastify/fastify", "v5").installed.version == "5.12.8"


def test_a_version_before_the_package_held_documentation_is_replaced_and_the_reason_said(npm: LoopbackNpm) -> None:
    acquired = acquire("/vercel/next.js", "15")
    assert (acquired.installed.version, codes(acquired)) == ("16.2.0", ["version_substituted", "source_unavailable", "fetched"])
    text = acquired.notices[0].text
    assert "15" in text
    assert "16.2.0" in text
    assert "only from 16.2.0 on" in text


def test_an_installed_docset_of_the_nearest_line_spares_the_download(npm: LoopbackNpm) -> None:
    add_source("npm:next@16.4.6", store=Store(), catalogue=Catalogue.load())
    acquired = acquire("/vercel/next.js", "15")
    assert (acquired.installed.version, codes(acquired)) == ("16.4.6", ["version_substituted", "source_unavailable"])
    assert npm.downloads == ["archives/next/16.4.6.tgz"]


def test_a_strict_asker_is_refused_instead_with_what_there_is(npm: LoopbackNpm) -> None:
    with pytest.raises(VersionNotFound, match="15") as caught:
        acquire("/vercel/next.js", "15", FetchPolicy(strict_version=True))
    assert "16.2.0" in caught.value.next_step
    assert "strict_version=False" in caught.value.next_step and "--strict-version" in caught.value.next_step
    assert npm.downloads == []


def test_a_version_that_was_never_released_is_replaced_by_the_nearest(npm: LoopbackNpm) -> None:
    acquired = acquire("/fastify/fastify", "4.77.1")
    assert acquired.installed.version == "4.9.0"
    assert codes(acquired) == ["version_substituted", "fetched"]


def test_what_is_installed_answers_when_the_right_version_cannot_be_fetched(npm: LoopbackNpm) -> None:
    acquire("/fastify/fastify")
    acquired = acquire("/fastify/fastify", "4", FetchPolicy(offline=True))
    assert (acquired.installed.version, codes(acquired)) == ("5.12.8", ["version_substituted"])
    assert "offline" in acquired.notices[0].text


def test_offline_with_nothing_installed_names_the_command(home: Path) -> None:
    with pytest.raises(SourceUnavailable, match="not installed") as caught:
        acquire("/fastify/fastify", policy=FetchPolicy(offline=True))
    assert "docs-research add npm:fastify" in caught.value.next_step


def test_a_package_outside_the_catalogue_needs_consent(npm: LoopbackNpm) -> None:
    with pytest.raises(ConsentRequired):
        acquire("/npm/acme")
    assert npm.paths == []
    asked: list[str] = []

    def decline(question: str) -> bool:
        asked.append(question)
        return False

    with pytest.raises(ConsentRequired):
        acquire("/npm/acme", policy=FetchPolicy(confirm=decline))
    assert len(asked) == 1
    assert acquire("/npm/acme", policy=FetchPolicy(named="npm:acme")).installed.version == "1.10.0"


def test_the_newest_of_several_installed_versions_is_found_by_number(npm: LoopbackNpm) -> None:
    for version in ("1.10.0", "1.9.0"):
        acquire("/npm/acme", version, FetchPolicy(yes=True))
    assert acquire("/npm/acme").installed.version == "1.10.0"
    assert acquire("/npm/acme", "1.9").installed.version == "1.9.0"


def test_an_unknown_id_and_an_unknown_package_are_told_apart(npm: LoopbackNpm) -> None:
    with pytest.raises(LibraryNotFound):
        acquire("/nobody/nothing")
    with pytest.raises(PackageNotFound, match="missing"):
        acquire("/npm/missing", policy=FetchPolicy(yes=True))


def test_a_package_without_documentation_says_so(npm: LoopbackNpm) -> None:
    with pytest.raises(NoDocumentation, match="hollow"):
        acquire("/npm/hollow", policy=FetchPolicy(yes=True))
    assert Store().installed() == ()


def test_three_queries_at_once_fetch_a_library_once(npm: LoopbackNpm) -> None:
    acquirer = Acquirer(Store(), Catalogue.load())
    found: list[Acquired] = []
    threads = [threading.Thread(target=lambda: found.append(acquirer.acquire("/fastify/fastify"))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [acquired.installed.version for acquired in found] == ["5.12.8"] * 3
    assert len(npm.downloads) == 1


@pytest.mark.parametrize("argument", ["npm:fastify@4", "pkg:npm/fastify@4.9.0", "Fastify@4.9", "fastify==4.9.0"])
def test_add_takes_a_package_or_a_name_with_a_version(npm: LoopbackNpm, argument: str) -> None:
    report = add_source(argument, store=Store(), catalogue=Catalogue.load())
    assert (report.id, report.version, report.pages, report.already) == ("/fastify/fastify", "4.9.0", 1, False)


def test_adding_the_same_again_changes_nothing_and_reports_the_same(npm: LoopbackNpm) -> None:
    first = add_source("npm:fastify@4.9.0", store=Store(), catalogue=Catalogue.load())
    again = add_source("npm:fastify@4.9.0", store=Store(), catalogue=Catalogue.load())
    assert (again.already, again.id, again.version) == (True, first.id, first.version)
    assert (again.pages, again.chunks, again.skipped) == (first.pages, first.chunks, first.skipped)
    assert len(npm.downloads) == 1


def test_add_never_installs_another_version_than_the_one_named(npm: LoopbackNpm) -> None:
    with pytest.raises(VersionNotFound) as caught:
        add_source("npm:next@15.5.0", store=Store(), catalogue=Catalogue.load())
    assert "docs-research add npm:next@16.2.0" in caught.value.next_step


@pytest.mark.parametrize(
    ("argument", "error"),
    [("./missing", UsageError), ("frobnicate-nothing", LibraryNotFound), ("npm:missing", PackageNotFound)],
)
def test_add_says_what_it_could_not_find(npm: LoopbackNpm, argument: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        add_source(argument, store=Store(), catalogue=Catalogue.load())


def test_a_folder_is_added_under_its_name_and_version(home: Path, tmp_path: Path) -> None:
    (tmp_path / "acme" / "docs").mkdir(parents=True)
    (tmp_path / "acme" / "docs" / "use.md").write_text(page("Use", "Call it."), encoding="utf-8")
    report = add_source(str(tmp_path / "acme"), store=Store(), catalogue=Catalogue.load(), pkg_version="2.1")
    assert (report.id, report.version) == ("/local/acme", "2.1")


def test_what_a_killed_fetch_left_behind_is_removed_by_a_later_one(npm: LoopbackNpm) -> None:
    cache = Store().cache_dir
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    ended.wait()
    for name in ("fetch-old", f"fetch-{ended.pid}-killed", f"fetch-{os.getpid()}-running"):
        (cache / name).mkdir(parents=True)
        (cache / name / "package.tgz").write_bytes(b"half")
    two_days_ago = time.time() - 2 * 24 * 3600
    os.utime(cache / "fetch-old", (two_days_ago, two_days_ago))
    acquire("/fastify/fastify")
    assert [path.name for path in cache.glob("fetch-*")] == [f"fetch-{os.getpid()}-running"]


def test_a_version_that_is_installed_is_not_fetched_again(npm: LoopbackNpm) -> None:
    acquire("/fastify/fastify")
    acquired = acquire("/fastify/fastify", "99")
    assert (acquired.installed.version, codes(acquired)) == ("5.12.8", ["version_substituted"])
    report = add_source("npm:fastify", store=Store(), catalogue=Catalogue.load())
    assert (report.version, report.already) == ("5.12.8", True)
    assert len(npm.downloads) == 1


@pytest.mark.parametrize(
    ("argument", "options"), [("", {}), (" ", {}), ("npm:fastify@4", {"pkg_version": "5"}), (".", {"name": ""})]
)
def test_add_refuses_what_says_nothing_or_two_things(npm: LoopbackNpm, argument: str, options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        add_source(argument, store=Store(), catalogue=Catalogue.load(), **options)


def test_add_takes_an_id_of_the_catalogue(npm: LoopbackNpm) -> None:
    assert add_source("/fastify/fastify/4.9.0", store=Store(), catalogue=Catalogue.load()).version == "4.9.0"
