"""Answers laid beside raw documentation, in an order that the reader cannot guess, and the count of what readers thought.

    python benchmarks/judging.py pages FOLDER [SEED] [QUESTIONS]   write one page a question, A and B, and the key
    python benchmarks/judging.py count FOLDER FILE ...             count the verdicts of readers

One of A and B is the answer of the extractive model, the other the text of `query-docs` for the same question (at most 2,000
tokens). A reader is given the folder `pages`, not the key, and writes one JSON object a line:
`{"id": ..., "act_a": true, "act_b": false, "better": "a" | "b" | "same", "missing": "..."}`, where `act` is whether a developer
could act on it without opening the page.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from installed import docset, home, store

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.runtime.research import research
from docs_researcher.tools.local import LocalProvider

QUESTIONS = Path(__file__).parent / "questions" / "judged.jsonl"
SEED = 20261130
"""Fixes which of the two texts is A; another one mixes them anew."""


def main() -> int:
    """Write the pages, or count."""
    match sys.argv[1:]:
        case ["pages", folder]:
            asyncio.run(_pages(Path(folder), SEED, QUESTIONS))
        case ["pages", folder, seed, *files] if seed.isdigit() and len(files) <= 1:
            asyncio.run(_pages(Path(folder), int(seed), Path(files[0]) if files else QUESTIONS))
        case ["count", folder, *files] if files:
            print(_count(Path(folder), (Path(file) for file in files)))
        case []:
            print("Nothing to measure without readers; `python benchmarks/judging.py --help` says how it goes.")
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


async def _pages(folder: Path, seed: int, questions: Path) -> None:
    rows = _rows(questions)
    os.environ["DOCS_RESEARCH_HOME"] = str(home())
    for package in dict.fromkeys(row["package"] for row in rows):
        docset(package)
    provider = LocalProvider(store(), Catalogue.load())
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    toss = random.Random(seed)
    key: dict[str, dict[str, Any]] = {}
    for row in rows:
        version = row["package"].rpartition("@")[2]
        answer = await research(row["question"], library=f"{row['library_id']}/{version}", model="extractive", offline=True)
        raw = await provider.call("query-docs", {"libraryId": f"{row['library_id']}/{version}", "query": row["question"]})
        texts = {"answer": answer.text.strip(), "raw": raw.text.strip()}
        first, second = toss.sample(sorted(texts), 2)
        page = f"# {row['question']}\n\n## A\n\n{texts[first]}\n\n## B\n\n{texts[second]}\n"
        (folder / "pages" / f"{row['id']}.md").write_text(page, encoding="utf-8")
        key[row["id"]] = {"a": first, "b": second, **{name: estimate_tokens(text) for name, text in texts.items()}}
    await provider.aclose()
    (folder / "key.json").write_text(json.dumps(key, indent=1), encoding="utf-8")


def _count(folder: Path, files: Iterable[Path]) -> str:
    key = json.loads((folder / "key.json").read_text(encoding="utf-8"))
    verdicts = [row for file in files for row in _rows(file)]
    act, better = Counter[str](), Counter[str]()
    for row in verdicts:
        sides = key[row["id"]]
        act.update(sides[side] for side in "ab" if row[f"act_{side}"])
        better[sides.get(row["better"], "same")] += 1
    lines = ["| text | tokens | could be acted on | better |", "|---|---:|---:|---:|"]
    for name, title in (("answer", "answer"), ("raw", "raw `query-docs`")):
        tokens = sum(sides[name] for sides in key.values()) / len(key)
        lines.append(f"| {title} | {tokens:,.0f} | {act[name]} of {len(verdicts)} | {better[name]} |")
    return "\n".join([*lines, f"| no difference | | | {better['same']} |"])


if __name__ == "__main__":
    sys.exit(main())
