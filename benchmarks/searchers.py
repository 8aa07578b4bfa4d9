"""What is compared by `retrieval`: the product's search, the frozen default, and others, behind one interface."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeVar

from frozen_default import FrozenChunk, FrozenDefault
from installed import docset, docset_with_vectors

from docs_researcher.core.tokens import estimate_tokens

R = TypeVar("R")

SHOWN_TOKENS = 2_000
"""What one `query-docs` call returns unless the caller asks for more."""
RANKED_HITS = 80
TIMED_RUNS = 3


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found for one question.

    Attributes:
        pages: paths, best first; a page comes as often as it was found.
        shown: those whose text fits into `SHOWN_TOKENS`.
        tokens: what that text has.
        milliseconds: of the call that returns it, best of `TIMED_RUNS`.
        confidence: 0 to 1, where the search tells.
    """

    pages: tuple[str, ...]
    shown: tuple[str, ...]
    tokens: int
    milliseconds: float
    confidence: float | None = None
    titles: tuple[str, ...] = ()


class Searcher(Protocol):
    """One way to search the documentation of a package."""

    @property
    def name(self) -> str:
        """Its name in the tables."""
        ...

    def ask(self, package: str, question: str) -> Found:
        """Search one package's documentation."""
        ...


class Ours:
    """The product: `Docset.search` of an installed docset."""

    def __init__(self, *, semantic: bool = False) -> None:
        """With `semantic`, chunks are weighed in by meaning; their vectors are made first, once."""
        self.name = "ours, with meaning" if semantic else "ours"
        self._semantic = semantic

    def ask(self, package: str, question: str) -> Found:
        """The pages in order from a long result; what is shown, and the time, from the call as the tool makes it."""
        opened = docset_with_vectors(package) if self._semantic else docset(package)
        use = self._semantic
        ranked = opened.search(question, limit=RANKED_HITS, semantic=use).hits
        seconds, result = best_time(lambda: opened.search(question, max_tokens=SHOWN_TOKENS, semantic=use))
        return Found(
            pages=tuple(hit.path for hit in ranked),
            shown=tuple(hit.path for hit in result.hits),
            tokens=sum(hit.tokens for hit in result.hits),
            milliseconds=seconds * 1000,
            confidence=result.confidence,
            titles=tuple(" > ".join(part for part in (hit.title, hit.heading) if part) for hit in ranked),
        )


class Frozen:
    """The frozen default over the pages that the product's readers give."""

    name = "frozen default"

    def ask(self, package: str, question: str) -> Found:
        """Its chunks in order; shown are those that fit before the first that does not."""
        index = frozen_index(package)
        seconds, chunks = best_time(lambda: index.search(question))
        shown = fitting(chunks)
        return Found(
            pages=tuple(chunk.path for chunk in chunks),
            shown=tuple(chunk.path for chunk in shown),
            tokens=sum(estimate_tokens(chunk.content) for chunk in shown),
            milliseconds=seconds * 1000,
        )


@cache
def frozen_index(package: str) -> FrozenDefault:
    """The frozen default's index of a package."""
    return FrozenDefault(pages_of(package))


def pages_of(package: str) -> list[tuple[str, str, str]]:
    """Path, title and Markdown of every page of a package."""
    opened = docset(package)
    found = [opened.page(path) for path, _ in opened.pages()]
    return [(page.path, page.title, page.content) for page in found if page is not None]


def fitting(chunks: Sequence[FrozenChunk], budget: int = SHOWN_TOKENS) -> list[FrozenChunk]:
    """The first chunks that fit into a budget together."""
    shown: list[FrozenChunk] = []
    for chunk in chunks:
        budget -= estimate_tokens(chunk.content)
        if budget < 0:
            break
        shown.append(chunk)
    return shown


def best_time(call: Callable[[], R]) -> tuple[float, R]:
    """Seconds of the fastest of `TIMED_RUNS` calls, and what the last returned."""
    best = float("inf")
    for _ in range(TIMED_RUNS - 1):
        started = time.thread_time()
        call()
        best = min(best, time.thread_time() - started)
    started = time.thread_time()
    result = call()
    return min(best, time.thread_time() - started), result
