"""The documentation text of a foreign server as a tool result: read by its layout, without its notes, cut where too large."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from typing import TypeVar

from docs_researcher.core.answer import Notice
from docs_researcher.core.layout import parse_candidates, parse_passages, render_candidates, render_passages
from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.messages import RESOLVE, ToolResult
from docs_researcher.core.passages import Candidate, Passage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.core.untrusted import looked_through
from docs_researcher.tools.mcp.outcomes import Reading, failure_text

FOREIGN_TOKENS = 8_000
"""Tokens of a foreign server's result that are read."""

_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_Item = TypeVar("_Item", Candidate, Passage)


def read_foreign(server: str, tool: str, text: str, library_id: str, max_tokens: int = FOREIGN_TOKENS) -> ToolResult:
    """The result in `text`, which is known to be no failure message. `library_id` is the id that was asked for."""
    if tool == RESOLVE:
        return _resolved(server, text, max_tokens)
    parsed = LibraryId.try_parse(library_id)
    base, version = (parsed.base, parsed.version) if parsed else (library_id, None)
    passages = tuple(map(looked_through, parse_passages(text, base, version) or _whole(text, base, version)))
    kept, cut = _within(passages, [estimate_tokens(render_passages([passage])) for passage in passages], max_tokens)
    if not kept:
        return _too_large(server, tool, passages, max_tokens)
    if not cut:
        return _queried(server, text, passages)
    note = _cut_note(server, len(kept), len(passages), "passages")
    return ToolResult(render_passages(kept, note), passages=kept, notices=(Notice("result_cut", note),))


def _queried(server: str, text: str, passages: tuple[Passage, ...]) -> ToolResult:
    """The text as it came if it is all passages; else the passages alone."""
    rendered = render_passages(passages)
    unmarked = render_passages([replace(passage, untrusted=False) for passage in passages])
    if _words(text) in (_words(unmarked), _words(rendered), _words(passages[0].content)):
        return ToolResult(text if rendered == unmarked else rendered, passages=passages)
    note = f"The server {server} put a note beside its documentation; it was left out."
    return ToolResult(rendered, passages=passages, notices=(Notice("server_note", note),))


def _resolved(server: str, text: str, max_tokens: int) -> ToolResult:
    candidates = parse_candidates(text)
    if not candidates:
        reading = Reading("not_found", " ".join(text.split())[:100])
        return ToolResult(failure_text(reading, server, RESOLVE), outcome="not_found")
    kept, cut = _within(candidates, [estimate_tokens(render_candidates([candidate])) for candidate in candidates], max_tokens)
    if not kept:
        return _too_large(server, RESOLVE, candidates, max_tokens)
    if not cut:
        return ToolResult(text, candidates=candidates)
    note = _cut_note(server, len(kept), len(candidates), "libraries")
    return ToolResult(render_candidates(kept, note), candidates=kept, notices=(Notice("result_cut", note),))


def _within(items: Sequence[_Item], sizes: Sequence[int], max_tokens: int) -> tuple[tuple[_Item, ...], bool]:
    """The items, best first, that fit together into the budget, and whether any was left out or shortened.

    One that does not fit does not keep a smaller one behind it out. When not even the first fits by itself, it is shortened.
    """
    kept: list[_Item] = []
    left = max_tokens
    for item, size in zip(items, sizes, strict=True):
        if size <= left:
            kept.append(item)
            left -= size
    if not kept and items:
        first = items[0]
        if isinstance(first, Passage) and (content := _shortened(first.content, max_tokens)):
            return (replace(first, content=content),), True
    return tuple(kept), len(kept) < len(items)


def _shortened(content: str, max_tokens: int) -> str:
    """The longest beginning of whole paragraphs that fits and ends outside a code fence; empty if there is none."""
    fence, end, size, tokens = "", 0, 0, 0
    for line in StringIO(content):
        size += len(line)
        tokens += estimate_tokens(line)
        if tokens > max_tokens:
            break
        marker = _FENCE.match(line)
        if marker and not fence:
            fence = marker.group(1)
        elif marker and marker.group(1).startswith(fence):
            fence = ""
        if not fence and not line.strip():
            end = size
    return content[:end].rstrip()


def _whole(text: str, base: str, version: str | None) -> tuple[Passage, ...]:
    """A text without the layout as one passage, titled by its first heading."""
    heading = _HEADING.search(text)
    return (Passage(heading.group(1) if heading else base, text.strip("\n"), "", base, version=version),)


def _too_large(server: str, tool: str, items: Sequence[object], max_tokens: int) -> ToolResult:
    said = f"{len(items)} items, the first alone over {max_tokens:,} tokens and not to be divided"
    return ToolResult(failure_text(Reading("limit", said), server, tool), outcome="limit")


def _cut_note(server: str, kept: int, found: int, what: str) -> str:
    if kept == found:
        return f"The answer of the server {server} was cut at its token limit; ask a narrower question for the rest."
    return f"Of {found} {what} of the server {server} {kept} fitted into the token limit; ask a narrower question for the rest."


def _words(text: str) -> str:
    return " ".join(text.split())
