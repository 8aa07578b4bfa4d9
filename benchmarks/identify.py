"""How long it takes to understand a question in process: loading the catalogue, steps 1 and 4a, over all of tests/cases.

Each question is read `--runs` times (5 unless said otherwise) and the best time counts; so does the best of as many loads.
Fails when the 95th percentile of a question, or the load, is above the aim.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from docs_researcher.library.catalogue import Catalogue, read_compiled
from docs_researcher.steps.queries.split import split
from docs_researcher.steps.question.identify import identify

CASES = Path(__file__).parents[1] / "tests" / "cases"
FILES = ("questions", "own_questions", "fresh_questions", "typed_questions")
AIM_MS = 5.0


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    load = _best(_load, runs)
    catalogue = Catalogue.load()
    first = _best(lambda: _understand(_questions()[0], catalogue), 1)
    times = sorted(_best(lambda asked=question: _understand(asked, catalogue), runs) for question in _questions())
    high = times[int(len(times) * 0.95)]
    print("| what | measured, ms | aim |\n|---|---:|---:|")
    print(f"| load the catalogue of {len(catalogue.entries):,} entries, with its names | {load:.2f} | {AIM_MS:.0f} |")
    print(f"| the first question of a process, with what is compiled for it | {first:.1f} | |")
    print(f"| identify and split, median of {len(times)} questions | {times[len(times) // 2]:.2f} | |")
    print(f"| identify and split, 95th percentile | {high:.2f} | {AIM_MS:.0f} |")
    print(f"| identify and split, slowest question | {times[-1]:.2f} | |")
    return 0 if max(load, high) <= AIM_MS else 1


def _questions() -> list[str]:
    lines = [line for name in FILES for line in (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    return [json.loads(line)["question"] for line in lines]


def _load() -> None:
    """Read the catalogue and its names, which every question needs; entries are read when one is named."""
    catalogue = read_compiled()
    len(catalogue.names)
    _ = catalogue.forms


def _understand(question: str, catalogue: Catalogue) -> None:
    split(question, identify(question, catalogue))


def _best(call: Callable[[], object], runs: int) -> float:
    """Milliseconds of the fastest call."""
    times: list[float] = []
    for _ in range(runs):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return min(times) * 1000


if __name__ == "__main__":
    sys.exit(main())
