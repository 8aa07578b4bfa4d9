"""Which reader a file gets, by its name. A reader is imported when it is first chosen."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from docs_researcher.docsets.readers.base import HTML_SUFFIXES, MARKDOWN_SUFFIXES, Reader

_RST = frozenset({".rst", ".rest"})
_LISTS = re.compile(
    r"(?:.*requirements.*|constraints.*|robots|humans|sources|cmakelists|.*wordlist.*|top_level|requires|entry_points|"
    r"dependency_links|authors)",
    re.IGNORECASE,
)
"""Names of `.txt` files that are lists for programs. Others are read if they hold reStructuredText, as Django's do."""


def reader_for(path: str) -> Reader | None:
    """The reader for a file of this name, or None when its format is not read. Upper-case endings count too."""
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in MARKDOWN_SUFFIXES:
        from docs_researcher.docsets.readers.markdown import read_markdown

        return read_markdown
    if suffix in HTML_SUFFIXES:
        from docs_researcher.docsets.readers.html import read_html

        return read_html
    if suffix == ".ipynb":
        from docs_researcher.docsets.readers.notebook import read_notebook

        return read_notebook
    if suffix in (".adoc", ".asciidoc", ".asc"):
        from docs_researcher.docsets.readers.asciidoc import read_asciidoc

        return read_asciidoc
    if suffix in _RST or (suffix == ".txt" and not _LISTS.fullmatch(PurePosixPath(path).stem)):
        from docs_researcher.docsets.readers.rst import read_rst, read_text

        return read_rst if suffix in _RST else read_text
    return None
