"""Conditions and includes of AsciiDoc: a page is read as its HTML shows it."""

from __future__ import annotations

import pytest

from docs_researcher.docsets.readers.asciidoc import read_asciidoc
from docs_researcher.docsets.readers.includes import expand


def shown(text: str) -> list[str]:
    page = read_asciidoc("a.adoc", text)
    return [block.text for block in page.blocks] if page else []


@pytest.mark.parametrize(
    ("condition", "is_shown"),
    [
        ("ifdef::backend-html5[]", True),
        ("ifdef::backend-pdf[]", False),
        ("ifndef::backend-pdf[]", True),
        ("ifdef::env-github[]", False),
        ("ifndef::env-github[]", True),
        ("ifdef::own[]", True),
        ("ifdef::gone[]", False),
        ("ifdef::env-github,own[]", True),
        ("ifdef::env-github+own[]", False),
        ("ifndef::env-github,own[]", False),
        ("ifndef::env-github+own[]", True),
        ('ifeval::["{backend}" == "html5"]', True),
        ('ifeval::["{own}" != "yes"]', False),
        ("ifeval::[{level} >= 2]", True),
        ("ifeval::[{level} < 2]", False),
        ('ifeval::["{nothing}" == ""]', True),
        ("ifeval::[{level} < x]", False),
        ("ifeval::[nonsense]", False),
    ],
)
def test_a_branch_is_read_where_its_condition_holds(condition: str, is_shown: bool) -> None:
    text = f"= T\n:own: yes\n:level: 3\n:gone: x\n:gone!:\n\nBefore.\n\n{condition}\nInside.\nendif::[]\n\nBehind.\n"
    assert shown(text) == ["# T", "Before.", *(["Inside."] if is_shown else []), "Behind."]


def test_conditions_nest_stand_in_a_line_and_in_code_and_keep_line_numbers() -> None:
    text = (
        "= T\n\nifdef::env-github[]\nifdef::backend-html5[]\nno\nendif::[]\n:x: 1\nendif::[]\nOne\nifndef::x[two]\nthree.\n\n"
        "----\nifdef::x[]\nold\nendif::[]\nnew\n:y: 2\n\\ifdef::shown[]\n----\n\nifdef::y[no]\nLast.\n"
    )
    page = read_asciidoc("a.adoc", text)
    assert page is not None
    assert [(block.line, block.text) for block in page.blocks] == [
        (1, "# T"),
        (9, "One\ntwo\nthree."),
        (13, "```\nnew\n:y: 2\nifdef::shown[]\n```"),
        (23, "Last."),
    ]


def test_a_condition_without_an_end_reaches_to_the_end() -> None:
    assert shown("= T\n\nOne.\n\nifdef::env-github[]\n\nTwo.\n") == ["# T", "One."]
    assert shown("= T\n\nOne.\n\nendif::[]\n\nTwo.\n") == ["# T", "One.", "Two."]


TAGGED = "a\n# tag::x[]\nb\n# tag::y[]\nc\n# end::y[]\n# end::x[]\nd\n"


@pytest.mark.parametrize(
    ("tags", "lines"),
    [("x", "b c"), ("x;!y", "b"), ("**", "a b c d"), ("*", "b c"), ("**;!x", "a d"), ("!y", "a b d"), ("*;!y", "b"), ("y", "c")],
)
def test_the_lines_of_an_include_are_chosen_by_its_tags(tags: str, lines: str) -> None:
    expanded = expand("a.adoc", f"include::b.txt[tags={tags}]\n", {"b.txt": TAGGED}.get)
    assert " ".join(expanded.text.split()) == lines


@pytest.mark.parametrize(("offset", "heading"), [("+1", "=== B"), ("1", "=== B"), ("-1", "= B"), ("0", "== B")])
def test_the_headings_of_an_include_move_by_its_offset(offset: str, heading: str) -> None:
    expanded = expand("a.adoc", f"include::b.adoc[leveloffset={offset}]\n", {"b.adoc": "== B\n"}.get)
    assert expanded.text.strip() == heading
