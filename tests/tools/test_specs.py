"""The two tools as models and hosts see them."""

from __future__ import annotations

import pytest

from docs_researcher.core.messages import QUERY, RESOLVE, ToolSpec
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.tools.arguments import ALIASES
from docs_researcher.tools.specs import DOCS_TOOLS


def test_exactly_the_two_tools_are_listed_in_the_order_of_use() -> None:
    assert [spec.name for spec in DOCS_TOOLS] == [RESOLVE, QUERY]


@pytest.mark.parametrize("spec", DOCS_TOOLS, ids=lambda spec: spec.name)
def test_a_description_fits_where_hosts_cut(spec: ToolSpec) -> None:
    assert len(spec.description.encode()) <= 2_048
    assert estimate_tokens(spec.description) < 500


@pytest.mark.parametrize("spec", DOCS_TOOLS, ids=lambda spec: spec.name)
def test_the_schema_is_flat_and_takes_what_the_arguments_are_checked_for(spec: ToolSpec) -> None:
    assert spec.input_schema["type"] == "object"
    assert set(spec.input_schema["required"]) == set(spec.input_schema["properties"]) == set(ALIASES[spec.name])
    assert all(entry["type"] == "string" for entry in spec.input_schema["properties"].values())
    assert "additionalProperties" not in spec.input_schema


@pytest.mark.parametrize("spec", DOCS_TOOLS, ids=lambda spec: spec.name)
def test_a_tool_says_its_limit_and_forbids_secrets(spec: ToolSpec) -> None:
    assert "At most 3 calls per question" in spec.description
    assert "No keys, passwords" in spec.input_schema["properties"]["query"]["description"]


def test_the_steps_are_said_where_they_are_due() -> None:
    resolve, query = DOCS_TOOLS
    assert "unless the user gave an id" in resolve.description
    assert "One concept per query" in query.description
    assert "2 to 6 words" in query.description
