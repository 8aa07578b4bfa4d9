"""Arguments as models write them: rewritten, ignored, or refused with the names that work."""

from __future__ import annotations

from typing import Any

import pytest

from docs_researcher.core.errors import ArgumentsRefused
from docs_researcher.core.messages import QUERY, RESOLVE
from docs_researcher.tools.arguments import canonical_arguments, canonical_tool, refused_result, without_secrets


@pytest.mark.parametrize("alias", ["userQuery", "question", "topic"])
@pytest.mark.parametrize("tool", [RESOLVE, QUERY])
def test_an_alias_of_query_is_rewritten(tool: str, alias: str) -> None:
    arguments = {"libraryName": "/vercel/next.js", "libraryId": "/vercel/next.js", alias: "routing"}
    assert canonical_arguments(tool, arguments)["query"] == "routing"


@pytest.mark.parametrize(
    "alias", ["context7CompatibleLibraryID", "context7CompatibleLibraryId", "libraryID", "libraryName", "library_id"]
)
def test_an_alias_of_the_library_id_is_rewritten(alias: str) -> None:
    found = canonical_arguments(QUERY, {alias: "/vercel/next.js", "query": "routing"})
    assert found == {"libraryId": "/vercel/next.js", "query": "routing"}


def test_an_alias_never_replaces_the_right_name() -> None:
    found = canonical_arguments(QUERY, {"libraryName": "/a/b", "libraryId": "/c/d", "userQuery": "x", "query": "y"})
    assert found == {"libraryId": "/c/d", "query": "y"}


def test_the_first_alias_that_is_present_wins() -> None:
    found = canonical_arguments(
        QUERY, {"libraryName": "/a/b", "context7CompatibleLibraryID": "/c/d", "question": "y", "userQuery": "x"}
    )
    assert found == {"libraryId": "/c/d", "query": "x"}


def test_a_library_name_stays_a_name_for_resolve() -> None:
    assert canonical_arguments(RESOLVE, {"libraryName": " Next.js ", "query": "auth"}) == {
        "libraryName": "Next.js",
        "query": "auth",
    }


def test_unknown_arguments_are_ignored() -> None:
    found = canonical_arguments(QUERY, {"libraryId": "/a/b", "query": "x", "tokens": 5000, "page": None})
    assert found == {"libraryId": "/a/b", "query": "x"}


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        "",
        "not json",
        [],
        None,
        {"libraryId": "/a/b"},
        {"libraryId": "/a/b", "query": ""},
        {"libraryId": "/a/b", "query": "  \n"},
        {"libraryId": "/a/b", "query": ["x"]},
        {"libraryId": "/a/b", "query": 3},
        {"libraryId": None, "query": "x"},
        {"libraryId": "/a/b", "query": "", "question": "the right name is there, so the alias does not count"},
    ],
)
def test_what_cannot_be_used_is_refused_with_the_right_names(arguments: Any) -> None:
    with pytest.raises(ArgumentsRefused) as refused:
        canonical_arguments(QUERY, arguments)
    assert '"libraryId"' in refused.value.next_step
    assert '"query"' in refused.value.next_step


def test_arguments_that_arrive_as_json_text_are_read() -> None:
    assert canonical_arguments(QUERY, '{"libraryId": "/a/b", "query": "x"}') == {"libraryId": "/a/b", "query": "x"}


@pytest.mark.parametrize("name", ["next", "next@15", "npm:next", "https://a.example.invalid/b", "/vercel", "Next.js"])
def test_a_bare_name_is_refused_with_the_call_that_finds_the_id(name: str) -> None:
    with pytest.raises(ArgumentsRefused) as refused:
        canonical_arguments(QUERY, {"libraryId": name, "query": "x"})
    assert refused.value.next_step.startswith("Call resolve-library-id first")


def test_an_id_without_its_slash_is_named_in_the_refusal() -> None:
    with pytest.raises(ArgumentsRefused) as refused:
        canonical_arguments(QUERY, {"libraryId": "vercel/next.js", "query": "x"})
    assert "/vercel/next.js" in refused.value.next_step


@pytest.mark.parametrize("text", ["/tanstack/query/@tanstack/react-query@5.60.5", "/vercel/next.js/v15.1.8", "/a/b@1"])
def test_an_id_is_kept_letter_for_letter(text: str) -> None:
    assert canonical_arguments(QUERY, {"libraryId": f" `{text}` ", "query": "x"})["libraryId"] == text


def test_the_old_name_of_query_docs_is_known() -> None:
    assert canonical_tool("get-library-docs") == QUERY
    found = canonical_arguments("get-library-docs", {"context7CompatibleLibraryID": "/a/b", "topic": "x", "tokens": 100})
    assert found == {"libraryId": "/a/b", "query": "x"}


def test_an_unknown_tool_is_refused_with_the_two_that_exist() -> None:
    assert canonical_tool("browse") is None
    with pytest.raises(ArgumentsRefused) as refused:
        canonical_arguments("browse", {})
    assert RESOLVE in refused.value.next_step
    assert QUERY in refused.value.next_step


def test_secrets_are_cut_out_of_the_query_and_counted() -> None:
    key = "sk-ant-EXAMPLE-NOT-REAL-0123456789abcdef"
    cut, count = without_secrets({"libraryId": "/a/b", "query": f"why 401 with {key}"})
    assert count == 1
    assert key not in cut["query"]
    assert cut["query"].startswith("why 401 with ")
    assert without_secrets(cut) == (cut, 0)


def test_a_refusal_is_told_to_the_model_as_a_failed_call() -> None:
    with pytest.raises(ArgumentsRefused) as refused:
        canonical_arguments(QUERY, {})
    result = refused_result(refused.value)
    assert result.outcome == "refused"
    assert result.is_error
    assert '"libraryId"' in result.text
