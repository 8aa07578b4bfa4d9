"""Docsets made of a few pages, for tests of everything behind the sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from docs_researcher.core.events import Listener, ignore
from docs_researcher.docsets.build import build_docset
from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.sources.base import Document, SourceInfo, SourceTree
from docs_researcher.docsets.store import Store

MakeDocset = Callable[..., Docset]


class PagesSource:
    """A source that holds its pages in memory."""

    def __init__(self, pages: Mapping[str, str | bytes], info: SourceInfo | None = None) -> None:
        self.info = info or SourceInfo("acme", "1.0.0", "/npm/acme", purl="pkg:npm/acme@1.0.0", title="Acme")
        self._pages = pages

    def read(self, listener: Listener = ignore) -> SourceTree:
        documents = (
            Document(path, text.encode() if isinstance(text, str) else text) for path, text in sorted(self._pages.items())
        )
        return SourceTree(self.info, documents)


@pytest.fixture
def pages_source() -> type[PagesSource]:
    """The class of a source made of pages in memory."""
    return PagesSource


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store that does not exist on disk yet."""
    store = Store(tmp_path / "home")
    yield store
    store.close()


@pytest.fixture
def make_docset(store: Store) -> MakeDocset:
    """Index some pages (path to Markdown) and open the result."""

    def make(pages: Mapping[str, str | bytes], info: SourceInfo | None = None) -> Docset:
        return store.open(build_docset(PagesSource(pages, info), store, replace=True).installed)

    return make
