"""Insertions into generated JSON with comments and TOML: the file says what it said, and comes back byte for byte."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_researcher.hosts.insertions import (
    Unchangeable,
    has,
    jsonc_entry,
    read_json,
    read_toml,
    section,
    toml_table,
    without,
    without_entry,
)

PATH = ("mcpServers", "docs-researcher")
ENTRY = {"type": "stdio", "command": "docs-research", "args": ["serve"]}

_KEYS = st.text(max_size=6) | st.sampled_from(["mcpServers", "docs-researcher", "a{", '"', "//", "/*", "\\"])
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=12,
)
_SERVERS: st.SearchStrategy[dict[str, Any]] = st.dictionaries(st.text(max_size=5), _VALUES, max_size=3)


def _document(others: dict[str, Any], servers: dict[str, Any] | None) -> dict[str, Any]:
    return others if servers is None else {**others, "mcpServers": servers}


_DOCUMENTS = st.builds(_document, st.dictionaries(_KEYS, _VALUES, max_size=4), st.none() | _SERVERS)
_COMMENTS = st.sampled_from(["", " // {", ' /* "mcpServers": { */', " //", "  "])
_ENDS = st.sampled_from(["\n", "\r\n"])


@st.composite
def _written(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """An object, and a way to write it: any indentation, line ends and comments at the ends of lines."""
    value = draw(_DOCUMENTS)
    text = json.dumps(value, indent=draw(st.sampled_from([None, 0, 1, 2, 4, "\t"])), ensure_ascii=draw(st.booleans()))
    end = draw(_ENDS)
    lines = text.split("\n")
    commented = [line + draw(_COMMENTS) for line in lines[:-1]] if len(lines) > 1 else []
    return value, end.join([*commented, lines[-1]]) + draw(st.sampled_from(["", end]))


@given(_written())
def test_an_entry_goes_into_any_object_and_out_again(written: tuple[dict[str, Any], str]) -> None:
    value, text = written
    servers: Any = value.get("mcpServers", {})
    if not isinstance(servers, dict) or "docs-researcher" in servers:
        with pytest.raises(Unchangeable):
            jsonc_entry(text, PATH, ENTRY)
        return
    found = jsonc_entry(text, PATH, ENTRY)
    assert found is not None
    after = found.into(text)
    assert read_json(after) == {**value, "mcpServers": {**servers, "docs-researcher": ENTRY}}
    assert jsonc_entry(after, PATH, ENTRY) is None
    assert without(after, found.text, read_json, PATH) == text


@given(
    st.dictionaries(st.from_regex(r"[a-z_]{1,6}", fullmatch=True), st.text("ab \"'#=[]", max_size=6), max_size=4),
    st.booleans(),
    _ENDS,
    st.booleans(),
)
def test_a_table_goes_behind_any_toml_and_out_again(values: dict[str, str], tables: bool, end: str, closed: bool) -> None:
    lines = [f"{key} = {json.dumps(value)} # c" for key, value in values.items() if key != "mcp_servers"]
    lines += ["[mcp_servers.other]", 'command = "x"'] if tables else []
    text = end.join(lines) + (end if closed else "")
    path = ("mcp_servers", "docs-researcher")
    found = toml_table(text, path, {"command": "docs-research", "args": ["serve"]})
    assert found is not None
    after = found.into(text)
    assert tomllib.loads(after)["mcp_servers"]["docs-researcher"] == {"command": "docs-research", "args": ["serve"]}
    assert has(read_toml(after), path)
    assert without(after, found.text, read_toml, path) == text


@given(_written(), st.booleans())
def test_an_entry_goes_out_of_an_object_that_others_have_written_anew(written: tuple[dict[str, Any], str], first: bool) -> None:
    value, text = written
    servers: Any = value.get("mcpServers", {})
    if not isinstance(servers, dict) or "docs-researcher" in servers:
        return
    found = jsonc_entry(text, PATH, ENTRY)
    assert found is not None
    others: dict[str, Any] = {**servers, "added": {"command": "y"}}
    ours: dict[str, Any] = {"docs-researcher": ENTRY}
    anew: dict[str, Any] = {**value, "mcpServers": {**ours, **others} if first else {**others, **ours}}
    left = without_entry(json.dumps(anew, indent=2), found.text, PATH)
    assert json.loads(left) == {**value, "mcpServers": others}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{\n  "s": {\n    "o": {"a": 1}\n  }\n}', '{\n  "s": {\n  }\n}'),
        ('{"s": {"o": {"a": 1}, "x": {}}}', '{"s": { "x": {}}}'),
        ('{"s": {"x": {}, "o": {"a": 1}}}', '{"s": {"x": {}}}'),
        (
            '{\n  "s": {\n    "x": {}, // c\n    // d\n    "o": {"a": 1}, // e\n  }\n}',
            '{\n  "s": {\n    "x": {}, // c\n    // d // e\n  }\n}',
        ),
    ],
)
def test_an_entry_goes_out_with_its_comma(text: str, left: str) -> None:
    assert without_entry(text, '"o": {"a": 1},', ("s", "o")) == left


@pytest.mark.parametrize(
    "text",
    ['{"s": {"o": {"a": 2}}}', '{"s": {}}', '{"s": [{"o": {"a": 1}}]}', '{"s": {"x": {} /* c */, // d\n "o": {"a": 1}}}'],
)
def test_an_entry_that_is_another_or_leaves_a_comma_behind_stays(text: str) -> None:
    with pytest.raises(Unchangeable):
        without_entry(text, '"o": {"a": 1},', ("s", "o"))


def test_a_section_keeps_the_line_ends_of_the_file() -> None:
    text = "# Rules\r\n\r\nBe brief.\r\n"
    found = section(text, "One.\n\nTwo.\n")
    assert found is not None
    after = found.into(text)
    assert "\n" not in after.replace("\r\n", "")
    assert section(after, "One.\n\nTwo.\n") is None
    with pytest.raises(Unchangeable, match="something else"):
        section(after, "Three.")


def test_a_piece_that_stands_there_twice_is_not_taken_out() -> None:
    with pytest.raises(Unchangeable, match="twice"):
        without("abab", "ab", lambda text: None, ())


def test_a_piece_that_others_depend_on_is_not_taken_out() -> None:
    text = '{"a": 1, "b": 2}'
    with pytest.raises(Unchangeable):
        without(text, '"a": 1, ', read_json, ("b",))
