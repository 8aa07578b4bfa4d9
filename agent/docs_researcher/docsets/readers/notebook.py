"""Jupyter notebooks: the text cells as they are, the code cells with their language, short printed results behind them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, cast

from docs_researcher.core.parsed import mapping
from docs_researcher.docsets.readers.base import NO_SITE, Block, Page, Site
from docs_researcher.docsets.readers.markdown import read_markdown
from docs_researcher.docsets.readers.reference import fenced

MAX_OUTPUT_CHARS = 600
"""A longer result is data, not documentation."""


def read_notebook(path: str, text: str, _site: Site = NO_SITE) -> Page | None:
    """The page in a notebook (nbformat 3 or 4), or None when it is none or holds nothing to read."""
    try:
        notebook: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(notebook, dict):
        return None
    record = cast("dict[str, Any]", notebook)
    language = _language(record)
    blocks = tuple(block for cell in _cells(record) for block in _blocks(cell, language))
    if not blocks:
        return None
    heading = next((block.title for block in blocks if block.kind == "heading" and block.title), "")
    return Page(path, heading or PurePosixPath(path).stem, "", blocks)


def _language(record: dict[str, Any]) -> str:
    metadata = mapping(record.get("metadata"))
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        value = mapping(metadata.get(key)).get(name)
        if isinstance(value, str) and value:
            return value.lower().split()[0]
    return "python"


def _cells(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    sheets = record.get("worksheets")
    holders = [record, *cast("list[object]", sheets)] if isinstance(sheets, list) else [record]
    for holder in holders:
        cells = mapping(holder).get("cells")
        if isinstance(cells, list):
            yield from (mapping(cell) for cell in cast("list[object]", cells))


def _blocks(cell: dict[str, Any], language: str) -> Iterator[Block]:
    source = _joined(cell.get("source", cell.get("input")))
    kind = cell.get("cell_type")
    if not source.strip():
        return
    if kind == "code":
        yield Block("code", fenced(language, source.strip("\n")), 1, language=language)
        yield from _outputs(cell.get("outputs"))
    elif kind == "heading":
        level = cell.get("level")
        depth = min(max(level, 1), 6) if isinstance(level, int) else 1
        yield Block("heading", f"{'#' * depth} {source.strip()}", 1, level=depth, title=source.strip())
    elif kind == "markdown":
        page = read_markdown("cell.md", source)
        yield from page.blocks if page is not None else ()


def _outputs(outputs: object) -> Iterator[Block]:
    for output in cast("list[object]", outputs) if isinstance(outputs, list) else []:
        record = mapping(output)
        text = _joined(record.get("text") or mapping(record.get("data")).get("text/plain"))
        if text.strip() and len(text) <= MAX_OUTPUT_CHARS and record.get("output_type") != "error":
            yield Block("code", fenced("text", text.strip("\n")), 1, language="text")


def _joined(value: object) -> str:
    if isinstance(value, list):
        return "".join(str(line) for line in cast("list[object]", value))
    return value if isinstance(value, str) else ""
