"""A source of documentation that holds its pages in memory."""

from __future__ import annotations

from collections.abc import Mapping

from docs_researcher.core.events import Listener, ignore
from docs_researcher.docsets.sources.base import Document, Neighbours, SourceInfo, SourceTree

ACME = SourceInfo("acme", "1.0.0", "/npm/acme", purl="pkg:npm/acme@1.0.0", title="Acme")


class PagesSource:
    """Pages by their paths, of a library that is `ACME` unless told otherwise."""

    def __init__(self, pages: Mapping[str, str | bytes], info: SourceInfo = ACME) -> None:
        self.info = info
        self._pages = pages

    def read(self, listener: Listener = ignore) -> SourceTree:
        files = {path: text.encode() if isinstance(text, str) else text for path, text in sorted(self._pages.items())}
        documents = (Document(path, data) for path, data in files.items())
        return SourceTree(self.info, documents, near=Neighbours(tuple(files), files.get))
