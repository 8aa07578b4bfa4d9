"""The yardsticks: what counts as found, and that equal rows give equal figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from figures import interval, percentile, shown_gain
from frozen_default import FrozenDefault, chunks_of
from retrieval import Question, Scored, failures, rank_of, read_questions
from searchers import Found

PAGES = [
    ("docs/auth.md", "Authentication", "# Authentication\n\nLog in.\n\n## Sessions\n\nA session lasts a day."),
    ("docs/release-notes.md", "Release notes", "# Release notes\n\nSessions and sessions and sessions last a day."),
    ("docs/cache.md", "Caching", "# Caching\n\n```sh\n## no heading\n```\n\n## Invalidation\n\nPurge it."),
]


def test_the_rank_counts_pages_and_not_chunks() -> None:
    assert rank_of(["docs/a.md", "docs/a.md", "docs/b.md"], ["b.md"]) == 2
    assert rank_of(["docs/ab.md"], ["b.md"]) is None


def test_an_interval_is_the_same_each_time_and_holds_the_mean() -> None:
    values = [0.0, 1.0, 1.0, 0.0, 1.0] * 10
    assert interval(values) == interval(values)
    low, high = interval(values)
    assert low < 0.6 < high


def test_a_gain_is_proven_only_when_its_interval_leaves_zero_out() -> None:
    assert shown_gain([1.0] * 20, percent=True).endswith("above zero")
    assert shown_gain([1.0, -1.0] * 10, percent=True).endswith("not proven")


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([], 0.95) == 0


def test_the_frozen_search_answers_any_question_and_demotes_release_notes() -> None:
    index = FrozenDefault(PAGES)
    assert index.search("How long does a session last?")[0].path == "docs/auth.md"
    assert index.search("what do the release notes say on sessions?")[0].path == "docs/release-notes.md"
    assert index.search('"unbalanced OR (')[:1] == []
    assert index.search("") == []


def test_the_frozen_search_finds_no_heading_inside_code() -> None:
    assert [heading for heading, _ in chunks_of(PAGES[2][2])] == ["Caching", "Invalidation"]


def test_a_row_that_is_held_back_is_never_listed() -> None:
    found = Found(("other.md",), ("other.md",), 10, 0.1, titles=("Other",))
    tune, held = (
        Question(split, "pypi:x@1", f"asked {split}?", "", ("gold.md",), "keyword", split) for split in ("tune", "held")
    )
    rows = [Scored(question, found, None) for question in (tune, held)]
    listed = failures({"ours": rows, "frozen default": rows})
    assert "asked tune?" in listed
    assert "asked held?" not in listed


def test_a_question_without_gold_ends_the_run(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"package": "pypi:click@8.5.1", "question": "how?"}\n', encoding="utf-8")
    with pytest.raises(SystemExit, match="line 1"):
        read_questions(file)
