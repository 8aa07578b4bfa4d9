"""What a library is: asked of nothing but its name, which stands everywhere, and answered where its documentation begins.

The full-text ranking of the name alone gives whichever chunk repeats it most, such as a list of plugins. So the opening of the
README, of the index and of the introduction are weighed instead, and every text that says "X is a ...".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from docs_researcher.docsets.searching.defining import DOES, IS_A, defined_at, spelt
from docs_researcher.docsets.searching.hits import RankedChunk
from docs_researcher.docsets.searching.index import Index, known_chunks
from docs_researcher.docsets.searching.ranking import is_declared, is_release_notes
from docs_researcher.docsets.sql import rows

INTRODUCTION_WORDS = "introduction overview quickstart getting started readme at a glance"
"""What the pages are called that say what a library is: behind "What is X?" in a query that asks any server for that."""
MOST_LOOKED_AT = 400
"""Texts that hold "X is", of which those that define it are looked for; a large documentation has hundreds."""
MOST_OPENINGS = 60
"""Introductory pages whose opening is looked at."""
OPENING_CHUNKS = 5
"""Chunks from the top of the best page: what a library is, what it can do, how it is used."""
FIRST_PAGE = 1.0
"""What the first page of a documentation counts for, beside 1.2 for a definition."""
INTRODUCTION = 0.8
START = 0.5
BY_DEFINITION = 1.2
AT_ONCE = 0.4
"""What a definition gains that the text begins with."""
BEGINS_WITHIN = 300
"""Characters."""
OPENS = 0.6
"""What the text above a page's first heading gains."""
A_FOLDER_DEEPER = 0.08
DECLARED = 0.6
"""What declarations, release notes, licences and questions often asked lose."""
ELSEWHERE = 0.5
"""What a definition counts for in the middle of a page that is about something else."""
LEAST = 1.2
SURE, UNSURE = 0.95, 0.6
"""The confidence of a definition, and of an opening that has none."""

_FOLLOWED = re.compile(rf"\s*what is\b[^?]{{0,80}}\? ?{INTRODUCTION_WORDS.partition(' quick')[0]}\b", re.IGNORECASE)
_ORDER = re.compile(r"^\d+[-_. ]+")
_LANGUAGE_FOLDERS = re.compile(r"^(?:dist|docs?|src|source|content|en|latest|website|documentation|\d+[-_]app|handbook|guides?)$")
_FIRST = re.compile(r"readme|index|home|welcome", re.IGNORECASE)
_INTRODUCTION = re.compile(
    r"intro(?:duction)?(?:[-_]to[-_].*)?|overview|about|at[-_]a[-_]glance|what[-_]is[-_].*|why|philosophy", re.IGNORECASE
)
_START = re.compile(
    r"(?:getting|get)[-_ ]?started|quick[-_ ]?start|first[-_]steps.*|tutorial|basics?|installation", re.IGNORECASE
)
_BESIDE_THE_POINT = re.compile(
    r"(?:^|/)(?:licen[cs]e|copyright|contributing|faq|glossary|security|code[-_]of[-_]conduct)\b", re.IGNORECASE
)
_INTRODUCTORY_FOLDERS = re.compile(r"(?:\d+[-_])?(?:intro(?:duction)?|overview|(?:getting|get)[-_ ]?started)", re.IGNORECASE)


def asks_what_it_is(query: str, names: Sequence[str]) -> bool:
    """Whether a question asks nothing but what the library of these names is: "what is Scrapy?".

    Where the words of such pages follow, the name may be missing, since a query needs none beside the library's id.
    """
    if _FOLLOWED.match(query):
        return True
    called = "|".join(filter(None, map(spelt, names)))
    if not called:
        return False
    asked = rf"""\s*(?:what(?:'s|\sis|\sare|\sdoes)|explain|describe|introduce|tell\sme\sabout
        |(?:an?\s)?(?:overview|introduction)\s(?:of|to))\s+(?:me\s)?(?:the\s)?[`"']?(?:{called})[`"']?(?:\s(?:do|for|about|used\sfor|good\sfor|library|framework|package
        |exactly|all|orm|sdk))*\s*[?.!]*\s*"""
    return re.fullmatch(asked, query, re.IGNORECASE | re.VERBOSE) is not None


