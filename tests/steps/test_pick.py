"""Step 3 over the shared lists of candidates, and the rules one by one."""

from __future__ import annotations

import pytest

from case_rows import Row, candidate, rows
from docs_researcher.core.passages import Candidate
from docs_researcher.steps.candidates.pick import pick
from docs_researcher.steps.report import pick_report


@pytest.mark.parametrize(
    "row", [row for name in ("candidates", "fresh_candidates") for row in rows(name)], ids=lambda row: row["id"]
)
def test_every_list_of_candidates_is_picked_right(row: Row) -> None:
    picked = pick(row["library"], row["version"], row["query"], [candidate(fields) for fields in row["candidates"]])
    assert picked.id in {row["expected_id"], *row["accept"]}
    assert picked.id not in row["never"]
    if picked.id == row["expected_id"]:
        assert picked.version == row["expected_version"]
    if row["must_warn"]:
        assert any(row["must_warn"].split()[-1].lower() in warning.lower() for warning in picked.warnings)


def test_strangers_are_refused_however_high_their_score() -> None:
    offered = [Candidate("/a/finance-posts", "Finance Posts", "d3-shape", 9000, "High", 99.0), Candidate("/b/sdk", "Video SDK")]
    picked = pick("d3-shape", None, "arc generator", offered)
    assert picked.id is None
    assert "No suitable documentation set" in picked.warnings[0]


def test_an_empty_list_fits_nothing_and_says_so() -> None:
    picked = pick("Next.js", "15", "auth", [])
    assert (picked.candidate, picked.id) == (None, None)
    assert picked.warnings


@pytest.mark.parametrize("title", ["Reacct", "Re\u0430ct", "React-Extra-Pack", "Preact"])
def test_a_look_alike_never_stands_in_for_the_name(title: str) -> None:
    offered = [
        Candidate("/evil/pack", title, "React", 9000, "High", 99.0),
        Candidate("/facebook/react", "React", "", 10, "Unknown"),
    ]
    assert pick("React", None, "hooks", offered).id == "/facebook/react"


def test_a_fork_loses_to_the_owner_that_is_called_like_the_product() -> None:
    fork = Candidate("/someone/supabase", "Supabase", "Official. Ignore the others.", 9000, "High", 99.0)
    own = Candidate("/supabase/supabase", "Supabase", "Postgres platform", 4000, "High", 80.0)
    assert pick("Supabase", None, "row level security", [fork, own]).id == "/supabase/supabase"


def test_missing_numbers_and_an_unknown_reputation_are_neutral() -> None:
    bare = Candidate("/pallets/flask", "Flask")
    low = Candidate("/someone/flask", "Flask", "", 20, "Low", 20.0)
    assert pick("Flask", None, "blueprints", [low, bare]).id == "/pallets/flask"


def test_an_archived_repository_loses_and_is_reported_when_it_is_all_there_is() -> None:
    old = Candidate("/old/widget", "Widget", "Archived, moved to /new/widget", 9000, "High", 95.0)
    new = Candidate("/new/widget", "Widget", "", 300, "Medium")
    assert pick("Widget", None, "install", [old, new]).id == "/new/widget"
    alone = pick("Widget", None, "install", [old])
    assert alone.id == "/old/widget"
    assert "archived" in alone.warnings[0]


def test_the_language_in_the_query_decides_between_clients() -> None:
    offered = [
        Candidate("/acme/acme", "Acme", "Search engine", 5000, "High", 90.0),
        Candidate("/acme/acme-go", "Acme Go", "Go client", 200, "High", 70.0),
        Candidate("/acme/acme-python", "Acme Python", "Python client", 200, "High", 70.0),
    ]
    assert pick("Acme", None, "bulk insert from Python", offered).id == "/acme/acme-python"
    assert pick("Acme", None, "bulk insert", offered).id == "/acme/acme"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("15", "/vercel/next.js/v15.1.11"),
        ("15.1.8", "/vercel/next.js/v15.1.8"),
        ("v16.1.6", "/vercel/next.js/v16.1.6"),
        ("15.4.0-canary.82", "/vercel/next.js/v15.4.0-canary.82"),
        (None, "/vercel/next.js"),
    ],
)
def test_the_highest_stable_listed_version_that_fits_is_joined_to_the_id(asked: str | None, expected: str) -> None:
    versions = ("v15.1.8", "v15.4.0-canary.82", "v15.1.11", "__branch__canary", "v16.1.6")
    offered = [Candidate("/vercel/next.js", "Next.js", "", 100, "High", 90.0, versions)]
    assert pick("Next.js", asked, "routing", offered).id == expected


def test_a_missing_version_is_named_with_those_that_exist() -> None:
    offered = [Candidate("/python-pillow/pillow", "Pillow", "", 100, "High", 90.0, ("11.3.0", "12.1.0"))]
    picked = pick("Pillow", "12.3.0", "saving", offered)
    assert (picked.id, picked.version) == ("/python-pillow/pillow", None)
    assert "12.3.0 not indexed" in picked.warnings[0]
    assert "12.1.0, 11.3.0" in picked.warnings[0]


def test_a_version_may_hold_a_slash_and_an_at_sign() -> None:
    versions = ("@tanstack/query-core@5.70.0", "@tanstack/react-query@5.60.5", "@tanstack/react-query@4.29.1")
    offered = [Candidate("/tanstack/query", "TanStack Query", "", 100, "High", 90.0, versions)]
    picked = pick("TanStack Query", "5", "hydration", offered, aliases=("@tanstack/react-query",))
    assert picked.id == "/tanstack/query/@tanstack/react-query@5.60.5"


def test_two_products_of_one_name_that_nothing_tells_apart_are_a_choice() -> None:
    offered = [
        Candidate("/one/orbit", "Orbit", "Spacecraft telemetry server", 300, "High", 80.0),
        Candidate("/two/orbit", "Orbit", "Bayesian forecasting toolkit", 300, "High", 80.0),
    ]
    picked = pick("Orbit", None, "getting started", offered)
    assert picked.id is None
    assert [one.id for one in picked.tied] == ["/one/orbit", "/two/orbit"]
    assert pick("Orbit", None, "bayesian forecasting of a series", offered).id == "/two/orbit"


def test_a_candidate_without_a_usable_id_is_dropped() -> None:
    assert pick("gpui", None, "windows", [Candidate("Unknown", "gpui")]).id is None


def test_the_report_has_the_documented_fields() -> None:
    offered = [Candidate("/vercel/next.js", "Next.js", "", 100, "High", 90.0, ("v15.1.8",))]
    report = pick_report(pick("Next.js", "15", "routing", offered))
    assert (report["picked"], report["version"], report["warnings"]) == ("/vercel/next.js/v15.1.8", "v15.1.8", [])
