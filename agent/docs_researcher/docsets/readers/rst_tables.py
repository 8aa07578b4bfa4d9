"""Tables of a docutils tree as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from docutils import nodes

from docs_researcher.docsets.readers.base import Block
from docs_researcher.docsets.readers.rst_inline import code_span

Cell = Callable[[nodes.Element], list[Block]]


def table_text(table: nodes.table, read: Cell) -> str:
    """The rows as a Markdown table; `read` gives the blocks of a cell. Empty for a table without text."""
    head: list[list[str]] = []
    body: list[list[str]] = []
    for part in table.findall(lambda node: isinstance(node, nodes.thead | nodes.tbody)):
        rows = _rows(cast("nodes.Element", part), read)
        (head if isinstance(part, nodes.thead) else body).extend(rows)
    width = max((len(row) for row in head + body), default=0)
    if not any(cell for row in head + body for cell in row):
        return ""
    titles = _merged(head) if head else [""] * width
    lines = [_row(titles, width), "|" + " --- |" * width, *(_row(row, width) for row in body)]
    return "\n".join(lines)


def _rows(part: nodes.Element, read: Cell) -> list[list[str]]:
    """The cells of each row; a cell that spans columns or rows leaves the further places empty."""
    rows: list[list[str]] = []
    blocked: dict[int, int] = {}
    """Columns that a cell above still covers, with the number of rows left."""
    for row in part.children:
        cells: list[str] = []
        for entry in cast("nodes.Element", row).children:
            _skip_covered(cells, blocked)
            element = cast("nodes.Element", entry)
            below = int(element.get("morerows", 0))
            for extra in range(int(element.get("morecols", 0)) + 1):
                if below:
                    blocked[len(cells)] = below
                cells.append(_cell(read(element)) if extra == 0 else "")
        _skip_covered(cells, blocked)
        rows.append(cells)
    return rows


def _skip_covered(cells: list[str], blocked: dict[int, int]) -> None:
    while blocked.get(len(cells), 0) > 0:
        blocked[len(cells)] -= 1
        cells.append("")


def _cell(blocks: Sequence[Block]) -> str:
    """The blocks of a cell on one line; code becomes inline code, line by line."""
    parts: list[str] = []
    for block in blocks:
        if block.kind == "code":
            parts.extend(code_span(line) for line in block.text.split("\n")[1:-1] if line.strip())
        else:
            parts.append(" ".join(block.text.split()))
    return "<br>".join(parts).replace("|", "\\|")


def _merged(rows: Sequence[Sequence[str]]) -> list[str]:
    """Several header rows as one."""
    width = max(len(row) for row in rows)
    return [" ".join(row[column] for row in rows if column < len(row) and row[column]) for column in range(width)]


def _row(cells: Sequence[str], width: int) -> str:
    return "| " + " | ".join([*cells, *[""] * (width - len(cells))]) + " |"
