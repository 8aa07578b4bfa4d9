"""What a Claude model is given to read for a question: how often every must-have stands in it, and how many tokens it takes.

    scripts/bench passages                                                      the questions of `scripts/bench answers`
    scripts/bench passages --questions benchmarks/questions/answers_fresh.jsonl the questions for the end of a round of work

The runtime looks a question up before a model's first turn, trims what was found, and passes it on. Here a model takes its place
that only keeps what it was given. Beside it, for the same calls, stand all that was read for it, and results of 2,000
tokens whole, which is what hosts get from `query-docs`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from answers import QUESTIONS, read_asked
from figures import mean, shown_gain, shown_share, table
from installed import docset, home

from docs_researcher.core.messages import QUERY, Reply, UserMessage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.models.base import ModelRequest
from docs_researcher.runtime.evaluate import Expected, missing
from docs_researcher.runtime.research import make_researcher
from docs_researcher.runtime.researcher import EVIDENCE_TOKENS, SHOWN_TOKENS
from docs_researcher.tools.local import RESULT_TOKENS, LocalProvider

WHOLE, READ, PASSED = f"{RESULT_TOKENS:,} whole", f"{EVIDENCE_TOKENS:,} read", f"{SHOWN_TOKENS:,} of them passed on"


@dataclass(slots=True)
class Reader:
    """A model that keeps what it is given, and answers with it."""

    name: str = "reader"
    thinks_for_free: bool = False
    only_quotes: bool = True
    given: UserMessage | None = None

    async def prepare(self) -> None:
        """Nothing to make ready."""

    async def reply(self, request: ModelRequest) -> Reply:
        """Keep the opening; what was looked up ahead stands in it."""
        self.given = next((one for one in request.messages if isinstance(one, UserMessage)), None)
        return Reply("Read.")

    async def aclose(self) -> None:
        """Nothing to release."""


@dataclass(slots=True)
class Texts:
    """What each way gives for one question."""

    texts: dict[str, list[str]] = field(default_factory=lambda: {WHOLE: [], READ: [], PASSED: []})

    def held(self, way: str, expected: Expected) -> float:
        """1 where every must-have stands in it."""
        return float(not missing(expected, "\n\n".join(self.texts[way])))

    def tokens(self, way: str) -> int:
        """Tokens of all results together."""
        return sum(map(estimate_tokens, self.texts[way]))


def main() -> int:
    """Look every question up and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    asked = [row.expected for row in read_asked(parser.parse_args().questions)]
    os.environ["DOCS_RESEARCH_HOME"] = str(home())
    for package in dict.fromkeys(row.package for row in asked if row.package):
        docset(package)
    found = asyncio.run(_given(asked))
    pairs = list(zip(asked, found, strict=True))
    lines = [
        [
            way,
            str(sum(int(one.held(way, row)) for row, one in pairs)),
            shown_share([one.held(way, row) for row, one in pairs]),
            f"{mean([one.tokens(way) for one in found]):.0f}",
        ]
        for way in (WHOLE, READ, PASSED)
    ]
    print(f"{len(asked)} questions\n\n{table(['tokens of each result', 'every must-have', '%', 'tokens'], lines)}")
    gains = [one.held(PASSED, row) - one.held(WHOLE, row) for row, one in pairs]
    print(f"\npassed on - {WHOLE}, paired, points: {shown_gain(gains, percent=True)}")
    return 0


async def _given(asked: Sequence[Expected]) -> list[Texts]:
    found: list[Texts] = []
    reader = Reader()
    whole = LocalProvider(Store(home()), Catalogue.load())
    read = LocalProvider(Store(home()), Catalogue.load(), result_tokens=EVIDENCE_TOKENS)
    async with make_researcher(model=reader, offline=True) as researcher:
        for row in asked:
            await researcher.research(row.question, library=row.package)
            one = Texts()
            for call, result in reader.given.ahead if reader.given is not None else ():
                if call.name == QUERY:
                    one.texts[PASSED].append(result.text)
                    for way, provider in ((WHOLE, whole), (READ, read)):
                        one.texts[way].append((await provider.call(call.name, call.arguments)).text)
            found.append(one)
    await whole.aclose()
    await read.aclose()
    return found


if __name__ == "__main__":
    raise SystemExit(main())