def introduction(index: Index) -> tuple[list[RankedChunk], float]:
    """The chunks that say what the library is, best first, and the confidence; none where nothing does."""
    openings = _openings(index)
    candidates = dict(_texts(index, [*openings, *_phrases(index)]))
    known = known_chunks(index, candidates)
    names = index.names
    scored = sorted(
        ((_score(chunk, candidates[id], names, opens=id in openings or not chunk.heading), chunk) for id, chunk in known.items()),
        key=lambda one: (-one[0], one[1].id),
    )
    chosen = [chunk._replace(score=score) for score, chunk in scored if score >= LEAST]
    if not chosen:
        return [], 0.0
    best = chosen[0]
    following = known_chunks(index, range(best.id + 1, best.id + OPENING_CHUNKS))
    page = [
        chunk._replace(score=best.score * (0.9 - 0.05 * (id - best.id)))
        for id, chunk in following.items()
        if chunk.path == best.path
    ]
    ids = {best.id, *(chunk.id for chunk in page)}
    others = [chunk for chunk in chosen[1:] if chunk.id not in ids]
    sure = defined_at(candidates[best.id], names)[0] == IS_A
    return sorted([best, *page, *others], key=lambda chunk: (-chunk.score, chunk.id)), SURE if sure else UNSURE


def page_worth(path: str) -> float:
    """How far a page is where documentation begins, by its path: 1 for the README or the index at the top."""
    *folders, leaf = path.split("/")
    leaf = _ORDER.sub("", leaf).partition(".")[0]
    inner = [folder for folder in folders if not _LANGUAGE_FOLDERS.match(folder)]
    deep = A_FOLDER_DEEPER * len(inner)
    if _FIRST.fullmatch(leaf):
        worth = FIRST_PAGE if not inner else INTRODUCTION if _INTRODUCTORY_FOLDERS.fullmatch(inner[-1]) else 0.0
    else:
        worth = INTRODUCTION if _INTRODUCTION.fullmatch(leaf) else START if _START.fullmatch(leaf) else 0.0
    return max(0.0, worth - deep)


def _score(chunk: RankedChunk, text: str, names: Sequence[str], *, opens: bool) -> float:
    worth, place = defined_at(text, names)
    page = page_worth(chunk.path)
    if not page and not opens:
        worth *= ELSEWHERE
    score = BY_DEFINITION * worth + page + AT_ONCE * (worth > DOES and place < BEGINS_WITHIN) + OPENS * (opens and page > 0)
    beside = is_declared(chunk.path) or is_release_notes(chunk.path) or bool(_BESIDE_THE_POINT.search(chunk.path))
    return score - DECLARED * beside


def _openings(index: Index) -> list[int]:
    """The first chunks of the pages where documentation begins."""
    select = "SELECT path, first_chunk FROM pages WHERE chunk_count > 0"
    if not index.own_schema:
        select = "SELECT doc_path, min(id) FROM chunks GROUP BY doc_path"
    pages = [(page_worth(str(path)), int(first)) for path, first in rows(index.connection, select)]
    pages = sorted((worth, first) for worth, first in pages if worth)[::-1]
    return [first for _, first in pages[:MOST_OPENINGS]]


def _phrases(index: Index) -> list[int]:
    """The chunks in which the name stands right before "is" or "are"."""
    said = {
        f'"{" ".join(index.titles.stems(name))} {verb}"' for name in index.names for verb in ("is", "are", "makes", "provides")
    }
    if not said:
        return []
    select = "SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ? LIMIT ?"
    return [int(row[0]) for row in rows(index.connection, select, (f"content: ({' OR '.join(sorted(said))})", MOST_LOOKED_AT))]


def _texts(index: Index, ids: Iterable[int]) -> Iterable[tuple[int, str]]:
    wanted = list(dict.fromkeys(ids))
    marks = ",".join("?" * len(wanted))
    found = rows(index.connection, f"SELECT id, content FROM chunks WHERE id IN ({marks})", wanted)  # noqa: S608 - only marks
    return ((int(id), str(content)) for id, content in found)
