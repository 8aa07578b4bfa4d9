"""A question taken apart, and the extra words that make a chunk findable."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_researcher.docsets.searching.terms import (
    MAX_CANDIDATES,
    STOP_WORDS,
    any_of,
    extra_words,
    query_terms,
    searched_words,
)


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
    expression = any_of(searched_words(query_terms('title:useEffect AND "x NEAR(a b) next-auth')))
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


def plainly_found(text: str) -> list[str]:
    """What an identifier and a symbol add to a text, by regular expressions over all of it."""
    humped = set(re.findall(r"\b[A-Za-z]*[a-z][A-Z][A-Za-z0-9]*\b|\b[A-Z]{2,}[a-z]+[A-Za-z0-9]*\b", text))
    present = {word.lower() for word in re.findall(r"[A-Za-z]+", text)}
    parts = [part.lower() for word in sorted(humped) for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+", word)]
    found = [part for part in parts if len(part) > 2 and part not in present and part not in STOP_WORDS]
    symbol = r"(?<![\w$.#+])(?:([A-Za-z]\w{0,30}?)(\+\+|#)(?![\w+#])|([$.])([A-Za-z_]\w{0,60})(?![\w(]))"
    names = {"++": "plusplus", "#": "sharp", "$": "dollar", ".": "dot", "": ""}
    found += [f"{before}{names[end]}{names[start]}{name}".lower() for before, end, start, name in re.findall(symbol, text)]
    return list(dict.fromkeys(found))


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.sampled_from([*"ab_$.#+- \n(19'`é→", "++", "Z", "XY", "useState", "HTTPServer", "fetchURL", "state", "C#", "İ"]))
)
def test_identifiers_and_symbols_are_found_wherever_they_stand(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert extra_words(text).split(" ") == (plainly_found(text) or [""])


def test_chinese_is_found_by_pairs_of_characters() -> None:
    assert "中间" in extra_words("如何配置中间件。").split()
    terms = query_terms("配置中间件 middleware")
    assert [term.text for term in terms] == ["配置中间件", "middleware"]
    assert "中间" in terms[0].parts


def test_a_pasted_log_is_read_up_to_a_bound() -> None:
    assert len(query_terms(" ".join(f"word{n}" for n in range(5_000)))) == MAX_CANDIDATES
