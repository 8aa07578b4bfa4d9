import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs_researcher.core.layout import (
    CANDIDATE_RULE,
    PASSAGE_RULE,
    parse_candidates,
    parse_passages,
    render_candidates,
    render_passages,
)
from docs_researcher.core.passages import Candidate, Passage

NEXT = Candidate("/vercel/next.js", "Next.js", "The React framework", 4700, "High", 88.4, ("v15.1.8", "v14.3.0-canary.87"), "npm")
BARE = Candidate("/local/notes", "notes")


def test_candidates_are_written_in_the_known_layout() -> None:
    assert render_candidates([NEXT, BARE]) == (
        "Available Libraries:\n\n"
        "- Title: Next.js\n"
        "- Context7-compatible library ID: /vercel/next.js\n"
        "- Description: The React framework\n"
        "- Code Snippets: 4700\n"
        "- Source Reputation: High\n"
        "- Benchmark Score: 88.4\n"
        "- Versions: v15.1.8, v14.3.0-canary.87\n"
        "- Source: npm\n"
        "----------\n"
        "- Title: notes\n"
        "- Context7-compatible library ID: /local/notes\n"
        "- Description: \n"
        "- Source Reputation: Unknown"
    )


def test_candidates_read_back_are_the_same() -> None:
    assert parse_candidates(render_candidates([NEXT, BARE])) == (NEXT, BARE)
    assert parse_candidates(render_candidates([NEXT], note="Only installed libraries are listed.")) == (NEXT,)


def test_another_servers_labels_and_words_in_place_of_numbers_are_understood() -> None:
    text = (
        "Library ID: Unknown\nName: gpui\nDescription: x\nCode Snippets: Unknown\n\n"
        "Library ID: /websites/rs_gpui\nName: gpui\nDescription: docs page\nCode Snippets: 900\n"
        "Source Reputation: Medium\nBenchmark Score: Unknown\nVersions: Latest"
    )
    assert parse_candidates(text) == (Candidate("/websites/rs_gpui", "gpui", "docs page", 900, "Medium"),)


def test_ids_with_dots_at_signs_and_slashes_are_not_cut() -> None:
    text = "- Title: Q\n- Context7-compatible library ID: /tanstack/query/@tanstack/react-query@5.60.5 \n- Description: d"
    assert parse_candidates(text)[0].id == "/tanstack/query/@tanstack/react-query@5.60.5"


def test_a_trust_score_becomes_a_reputation() -> None:
    text = "- Title: T\n- Context7-compatible library ID: /a/b\n- Description: d\n- Trust Score: {}"
    assert [parse_candidates(text.format(score))[0].reputation for score in ("9.1", "5", "0", "-1")] == [
        "High",
        "Medium",
        "Low",
        "Unknown",
    ]


@pytest.mark.parametrize("text", ["", "No libraries found", "Available Libraries:\n\n", "\n".join(["-" * 10] * 5)])
def test_a_text_without_candidates_has_none(text: str) -> None:
    assert parse_candidates(text) == ()


PAGE = Passage(
    "Guide > Routes", "Use it:\n\n```ts\nconst a = 1\n```", "https://example.com/guide", url="https://example.com/guide"
)
PURL = Passage("Setup", "Plain prose.", "pkg:npm/x@1#docs/setup.md")


def test_passages_are_written_in_the_known_layout() -> None:
    assert render_passages([PAGE, PURL], note="From 2.0.") == (
        "**Note:** From 2.0.\n\n"
        "### Guide > Routes\n\nSource: https://example.com/guide\n\nUse it:\n\n```ts\nconst a = 1\n```\n\n"
        "--------------------------------\n\n"
        "### Setup\n\nSource: pkg:npm/x@1#docs/setup.md\n\nPlain prose."
    )


def test_passages_read_back_are_the_same_and_the_note_is_no_passage() -> None:
    assert parse_passages(render_passages([PAGE, PURL], note="From 2.0.")) == (PAGE, PURL)


def test_a_rule_or_a_heading_inside_a_fence_belongs_to_the_code() -> None:
    code = f"```md\n### not a title\n{PASSAGE_RULE}\n```"
    passage = Passage("T", f"Before\n\n{code}\n\nafter", "pkg:npm/x@1#a.md")
    assert parse_passages(render_passages([passage, PURL])) == (passage, PURL)


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\f", "\v"])
def test_a_character_that_is_no_line_break_comes_back_inside_its_line(character: str) -> None:
    passage = Passage("T", f"Before{character}### no title{character}{PASSAGE_RULE}{character}after", "pkg:npm/x@1#a.md")
    assert parse_passages(render_passages([passage, PURL])) == (passage, PURL)
    text = f"- Title: T\n- Context7-compatible library ID: /a/b\n- Description: one{character}- Title: two\n"
    assert [(found.title, found.id) for found in parse_candidates(text)] == [("T", "/a/b")]


def test_an_error_sentence_is_no_passage() -> None:
    assert parse_passages("Documentation not found or not finalized for this library.") == ()


WORDS = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=20)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.builds(
            Candidate,
            id=st.from_regex(r"/[a-z]{1,8}/[a-z.]{1,8}[a-z]", fullmatch=True),
            title=WORDS.filter(lambda word: word != "undefined"),
            description=WORDS.filter(lambda word: word != "undefined"),
            snippets=st.none() | st.integers(0, 10**6),
            reputation=st.sampled_from(["High", "Medium", "Low", "Unknown"]),
            versions=st.lists(st.from_regex(r"v[0-9]{1,3}\.[0-9]{1,3}", fullmatch=True), max_size=4).map(tuple),
        ),
        max_size=4,
    )
)
def test_any_list_of_candidates_survives_the_text(candidates: list[Candidate]) -> None:
    assert parse_candidates(render_candidates(candidates)) == tuple(candidates)


def test_the_two_rules_have_the_lengths_that_clients_split_at() -> None:
    assert (len(CANDIDATE_RULE), len(PASSAGE_RULE)) == (10, 32)
