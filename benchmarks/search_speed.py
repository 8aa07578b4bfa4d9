"""How long one query takes in process, beside what full-text search alone takes for the same terms.

    scripts/bench search_speed [--sizes 5000 50000] [--profile]

The docsets are real documentation: all packages of the retrieval questions in one file, and beyond their size more chunks made
of halves of two real ones (seeded), so that words stay as common as they are. "query" is `Docset.search` within 2,000 tokens,
on a docset that stays open; "FTS5" one statement of the same SQLite, ranked, 80 rowids: with the question's own terms, and with
all that the query looked for (parts, abbreviations, other words for the same things), joined with OR. All are timed in turn for
each question, best of five rounds; "first" is the first round, in which only what other questions asked for is remembered.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import apsw
from figures import percentile, table
from installed import docset, home
from retrieval import QUESTIONS, Question, read_questions
from searchers import SHOWN_TOKENS

from docs_researcher.docsets.building.chunks import Chunk
from docs_researcher.docsets.building.write import write_docset
from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.readers.base import Page
from docs_researcher.docsets.schema import WEIGHTS
from docs_researcher.docsets.searching.terms import any_of
from docs_researcher.docsets.sources.base import SourceInfo

R = TypeVar("R")

SEED = 20261129
ROUNDS = 5
AIMS = {5_000: 2.0, 50_000: 12.0}
"""Milliseconds of the median query."""
AIM_RATIO = 1.5


def main() -> int:
    """Time every question at every size and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(AIMS))
    parser.add_argument("--profile", action="store_true", help="where the time of the queries goes, instead of the table")
    options = parser.parse_args()
    questions = read_questions(QUESTIONS)
    lines = [_line(size, questions, profile=options.profile) for size in options.sizes]
    if not options.profile:
        print(f"{len(questions)} questions; p50 / p95 in ms\n")
        print(table(["chunks", "query", "FTS5, own terms", "FTS5, all terms", "ratios of p50", "query, first", "aims"], lines))
    return 0


def _line(size: int, questions: list[Question], *, profile: bool) -> list[str]:
    path = mixed_docset(size, sorted({question.package for question in questions}))
    with Docset.open(path) as opened:
        if profile:
            _profile(opened, questions)
            return []
        times = _times(opened, path, questions)
    best = [[min(rounds) for rounds in kind] for kind in times]
    first = [rounds[0] for rounds in times[0]]
    query, *alone = (percentile(kind, 0.5) for kind in best)
    ratios = " and ".join(f"{query / other:.2f}" for other in alone)
    aims = f"<= {AIMS[size]:.0f} ms, <= {AIM_RATIO}" if size in AIMS else ""
    return [f"{size:,}", *map(_shown, best), ratios, _shown(first), aims]


def _times(opened: Docset, path: Path, questions: list[Question]) -> tuple[list[list[float]], ...]:
    """Milliseconds by question and round: the whole query, the full-text statement for its own terms, and that for all."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = cast("Any", apsw.Connection(f"file:{path}?mode=ro&immutable=1", flags=flags))
    weights = ", ".join(map(str, WEIGHTS))
    select = (
        f"SELECT rowid, bm25(chunks_fts, {weights}) AS score FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY score LIMIT 80"
    )
    times = tuple([list[float]() for _ in questions] for _ in range(3))
    for _ in range(ROUNDS):
        for number, question in enumerate(questions):
            seconds, result = _timed(lambda text=question.text: opened.search(text, max_tokens=SHOWN_TOKENS))
            times[0][number].append(seconds * 1000)
            looked_for = opened.explain(question.text, limit=1)
            also = [word for term in looked_for.terms for word in term.also] + [word for word, _ in looked_for.other]
            for kind, words in ((1, result.terms), (2, (*result.terms, *also))):
                expression = any_of(words)
                seconds, _rows = _timed(lambda match=expression: list(connection.execute(select, (match,))))
                times[kind][number].append(seconds * 1000)
    connection.close()
    return times


def _timed(call: Callable[[], R]) -> tuple[float, R]:
    started = time.thread_time()
    result = call()
    return time.thread_time() - started, result


def _profile(opened: Docset, questions: list[Question]) -> None:
    profiler = cProfile.Profile()
    for question in questions:
        opened.search(question.text, max_tokens=SHOWN_TOKENS)
    profiler.enable()
    for question in questions:
        opened.search(question.text, max_tokens=SHOWN_TOKENS)
    profiler.disable()
    pstats.Stats(profiler).sort_stats("tottime").print_stats(25)


def mixed_docset(size: int, packages: list[str]) -> Path:
    """A docset with exactly `size` chunks, built once."""
    path = home() / f"mixed-{size}-{len(packages)}.db"
    if not path.exists():
        info = SourceInfo(name="mixed", version=None, library_id="/local/mixed")
        write_docset(path, info, _pages(size, packages))
    return path


def _pages(size: int, packages: list[str]) -> Iterator[tuple[Page, tuple[Chunk, ...]]]:
    real = [(f"{package.partition(':')[2]}/{piece.path}", piece) for package in packages for piece in docset(package).pieces()]
    source = random.Random(SEED)
    if len(real) > size:
        real = source.sample(real, size)
    for number in range(size):
        path, piece = real[number % len(real)]
        content, repeated = piece.content, number // len(real)
        if repeated:
            other = source.choice(real)[1].content
            content = content[: len(content) // 2] + "\n\n" + other[len(other) // 2 :]
            path = f"{repeated}/{path}"
        heading = tuple(piece.heading.split(" > ")) if piece.heading else ()
        tokens = max(1, len(content) // 4)
        chunk = Chunk(path, piece.title, heading, content, piece.line, piece.anchor, tokens, "```" in content)
        yield Page(path, piece.title, "", ()), (chunk,)


def _shown(times: list[float]) -> str:
    return f"{percentile(times, 0.5):.2f} / {percentile(times, 0.95):.2f}"


if __name__ == "__main__":
    raise SystemExit(main())
