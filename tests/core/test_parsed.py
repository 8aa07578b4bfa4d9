"""What others wrote may be anything; a mapping comes out of it, empty where there is none."""

from __future__ import annotations

import pytest

from docs_researcher.core.parsed import json_mapping, mapping


@pytest.mark.parametrize("data", ["", "{", "[1]", "null", '"text"', b"\xff", "[" * 200_000])
def test_what_is_no_mapping_is_an_empty_one(data: str | bytes) -> None:
    assert json_mapping(data) == {}


def test_a_mapping_is_itself() -> None:
    value = {"a": {"b": 1}}
    assert mapping(value) is value
    assert json_mapping(b'{"a": {"b": 1}}') == value
    assert mapping(["a"]) == {}
