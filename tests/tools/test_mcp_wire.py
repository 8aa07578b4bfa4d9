"""Values that go over MCP beside a text come back as they went in, and only values of ours are believed."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_researcher.core.layout import render_passages
from docs_researcher.core.messages import ToolResult
from docs_researcher.core.passages import Passage
from docs_researcher.tools.mcp.wire import from_wire, to_wire
from mcp_example import PASSAGES, RESULTS


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_comes_back_as_it_went(name: str) -> None:
    result = RESULTS[name]
    assert from_wire(result.text, json.loads(json.dumps(to_wire(result)))) == result


def test_every_field_of_a_result_is_sent() -> None:
    of_the_runtime = {"tokens_read"}  # set where a result is trimmed for a model, behind every server
    assert {field.name for field in fields(ToolResult)} - of_the_runtime == {"text", *to_wire(RESULTS["passages"])} - {"format"}


def test_what_the_text_says_is_not_sent_twice() -> None:
    sent = to_wire(RESULTS["passages"])["passages"]
    assert not any(key in passage for passage in sent for key in ("title", "content", "source", "url"))
    assert sent[0]["path"] == "docs/auth.mdx"


def test_passages_that_the_text_does_not_show_are_sent_whole() -> None:
    result = ToolResult("A summary.", passages=PASSAGES)
    assert from_wire(result.text, to_wire(result)) == result


def test_the_sections_of_a_passage_come_back_and_other_values_for_them_do_not() -> None:
    result = ToolResult("x", passages=(Passage("A > B / C", "text", sections=(("B", 1.0), ("C", 0.25))),))
    sent = json.loads(json.dumps(to_wire(result)))
    assert from_wire(result.text, sent) == result
    for odd in ([["B"]], [["B", "1"]], [["B", True]], ["BC"]):
        sent["passages"][0]["sections"] = odd
        assert from_wire(result.text, sent) is None


def test_a_passage_whose_content_the_layout_would_change_comes_back_unchanged() -> None:
    odd = Passage("Title\twith tab", "\n\n  indented\n\n### Inner heading\n\nx\n", "s")
    text = f"### {odd.title}\n\nSource: s\n\n{odd.content}"
    assert from_wire(text, to_wire(ToolResult(text, passages=(odd,)))) == ToolResult(text, passages=(odd,))


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
MAYBE = st.none() | WORDS


@given(
    st.lists(
        st.builds(
            Passage,
            title=WORDS,
            content=WORDS,
            source=WORDS,
            url=MAYBE,
            version=MAYBE,
            line=st.none() | st.integers(1, 9_999),
            confidence=st.none() | st.floats(0, 1),
        ),
        max_size=3,
    ),
    st.booleans(),
)
def test_any_passages_come_back_as_they_went(passages: list[Passage], shown: bool) -> None:
    result = ToolResult(render_passages(passages) if shown else "other text", passages=tuple(passages))
    assert from_wire(result.text, json.loads(json.dumps(to_wire(result)))) == result


def _changed(**changes: Any) -> dict[str, Any]:
    return {**to_wire(RESULTS["passages"]), **changes}


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "x",
        {},
        _changed(format=2),
        _changed(outcome="great"),
        _changed(passages=None),
        _changed(passages=[1]),
        _changed(passages=[{"title": 1}]),
        _changed(passages=[{"unknown": "x"}]),
        _changed(passages=[{"line": True}]),
        _changed(candidates=[{"versions": [1]}]),
        _changed(candidates=[{"reputation": "Splendid"}]),
        _changed(notices=[{"code": "x"}]),
        _changed(library={"name": "x"}),
        _changed(library=[]),
        _changed(fetch_seconds="1"),
    ],
)
def test_values_of_another_form_are_not_believed(data: Any) -> None:
    assert from_wire(RESULTS["passages"].text, data) is None
