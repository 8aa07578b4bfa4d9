"""A question taken apart, and the extra words that make a chunk findable."""

from __future__ import annotations

import pytest

from docs_researcher.docsets.terms import MAX_CANDIDATES, extra_words, match_expression, query_terms


def texts(query: str) -> list[str]:
    return [term.text for term in query_terms(query)]


def test_words_that_say_nothing_are_dropped() -> None:
    assert texts("How do I set up auth in a project?") == ["auth", "project"]


def test_words_that_say_nothing_stay_when_nothing_else_is_left() -> None:
    assert texts("how to use it") == ["how", "to", "use", "it"]


@pytest.mark.parametrize("query", ["", "   ", "?!", '"', "*", "(", "\x00", "___", "💥"])
def test_a_question_without_a_word_has_no_terms(query: str) -> None:
    assert texts(query) == []


def test_every_word_is_quoted_by_itself() -> None:
    expression = match_expression(query_terms('title:useEffect AND "x NEAR(a b) next-auth'))
    assert '"title:useeffect"' in expression
    assert '"next-auth"' in expression
    assert expression.replace('"', "").split(" OR ")[0] == "title:useeffect"


def test_an_identifier_is_searched_whole_and_in_parts() -> None:
    (term,) = query_terms("useVictorState")
    assert term.same == ("usevictorstate",)
    assert term.parts == ("victor", "state")
    assert query_terms("next.config.js")[0].parts == ("next", "config", "js")
    assert query_terms("apply_secrets")[0].parts == ("apply", "secrets")


def test_numbers_of_a_version_are_no_parts() -> None:
    (term,) = query_terms("v15.1.8")
    assert (term.same, term.parts) == (("v15.1.8",), ("v15",))


def test_an_abbreviation_is_searched_with_its_long_forms() -> None:
    assert query_terms("auth")[0].same == ("auth", "authentication", "authorization")


@pytest.mark.parametrize(
    ("query", "word"), [("C++", "cplusplus"), ("C#", "csharp"), (".NET", "dotnet"), ("$state", "dollarstate")]
)
def test_a_name_with_a_sign_is_another_word_than_without(query: str, word: str) -> None:
    (term,) = query_terms(query)
    assert term.same == (word,)
    assert word in extra_words(f"Made for {query} only").split()


def test_an_apostrophe_is_no_part_of_a_word() -> None:
    assert texts("don't cache Fastify’s request") == ["cache", "fastify", "request"]


def test_a_chunk_is_found_by_the_parts_of_its_identifiers_unless_it_holds_them() -> None:
    assert extra_words("call useVictorState() now").split() == ["victor", "state"]
    assert extra_words("the victor calls useVictorState()") == "state"


def test_chinese_is_found_by_pairs_of_characters() -> None:
    assert "中间" in extra_words("如何配置中间件。").split()
    terms = query_terms("配置中间件 middleware")
    assert [term.text for term in terms] == ["配置中间件", "middleware"]
    assert "中间" in terms[0].parts


def test_a_pasted_log_is_read_up_to_a_bound() -> None:
    assert len(query_terms(" ".join(f"word{n}" for n in range(5_000)))) == MAX_CANDIDATES
