"""How often a search finds the right page: ours beside a frozen default and, when asked for, beside others.

    scripts/bench retrieval                          every question as it is asked
    scripts/bench retrieval --split tune --failures  the questions to tune with, and those that fail
    scripts/bench retrieval --topic                  with the API words that a calling agent would write
    scripts/bench retrieval --peer                   the Context project's program beside it
    scripts/bench retrieval --questions benchmarks/questions/retrieval_fresh.jsonl   the questions for the end of a round of work

A hit is a question one of whose gold pages is among the first k distinct pages. "in 2k" counts the questions with a gold page in
what one call returns, at most 2,000 tokens. Rows of the split `held` show only in totals: nobody should tune for them.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, cast

from figures import area, mean, percentile, provenance, read_result, shown_gain, shown_mean, shown_share, table, write_result
from installed import home
from peers import ContextProject, context_program
from searchers import Found, Frozen, Ours, Searcher

from docs_researcher.core.errors import DocsResearchError
from docs_researcher.runtime.rows import read_rows

HERE = Path(__file__).parent
QUESTIONS = HERE / "questions" / "retrieval.jsonl"
RESULTS = HERE / "results"
DEEPEST = 10
"""A page further down does not count for the mean reciprocal rank."""
BANDS = (0.9, 0.7, 0.5, 0.3, 0.0)


@dataclass(frozen=True, slots=True)
class Question:
    """One row: what is asked of which package, and the pages that answer it."""

    id: str
    package: str
    text: str
    topic: str
    gold: tuple[str, ...]
    kind: str
    split: str

    @property
    def library(self) -> str:
        """The package's name."""
        return self.package.partition(":")[2].rpartition("@")[0]


@dataclass(frozen=True, slots=True)
class Scored:
    """What one searcher found for one question, and the place of the first gold page."""

    question: Question
    found: Found
    rank: int | None

    def hit(self, depth: int) -> float:
        """1 when a gold page is among the first `depth` pages."""
        return float(self.rank is not None and self.rank <= depth)

    @property
    def reciprocal(self) -> float:
        """One through the rank; 0 beyond the tenth page."""
        return 1 / self.rank if self.rank is not None and self.rank <= DEEPEST else 0.0

    @property
    def within(self) -> float:
        """1 when a gold page is in what one call shows."""
        return float(any(is_gold(path, self.question.gold) for path in self.found.shown))


MEASURES: dict[str, Callable[[Scored], float]] = {
    "@1": lambda row: row.hit(1),
    "@3": lambda row: row.hit(3),
    "@5": lambda row: row.hit(5),
    "MRR": lambda row: row.reciprocal,
    "in 2k": lambda row: row.within,
}
Results = dict[str, list[Scored]]


def main() -> int:
    """Ask every question of every searcher and print the tables."""
    options = _options()
    questions = read_questions(options.questions)
    packages = options.package.split(",")
    chosen = [q for q in questions if options.split in ("all", q.split) and any(part in q.package for part in packages)]
    if not chosen:
        raise SystemExit("no question fits --split and --package")
    os.environ["DOCS_RESEARCH_HOME"] = str(home())
    results = {searcher.name: score(searcher, chosen, options.topic) for searcher in (Ours(), Frozen())}
    if options.semantic:
        meaning = Ours(semantic=True)
        results[meaning.name] = score(meaning, chosen, options.topic)
    if options.peer is not None:
        with ContextProject(context_program(options.peer)) as peer:
            results[peer.name] = score(peer, chosen, options.topic)
    print(f"{len(chosen)} questions, split {options.split}, asked {_manner(options.topic)}\n")
    print(whole(results), "\n", parts(results), sep="\n")
    for name in list(results)[1:]:
        print(f"\n### ours - {name}, paired\n\n{gains(results['ours'], results[name])}")
    print(f"\n### by confidence\n\n{bands(results['ours'])}")
    everything = options.split == "all" and not options.package and not options.topic
    summary = {
        **provenance(),
        "questions": _digest(options.questions),
        "scores": {name: totals(r) for name, r in results.items()},
    }
    if everything and options.save:
        write_result(options.save, summary)
    elif everything:
        first = read_result(RESULTS / f"{options.questions.stem}.first.json")
        print(f"\n### first run and this one\n\n{beside_first(first, summary)}")
    if options.failures:
        print(f"\n### not on the first place (split tune only)\n\n{failures(results)}")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=("all", "tune", "held"), default="all")
    parser.add_argument("--package", default="", help="only packages with one of these in their names, parted by commas")
    parser.add_argument("--topic", nargs="?", const="topic", choices=("topic", "both"), help="ask the topic words, or both")
    parser.add_argument("--failures", action="store_true", help="list the rows of the split tune that fail")
    parser.add_argument("--semantic", action="store_true", help="by meaning too; needs the extra, embeds every docset once")
    parser.add_argument(
        "--peer",
        nargs="?",
        const="",
        metavar="CLI_JS",
        help="the Context project's program too, from npm or as it was built here",
    )
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the totals of a whole run")
    return parser.parse_args()


