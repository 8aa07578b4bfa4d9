"""Lines end where files and editors end them, and at nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_researcher.core.lines import lines_of, with_line_feeds

ENDS_OF_SPLITLINES_ALONE = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"


@pytest.mark.parametrize("character", ENDS_OF_SPLITLINES_ALONE)
def test_a_character_that_only_looks_like_a_break_stays_inside_its_line(character: str) -> None:
    text = f"one{character}## two\nthree"
    assert lines_of(text) == [f"one{character}## two", "three"]
    assert with_line_feeds(text) == text


@given(st.text(alphabet="a \r\n"))
def test_line_feeds_and_carriage_returns_end_lines_as_in_the_standard_library(text: str) -> None:
    assert lines_of(text) == text.splitlines()
    assert with_line_feeds(text) == re.sub(r"\r\n?", "\n", text)
