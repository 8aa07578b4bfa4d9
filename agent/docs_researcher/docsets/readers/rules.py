"""Block rules beside CommonMark's: component tags, comments, MDX module lines.

The rules push leaf tokens, so that what stands between `<Note>` and `</Note>` or between two lines of `:::` is read as ordinary
Markdown and its headings and fences are seen. A token's `content` is the text that takes the place of its lines.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from docs_researcher.docsets.readers.block_tokens import PARAGRAPH, REPLACED, preformatted, replace
from docs_researcher.docsets.readers.components import Carried, carried, code_child, opening_tag
from docs_researcher.docsets.readers.containers import container_line, definition, indented_admonition, slashed_line
from docs_researcher.docsets.readers.jsx import Scan, scan_braces, scan_tag
from docs_researcher.docsets.readers.literals import template_text
from docs_researcher.docsets.readers.template_lines import template_line

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock


_RAW_OPEN = re.compile(r"<(script|style|pre)(?=[\s>]|$)", re.IGNORECASE)
_PLAIN_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_IMPORT = re.compile(
    r"import\s+(?:type\s+)?(?:(?:[\w$]+|\*\s*as\s+[\w$]+|\{[\w\s,$]*\})(?:\s*,\s*(?:\*\s*as\s+[\w$]+|\{[\w\s,$]*\}))?\s+from\s*)?"
    r"(?:'[^'\n]+'|\"[^\"\n]+\")[ \t]*;?[ \t]*$",
    re.MULTILINE,
)
_EXPORT = re.compile(
    r"export\s+(?:(?:const|let|var)\s+[\w${\[]|(?:async\s+)?function\b\s*\*?\s*[\w$]*\s*\(|class\s+[\w$]+[^\n]*\{|type\s+[\w$]+\s*=|"
    r"interface\s+[\w$]+\s*\{|\*\s+(?:as\s+\w+\s+)?from\s*['\"]|\{[\w\s,$]*\}\s*(?:;|from\b|$)|"
    r"default\s+(?:(?:async\s+)?function\b|class\b|[({\[<]|[\w$.]+\s*(?:[;(]|=>|$)))",
    re.MULTILINE,
)


FIRST_CHARACTERS: Mapping[str, str] = {
    "hidden": "<{%",
    "code_element": "<",
    "tags": "<",
    "mdx_module": "ie",
    "container_line": ":",
    "slashed_line": "/",
    "template_line": "({[*<-;",
    "indented_admonition": "!?=",
    "definition": ":",
}
"""What a line begins with, behind its indent, on which a rule can match. `behind_tags` looks at the line before."""


def add_rules(md: MarkdownIt, *, is_mdx: bool) -> None:
    """Put the rules in front of CommonMark's own. `env` must hold a `Scan` under `scan` and a flag under `mdx`."""
    standing: RuleOptionsType = {"alt": []}
    interrupting: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    ruler = md.block.ruler
    ruler.before("code", "hidden", _hidden, interrupting)
    ruler.before("code", "code_element", _code_element, interrupting)
    ruler.before("code", "tags", _tags, interrupting if is_mdx else standing)
    ruler.before("code", "behind_tags", _behind_tags, standing)
    ruler.before("code", "mdx_module", _module, standing)
    ruler.before("code", "container_line", container_line, interrupting)
    ruler.before("code", "slashed_line", slashed_line, interrupting)
    ruler.before("code", "template_line", template_line, interrupting)
    ruler.before("code", "indented_admonition", indented_admonition, interrupting)
    ruler.before("code", "definition", definition, interrupting)


def _env(state: StateBlock) -> dict[str, Any]:
    return cast("dict[str, Any]", state.env)


def _scan(state: StateBlock) -> Scan:
    return _env(state)["scan"]


