"""The fields of a definition: their types, our own block, keys without effect, and the tools an agent gets."""

from __future__ import annotations

import pytest

from docs_researcher.core.errors import DefinitionError
from docs_researcher.core.limits import Limits
from docs_researcher.definition.loader import parse_definition
from docs_researcher.definition.schema import AgentDefinition, offered_tools

AVAILABLE = ("resolve-library-id", "query-docs")


def define(*lines: str) -> AgentDefinition:
    return parse_definition("\n".join(["---", "name: demo", "description: Use it.", *lines, "---", "x"]), source="agent.md")


@pytest.mark.parametrize(
    ("line", "tools"),
    [
        ("tools: Read, Grep", ("Read", "Grep")),
        ("tools: Read Grep", ("Read", "Grep")),
        ("tools: [Read, Grep]", ("Read", "Grep")),
        ("tools:\n  - Read\n  - Grep", ("Read", "Grep")),
        ("tools:\n- Read\n- Grep", ("Read", "Grep")),
        ('tools: "*"', ("*",)),
        ("tools: *", ("*",)),
        ("tools: Bash(git log:*), Read", ("Bash", "Read")),
        ("tools: [Read, 3, Read]", ("Read",)),
        ("tools:", ()),
        ("tools: []", ()),
        ("tools: {bash: true}", ()),
        ("model: haiku", None),
    ],
)
def test_tools_are_read_in_every_form(line: str, tools: tuple[str, ...] | None) -> None:
    assert define(line).tools == tools


@pytest.mark.parametrize("line", ["tools:", "tools: []", "tools: {bash: true}", "tools: [3]"])
def test_tools_that_allow_nothing_are_said(line: str) -> None:
    assert any("allows none" in repair.what for repair in define(line).repairs)


@pytest.mark.parametrize(
    ("line", "names", "warned"),
    [
        ("model: haiku", AVAILABLE, 0),
        ('tools: "*"', AVAILABLE, 0),
        ("tools: mcp__context7__*", AVAILABLE, 0),
        ("tools: mcp__context7", AVAILABLE, 0),
        ("tools: context7/*", AVAILABLE, 0),
        ("tools: Read, Grep, mcp__context7__query-docs", ("query-docs",), 2),
        ("tools: query-docs, resolve-library-id", AVAILABLE, 0),
        ("tools: query_docs", ("query-docs",), 0),
        ("tools: mcp_context7_query-docs", ("query-docs",), 0),
        ("tools: mcp__plugin_docs_docs__resolve-library-id", ("resolve-library-id",), 0),
        ("disallowedTools: mcp__x__query-docs", ("resolve-library-id",), 0),
        ("tools: my-query-docs, query-docs", ("query-docs",), 1),
    ],
)
def test_tools_we_have_are_offered_in_a_stable_order_and_the_others_are_warned_about(
    line: str, names: tuple[str, ...], warned: int
) -> None:
    offered, warnings = offered_tools(define(line), AVAILABLE)
    assert offered == names
    assert len(warnings) == warned


@pytest.mark.parametrize("line", ["tools: Read, Grep", "tools:", 'disallowedTools: "mcp__*"', "tools: mcp__x__other"])
def test_an_agent_without_tools_is_refused_to_start(line: str) -> None:
    with pytest.raises(DefinitionError, match="refusing to start") as caught:
        offered_tools(define(line), AVAILABLE)
    assert caught.value.why
    assert caught.value.next_step


def test_a_source_without_tools_is_named_as_the_reason() -> None:
    with pytest.raises(DefinitionError) as caught:
        offered_tools(define("model: haiku"), ())
    assert "offers no tool" in caught.value.why


def test_numbers_and_words_of_yaml_are_read_as_the_text_they_are() -> None:
    definition = parse_definition("---\nname: 42\ndescription: yes\nmodel: 4.50\n---\nx")
    assert (definition.name, definition.description, definition.model) == ("42", "yes", "4.50")
    assert [(repair.line, "quotes" in repair.what) for repair in definition.repairs] == [(2, True), (3, True), (4, True)]


