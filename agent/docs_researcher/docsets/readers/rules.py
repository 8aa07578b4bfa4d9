"""Block rules beside CommonMark's: component tags, comments, MDX module lines, admonitions.

The rules push leaf tokens, so that what stands between `<Note>` and `</Note>` or between two lines of `:::` is read as ordinary
Markdown and its headings and fences are seen. A token's `content` is the text that takes the place of its lines.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any, cast

from docs_researcher.docsets.readers.jsx import Scan, attribute_text, scan_braces, scan_tag

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock

REPLACED = "replaced"
"""Token type: its lines are replaced by its `content`, a paragraph or nothing."""
PREFORMATTED = "preformatted"
"""Token type: an HTML `pre`; its `content` is the code."""
INDENTED = "indented"
"""Token type (open and close): `!!! note` and its like; `info` is the label, the lines below it are indented by four."""

_RAW_OPEN = re.compile(r"<(script|style|pre)(?=[\s>]|$)", re.IGNORECASE)
_CONTAINER = re.compile(r"(:{3,})[ \t]*\{?([\w-]*)\}?[ \t]*(?:\[([^\]\n]*)\])?[ \t]*([^\n]*)$")
_SLASHED = re.compile(r"(/{3,})[ \t]*(?:([A-Za-z][\w-]*)[ \t]*(?:\|[ \t]*([^\n]*))?)?$")
_INVISIBLE = re.compile(r"\([\w:./ -]+\)=[ \t]*$|\{:?[ \t]*[.#][^{}\n]*\}[ \t]*$|\{%[^\n]*%\}[ \t]*$")
"""A line that names a place or dresses the next block (MyST, Kramdown), or a template tag (Markdoc, GitBook, Liquid)."""
_TEMPLATE_TITLE = re.compile(r"\b(?:title|label)=(?:\"([^\"\n]+)\"|'([^'\n]+)')")
_INDENTED = re.compile(r"(!!!|\?\?\?\+?|===[!+]?)[ \t]+([^\n]+)$")
_QUOTED = re.compile(r"\"([^\"\n]*)\"")
_TITLE_ATTRIBUTE = re.compile(r"\btitle=\"([^\"\n]*)\"")
_BRACED = re.compile(r"\{[^{}\n]*\}")
_PLAIN_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_KINDS = (
    "note tip info warning danger caution important success failure error bug example quote abstract summary question hint "
    "attention seealso deprecated experimental details tldr"
)
_ADMONITIONS = frozenset(_KINDS.split())
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


def add_rules(md: MarkdownIt) -> None:
    """Put the rules in front of CommonMark's own. `env` must hold a `Scan` under `scan` and a flag under `mdx`."""
    standing: RuleOptionsType = {"alt": []}
    interrupting: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    ruler = md.block.ruler
    ruler.before("code", "hidden", _hidden, interrupting)
    ruler.before("code", "tags", _tags, standing)
    ruler.before("code", "behind_tags", _behind_tags, standing)
    ruler.before("code", "mdx_module", _module, standing)
    ruler.before("code", "container_line", _container_line, interrupting)
    ruler.before("code", "slashed_line", _slashed_line, interrupting)
    ruler.before("code", "invisible_line", _invisible_line, standing)
    ruler.before("code", "indented_admonition", _indented_admonition, interrupting)


def _env(state: StateBlock) -> dict[str, Any]:
    return cast("dict[str, Any]", state.env)


def _scan(state: StateBlock) -> Scan:
    return _env(state)["scan"]


def _replace(state: StateBlock, start: int, end: int, content: str) -> bool:
    token = state.push(REPLACED, "", 0)
    token.map = [start, end]
    token.content = content
    state.line = end
    return True


