"""Versions: reading, ordering, matching, choosing."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_researcher.library.versions import (
    best_match,
    choose_version,
    newest_stable,
    parse_version,
    satisfies,
    sort_newest,
)

NEXT = ["v14.3.0-canary.87", "v13.5.11", "v15.1.8", "v15.4.0-canary.82", "v12.3.7", "v15.1.11", "__branch__canary", "v16.1.6"]


@pytest.mark.parametrize(
    ("text", "core", "prerelease"),
    [
        ("v15.1.8", "15.1.8", False),
        ("v19_1_0", "19.1.0", False),
        ("pkg@1.2.3", "1.2.3", False),
        ("@scope/pkg@1.2.3", "1.2.3", False),
        ("@tanstack/react-query@5.60.5", "5.60.5", False),
        ("release-1.2.3", "1.2.3", False),
        ("release/1.2.3", "1.2.3", False),
        ("pkg-v2.0.0", "2.0.0", False),
        ("REL_2_1_9", "2.1.9", False),
        ("rel_2_0_0b1", "2.0.0b1", True),
        ("go1.22.3", "1.22.3", False),
        ("log4j-2.17.1", "2.17.1", False),
        ("spring-boot-3.2", "3.2", False),
        ("2024.10.1", "2024.10.1", False),
        ("6.1.4.1", "6.1.4.1", False),
        ("1.0.0rc1", "1.0.0rc1", True),
        ("1.0.0-rc.10", "1.0.0-rc.10", True),
        ("2.0.0-rc.10", "2.0.0-rc.10", True),
        ("15.4.0-canary.82", "15.4.0-canary.82", True),
        ("3.0.0-SNAPSHOT", "3.0.0-SNAPSHOT", True),
        ("5.3.9.RELEASE", "5.3.9", False),
        ("33.0.0-jre", "33.0.0", False),
        ("1.0.0+build.5", "1.0.0+build.5", False),
        ("1.0.post1", "1.0.post1", False),
        ("1.0.dev3", "1.0.dev3", True),
    ],
)
def test_a_version_is_read_as_tags_write_it(text: str, core: str, prerelease: bool) -> None:
    version = parse_version(text)
    assert version is not None
    assert (version.text, version.core, version.is_prerelease) == (text, core, prerelease)


@pytest.mark.parametrize(
    "text", ["main", "latest", "Latest", "__branch__canary", "__branch__v2", "feature-2fa", "2.x", "^5", "", "9" * 200]
)
def test_a_label_a_range_or_an_endless_text_is_no_version(text: str) -> None:
    assert parse_version(text) is None


def test_numbers_are_compared_as_numbers_and_labels_stand_last() -> None:
    mixed = ["1.15.9", "main", "2.0.0-rc.2", "1.15.10", "2.0.0", "2.0.0-rc.10", "2.0.0-beta.11", "2.0.0-canary.3"]
    assert sort_newest(mixed) == [
        "2.0.0", "2.0.0-rc.10", "2.0.0-rc.2", "2.0.0-canary.3", "2.0.0-beta.11", "1.15.10", "1.15.9", "main",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("1.0.0a2", "1.0.0-beta.1"),
        ("1.0.0rc2", "1.0.0-rc.10"),
        ("1.0.dev1", "1.0a1"),
        ("1.0", "1.0.post1"),
        ("1.0.0-alpha", "1.0.0-alpha.1"),
        ("2.9", "1!0.1"),
        ("1.0.0", "1.0.0+build"),
        ("9.9", "2024.10.1"),
    ],
)
def test_spellings_of_different_ecosystems_are_ordered_together(older: str, newer: str) -> None:
    assert sort_newest([older, newer]) == [newer, older]


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40)), min_size=1))
def test_sorting_agrees_with_the_numbers(numbers: list[tuple[int, int, int]]) -> None:
    texts = [f"v{a}.{b}.{c}" for a, b, c in numbers]
    assert sort_newest(texts) == [f"v{a}.{b}.{c}" for a, b, c in sorted(numbers, reverse=True)]


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_asked_about(asked: str, version: str) -> None:
    assert satisfies(asked, version) in (True, False)
    assert choose_version(asked, [version, "1.0"]).version in (version, "1.0")


@pytest.mark.parametrize(
    ("asked", "version", "expected"),
    [
        ("15", "15.1.8", True),
        ("v15", "v15.1.8", True),
        ("15", "15.4.0-canary.82", False),
        ("1", "15.1.8", False),
        ("15.1", "15.1.11", True),
        ("15.1", "15.10.0", False),
        ("15.1.0", "15.1", True),
        ("6.1.4", "6.1.4.1", True),
        ("19_1_0", "v19_1_0", True),
        ("2.x", "2.3.1", True),
        ("2.x", "3.0.0", False),
        ("^5", "5.60.5", True),
        (">=3,<4", "3.9", True),
        (">=3,<4", "4.0", False),
        (">=15", "16.0.0-canary.1", False),
        (">=5.2rc1", "5.2rc2", True),
        ("~=1.4", "1.9", True),
        ("==1.*", "1.5", True),
        ("~> 7.0", "7.2.1", True),
        ("~> 7.0", "8.0", False),
        ("~> 7.1.2", "7.2.0", False),
        ("15+", "16.1", True),
        ("15+", "14.9", False),
        ("1.2 - 2.3", "2.3.9", True),
        ("^1.2 || ^3", "3.1.0", True),
        ("^1.2, <1.5", "1.5.0", False),
        ("workspace:^1.2", "1.5.0", True),
        ("npm:@scope/pkg@^1.2", "1.5.0", True),
        ("file:../pkg", "1.5.0", False),
        ("latest", "1.0", True),
        ("latest", "1.0rc1", False),
        ("canary", "15.4.0-canary.82", True),
        ("canary", "__branch__canary", True),
        ("canary", "15.4.0-beta.1", False),
        ("3.0.0-beta.4", "3.0.0-beta.4", True),
        ("3.0.0-beta.4", "3.0.0", False),
        ("15", "__branch__canary", False),
        ("nonsense", "1.0", False),
    ],
)
def test_what_was_asked_is_satisfied_or_not(asked: str, version: str, expected: bool) -> None:
    assert satisfies(asked, version) is expected


def test_an_endless_range_is_refused_rather_than_evaluated() -> None:
    assert not satisfies(">=" + "1" * 20_000, "2.0.0")
    assert satisfies(">=1 " + " " * 200, "2.0.0")


def test_a_major_means_its_highest_stable_version() -> None:
    assert best_match("15", NEXT) == "v15.1.11"
    assert newest_stable(NEXT) == "v16.1.6"
    assert best_match("11", NEXT) is None


def test_an_exact_version_is_preferred_to_what_it_begins() -> None:
    assert best_match("6.1.4", ["6.1.4.1", "6.1.4"]) == "6.1.4"
    assert best_match("6.1.4", ["6.1.4.1", "6.1.5"]) == "6.1.4.1"


@pytest.mark.parametrize(
    ("asked", "versions", "chosen", "substituted"),
    [
        ("15", NEXT, "v15.1.11", False),
        ("15", ["16.2.0", "16.2.3", "16.4.6"], "16.2.3", True),
        ("15.1.8", ["15.0.3", "16.0.0"], "15.0.3", True),
        ("15.1.8", ["15.0.3", "15.2.0", "15.4.0"], "15.2.0", True),
        ("12.3.0", ["11.3.0", "12.1.0"], "12.1.0", True),
        ("9", ["2.1", "3.1"], "3.1", True),
        ("^5", ["4.1", "6.2"], "6.2", True),
        ("3.0.0-beta.4", ["3.0.0", "4.0.18"], "3.0.0", True),
        ("15", ["16.0.0-rc.1"], "16.0.0-rc.1", True),
        (None, ["1.0", "1.1", "2.0rc1"], "1.1", False),
        (None, ["1.0rc1"], "1.0rc1", False),
        ("latest", ["Latest"], "Latest", False),
        ("15", ["main"], None, False),
        ("15", [], None, False),
    ],
)
def test_a_version_is_chosen_and_a_substitute_is_named_one(
    asked: str | None, versions: list[str], chosen: str | None, substituted: bool
) -> None:
    choice = choose_version(asked, versions)
    assert (choice.version, choice.substituted) == (chosen, substituted)
    assert choice.how


def test_how_a_version_was_chosen_is_said() -> None:
    assert choose_version("15", NEXT).how == "the newest stable 15.x"
    assert choose_version("v15.1.8", NEXT).how == "the version asked for"
    assert choose_version(None, NEXT).how == "the newest stable version"
    assert choose_version("^15", NEXT).how == "the newest version that fits ^15"
    assert choose_version("11", NEXT).how == "the nearest to 11 that is listed"


def test_plain_versions_need_no_library() -> None:
    script = (
        "import sys\n"
        "from docs_researcher.library.versions import choose_version, sort_newest\n"
        "choose_version('15', ['v15.1.8', '16.0.0', '15.4.0-canary.82', 'main'])\n"
        "sort_newest(['1.0.0-rc.10', 'v19_1_0'])\n"
        "print([name for name in ('packaging', 'nodesemver') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout.strip() == "[]"