def test_a_model_is_kept_as_written_and_inherited_without_one() -> None:
    assert define("model: gpt-5").model == "gpt-5"
    assert define().model == define("model:").model == "inherit"


@pytest.mark.parametrize(
    ("value", "turns", "repairs"), [("2", 2, 0), ('"2"', 2, 1), ("0", 8, 1), ("many", 8, 1), ("yes", 8, 1), ("", 8, 0)]
)
def test_max_turns_is_the_limit_of_turns(value: str, turns: int, repairs: int) -> None:
    definition = define(f"maxTurns: {value}")
    assert definition.limits.turns == turns
    assert len(definition.repairs) == repairs


def test_our_own_block_sets_limits_and_template() -> None:
    definition = define(
        "maxTurns: 3",
        "docs-research:",
        "  template: jinja2",
        "  limits:",
        "    turns: 5",
        "    seconds: 2.5",
        '    answer_tokens: "800"',
    )
    assert definition.template == "jinja2"
    assert definition.limits == Limits(turns=5, seconds=2.5, answer_tokens=800)
    assert [repair.line for repair in definition.repairs] == [10]
    assert define("docs-research:").limits == define("docs-research:", "  limits:").limits == Limits()


def test_our_own_block_indented_with_tabs_loads() -> None:
    assert define("docs-research:", "\tlimits:", "\t\tturns: 3").limits.turns == 3


@pytest.mark.parametrize(
    ("lines", "line", "says"),
    [
        (["limits:", "  turns: many"], 6, "'many'"),
        (["limits:", "  turns: 0"], 6, "at least 1"),
        (["limits:", "  turns: true"], 6, "'true'"),
        (["limits:", "  turns: 2.5"], 6, "'2.5'"),
        (["limits:", "  query_calls: -1"], 6, "at least 0"),
        (["limits:", "  seconds: .inf"], 6, "above 0"),
        (["limits:", "  cost: 0"], 6, "above 0"),
        (["limits:", "  seconds:"], 6, "above 0"),
        (["limits:", "  turn: 3"], 6, "Did you mean `turns`?"),
        (["limits: 8"], 5, "holds no keys"),
        (["template: mustache"], 5, "'mustache'"),
    ],
)
def test_a_limit_that_cannot_be_is_refused_with_its_line(lines: list[str], line: int, says: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        define("docs-research:", *[f"  {text}" for text in lines])
    assert caught.value.line == line
    assert says in caught.value.message + caught.value.next_step


def test_limits_may_leave_calls_at_zero_and_cost_open() -> None:
    limits = define("docs-research:", "  limits:", "    resolve_calls: 0", "    cost:").limits
    assert (limits.resolve_calls, limits.cost) == (0, None)


def test_unknown_keys_are_kept_and_reported() -> None:
    definition = define(
        "Model: haiku", "disallowed-tools: x", "hooks:", "  Stop: []", "color: red", "docs-research:", "  limit: 3"
    )
    assert definition.unknown == {
        "Model": "haiku",
        "disallowed-tools": "x",
        "hooks": {"Stop": []},
        "color": "red",
        "docs-research.limit": 3,
    }
    said = {repair.line: repair.what for repair in definition.repairs}
    assert "did you mean `model`" in said[4]
    assert "did you mean `disallowedTools`" in said[5]
    assert "no effect here" in said[6]
    assert "did you mean `limits`" in said[10]
    assert 8 not in said  # a colour changes nothing and is not worth a warning


def test_an_unknown_key_that_cannot_be_read_is_kept_as_text() -> None:
    definition = define("odd: [1, 2", "model: haiku")
    assert definition.model == "haiku"
    assert definition.unknown["odd"] == "[1, 2"


def test_a_date_that_is_none_stays_text() -> None:
    assert define("odd: 2024-13-45").unknown["odd"] == "2024-13-45"
