"""A foreign server's documentation: cut only between passages, shortened only outside code, never lost without a word."""

from __future__ import annotations

import subprocess
import sys

import pytest

from docs_researcher.core.layout import render_candidates, render_passages
from docs_researcher.core.messages import QUERY, RESOLVE
from docs_researcher.core.passages import Candidate, Passage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.tools.mcp.foreign import read_foreign
from docs_researcher.tools.mcp.framing import LineSplitter

CODE = "```js\n" + "call();\n" * 300 + "```"


def test_a_small_passage_behind_a_large_one_is_still_read() -> None:
    passages = [Passage("First", "short"), Passage("Large", CODE), Passage("Last", "also short")]
    result = read_foreign("peer", QUERY, render_passages(passages), "/a/b", max_tokens=200)
    assert [passage.title for passage in result.passages] == ["First", "Last"]
    assert "Of 3 passages of the server peer 2 fitted" in result.text


def test_one_passage_over_the_limit_is_shortened_behind_a_paragraph_outside_code() -> None:
    content = f"One.\n\nTwo.\n\n{CODE}\n\nThree."
    result = read_foreign("peer", QUERY, render_passages([Passage("T", content)]), "/a/b", max_tokens=300)
    assert [passage.content for passage in result.passages] == ["One.\n\nTwo."]
    assert [notice.code for notice in result.notices] == ["result_cut"]
    assert estimate_tokens(result.text) <= 300


def test_a_line_separator_inside_code_does_not_look_like_the_end_of_it() -> None:
    content = f"One.\n\n```js\nsplit(`\u2028```\u2028\u2028`);\n{'call();' * 300}\n```"
    result = read_foreign("peer", QUERY, render_passages([Passage("T", content)]), "/a/b", max_tokens=300)
    assert [passage.content for passage in result.passages] == ["One."]


def test_a_single_block_of_code_over_the_limit_is_refused_and_not_cut() -> None:
    result = read_foreign("peer", QUERY, render_passages([Passage("T", CODE)]), "/a/b", max_tokens=300)
    assert (result.outcome, result.passages) == ("limit", ())
    assert "Ask a narrower question" in result.text


def test_a_long_list_of_libraries_is_cut_between_libraries() -> None:
    candidates = [Candidate(f"/a/{number}", f"Lib {number}", "words " * 40) for number in range(20)]
    result = read_foreign("peer", RESOLVE, render_candidates(candidates), "", max_tokens=1_000)
    assert 0 < len(result.candidates) < 20
    assert [found.id for found in result.candidates] == [made.id for made in candidates[: len(result.candidates)]]
    assert result.text.startswith("Available Libraries:\n\n**Note:** Of 20 libraries")


def test_ids_with_dots_and_at_signs_are_read_up_to_white_space() -> None:
    text = (
        "Available Libraries:\n\n- Title: A\n- Context7-compatible library ID: /vercel/next.js\n- Description: x\n----------\n"
        "- Title: B\n- Context7-compatible library ID: /tanstack/query/@tanstack/react-query@5.60.5\n- Description: y"
    )
    result = read_foreign("peer", RESOLVE, text, "")
    assert [candidate.id for candidate in result.candidates] == [
        "/vercel/next.js",
        "/tanstack/query/@tanstack/react-query@5.60.5",
    ]
    assert result.text == text


def test_a_resolve_text_without_any_library_is_not_found() -> None:
    assert read_foreign("peer", RESOLVE, "Available Libraries:\n\n", "").outcome == "not_found"


def test_lines_are_cut_out_of_any_chunks_and_one_too_long_is_thrown_away() -> None:
    splitter = LineSplitter(max_line=5)
    chunks = [b"ab", b"c\nde\n\n", b"toolong", b"stilltoolong", b"\nok\n", b"rest"]
    assert [line for chunk in chunks for line in splitter.feed(chunk)] == [b"abc", b"de", b"", None, b"ok"]
    assert splitter.feed(b"\n") == [b"rest"]


@pytest.mark.interop
def test_importing_client_and_server_costs_no_sdk() -> None:
    modules = "docs_researcher.tools.mcp.provider, docs_researcher.server.app, docs_researcher.server.stdio"
    code = f"import sys, {modules}; print([name for name in ('mcp', 'mcp_types', 'anyio', 'pydantic') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
