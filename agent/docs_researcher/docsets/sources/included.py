"""Files that pages take text from: which ones they name, and which of them may be read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

_INCLUDING = frozenset({".rst", ".rest", ".txt", ".inc", ".adoc", ".asciidoc", ".asc", ".md", ".mdx", ".markdown"})
_CONFIGURED = frozenset({".rst", ".rest", ".txt"})
"""Endings of pages that Sphinx may build, and its `conf.py` says how."""
_MARKS = (b"include::", b"include}", b"8<--", b"<<< ", b"{*", b"{!", b"{{#")


def may_include(path: str) -> bool:
    """Whether a page of this name can take text from other files at all."""
    return PurePosixPath(path).suffix.lower() in _INCLUDING


def may_be_included(path: str) -> bool:
    """Whether a file of this path may be read for a page: a hidden one (`.env`) is nobody's documentation."""
    return not any(part.startswith(".") for part in path.split("/"))


def included_files(pages: Iterable[tuple[str, bytes]]) -> set[str]:
    """The paths that these pages may take text from, and of the configuration that they are built with; each a possibility."""
    from docs_researcher.docsets.readers.conf import conf_paths
    from docs_researcher.docsets.readers.includes import wanted_files

    found: set[str] = set()
    referring: list[str] = []
    for path, data in pages:
        if PurePosixPath(path).suffix.lower() in _CONFIGURED:
            referring.append(path)
        if may_include(path) and any(mark in data for mark in _MARKS):
            found.update(wanted_files(path, data.decode("utf-8", "replace").replace("\r\n", "\n")))
    found.update(conf_paths(referring) if referring else ())
    return {path for path in found if may_be_included(path)}
