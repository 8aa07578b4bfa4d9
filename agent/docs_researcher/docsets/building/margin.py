"""Text out of a list, moved to the left margin."""

from __future__ import annotations

from docs_researcher.docsets.building.fences import fence_closes, fence_opening


def to_margin(text: str) -> str:
    """The lines moved to the left by the indent of the first one, those of a fence by no more than its own."""
    columns = _indent(text)
    if not columns:
        return text
    lines: list[str] = []
    mark, allowed = "", columns
    for line in text.split("\n"):
        if mark:
            mark = "" if fence_closes(line, mark) else mark
            lines.append(_moved(line, allowed))
            continue
        mark = fence_opening(line)
        allowed = min(columns, _indent(line)) if mark else columns
        lines.append(_moved(line, allowed))
    return "\n".join(lines)


def _indent(text: str) -> int:
    """The columns before the first character of a text."""
    return len(text[: len(text) - len(text.lstrip(" \t"))].expandtabs(4))


def _moved(line: str, columns: int) -> str:
    """The line without so many columns of blanks; a tab that reaches further stays."""
    position = column = 0
    while line[position : position + 1] in (" ", "\t"):
        column += 1 if line[position] == " " else 4 - column % 4
        if column > columns:
            break
        position += 1
    return line[position:]
