"""Pages to see also: those that the results of a search link to, and those that link to them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import apsw

from docs_researcher.core.passages import RelatedPage
from docs_researcher.docsets.searching.hits import Hit
from docs_researcher.docsets.searching.ranking import is_release_notes
from docs_researcher.docsets.sql import rows

LOOKED_AT = 5
"""Results whose links are followed; what a later one links to is seldom about the question."""
LINKED_FROM = 0.5
"""What a link to a result counts against one in it: the result's author chose to send its readers there."""
MAX_LINKS = 400
"""Links of one result that are followed in each direction; an index of everything says nothing about any of it."""


def related_pages(connection: apsw.Connection, hits: Sequence[Hit], limit: int) -> tuple[RelatedPage, ...]:
    """The `limit` pages that are linked most closely with the first results, best first; none of them a result itself.

    A page that half of the documentation links to says less than one that few pages do. Release notes are left out.
    """
    shown = {hit.path for hit in hits}
    scores: defaultdict[int, float] = defaultdict(float)
    counts: dict[int, list[int]] = {}
    for place, hit in enumerate(hits[:LOOKED_AT], start=1):
        for way, here, there, weight in ((0, "target", "source", LINKED_FROM), (1, "source", "target", 1.0)):
            for page in _others(connection, here, there, hit):
                scores[page] += weight / place
                counts.setdefault(page, [0, 0])[way] += 1
    if not scores:
        return ()
    found: list[tuple[float, RelatedPage]] = []
    for page, path, title, url, links in _pages(connection, tuple(scores)):
        if path not in shown and not is_release_notes(path):
            ways = counts[page]
            found.append((scores[page] / math.log2(2 + links), RelatedPage(path, title, url, ways[0], ways[1])))
    found.sort(key=lambda entry: (-entry[0], entry[1].path))
    return tuple(page for _, page in found[:limit])


def _others(connection: apsw.Connection, here: str, there: str, hit: Hit) -> list[int]:
    """The pages on the other side of the links of a result."""
    linked = f"SELECT {there} FROM links WHERE {here} IN ({','.join('?' * len(hit.chunks))}) LIMIT {MAX_LINKS}"  # noqa: S608 - our names
    select = f"SELECT DISTINCT page_id FROM chunks WHERE id IN ({linked})"  # noqa: S608 - as above
    return [int(row[0]) for row in rows(connection, select, hit.chunks)]


def _pages(connection: apsw.Connection, ids: Sequence[int]) -> list[tuple[int, str, str, str | None, int]]:
    """Number, path, title and address of these pages, and how many chunks link to each."""
    marks = ",".join("?" * len(ids))
    inside = "SELECT count(*) FROM links WHERE target >= first_chunk AND target < first_chunk + chunk_count"
    select = f"SELECT id, path, title, url, ({inside}) FROM pages WHERE id IN ({marks})"  # noqa: S608 - only marks
    return [
        (int(id), str(path), str(title), None if url is None else str(url), int(links))
        for id, path, title, url, links in rows(connection, select, ids)
    ]