def _hidden(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Comments (HTML and JSX), script, style and pre elements. They may hold blank lines and may interrupt a paragraph."""
    position = state.bMarks[start] + state.tShift[start]
    if state.src[position : position + 1] not in ("<", "{") or state.is_code_block(start):
        return False
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
        token = state.push(PREFORMATTED, "", 0)
        token.map = [start, last + 1]
        token.content = _preformatted(state.getLines(start, last + 1, state.blkIndent, False))
        state.line = last + 1
        return True
    return _replace(state, start, last + 1, behind)


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
    return html.unescape(_PLAIN_TAG.sub("", body)).strip("\n")


def _tags(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Lines that hold nothing but tags. A tag may span lines and its expressions may hold blank ones."""
    position = state.bMarks[start] + state.tShift[start]
    follows_tags = _env(state).get("tags_end") == start
    if silent or state.src[position : position + 1] != "<" or (state.is_code_block(start) and not follows_tags):
        return False
    scan = _scan(state)
    limit = state.eMarks[end - 1]
    texts: list[str] = []
    line = start
    while True:
        tag = scan_tag(state.src, position, limit, scan)
        if tag is None or not tag.is_markup(scan):
            return False
        texts.append(attribute_text(tag))
        while line < end and state.eMarks[line] < tag.end:
            line += 1
        position = tag.end
        while position < state.eMarks[line] and state.src[position] in " \t":
            position += 1
        if position >= state.eMarks[line]:
            break
    _env(state)["tags_end"] = line + 1
    return _replace(state, start, line + 1, "\n\n".join(filter(None, texts)))


def _behind_tags(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Indented text directly below a line of tags belongs to the element; it is not indented code."""
    if silent or _env(state).get("tags_end") != start or not state.is_code_block(start):
        return False
    from markdown_it.rules_block import paragraph

    return paragraph(state, start, end, silent)


def _module(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """An `import` or `export` statement of MDX. Prose that begins with these words is not one."""
    position = state.bMarks[start]
    if silent or state.level or state.blkIndent or state.tShift[start] or not _env(state)["mdx"]:
        return False
    if state.src.startswith("import", position):
        match = _IMPORT.match(state.src, position)
        return _replace(state, start, _line_at(state, start, end, match.end()) + 1, "") if match else False
    if state.src.startswith("export", position) and _EXPORT.match(state.src, position):
        last = _statement_end(state, start, end)
        return _replace(state, start, last + 1, "") if last is not None else False
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


def _container_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line of `:::`, opening or closing: the label of the one is kept, the other goes."""
    position = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith(":::", position) or state.is_code_block(start):
        return False
    match = _CONTAINER.match(state.src, position, state.eMarks[start])
    if match is None:
        return False
    if silent:
        return True
    name, bracketed, rest = match.group(2), match.group(3), match.group(4)
    attribute = _TITLE_ATTRIBUTE.search(rest)
    title = bracketed or (attribute.group(1) if attribute else _BRACED.sub("", rest).strip())
    token_content = label(name, title)
    _replace(state, start, start + 1, token_content)
    state.tokens[-1].info = "admonition" if token_content else ""
    return True


def _slashed_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line of `///`, opening (`/// note | Title`) or closing, with the options that stand indented below it."""
    position = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("///", position) or state.is_code_block(start):
        return False
    match = _SLASHED.match(state.src, position, state.eMarks[start])
    if match is None:
        return False
    if silent:
        return True
    last = start + 1
    while match.group(2) and last < end and not state.isEmpty(last) and state.sCount[last] >= state.sCount[start] + 4:
        last += 1
    shown = label(match.group(2) or "", match.group(3) or "")
    _replace(state, start, last, shown)
    state.tokens[-1].info = "admonition" if shown else ""
    return True


def _invisible_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    position = state.bMarks[start] + state.tShift[start]
    if silent or state.src[position : position + 1] not in ("(", "{") or state.is_code_block(start):
        return False
    match = _INVISIBLE.match(state.src, position, state.eMarks[start])
    if match is None:
        return False
    title = _TEMPLATE_TITLE.search(match.group()) if match.group().startswith("{%") else None
    return _replace(state, start, start + 1, f"**{title[1] or title[2]}**" if title else "")


def label(name: str, title: str) -> str:
    """The label of an admonition as Markdown: `**Tip: Title**`. Empty for a container that only arranges things."""
    title = title.strip().strip('"')
    is_kind = name.lower() in _ADMONITIONS or name.lower().startswith("version-")
    kind = name.replace("-", " ").capitalize() if is_kind else ""
    if title.casefold() == kind.casefold():
        title = ""
    text = ": ".join(filter(None, (kind, title)))
    return f"**{text}**" if text and "*" not in text else text


def _indented_admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`!!! note "Title"`, `??? note` and `=== "Tab"` with the lines that are indented below them."""
    position = state.bMarks[start] + state.tShift[start]
    if state.src[position : position + 1] not in ("!", "?", "=") or state.is_code_block(start):
        return False
    match = _INDENTED.match(state.src, position, state.eMarks[start])
    if match is None or (match.group(1)[0] == "=" and not _QUOTED.search(match.group(2))):
        return False
    if silent:
        return True
    indent = state.sCount[start] + 4
    last = start + 1
    while last < end and (state.isEmpty(last) or state.sCount[last] >= indent):
        last += 1
    while last > start + 1 and state.isEmpty(last - 1):
        last -= 1
    quoted = _QUOTED.search(match.group(2))
    name = "" if match.group(1)[0] == "=" else match.group(2).split()[0].strip('"')
    opening = state.push(f"{INDENTED}_open", "", 1)
    opening.map = [start, last]
    opening.info = label(name, quoted.group(1) if quoted else "") or (f"**{name.capitalize()}**" if name else "")
    opening.meta = {"column": state.sCount[start]}
    saved = state.blkIndent, state.lineMax, state.parentType
    state.blkIndent, state.lineMax, state.parentType = indent, last, "blockquote"
    state.md.block.tokenize(state, start + 1, last)
    state.blkIndent, state.lineMax, state.parentType = saved
    state.push(f"{INDENTED}_close", "", -1)
    state.line = last
    return True
