"""Pages made from source beside a guide: they fill its gaps and do not crowd it out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from docs_researcher.docsets.building.chunks import chunk_page
from docs_researcher.docsets.building.write import write_docset
from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.readers.markdown import read_markdown
from docs_researcher.docsets.sources.base import SourceInfo

GUIDE = "# Retries\n\nA client retries a call that failed. Set the number of retries of a client where it is made.\n"
SOURCE = "# Retries\n\nA client retries a call that failed. Set the number of retries of a client.\n\nSee `exponential_jitter`.\n"


@pytest.fixture
def docset(tmp_path: Path) -> Iterator[Docset]:
    pages = [read_markdown(path, text) for path, text in (("acme/client.py", SOURCE), ("docs/retries.md", GUIDE))]
    info = SourceInfo("acme", "1.0.0", "/npm/acme", purl="pkg:npm/acme@1.0.0", title="Acme")
    write_docset(tmp_path / "acme.db", info, [(page, chunk_page(page)) for page in pages if page is not None])
    with Docset.open(tmp_path / "acme.db") as opened:
        yield opened


def test_the_guide_comes_before_the_docstring_that_says_the_same(docset: Docset) -> None:
    assert docset.search("how do I set the retries of a client").hits[0].path == "docs/retries.md"


def test_what_only_the_source_says_is_found_there(docset: Docset) -> None:
    assert docset.search("exponential_jitter").hits[0].path == "acme/client.py"
