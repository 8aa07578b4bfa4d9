"""Parsers that have less to do than those of the libraries find the same: tokens of Markdown, trees of reStructuredText."""

from __future__ import annotations

from typing import Any

from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser
from docutils.utils import new_document
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from docs_researcher.docsets.readers.block_parser import QuickBlockParser
from docs_researcher.docsets.readers.block_tokens import PARAGRAPH
from docs_researcher.docsets.readers.jsx import Scan
from docs_researcher.docsets.readers.rst_parsing import parse_rst
from docs_researcher.docsets.readers.rules import FIRST_CHARACTERS, add_rules

COMMONMARK = """# |## h|text|more|-|- |* |1. |2) |> |>|```|~~~|¦|¦a¦b¦|¦-¦-¦|:-:|---|===|***|    |  | |\t|\\|`|\u00a0|é|#"""
OTHERS = """<!--|-->|<div>|</div>|{/*|*/}|import x from 'y'|export const a = {|}|:::|::: note|::: a.b|:   what|
<C>{`x`}</C>|[toc]|<<< @/a.js|/// note|!!! note "T"|=== "Tab"|(x)=|{% x %}|<pre>|</pre>|<script>"""
MARKDOWN = [*"\n\n\n\n\n\n", *(piece.replace("¦", "|") for piece in f"{COMMONMARK}|{OTHERS}".replace("|\n", "|").split("|"))]
BLOCKS = """- |* |1. |#. |term\n  what|:field: |-o  option\n|¦ line|>>> x|::\n\n|word|Title\n=====\n|Part\n----\n|.. [1] note|
.. _a: b|.. comment.\n|__ c|+-+\n¦x¦\n+-+\n|=== ===\na   b\n=== ===\n"""
RST = ["\n", "\n", "\n\n", "  ", "   ", *(piece.replace("¦", "|") for piece in BLOCKS.replace("|\n", "|").split("|"))]


def paragraph_of_mdx(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """CommonMark's paragraph, which a deeply indented line may end as well."""
    terminators = state.md.block.ruler.getRules("paragraph")
    before, state.parentType = state.parentType, "paragraph"
    line = start + 1
    while line < state.lineMax and not state.isEmpty(line):
        if state.sCount[line] >= 0 and any(rule(state, line, state.lineMax, True) for rule in terminators):
            break
        line += 1
    state.line = line
    state.push("paragraph_open", "p", 1).map = [start, line]
    state.push("inline", "", 0).map = [start, line]
    state.push("paragraph_close", "p", -1)
    state.parentType = before
    return True


def markdown_it(*, is_mdx: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 100}).enable("table")
    parser.core.ruler.disable(["inline", "text_join"])
    parser.block.ruler.disable(["html_block", "reference", *(["code"] if is_mdx else [])])
    add_rules(parser, is_mdx=is_mdx)
    return parser


def plain(*, is_mdx: bool) -> MarkdownIt:
    parser = markdown_it(is_mdx=is_mdx)
    if is_mdx:
        parser.block.ruler.at("paragraph", paragraph_of_mdx)
    return parser


def quick(*, is_mdx: bool) -> MarkdownIt:
    parser = markdown_it(is_mdx=is_mdx)
    parser.block = QuickBlockParser(parser.block, FIRST_CHARACTERS, deep_lines_end_text=is_mdx)
    return parser


PARSERS = {is_mdx: (plain(is_mdx=is_mdx), quick(is_mdx=is_mdx)) for is_mdx in (False, True)}


def seen(tokens: list[Token]) -> list[tuple[Any, ...]]:
    """What is read of tokens: not the inside of tables, nor the text of paragraphs, each of which is one token."""
    shown: list[tuple[Any, ...]] = []
    table: int | None = None
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "paragraph_close" or (before is not None and before.type == "paragraph_open"):
            continue
        if table is not None and not (token.type == "table_close" and token.level == table):
            continue
        table = token.level if token.type == "table_open" else None
        is_text = token.type in ("paragraph_open", PARAGRAPH)
        kind, nesting = (PARAGRAPH, 0) if is_text else (token.type, token.nesting)
        markup = "" if nesting < 0 else token.markup
        shown.append((kind, token.tag, nesting, token.map, token.level, markup, token.info, token.content))
    return shown


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(MARKDOWN), max_size=30), st.booleans())
def test_the_tokens_of_a_page_are_those_of_markdown_it(pieces: list[str], is_mdx: bool) -> None:
    text = "".join(pieces)
    theirs, own = ((parser, {"scan": Scan.of(text), "mdx": is_mdx}) for parser in PARSERS[is_mdx])
    assert seen(own[0].parse(text, own[1])) == seen(theirs[0].parse(text, theirs[1]))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(RST), max_size=25))
def test_the_tree_of_a_page_is_that_of_docutils(pieces: list[str]) -> None:
    text = "".join(pieces)
    settings: Any = get_default_settings(Parser())
    settings.report_level, settings.halt_level, settings.warning_stream, settings.auto_id_prefix = 5, 6, False, "id"
    tree = new_document("", settings)
    Parser().parse(text, tree)
    assert parse_rst(text).pformat() == tree.pformat()
