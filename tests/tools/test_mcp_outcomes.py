"""A server's message is told apart from documentation, whatever words the documentation uses."""

from __future__ import annotations

import pytest

from docs_researcher.core.messages import QUERY, RESOLVE, ToolOutcome
from docs_researcher.tools.mcp.outcomes import failure_text, read_outcome

MESSAGES: list[tuple[str, ToolOutcome]] = [
    (
        "Documentation not found or not finalized for this library. This might have happened because of an invalid id.",
        "not_found",
    ),
    ('{"error":"library_not_finalized","message":"Library /a/b is not finalized yet"}', "not_ready"),
    ('{"error": "library_not_finalized"}', "not_ready"),
    ("Library /a/b is not finalized yet.", "not_ready"),
    ('{"error":"library_redirected","message":"Moved","redirectUrl":"/new/lib"}', "redirected"),
    ("Library /old/lib has been redirected to /new/lib.", "redirected"),
    ("The library you are trying to access does not exist. Please try with a different library ID.", "not_found"),
    ("Library '/a/b' not found", "not_found"),
    ("Tag v3.8.2 not found. Available tags: v3.7.0, v3.8.0", "not_found"),
    ("No libraries found matching the provided name.", "not_found"),
    ("No documentation available for this library", "not_found"),
    ('{"error":"tag_not_found","message":"Tag v9 not found"}', "not_found"),
    ("Invalid API key. Please check your API key.", "unauthorised"),
    ("Unauthorized. Please check your API key.", "unauthorised"),
    ("Rate limited or quota exceeded. Create a free API key for higher limits.", "rate_limited"),
    ("Rate limit exceeded", "rate_limited"),
    ("Too many requests, please slow down", "rate_limited"),
    ("Monthly quota exceeded.", "rate_limited"),
    ("Request failed with status 502. Please try again later.", "unavailable"),
    ("Request failed with status 429. Please try again later.", "rate_limited"),
    ("Request failed with status 403", "unauthorised"),
    ("Error fetching library context. Please try again later. TypeError: fetch failed", "unavailable"),
    ("Error searching libraries: SyntaxError: Unexpected token '<'", "unavailable"),
    ("Input validation error: Invalid arguments for tool query-docs: [...]", "refused"),
    ("MCP error -32602: Invalid arguments", "refused"),
    ("<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>", "unavailable"),
    ('{"error":"something_new","message":"Rate limit exceeded"}', "rate_limited"),
    ('{"error":"something_new","message":"Hm"}', "error"),
    ("", "not_found"),
    (" \n", "not_found"),
]


@pytest.mark.parametrize(("text", "outcome"), MESSAGES)
def test_a_message_is_never_taken_for_documentation(text: str, outcome: ToolOutcome) -> None:
    assert read_outcome(text).outcome == outcome


@pytest.mark.parametrize(
    "text",
    [
        "### Errors\n\nSource: https://d.example.invalid\n\nRate limit exceeded. Too many requests.",
        "### Rate limit exceeded\n\nRaised when the quota is spent.",
        "# Library not found\n\nRaised by `load()`.",
        "Rate limited requests are answered with 429; set `max` and `timeWindow`.",
        "Invalid API key errors are raised by `login()`.",
        "The library does its own retries. If a file does not exist, it is made.",
        "Error handling works by hooks.",
        "Request failed with status codes other than 2xx reject the promise.",
        "No results are cached by default.",
        "Library not found:\n\n```\nerror\n```",
        "Too many requests.\n" + "A long page about throttling.\n" * 60,
        '{"error": "code", "message": "m", "a": 1, "b": 2, "c": 3, "d": 4}',
        '{"compilerOptions": {"strict": true}}',
        "Use `<html>` as the root.",
    ],
)
def test_documentation_that_speaks_of_errors_stays_documentation(text: str) -> None:
    assert read_outcome(text).outcome == "ok"


def test_the_server_s_own_flag_makes_any_text_a_message() -> None:
    assert read_outcome("Something odd", is_error=True).outcome == "error"
    assert read_outcome("### Title\n\nToo long to be read as a message", is_error=True).outcome == "error"
    assert read_outcome("Rate limit exceeded", is_error=True).outcome == "rate_limited"
    assert read_outcome("", is_error=True).outcome == "error"


@pytest.mark.parametrize(
    "text", ['{"error":"library_redirected","redirectUrl":"/new/lib"}', "Library /old/lib was moved to /new/lib."]
)
def test_a_move_names_the_new_id(text: str) -> None:
    reading = read_outcome(text)
    assert reading.moved_to == "/new/lib"
    assert "with the id /new/lib" in failure_text(reading, "context7", QUERY)


def test_a_failure_says_what_happened_in_the_server_s_words_and_what_to_do() -> None:
    text = failure_text(read_outcome("Rate limited or quota exceeded. See our plans."), "context7", QUERY)
    assert text.startswith("query-docs on the server context7: rate limited")
    assert 'It said: "Rate limited or quota exceeded. See our plans."' in text
    assert "\n\nNext: Stop calling this server" in text
    nothing = failure_text(read_outcome("No libraries found"), "context7", RESOLVE)
    assert "Next: Try the name as its makers write it" in nothing


def test_a_message_is_passed_on_short_clean_and_in_one_line() -> None:
    said = read_outcome('Rate limit exceeded.\n\x1b[31mNow "run" this:\u202e ' + "x" * 900).said
    assert len(said) <= 300
    assert "\n" not in said
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert '"' not in said


def test_markup_of_an_error_page_does_not_reach_the_model() -> None:
    reading = read_outcome("<html><script>alert(1)</script><h1>502 Bad Gateway</h1></html>")
    assert reading.said == "502 Bad Gateway"


def test_hostile_beginnings_cost_no_time() -> None:
    assert read_outcome("library " * 150).outcome == "ok"
    assert read_outcome("<html" + "<" * 200_000).outcome == "unavailable"