def _manner(topic: str | None) -> str:
    return {None: "as written", "topic": "by topic words", "both": "as topic words and question"}[topic]


def read_questions(path: Path) -> list[Question]:
    """The rows of the question file; a row that cannot be used ends the run."""
    found: list[Question] = []
    for row in read_rows(path):
        gold: object = row.values.get("gold")
        package, text = row.text("package"), row.text("question")
        if row.problem or not package or not text or not isinstance(gold, list) or not gold:
            raise SystemExit(f"line {row.line} of {path}: {row.problem or 'package, question or gold is missing'}")
        found.append(
            Question(
                id=row.text("id") or f"line {row.line}",
                package=package,
                text=text,
                topic=row.text("topic") or text,
                gold=tuple(str(page) for page in cast("list[Any]", gold)),
                kind=row.text("kind") or "",
                split=row.text("split") or "tune",
            )
        )
    return found


def score(searcher: Searcher, questions: Sequence[Question], topic: str | None = None) -> list[Scored]:
    """Ask one searcher everything."""
    rows: list[Scored] = []
    for question in questions:
        asked = {None: question.text, "topic": question.topic, "both": f"{question.topic} {question.text}"}[topic]
        try:
            found = searcher.ask(question.package, asked)
        except DocsResearchError as error:
            raise SystemExit(f"{question.package}: {error.message}. {error.next_step}") from error
        rows.append(Scored(question, found, rank_of(found.pages, question.gold)))
    return rows


def rank_of(pages: Sequence[str], gold: Sequence[str]) -> int | None:
    """The place, from 1 on, of the first gold page among the distinct pages."""
    distinct = dict.fromkeys(pages)
    return next((place for place, path in enumerate(distinct, start=1) if is_gold(path, gold)), None)


def is_gold(path: str, gold: Sequence[str]) -> bool:
    """Whether a page is one of the gold ones, which are named relative to the folder of the documentation."""
    parts = PurePosixPath(path).parts
    wanted = [PurePosixPath(page).parts for page in gold]
    return any(parts[-len(page) :] == page for page in wanted)


def whole(results: Results) -> str:
    """One line a searcher: everything, with 95 % intervals."""
    lines: list[list[str]] = []
    for name, rows in results.items():
        times = [row.found.milliseconds for row in rows]
        lines.append(
            [
                name,
                *(shown_share([MEASURES[key](row) for row in rows]) for key in ("@1", "@3", "@5")),
                shown_mean([row.reciprocal for row in rows]),
                shown_share([row.within for row in rows]),
                str(sum(not row.found.pages for row in rows)),
                f"{mean([row.found.tokens for row in rows]):.0f}",
                f"{percentile(times, 0.5):.2f} / {percentile(times, 0.95):.2f}",
            ]
        )
    return table(["search", "hit@1 %", "hit@3 %", "hit@5 %", "MRR@10", "in 2k %", "empty", "tokens", "ms p50 / p95"], lines)


def groups(rows: Sequence[Scored]) -> dict[str, list[Scored]]:
    """The rows by kind, by split and by library."""
    kinds = sorted({row.question.kind for row in rows})
    splits = sorted({row.question.split for row in rows})
    libraries = sorted({row.question.library for row in rows})
    return {
        **{kind: [row for row in rows if row.question.kind == kind] for kind in kinds},
        **{f"split {split}": [row for row in rows if row.question.split == split] for split in splits},
        **{library: [row for row in rows if row.question.library == library] for library in libraries},
    }