def _hidden(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Comments (HTML, JSX, MyST), script, style and pre elements. They may hold blank lines and may interrupt a paragraph."""
    position = state.bMarks[start] + state.tShift[start]
    first = state.src[position : position + 1]
    if first not in ("<", "{", "%") or state.is_code_block(start):
        return False
    if first == "%":
        return bool(_env(state).get("myst")) and (silent or replace(state, start, start + 1, ""))
    if state.src.startswith("<!--", position):
        closing: str | None = "-->"
    elif state.src.startswith("{/*", position):
        closing = "*/"
    else:
        match = _RAW_OPEN.match(state.src, position, state.eMarks[start])
        closing = f"</{match.group(1).lower()}" if match else None
    if closing is None:
        return False
    if closing == "*/" and _next(state, closing, position) < 0:
        return False  # not a comment: CommonMark lets only HTML's run to the end of the page
    return True if silent else _hide(state, start, end, position, closing)


def _hide(state: StateBlock, start: int, end: int, position: int, closing: str) -> bool:
    last, behind = _closing_line(state, start, end, position, closing)
    if closing == "</pre":
        return preformatted(state, start, last + 1, _preformatted(state.getLines(start, last + 1, state.blkIndent, False)))
    return replace(state, start, last + 1, behind)


def _closing_line(state: StateBlock, start: int, end: int, position: int, closing: str) -> tuple[int, str]:
    """The line on which the element closes (else the container's last) and the text behind the close."""
    opening = 2 if closing == "-->" else 3
    found = _next(state, closing, position + opening)
    line = start
    while line < end:
        if line > start and state.sCount[line] < state.blkIndent and not state.isEmpty(line):
            return line - 1, ""
        if 0 <= found < state.eMarks[line]:
            behind = state.src[found + len(closing) : state.eMarks[line]].strip()
            return line, behind.removeprefix("}" if closing == "*/" else ">").strip() if closing != "-->" else behind
        line += 1
    return end - 1, ""


def _next(state: StateBlock, wanted: str, position: int) -> int:
    """The first `wanted` (lower case) at or behind `position`, or -1. Remembered, so that many openings cost one pass."""
    known: dict[str, tuple[int, int]] = _env(state).setdefault("next", {})
    since, place = known.get(wanted, (-1, -2))
    if place == -2 or position < since or 0 <= place < position:
        source: str = state.src
        if wanted.startswith("</"):
            folded: str | None = _env(state).get("folded")
            if folded is None:
                folded = source.lower() if source.isascii() else re.sub(r"[A-Z]", lambda match: match.group().lower(), source)
                _env(state)["folded"] = folded
            source = folded
        place = source.find(wanted, position)
        known[wanted] = (position, place)
    return place


def _preformatted(source: str) -> str:
    """The code inside a `pre` element: tags off, entities read."""
    body = source[source.find(">") + 1 :]
    closing = body.lower().rfind("</pre")
    if closing >= 0:
        body = body[:closing]
    if body.strip().startswith("{`") and body.strip().endswith("`}"):
        return template_text(body.strip()[1:-1]).strip("\n")
    return html.unescape(_PLAIN_TAG.sub("", body)).strip("\n")


def _code_element(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`<CodeBlock language="js">{`code`}</CodeBlock>`: the template literal is the code."""
    position = state.bMarks[start] + state.tShift[start]
    if state.src[position : position + 1] != "<" or state.is_code_block(start):
        return False
    limit = state.eMarks[end - 1]
    tag = opening_tag(state.src, position, limit, _scan(state))
    found = code_child(state.src[:limit], tag) if tag is not None else None
    if tag is None or found is None:
        return False
    last = _line_at(state, start, end, found[2])
    if state.src[found[2] : state.eMarks[last]].strip():
        return False
    if not silent:
        _show(state, start, last + 1, carried(tag))
        preformatted(state, start, last + 1, found[0], found[1])
    return True


def _tags(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Lines that hold nothing but tags. A tag may span lines and its expressions may hold blank ones."""
    position = state.bMarks[start] + state.tShift[start]
    follows_tags = _env(state).get("tags_end") == start
    if state.src[position : position + 1] != "<" or (state.is_code_block(start) and not follows_tags):
        return False
    scan = _scan(state)
    limit = state.eMarks[end - 1]
    pieces: list[Carried] = []
    line = start
    while True:
        tag = scan_tag(state.src, position, limit, scan)
        if tag is None or not tag.is_markup(scan):
            return False
        pieces.extend(carried(tag, state.sCount[start]))
        while line < end and state.eMarks[line] < tag.end:
            line += 1
        position = tag.end
        while position < state.eMarks[line] and state.src[position] in " \t":
            position += 1
        if position >= state.eMarks[line]:
            break
    if not silent:
        _env(state)["tags_end"] = line + 1
        _show(state, start, line + 1, pieces)
    return True


def _show(state: StateBlock, start: int, end: int, pieces: list[Carried]) -> None:
    """What tags carry, in the place of their lines: one token each, one for all inside a list or quote."""
    if state.level or len(pieces) < 2:
        replace(state, start, end, "\n\n".join(piece.text for piece in pieces), pieces[0].kind if pieces else "text")
        if pieces and not state.level:
            _join_entries(state)
        return
    for piece in pieces:
        replace(state, start, end, piece.text, piece.kind)


def _join_entries(state: StateBlock) -> None:
    """Entries of a file tree on lines that follow each other are one list."""
    if len(state.tokens) < 2:
        return
    before, token = state.tokens[-2:]
    is_list = before.type == REPLACED and before.meta["kind"] == token.meta["kind"] == "list"
    if is_list and before.map and token.map and before.map[1] == token.map[0]:
        before.content = f"{before.content}\n{token.content}"
        before.map[1] = token.map[1]
        state.tokens.pop()


def _behind_tags(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Indented text directly below a line of tags belongs to the element; it is not indented code."""
    if silent or _env(state).get("tags_end") != start or not state.is_code_block(start):
        return False
    from markdown_it.rules_block import paragraph

    paragraph(state, start, end, silent)
    del state.tokens[-3:]
    state.push(PARAGRAPH, "p", 0).map = [start, state.line]
    return True


def _module(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """An `import` or `export` statement of MDX. Prose that begins with these words is not one."""
    position = state.bMarks[start]
    if silent or state.level or state.blkIndent or state.tShift[start] or not _env(state)["mdx"]:
        return False
    if state.src.startswith("import", position):
        match = _IMPORT.match(state.src, position)
        return replace(state, start, _line_at(state, start, end, match.end()) + 1, "") if match else False
    if state.src.startswith("export", position) and _EXPORT.match(state.src, position):
        last = _statement_end(state, start, end)
        return replace(state, start, last + 1, "") if last is not None else False
    return False


def _statement_end(state: StateBlock, start: int, end: int) -> int | None:
    """The last line of the statement: the one before a blank line outside all its braces."""
    line = start
    position = state.bMarks[start]
    limit = state.eMarks[end - 1]
    while line < end and not state.isEmpty(line):
        opening = state.src.find("{", position, state.eMarks[line])
        if opening >= 0:
            closing = scan_braces(state.src, opening, limit, _scan(state))
            if closing is None:
                return None
            line = _line_at(state, line, end, closing)
            position = closing
        else:
            line += 1
            position = state.bMarks[line] if line < end else limit
    return line - 1


def _line_at(state: StateBlock, line: int, end: int, position: int) -> int:
    while line + 1 < end and state.eMarks[line] < position:
        line += 1
    return line
