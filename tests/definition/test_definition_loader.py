"""Definition files as people really write them: loaded with the repairs said, or refused with their place and the fix."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from docs_researcher.core.errors import DefinitionError
from docs_researcher.definition.loader import load_definition, parse_definition
from docs_researcher.definition.schema import AgentDefinition


def head(*lines: str, body: str = "The prompt.") -> str:
    return "\n".join(["---", "name: demo", *lines, "---", body])


def repairs_of(definition: AgentDefinition) -> list[tuple[int, int, str]]:
    return [(repair.line, repair.column, repair.what) for repair in definition.repairs]


def test_a_clean_file_loads_without_repairs() -> None:
    definition = parse_definition(head("description: Use it.", "tools: Read, Grep", "model: haiku", body="One.\n\n---\n\nTwo.\n"))
    assert (definition.name, definition.description, definition.model) == ("demo", "Use it.", "haiku")
    assert definition.tools == ("Read", "Grep")
    assert definition.prompt == "One.\n\n---\n\nTwo."
    assert definition.prompt_line == 7
    assert definition.repairs == ()
    assert definition.template is None


@pytest.mark.parametrize(
    ("data", "line", "column", "what"),
    [
        (codecs.BOM_UTF8 + head("description: Use it.").encode(), 1, 1, "byte order mark"),
        (head("description: Use it.").encode("utf-16"), 1, 1, "UTF-16"),
        (codecs.BOM_UTF16_BE + head("description: Use it.").encode("utf-16-be"), 1, 1, "UTF-16"),
        (head("description: Use it.").replace("\n", "\r\n").encode(), 1, 4, "CRLF"),
        (head("description: Use it.").replace("\n", "\r").encode(), 1, 4, "CR"),
        (b"\n\n" + head("description: Use it.").encode(), 1, 1, "2 empty lines"),
        (b"---  \t\nname: demo\ndescription: Use it.\n---\nThe prompt.", 1, 4, "blanks"),
        (b"---\nname: demo\ndescription: Use it.\n--- \nThe prompt.", 4, 4, "blanks"),
        (b"---\nname: demo\ndescription: Use it.\n...\nThe prompt.", 4, 1, "`...`"),
    ],
)
def test_the_form_of_the_file_is_mended_and_said(data: bytes, line: int, column: int, what: str) -> None:
    definition = parse_definition(data, source="agent.md")
    assert (definition.name, definition.description, definition.prompt) == ("demo", "Use it.", "The prompt.")
    [repair] = definition.repairs
    assert (repair.path, repair.line, repair.column) == ("agent.md", line, column)
    assert what in repair.what
    assert str(repair).startswith(f"agent.md:{line}:{column}: ")


@pytest.mark.parametrize(
    "value",
    [
        "Use this: when foo: bar",
        "@someone asks",
        "{braces} begin it",
        "{braces}",
        "[draft] not yet",
        "#1 for C",
        "`code` first",
        "*bold* first",
        "% or & or !",
        'Use <example>user: "hi"</example>',
        'when the user: "says" so',
        "caf\u00e9: \u4e2d\u6587",
    ],
)
def test_an_unquoted_value_is_read_as_its_text(value: str) -> None:
    definition = parse_definition(head(f"description: {value}", "model: haiku"))
    assert definition.description == value
    assert definition.model == "haiku"
    assert [(repair.line, repair.column) for repair in definition.repairs] == [(3, 14)]


def test_an_unquoted_colon_in_a_file_with_crlf_loads() -> None:
    definition = parse_definition(head("description: Use this: when foo: bar").replace("\n", "\r\n"))
    assert definition.description == "Use this: when foo: bar"
    assert [repair.line for repair in definition.repairs] == [1, 3]


def test_quotes_inside_of_quotes_are_kept() -> None:
    definition = parse_definition(head('description: "he said "hi" there"'))
    assert definition.description == 'he said "hi" there'


def test_lines_that_are_not_indented_belong_to_the_text_above() -> None:
    dialogue = ["<example>", "Context: a library", 'user: "How?"', "name: not a key here", "</example>"]
    definition = parse_definition(
        head("description: Use it when: asked. Examples:", "", *dialogue, "", "model: haiku", "color: red")
    )
    assert definition.name == "demo"
    assert definition.description == "\n".join(["Use it when: asked. Examples:", "", *dialogue])
    assert definition.model == "haiku"
    assert definition.unknown == {"color": "red"}
    assert any(line == 4 and "indent" in what for line, _, what in repairs_of(definition))


def test_a_block_text_that_is_not_indented_loads() -> None:
    definition = parse_definition(head("description: |", "First line.", "Second line.", "model: haiku"))
    assert definition.description == "First line.\nSecond line."
    assert definition.model == "haiku"


def test_comments_between_keys_are_no_text_when_a_value_is_mended() -> None:
    definition = parse_definition(head("description: one: two", "# a remark", "model: haiku"))
    assert (definition.description, definition.model) == ("one: two", "haiku")


def test_valid_multi_line_texts_load_without_repairs() -> None:
    folded = parse_definition(head("description: >", "  one", "  two"))
    literal = parse_definition(head("description: |", "  one", "  two"))
    plain = parse_definition(head("description: one", "  two"))
    assert (folded.description, literal.description, plain.description) == ("one two", "one\ntwo", "one two")
    assert folded.repairs == literal.repairs == plain.repairs == ()


def test_a_written_out_line_break_becomes_one() -> None:
    assert parse_definition(head("description: Use it.\\n\\nExamples")).description == "Use it.\n\nExamples"


def test_a_list_indented_with_tabs_loads() -> None:
    definition = parse_definition(head("description: Use it.", "tools:", "\t- Read", "\t- Grep"))
    assert definition.tools == ("Read", "Grep")
    assert [(line, "tabs" in what) for line, _, what in repairs_of(definition)] == [(5, True)]


def test_the_last_of_two_equal_keys_wins() -> None:
    definition = parse_definition(head("description: Use it.", "name: second"))
    assert definition.name == "second"
    assert [(line, "line 2" in what) for line, _, what in repairs_of(definition)] == [(4, True)]


def test_the_last_of_two_equal_keys_wins_in_a_mended_file_too() -> None:
    definition = parse_definition(head("description: one: two", "description: three: four"))
    assert definition.description == "three: four"
    assert any("stands twice" in what for _, _, what in repairs_of(definition))


def test_anchors_and_aliases_load() -> None:
    definition = parse_definition(head("description: &text Use it.", "tools: &all [Read]", "disallowedTools: *all"))
    assert definition.description == "Use it."
    assert definition.tools == definition.disallowed_tools == ("Read",)


def test_bytes_that_are_not_utf_8_are_read_as_windows_1252() -> None:
    data = head("description: caf\u00e9 \u201cbar\u201d").encode("cp1252")
    definition = parse_definition(data)
    assert definition.description == "caf\u00e9 \u201cbar\u201d"
    assert [(line, column) for line, column, _ in repairs_of(definition)] == [(3, 17)]


def test_control_characters_become_spaces() -> None:
    definition = parse_definition(head("description: a\x0bb\u2028c"))
    assert definition.description == "a b c"
    assert [(line, column) for line, column, _ in repairs_of(definition)] == [(3, 15)]


def test_a_comment_behind_a_description_is_said() -> None:
    definition = parse_definition(head("description: for C # and more"))
    assert definition.description == "for C"
    assert [(line, column) for line, column, _ in repairs_of(definition)] == [(3, 20)]


def test_an_empty_body_loads_and_is_said() -> None:
    definition = parse_definition("---\nname: demo\ndescription: Use it.\n---")
    assert definition.prompt == ""
    assert "no instructions" in definition.repairs[0].what


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("", "agent.md:1:1", "no frontmatter"),
        ("Just text.", "agent.md:1:1", "no frontmatter"),
        ("\n\nJust text.", "agent.md:3:1", "no frontmatter"),
        ("---\nname: demo\ndescription: Use it.\n", "agent.md:1:1", "not closed"),
        ("---\nhello\n---\n", "agent.md:2:1", "'hello'"),
        ("---\nname: demo\n- a\ndescription: Use it.\n---\n", "agent.md:2:7", "one line"),
        ("---\nname: demo\n---\nx", "agent.md:2:1", "`description`"),
        ("---\nname: demo\ndescription:\n---\nx", "agent.md:3:13", "`description` is empty"),
        ("---\nname: a:b\ndescription: Use it.\n---\nx", "agent.md:2:7", "'a:b'"),
        ("---\nname: -a\ndescription: Use it.\n---\nx", "agent.md:2:7", "'-a'"),
        ("---\nname: demo\ndescription: Use it.\ndocs-research:\n  limits: [\n---\nx", "agent.md:", "'limits: ['"),
    ],
)
def test_what_cannot_be_mended_is_refused_with_its_place_and_the_fix(text: str, place: str, says: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        parse_definition(text, source="agent.md")
    assert caught.value.what.startswith(place)
    assert says in caught.value.message
    assert caught.value.next_step


def test_a_key_in_capitals_is_pointed_out() -> None:
    with pytest.raises(DefinitionError, match="lower case"):
        parse_definition("---\nname: demo\nDescription: Use it.\n---\nx")


@pytest.mark.parametrize(
    "lines",
    [
        ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]", *[f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]],
        ["m0: &m0 {a: 1}", *[f"m{n}: &m{n} {{<<: [{', '.join([f'*m{n - 1}'] * 10)}]}}" for n in range(1, 12)]],
        ["loop: &loop [*loop]"],
    ],
    ids=["aliases", "merges", "a loop"],
)
def test_an_alias_bomb_is_refused(lines: list[str]) -> None:
    with pytest.raises(DefinitionError, match="aliases"):
        parse_definition(head("description: Use it.", *lines))


def test_deep_nesting_neither_crashes_nor_hides_the_other_keys() -> None:
    for value in ("[" * 30_000, "- " * 20_000 + "x"):
        definition = parse_definition(head("description: Use it.", "odd:", f"  {value}"))
        assert definition.description == "Use it."
        assert "odd" in definition.unknown


def test_a_tag_that_would_run_code_is_only_text() -> None:
    definition = parse_definition(head("description: Use it.", "odd: !!python/object/apply:os.getcwd []"))
    assert definition.unknown["odd"] == "!!python/object/apply:os.getcwd []"


def test_binary_and_oversized_files_are_refused() -> None:
    with pytest.raises(DefinitionError, match="text file"):
        parse_definition(b"\x89PNG\0\0", source="agent.md")
    with pytest.raises(DefinitionError, match="bytes"):
        parse_definition(b"x" * 1_048_577)
    with pytest.raises(DefinitionError, match="too long"):
        parse_definition(head("description: Use it.", *["key: value"] * 10_000))


def test_a_missing_name_is_taken_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "reviewer.md"
    path.write_text("---\ndescription: Use it.\n---\nx", encoding="utf-8")
    definition = load_definition(path)
    assert definition.name == "reviewer"
    assert definition.source == str(path)
    assert "'reviewer'" in definition.repairs[0].what
    with pytest.raises(DefinitionError, match="`name`"):
        parse_definition("---\ndescription: Use it.\n---\nx")


def test_a_folder_and_a_missing_file_are_refused_without_a_traceback(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.md"):
        with pytest.raises(DefinitionError, match="cannot be opened"):
            load_definition(path)
