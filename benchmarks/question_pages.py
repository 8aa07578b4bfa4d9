"""Whether the rows of a question file hold against the pages of the docset: run after writing rows, or raising a version.

    scripts/bench question_pages                                                   every question file
    scripts/bench question_pages --questions benchmarks/questions/answers_fresh.jsonl

A row of search questions holds when its gold pages exist and, if it is a paraphrase, share no word with their titles and paths. A
row of answers holds when each page of `cite` is one page, and every group of strings stands in one of them, in code where it has
to. Nothing is searched and nothing is answered, so rows that are held back may be checked too. Fails when a row does not hold.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from pathlib import Path

from figures import table
from installed import docset
from retrieval import Question, is_gold, read_questions

from docs_researcher.runtime.evaluate import Expected, missing, read_expected

FOLDER = Path(__file__).parent / "questions"
KINDS = ("retrieval", "answers")
SPLITS = ("", "_fresh", "_unseen", "_later")
NAMES = tuple(f"{kind}{split}" for kind in KINDS for split in SPLITS)
LEAST_LETTERS = 4
"""Shorter words (how, the, a) say nothing about a page."""

Titles = Mapping[str, str]
"""The pages of a docset: path and title."""


def main() -> int:
    """Check the files and print what does not hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, nargs="+", default=[FOLDER / f"{name}.jsonl" for name in NAMES])
    lines: list[list[str]] = []
    complaints: list[str] = []
    for file in parser.parse_args().questions:
        rows, found = _answers(file) if file.stem.startswith("answers") else _questions(file)
        lines.append([file.name, str(rows), str(rows - len({line.partition(":")[0] for line in found}))])
        complaints += found
    print(table(["file", "rows", "hold"], lines))
    print("\n".join(["", *complaints]) if complaints else "")
    return 1 if complaints else 0


def _questions(file: Path) -> tuple[int, list[str]]:
    rows = read_questions(file)
    return len(rows), [f"{row.id}: {said}" for row in rows for said in question_problems(row, dict(docset(row.package).pages()))]


def _answers(file: Path) -> tuple[int, list[str]]:
    rows = read_expected(file)
    found: list[str] = []
    for row in rows:
        pages = docset(row.package or "")
        texts = {path: page.content for path, _ in pages.pages() if is_gold(path, row.cite) and (page := pages.page(path))}
        found += [f"{row.id}: {said}" for said in answer_problems(row, texts)]
    return len(rows), found


def question_problems(row: Question, titles: Titles) -> list[str]:
    """What is wrong with a row of search questions, given the titles of all pages of its docset."""
    gold = {page: [path for path in titles if is_gold(path, (page,))] for page in row.gold}
    found = [f"{page} is no page" for page, paths in gold.items() if not paths]
    if row.kind != "paraphrase":
        return found
    asked = words(row.text)
    for path in (path for paths in gold.values() for path in paths):
        shared = sorted(asked & (words(path) | words(titles[path])))
        found += [f"shares {', '.join(shared)} with {path}"] if shared else []
    return found


def answer_problems(row: Expected, texts: Mapping[str, str]) -> list[str]:
    """What is wrong with a row of answers, given the texts of the pages that `cite` names."""
    found = [f"{page} is no page" for page in row.cite if not any(is_gold(path, (page,)) for path in texts)]
    lacking = [set(missing(row, text)) for text in texts.values()]
    return found + sorted(set[str].intersection(*lacking) if lacking else [])


def words(text: str) -> set[str]:
    """The words of four letters and more in a text, in lower case without a plural's s."""
    return {word.removesuffix("s") for word in re.findall(rf"[a-z]{{{LEAST_LETTERS},}}", text.lower())}


if __name__ == "__main__":
    raise SystemExit(main())
