"""How often the right piece of a page comes first, over libraries that are answered from declarations.

    scripts/bench pieces               the totals by kind, and what the confidence of a search is worth
    scripts/bench pieces --failures    the questions whose right piece is not first
    scripts/bench pieces --questions benchmarks/questions/retrieval_typed.jsonl    short questions, as people type them

A page of declarations is a whole file, so a gold entry of `questions/retrieval_pieces.jsonl` names a part of the path and, behind
`#`, of the title or heading; behind a `=` it is the whole path. "AUC" is how often a right first result has more confidence than
a wrong one: 0.5 is chance.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from figures import area, shown_mean, shown_share, table
from installed import docset
from retrieval import Question, read_questions

from docs_researcher.docsets.searching.hits import Hit

QUESTIONS = Path(__file__).parent / "questions" / "retrieval_pieces.jsonl"
DEEPEST = 10


def main() -> int:
    """Ask every question and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failures", action="store_true", help="list the questions whose right piece is not first")
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    options = parser.parse_args()
    asked = [_asked(question) for question in read_questions(options.questions)]
    found = dict.fromkeys(question.kind for question, _, _ in asked)
    kinds = {"all": asked, **{kind: [row for row in asked if row[0].kind == kind] for kind in found}}
    lines = [[kind, str(len(rows)), *_figures([(rank, sure) for _, rank, sure in rows])] for kind, rows in kinds.items()]
    print(table(["kind", "rows", "hit@1 %", "hit@5 %", "MRR@10", "AUC of confidence"], lines))
    for question, rank, sure in asked if options.failures else ():
        if rank != 1:
            print(f"- {question.package}: {question.text} (rank {rank}, confidence {sure})")
    return 0


def _asked(question: Question) -> tuple[Question, int | None, float]:
    found = docset(question.package).search(question.text, limit=DEEPEST)
    rank = next((place for place, hit in enumerate(found.hits, start=1) if _is_gold(hit, question.gold)), None)
    return question, rank, found.confidence


def _is_gold(hit: Hit, gold: Sequence[str]) -> bool:
    heading = f"{hit.title} > {hit.heading}".lower()
    parts = (entry.partition("#") for entry in gold)
    return any(
        (path[1:] == hit.path if path.startswith("=") else path in hit.path) and name.lower() in heading
        for path, _, name in parts
    )


def _figures(rows: Sequence[tuple[int | None, float]]) -> list[str]:
    places = [rank or DEEPEST + 1 for rank, _ in rows]
    reciprocal = [1 / place if place <= DEEPEST else 0.0 for place in places]
    shares = [shown_share([float(place <= depth) for place in places]) for depth in (1, 5)]
    return [
        *shares,
        shown_mean(reciprocal),
        f"{area([(place == 1, sure) for place, (_, sure) in zip(places, rows, strict=True)]):.3f}",
    ]


if __name__ == "__main__":
    raise SystemExit(main())
