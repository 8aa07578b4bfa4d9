"""The last word on the order of chunks: copies shown once, twins in the order of their pages, no page before all others."""

from __future__ import annotations

import re
from functools import lru_cache

from docs_researcher.docsets.searching.hits import RankedChunk

CHUNKS_A_PAGE = 2
"""So many chunks of one page come before those of other pages."""
TWIN = 0.93
"""A chunk of the same title and heading as one on an earlier page comes behind it when its score is less than 7 % better."""

LISTED = 0.85
"""Factor on the score of reference pages beside a guide, where no name of code is asked for. All reference pages less was better
for 104 questions and worse for the other 110 (2026-11-30)."""
AMONG = 3
_UPGRADE = re.compile(r"\b(?:migrat|upgrad)", re.IGNORECASE)
_REFERENCE = re.compile(r"(?:^|/)(?:api|reference|ref)(?:[-_.][a-z]+)?/")


def twins_in_order(ranked: list[RankedChunk]) -> list[RankedChunk]:
    """Chunks of one title and heading on several pages that score about the same, in the order of the pages.

    Documentation that says a thing for two products (the App and the Pages Router of Next.js) puts the one to read first first.
    """
    best: dict[tuple[str, str], RankedChunk] = {}
    result: list[RankedChunk] = []
    for chunk in ranked:
        twin = best.get((chunk.title, chunk.heading))
        if twin is None:
            best[chunk.title, chunk.heading] = chunk
        elif chunk.id < twin.id and chunk.path != twin.path and chunk.score >= twin.score * TWIN:
            place = result.index(twin)
            result.insert(place, chunk._replace(score=twin.score))
            best[chunk.title, chunk.heading] = result[place]
            continue
        result.append(chunk)
    return result


def behind_guides(ranked: list[RankedChunk]) -> list[RankedChunk]:
    """The same chunks, those of a reference page that has a guide of the same name beside it with less of their score.

    `api/autogenerate.rst` lists what `autogenerate.rst` tells how to use.
    """
    kinds = [_file(chunk.path) for chunk in ranked]
    listed = {name for name, is_reference in kinds if is_reference}
    told = {name for name, is_reference in kinds if not is_reference}
    both = listed & told
    if not both:
        return ranked
    return [
        chunk._replace(score=chunk.score * LISTED) if is_reference and name in both else chunk
        for chunk, (name, is_reference) in zip(ranked, kinds, strict=True)
    ]


@lru_cache(maxsize=4096)
def _file(path: str) -> tuple[str, bool]:
    """What the file of a page is called, and whether it lies in a reference."""
    return path.rpartition("/")[2], _REFERENCE.search(path) is not None


def without_copies(ranked: list[RankedChunk]) -> list[RankedChunk]:
    """The same chunks, of those with equal heading and text the first."""
    seen: set[object] = set()
    kept: list[RankedChunk] = []
    for chunk in ranked:
        if chunk.digest is None or chunk.digest not in seen:
            seen.add(chunk.digest)
            kept.append(chunk)
    return kept


def spread(ranked: list[RankedChunk], *, about_versions: bool = False) -> list[RankedChunk]:
    """The same chunks, at most two of a page before the best of the other pages.

    Of a guide to an upgrade that is among the first, and was asked for, all sections do: each is another change.
    """
    first_ones = ranked[:AMONG] if about_versions else []
    guide = next((chunk.path for chunk in first_ones if _UPGRADE.search(chunk.title)), None)
    first: list[RankedChunk] = []
    later: list[RankedChunk] = []
    pages: dict[str, int] = {}
    for chunk in ranked:
        pages[chunk.path] = pages.get(chunk.path, 0) + 1
        (first if pages[chunk.path] <= CHUNKS_A_PAGE or chunk.path == guide else later).append(chunk)
    return first + later
