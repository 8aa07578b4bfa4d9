import json

import pytest

from docs_researcher.core import errors
from docs_researcher.core.answer import EXIT_CODES, Answer, AnsweredLibrary, Example, Needs, Notice, Reference
from docs_researcher.core.ledger import Ledger
from docs_researcher.core.limits import Limits, Meter
from docs_researcher.core.messages import QUERY, RESOLVE, ToolResult
from docs_researcher.core.passages import Passage, page_address
from docs_researcher.core.tokens import estimate_tokens


def test_an_answer_becomes_plain_json_with_its_field_names() -> None:
    answer = Answer(
        "complete",
        "text",
        AnsweredLibrary("Next.js", "/vercel/next.js", "16.2.0", "newest installed"),
        (Example("x = 1", "py", "https://example.com"),),
        (Reference("T", None, "docs/a.md", "/vercel/next.js", "16.2.0", None),),
        (Notice("fetched", "Fetched."),),
        Needs("Which?", ("a", "b")),
    )
    value = json.loads(json.dumps(answer.to_dict()))
    assert list(value) == ["status", "text", "library", "examples", "references", "notices", "needs", "usage"]
    assert value["library"]["id"] == "/vercel/next.js"
    assert value["references"][0]["path"] == "docs/a.md"
    assert value["notices"] == [{"code": "fetched", "text": "Fetched."}]
    assert value["usage"]["cost"] is None


def test_every_status_has_its_own_exit_code_and_two_is_kept_for_usage() -> None:
    assert sorted(EXIT_CODES.values()) == [0, 1, 3, 4, 5, 6]
    assert Answer("needs_input", "which?").exit_code == 5


def test_every_error_of_the_tree_is_drawn_in_the_modules_docstring() -> None:
    drawn = errors.__doc__ or ""
    classes = [
        value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, errors.DocsResearchError)
    ]
    assert len(classes) > 15
    assert [cls.__name__ for cls in classes if cls.__name__ not in drawn] == []
    assert len({cls.code for cls in classes}) == len(classes)


def test_a_definition_error_names_its_place() -> None:
    error = errors.DefinitionError("bad value", why="not a number", path="a.md", line=3, column=7)
    assert error.message == "a.md:3:7: bad value: not a number"


def test_the_same_passage_is_the_same_evidence() -> None:
    ledger = Ledger()
    first = Passage("T", "content", "pkg:npm/x@1#a.md")
    second = Passage("T", "other", "pkg:npm/x@1#a.md")
    assert [evidence.number for evidence in ledger.add([first, second, first], "q")] == [1, 2, 1]
    assert (len(ledger), ledger.passages) == (2, (first, second))


def test_a_meter_counts_each_tool_against_its_own_limit() -> None:
    meter = Meter(Limits(query_calls=1, resolve_calls=2))
    meter.count_call(QUERY)
    assert (meter.may_call(QUERY), meter.may_call(RESOLVE), meter.may_call("browse")) == (False, True, False)
    assert (meter.remaining_calls(RESOLVE), meter.tool_calls) == (2, 1)


def test_a_meter_names_the_limit_that_was_reached() -> None:
    assert Meter(Limits()).reached() is None
    assert "8 model turns" in (Meter(Limits(), turns=8).reached() or "")
    assert "60,000 tokens" in (Meter(Limits(), tokens_read=60_000).reached() or "")


def test_limits_change_only_where_a_value_is_given() -> None:
    assert Limits().with_changes(answer_tokens=None, seconds=5.0) == Limits(seconds=5.0)


def test_only_real_failures_are_errors_to_a_model() -> None:
    assert [ToolResult("", outcome=outcome).is_error for outcome in ("ok", "not_found", "limit", "unavailable")] == [
        False,
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("", 0, 0),
        ("a", 1, 1),
        ("word " * 100, 90, 130),
        ('{"a": [1, 2, {"b": null}]}' * 20, 200, 340),
        ("日本語の文書" * 50, 220, 260),
    ],
)
def test_the_token_estimate_follows_the_kind_of_text(text: str, low: int, high: int) -> None:
    assert low <= estimate_tokens(text) <= high


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("https://acme.dev/guide#install", "https://acme.dev/guide"),
        ("https://acme.dev/#/docs/api?id=get", "https://acme.dev/#/docs/api"),
        ("https://acme.dev/#/docs/api#get", "https://acme.dev/#/docs/api"),
        ("https://acme.dev/guide?a=1#b", "https://acme.dev/guide?a=1"),
    ],
)
def test_the_pages_of_a_site_that_is_drawn_in_the_browser_are_told_apart_behind_the_hash(url: str, page: str) -> None:
    assert page_address(url) == page
