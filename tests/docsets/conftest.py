"""Docsets made of a few pages, for tests of everything behind the sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sources.base import SourceInfo
from loopback_web import Loopback
from pages_source import ACME, PagesSource

MakeDocset = Callable[..., Docset]


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    """The empty store of this home, which does not exist on disk yet."""
    store = Store(home)
    yield store
    store.close()


@pytest.fixture
def web() -> Iterator[Loopback]:
    """A web server on loopback without pages."""
    server = Loopback()
    yield server
    server.stop()


@pytest.fixture
def make_docset(store: Store) -> MakeDocset:
    """Index some pages (path to Markdown) and open the result."""

    def make(pages: Mapping[str, str | bytes], info: SourceInfo = ACME) -> Docset:
        return store.open(build_docset(PagesSource(pages, info), store, replace=True).installed)

    return make