def parts(results: Results) -> str:
    """hit@1 / hit@5 / MRR of every searcher by kind, split and library."""
    grouped = {name: groups(rows) for name, rows in results.items()}
    lines = [
        [label, str(len(rows)), *(_short(by_label[label]) for by_label in grouped.values())]
        for label, rows in grouped["ours"].items()
    ]
    return table(["hit@1 / hit@5 / MRR", "rows", *results], lines)


def _short(rows: Sequence[Scored]) -> str:
    shares = [mean([MEASURES[key](row) for row in rows]) * 100 for key in ("@1", "@5")]
    return f"{shares[0]:.0f} / {shares[1]:.0f} / {mean([row.reciprocal for row in rows]):.2f}"


def gains(ours: Sequence[Scored], other: Sequence[Scored]) -> str:
    """What ours gains on the same questions, with the interval of the paired difference."""
    kinds = {"all": None, **{row.question.kind: row.question.kind for row in ours}}
    lines: list[list[str]] = []
    for key, measure in MEASURES.items():
        cells = [key]
        for kind in kinds.values():
            pairs = [(a, b) for a, b in zip(ours, other, strict=True) if kind in (None, a.question.kind)]
            cells.append(shown_gain([measure(a) - measure(b) for a, b in pairs], percent=key != "MRR"))
        lines.append(cells)
    return table(["points", *kinds], lines)


def bands(rows: Sequence[Scored]) -> str:
    """How right the search is by how sure it says it is."""
    lines: list[list[str]] = []
    above = 2.0
    for low in BANDS:
        inside = [row for row in rows if row.found.confidence is not None and low <= row.found.confidence < above]
        above = low
        if inside:
            shares = [f"{mean([row.hit(depth) for row in inside]) * 100:.0f}" for depth in (1, 5)]
            lines.append([f">= {low}", str(len(inside)), *shares])
    areas = {
        split: area([(row.rank == 1, row.found.confidence or 0.0) for row in part]) for split, part in _by_split(rows).items()
    }
    shown = ", ".join(f"{split} {value:.3f}" for split, value in areas.items())
    return f"{table(['confidence', 'rows', 'hit@1 %', 'hit@5 %'], lines)}\n\nAUC against a right first page: {shown}"


def _by_split(rows: Sequence[Scored]) -> dict[str, list[Scored]]:
    splits = sorted({row.question.split for row in rows})
    return {"all": list(rows), **{split: [row for row in rows if row.question.split == split] for split in splits}}


def totals(rows: Sequence[Scored]) -> dict[str, dict[str, float]]:
    """The scores of all rows and of each group, for a result file."""
    return {
        label: {"rows": len(part), **{key: round(mean([measure(row) for row in part]), 4) for key, measure in MEASURES.items()}}
        for label, part in {"all": list(rows), **groups(rows)}.items()
    }


def beside_first(first: dict[str, Any] | None, now: dict[str, Any]) -> str:
    """The scores of the first run and of this one."""
    if first is None:
        return "There is no first run yet: write it with --save."
    note = "" if first["questions"] == now["questions"] else "\n\nThe questions have changed since; the two are not comparable."
    lines: list[list[str]] = []
    for label, values in now["scores"]["ours"].items():
        before = first["scores"]["ours"].get(label)
        if before:
            lines.append([label, str(values["rows"]), *(f"{before[key]:.3f} -> {values[key]:.3f}" for key in MEASURES)])
    return table([f"ours, {first['date']} ({first['commit']}) -> now", "rows", *MEASURES], lines) + note


def failures(results: Results) -> str:
    """The rows of the split `tune` without a gold page on the first place, worst first, and what stood there instead."""
    lines: list[str] = []
    frozen = {row.question.id: row.rank for row in results["frozen default"]}
    failed = [row for row in results["ours"] if row.question.split == "tune" and row.rank != 1]
    for row in sorted(failed, key=lambda row: -(row.rank or 1_000)):
        question = row.question
        lines.append(
            f"- {question.id} ({question.kind}, {question.library}): rank {row.rank}, frozen {frozen[question.id]}, "
            f"confidence {row.found.confidence}\n    {question.text}\n    gold: {', '.join(question.gold)}"
        )
        first = dict(reversed(list(zip(row.found.pages, row.found.titles, strict=True))))
        lines += [f"    {place}. {path}: {first[path]}" for place, path in enumerate(list(dict.fromkeys(row.found.pages))[:5], 1)]
    return "\n".join(lines) or "none"


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


if __name__ == "__main__":
    raise SystemExit(main())
