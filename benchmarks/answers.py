"""How often the answer of the built-in model holds what an expert would look for, and cites the right page.

    scripts/bench answers                          every question, through the whole product, offline
    scripts/bench answers --split tune --failures  the questions to tune with, and what their answers lack
    scripts/bench answers --questions benchmarks/questions/answers_fresh.jsonl   the questions for the end of a round of work
    scripts/bench answers --semantic               out of docsets with the model's vectors too, which the extra has to make once

Beside it stands a plain extractor: the four best chunks of the frozen default, as they are, whole and cut to the same 1,500
tokens. An answer is right when every must-have stands in it, in code where it has to, nothing that must not, and one of the right
pages is cited. Rows of the split `held` show only in totals.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figures import mean, percentile, provenance, read_result, shown_gain, shown_share, table, write_result
from frozen_default import FrozenChunk
from installed import docset, docset_with_vectors, home, home_with_vectors
from searchers import best_time, fitting, frozen_index

from docs_researcher.core.answer import Reference
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.runtime.evaluate import Expected, Scored, is_cited, missing, read_expected, score
from docs_researcher.runtime.research import make_researcher
from docs_researcher.runtime.rows import read_rows

HERE = Path(__file__).parent
QUESTIONS = HERE / "questions" / "answers.jsonl"
RESULTS = HERE / "results"
ANSWER_TOKENS = 1_500
PLAIN_CHUNKS = 4
OURS, MEANING = "ours", "ours, with meaning"
PLAIN, PLAIN_CUT = "four best chunks", f"four best chunks in {ANSWER_TOKENS:,} tokens"
FIELDS = ("right", "words", "cited")
Results = dict[str, list[Scored]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One row with its split."""

    expected: Expected
    split: str


def main() -> int:
    """Ask every question, judge the answers, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=("all", "tune", "held"), default="all")
    parser.add_argument("--package", default="", help="only packages with this in their name")
    parser.add_argument("--failures", action="store_true", help="list what the answers of the split tune lack")
    parser.add_argument("--texts", action="store_true", help="with --failures, print the answers too")
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--semantic", action="store_true", help="with the model's vectors too; needs the extra")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the totals of a whole run")
    options = parser.parse_args()
    asked = [
        row
        for row in read_asked(options.questions)
        if options.split in ("all", row.split) and options.package in (row.expected.package or "")
    ]
    if not asked:
        raise SystemExit("no question fits --split and --package")
    results = ask(asked, semantic=options.semantic)
    print(f"{len(asked)} questions, split {options.split}, at most {ANSWER_TOKENS:,} tokens an answer\n")
    print(whole(results), "", parts(asked, results), sep="\n")
    for name in list(results)[1:]:
        pairs = list(zip(results[OURS], results[name], strict=True))
        lines = [[field, shown_gain([getattr(a, field) - getattr(b, field) for a, b in pairs], percent=True)] for field in FIELDS]
        print(f"\n### ours - {name}, paired\n\n{table(['points', 'all'], lines)}")
    summary = {**provenance(), "questions": _digest(options.questions), "scores": totals(asked, results)}
    whole_run = options.split == "all" and not options.package
    if whole_run and options.save:
        write_result(options.save, summary)
    elif whole_run:
        first = read_result(RESULTS / f"{options.questions.stem}.first.json")
        print(f"\n### first run and this one\n\n{beside_first(first, summary)}")
    if options.failures:
        print(f"\n### not right (split tune only)\n\n{failures(asked, results[OURS], texts=options.texts)}")
    return 0


def read_asked(path: Path) -> list[Asked]:
    """The rows of the question file with their splits."""
    splits = [row.text("split") or "tune" for row in read_rows(path)]
    return [Asked(expected, split) for expected, split in zip(read_expected(path), splits, strict=True)]


def ask(asked: Sequence[Asked], *, semantic: bool = False) -> Results:
    """The answers of the product, with the model's vectors too when asked for, and of the plain extractor whole and cut."""
    packages = dict.fromkeys(row.expected.package for row in asked if row.expected.package)
    os.environ["DOCS_RESEARCH_HOME"] = str(home())
    for package in packages:
        docset(package)
    plain = [plain_answer(row.expected) for row in asked]
    expected = [row.expected for row in asked]
    results = {OURS: asyncio.run(_ours(expected))}
    if semantic:
        for package in packages:
            docset_with_vectors(package)
        os.environ["DOCS_RESEARCH_HOME"] = str(home_with_vectors())
        results[MEANING] = asyncio.run(_ours(expected))
    return {**results, PLAIN: [answer[0] for answer in plain], PLAIN_CUT: [answer[1] for answer in plain]}


async def _ours(rows: Sequence[Expected]) -> list[Scored]:
    async with make_researcher(model="extractive", offline=True) as researcher:
        return [await score(row, lambda asked: researcher.research(asked.question, answer_tokens=ANSWER_TOKENS)) for row in rows]


