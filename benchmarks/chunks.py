"""Why chunks are cut as they are: what other numbers would do to answers, and what other rules would lose.

    python benchmarks/chunks.py

Four libraries are built once a limit, and the questions of `tests/cases/answers.jsonl` are searched in them: whether the page
that has to be cited is among what a budget of 2,000 tokens holds, and how many of the strings that an expert would look for stand
in it. Then the chunks of the default limit are counted that other rules would drop, cut or merge.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.acquiring import build
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.building.chunks import chunk_page
from docs_researcher.docsets.installed.store import Docset, Store
from docs_researcher.library.catalogue import Catalogue

CASES = Path(__file__).parents[1] / "tests" / "cases" / "answers.jsonl"
LIMITS = (250, 400, 800, 1_200, 2_000)
DEFAULT = 800
BUDGET = 2_000
_LINK = re.compile(r"\[[^\]\n]*\]\([^)\n]*\)")
_FENCE = re.compile(r"^(`{3,}|~{3,})[^\n]*\n.*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)


def main() -> int:
    """Measure, and print the tables."""
    cases: list[dict[str, Any]] = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines() if line.strip()]
    print("| limit in tokens | chunks | page to cite within 2,000 tokens | strings found |\n|---:|---:|---:|---:|", flush=True)
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="docs-researcher-bench-") as folder:
        for limit in LIMITS:
            docsets = _built(sorted({str(case["package"]) for case in cases}), Path(folder) / str(limit), limit)
            cited, found, wanted = _answered(cases, docsets)
            chunks = sum(docset.meta.chunks for docset in docsets.values())
            print(f"| {limit:,} | {chunks:,} | {cited} of {len(cases)} | {found} of {wanted} |", flush=True)
            if limit == DEFAULT:
                counts = _counted(list(docsets.values()))
    print("\n| of the chunks at 800 tokens | |\n|---|---:|")
    for name, count in counts.items():
        print(f"| {name} | {count:,} |")
    return 0


def _built(packages: Sequence[str], home: Path, limit: int) -> dict[str, Docset]:
    store = Store(home)
    catalogue = Catalogue.load()
    usual = build.chunk_page
    build.chunk_page = partial(chunk_page, max_tokens=limit)
    try:
        return {name: store.open(add_source(name, store=store, catalogue=catalogue).installed) for name in packages}
    finally:
        build.chunk_page = usual


def _answered(cases: Sequence[dict[str, Any]], docsets: dict[str, Docset]) -> tuple[int, int, int]:
    cited = found = wanted = 0
    for case in cases:
        hits = docsets[case["package"]].search(case["question"], limit=20, max_tokens=BUDGET).hits
        cited += any(hit.path.endswith(page) for hit in hits for page in case["cite"])
        text = " ".join(" ".join(hit.content.split()) for hit in hits)
        groups = [*case["must"], *case["must_code"]]
        wanted += len(groups)
        found += sum(any(string in text for string in group) for group in groups)
    return cited, found, wanted


def _counted(docsets: Sequence[Docset]) -> Counter[str]:
    counts: Counter[str] = Counter()
    bodies: Counter[tuple[int, str]] = Counter()
    sections: Counter[tuple[int, str, str]] = Counter()
    for number, docset in enumerate(docsets):
        for piece in docset.pieces():
            text = piece.content
            bodies[number, text] += 1
            sections[number, piece.heading, text] += 1
            links = sum(len(link.group()) for link in _LINK.finditer(text))
            counts["links are over 50 % of their characters (dropped by the Context project, kept here)"] += links * 2 > len(text)
            fences = [estimate_tokens(fence.group()) for fence in _FENCE.finditer(text)]
            counts["hold a block of code of 800 to 1,200 tokens, whole"] += any(DEFAULT < size <= 1_200 for size in fences)
            counts["are larger than 1,200 tokens"] += estimate_tokens(text) > 1_200
    counts["repeat the text of another one under another heading (kept)"] = sum(count - 1 for count in bodies.values()) - (
        repeats := sum(count - 1 for count in sections.values())
    )
    counts["repeat heading and text of another one (shown once)"] = repeats
    return counts


if __name__ == "__main__":
    sys.exit(main())
