"""Files that pages take text from: which ones they name, and which of them may be read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

_INCLUDING = frozenset({".rst", ".rest", ".txt", ".inc", ".adoc", ".asciidoc", ".asc", ".md", ".mdx", ".markdown"})
_MARKS = (b"include::", b"include}", b"8<--", b"<<< ", b"{*", b"{!", b"{{#")


def may_include(path: str) -> bool:
    """Whether a page of this name can take text from other files at all."""
    return PurePosixPath(path).suffix.lower() in _INCLUDING


def may_be_included(path: str) -> bool:
    """Whether a file of this path may be read for a page: a hidden one (`.env`) is nobody's documentation."""
    return not any(part.startswith(".") for part in path.split("/"))


def included_files(pages: Iterable[tuple[str, bytes]]) -> set[str]:
    """The paths that these pages may take text from, each only a possibility."""
    from docs_researcher.docsets.readers.includes import wanted_files

    found: set[str] = set()
    for path, data in pages:
        if may_include(path) and any(mark in data for mark in _MARKS):
            found.update(wanted_files(path, data.decode("utf-8", "replace").replace("\r\n", "\n")))
    return {path for path in found if may_be_included(path)}