def plain_answer(expected: Expected) -> tuple[Scored, Scored]:
    """The four best chunks of the frozen default, and those of them that fit into an answer."""
    if not expected.package:
        raise SystemExit(f"{expected.id}: a package is missing")
    index = frozen_index(expected.package)
    seconds, found = best_time(lambda: index.search(expected.question))
    chunks = found[:PLAIN_CHUNKS]
    return _judged(expected, chunks, seconds), _judged(expected, fitting(chunks, ANSWER_TOKENS), seconds)


def _judged(expected: Expected, chunks: Sequence[FrozenChunk], seconds: float) -> Scored:
    text = "\n\n".join(chunk.content for chunk in chunks)
    references = [Reference(chunk.heading, None, chunk.path, "", None, None) for chunk in chunks]
    tokens = estimate_tokens(text)
    return Scored(
        expected=expected,
        status="complete",
        missing=missing(expected, text),
        cited=not expected.cite or any(is_cited(page, references) for page in expected.cite),
        tokens_returned=tokens,
        tokens_read=tokens,
        seconds=seconds,
        text=text,
    )


def whole(results: Results) -> str:
    """One line a way of answering, with 95 % intervals."""
    lines: list[list[str]] = []
    for name, rows in results.items():
        times = [row.seconds * 1000 for row in rows]
        lines.append(
            [
                name,
                *(shown_share([float(getattr(row, field)) for row in rows]) for field in FIELDS),
                f"{mean([row.tokens_returned for row in rows]):.0f}",
                f"{percentile(times, 0.5):.0f} / {percentile(times, 0.95):.0f}",
            ]
        )
    return table(["answer", "right %", "every must-have %", "right page cited %", "tokens", "ms p50 / p95"], lines)


def groups(asked: Sequence[Asked]) -> dict[str, list[int]]:
    """The places of the rows by kind, split and package."""
    found: dict[str, list[int]] = {"all": list(range(len(asked)))}
    for number, row in enumerate(asked):
        found.setdefault(row.expected.kind, []).append(number)
    for number, row in sorted(enumerate(asked), key=lambda pair: pair[1].split):
        found.setdefault(f"split {row.split}", []).append(number)
    for number, row in sorted(enumerate(asked), key=lambda pair: pair[1].expected.package or ""):
        found.setdefault(row.expected.package or "", []).append(number)
    return found


def parts(asked: Sequence[Asked], results: Results) -> str:
    """Shares of right answers, of whole ones and of right citations, by kind, split and package."""
    lines = [
        [label, str(len(places)), *(_short([rows[place] for place in places]) for rows in results.values())]
        for label, places in groups(asked).items()
    ]
    return table(["right / words / cited", "rows", *results], lines)


def _short(rows: Sequence[Scored]) -> str:
    return " / ".join(f"{_share(rows, field) * 100:.0f}" for field in FIELDS)


def _share(rows: Sequence[Scored], field: str) -> float:
    return mean([float(getattr(row, field)) for row in rows])


def totals(asked: Sequence[Asked], results: Results) -> dict[str, Any]:
    """The scores for a result file, by way of answering and group."""
    return {
        name: {
            label: {
                "rows": len(places),
                **{field: round(_share([rows[place] for place in places], field), 4) for field in FIELDS},
            }
            for label, places in groups(asked).items()
        }
        for name, rows in results.items()
    }


def beside_first(first: dict[str, Any] | None, now: dict[str, Any]) -> str:
    """The scores of the first run and of this one."""
    if first is None:
        return "There is no first run yet: write it with --save."
    note = "" if first["questions"] == now["questions"] else "\n\nThe questions have changed since; the two are not comparable."
    lines: list[list[str]] = []
    for label, values in now["scores"][OURS].items():
        before = first["scores"][OURS].get(label)
        if before:
            lines.append([label, str(values["rows"]), *(f"{before[key]:.3f} -> {values[key]:.3f}" for key in FIELDS)])
    return table([f"ours, {first['date']} ({first['commit']}) -> now", "rows", *FIELDS], lines) + note


def failures(asked: Sequence[Asked], ours: Sequence[Scored], *, texts: bool) -> str:
    """The rows of the split `tune` that are not right, and why."""
    lines: list[str] = []
    for row, scored in zip(asked, ours, strict=True):
        if row.split != "tune" or scored.right:
            continue
        lacks = [*scored.missing, *([] if scored.cited else [f"none cited of {', '.join(row.expected.cite)}"])]
        lines.append(f"- {row.expected.id} ({row.expected.kind}), {scored.status}, {scored.tokens_returned} tokens")
        lines += [f"    {row.expected.question}", *(f"    {lack}" for lack in lacks)]
        if texts:
            lines += ["", scored.text, ""]
    return "\n".join(lines) or "none"


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


if __name__ == "__main__":
    raise SystemExit(main())
