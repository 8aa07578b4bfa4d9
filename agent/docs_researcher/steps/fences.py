"""Markdown cut at its code fences: what is code and what is not, by CommonMark's rules, in linear time."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r"^(?P<quote>(?:[ \t]*>[ \t]?)*)(?P<indent>[ \t]*(?:[-*+][ \t]+)?)(?P<fence>`{3,}|~{3,})(?P<info>.*)$")

_CAPTION = re.compile(
    r"(?:file(?:name)?|title|name)\s*=\s*(?:\"([^\"]+)\"|'([^']+)'|\{?[\"']([^\"'}]+)|([^\s\"'{}]+))|\[([\w./ -]+\.\w+)\]"
)


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of prose (`code` is None), or one fenced block."""

    raw: str
    """The segment as written, fence lines included."""
    code: str | None = None
    """The code without its fence and without the fence's own indentation."""
    language: str = ""
    info: str = ""
    """What else stood behind the opening fence: `filename="app/page.tsx"`."""


def split_fences(text: str) -> tuple[Segment, ...]:
    """The segments of a text in order; their `raw` joined by line breaks is the text again. An open fence runs to the end."""
    lines = text.split("\n")
    segments: list[Segment] = []
    prose: list[str] = []
    position = 0
    while position < len(lines):
        fence = _opening(lines[position])
        if not fence:
            prose.append(lines[position])
            position += 1
            continue
        if prose:
            segments.append(Segment("\n".join(prose)))
            prose = []
        end, closed = _end_of_block(lines, position, fence)
        segments.append(_block(lines[position:end], fence, closed=closed))
        position = end
    if prose:
        segments.append(Segment("\n".join(prose)))
    return tuple(segments)


def _block(lines: list[str], fence: re.Match[str], *, closed: bool) -> Segment:
    indent = len(fence.group("indent").expandtabs(4))
    info = fence.group("info").strip()
    first = info.split(None, 1)[0] if info else ""
    language = first if first.startswith("{") else re.split(r"[{:,\[]", first, maxsplit=1)[0]
    body = lines[1:-1] if closed else lines[1:]
    code = "\n".join(_outdent(_unquoted(line, fence), indent) for line in body)
    return Segment("\n".join(lines), code.rstrip(), language, info[len(language) :].strip())


def _opening(line: str) -> re.Match[str] | None:
    if "```" not in line and "~~~" not in line:
        return None
    match = _FENCE.match(line)
    return None if match and match.group("fence")[0] == "`" and "`" in match.group("info") else match


def _end_of_block(lines: list[str], opening: int, fence: re.Match[str]) -> tuple[int, bool]:
    """The line behind the block opened at `opening`, and whether its fence is closed. A block in a quote ends with the quote."""
    mark = fence.group("fence")
    for position in range(opening + 1, len(lines)):
        if fence.group("quote") and not lines[position].lstrip().startswith(">"):
            return position, False
        bare = _unquoted(lines[position], fence).strip()
        if len(bare) >= len(mark) and not bare.strip(mark[0]):
            return position + 1, True
    return len(lines), False


def _unquoted(line: str, fence: re.Match[str]) -> str:
    """`line` without the marks of the quote that its block stands in."""
    depth = fence.group("quote").count(">")
    return re.sub(rf"^(?:[ \t]*>[ \t]?){{1,{depth}}}", "", line) if depth else line


def _outdent(line: str, columns: int) -> str:
    """`line` without up to `columns` leading columns (the fence's own indentation)."""
    if not columns:
        return line
    lead = line[: len(line) - len(line.lstrip(" \t"))].expandtabs(4)
    return lead[min(columns, len(lead)) :] + line.lstrip(" \t")


def caption_of(info: str) -> str:
    """The file name or title in the info string of a fence, if there is one."""
    match = _CAPTION.search(info)
    return next((group for group in match.groups() if group), "") if match else ""
