"""Which arguments are a question, and which are a command."""

from __future__ import annotations

import pytest

from docs_researcher.cli.routing import as_question, is_option, options_first, route

COMMANDS = {"ask", "list", "search", "show"}
VALUES = {"--library", "--trace"}


def _route(*arguments: str) -> list[str]:
    return route(arguments, COMMANDS, lambda: VALUES)


@pytest.mark.parametrize(
    "arguments",
    [
        ["How do I set up auth in Next.js 15?"],
        ["how", "do", "I", "list", "files"],
        ["list the routes in fastify"],
        ["/vercel/next.js how do I use redirect"],
        ["/vercel/next.js", "redirect"],
        ["/"],
        ["//"],
        [""],
        ["fastify"],
        ["-"],
        ["--set values in helm"],
        ["how do I use helm --set"],
    ],
)
def test_words_that_start_with_no_command_are_a_question(arguments: list[str]) -> None:
    assert _route(*arguments) == ["ask", *arguments]


def test_options_may_stand_before_or_after_the_question() -> None:
    assert _route("--library", "next", "--json", "how do I x") == ["ask", "--library", "next", "--json", "how do I x"]
    assert _route("how do I x", "--json") == ["ask", "how do I x", "--json"]


def test_the_value_of_an_option_is_not_the_question() -> None:
    assert _route("--library", "list", "how do I x")[0] == "ask"
    assert _route("--library=next", "list") == ["list", "--library=next"]


def test_a_command_keeps_its_words_and_gets_the_options_before_it() -> None:
    assert _route("list", "foo", "bar") == ["list", "foo", "bar"]
    assert _route("--json", "list") == ["list", "--json"]
    assert _route("--help", "search") == ["search", "--help"]


def test_options_alone_belong_to_a_question_that_is_missing() -> None:
    assert _route("--json") == ["ask", "--json"]


def test_help_and_version_are_the_programs_own() -> None:
    assert _route("--help") == ["--help"]
    assert _route("--json", "--version") == ["--version"]
    assert _route("help") == ["--help"]
    assert _route() == []


def test_everything_behind_two_dashes_is_the_question() -> None:
    assert _route("--", "--set") == ["ask", "--", "--set"]
    assert _route("--", "list") == ["ask", "--", "list"]


def test_a_quoted_text_that_begins_with_a_dash_is_no_option() -> None:
    assert not is_option("--set values in helm")
    assert not is_option("-")
    assert is_option("--set")
    assert is_option("--trace=/tmp/my folder/x", VALUES)
    assert not is_option("--set a=b in helm", VALUES)


def test_options_come_first_with_their_values_and_words_keep_their_order() -> None:
    assert options_first(["a", "--library", "x", "b", "--json", "--", "--c"], VALUES) == (
        ["--library", "x", "--json"],
        ["a", "b", "--c"],
    )


def test_an_option_without_its_value_stays_alone() -> None:
    assert options_first(["a", "--library"], VALUES) == (["--library"], ["a"])


def test_a_suggestion_can_be_pasted_into_a_shell() -> None:
    assert as_question(["list", "foo  bar"]) == 'docs-research ask "list foo bar"'
    assert as_question(["show", 'the "$x"']) == "docs-research ask 'show the \"$x\"'"
