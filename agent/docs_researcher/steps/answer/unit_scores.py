"""How well a unit of the documentation answers a question: by its words, its code, its heading and the search's word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docs_researcher.core.passages import Passage
from docs_researcher.docsets.searching.basics import is_basic
from docs_researcher.steps.answer.answer_text import page_of
from docs_researcher.steps.answer.code_choice import ScoredBlock, names
from docs_researcher.steps.answer.material import Material, Place, is_symbol
from docs_researcher.steps.answer.sentences import plain
from docs_researcher.steps.answer.sides import is_headed_by, named_in, tells_apart
from docs_researcher.steps.answer.statement_choice import ScoredStatement, by_rank, is_history, older_ways
from docs_researcher.steps.answer.units import Cluster, Unit
from docs_researcher.steps.queries.question_terms import Intent, QuestionTerms, stems_of, stop_stems
from docs_researcher.steps.stems import stem

BY_SEARCH = 1.2
"""What the search's word on a passage counts for in the score of its units: as much as its best statement. With 0.3, and room for
two thirds of these tokens, 54 instead of 59 % of 41 answers over libraries that nothing was tuned on were right
(`scripts/bench answers`, 2026-11-30)."""
BY_TEXT = 0.4
"""What a unit counts for that holds all of the question's words."""
DECLARES = 0.2
"""What a declaration loses where the question is how to do a thing, or what to do about an error."""
OLD_NEWS = 0.3
"""What release notes lose where no upgrade is asked about."""
BOTH_SIDES = 0.4
"""What a cluster gains that tells two sides apart."""
CONTENTS = 0.8
"""What a list of topics loses: features, a table of contents."""
FEWEST_TOPICS = 4
TOPIC_WORDS = 10
"""Words of an item up to which it names a topic and tells nothing."""
OUTLIER = 1.6
"""A best passage of more than so many times the second one's score counts as one of so many times."""
NAMED = 0.4
"""What a heading gains that is the name of the API that is asked about."""
ENTRY = 0.4
"""What the entry of a setting, an option or a function gains where the question asks which one does a thing."""
HEADED = 0.5
"""What a unit gains that is headed by one of the things compared."""
TELLS_APART = 0.4
"""What a unit gains where it also says how they differ."""
TO_THE_POINT = 0.4
"""What a unit gains of whose heading all words are asked for, where a question has at most FEW words that tell something: who
wants a special case says which. With half of them half. For longer questions it put sections before others that say more."""
FEW = 4
OF_A_SECTION = 0.3
"""How much a section's own share of its passage's score counts. With all of it 2 of 161 answers fewer were right (2026-11-30)."""
CODE_ALONE = 0.7
"""What the best block of a unit without a sentence counts for in the place of the best statement: its heading says the rest."""
LEAST_BEST = 1.0
"""A statement or block of a lower score is not the best possible one, though there is no better."""

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
"""A word within a name of the API."""
SOURCE_FILES = (".py", ".pyi", ".ts", ".mts", ".cts")
_CODE: dict[Intent, float] = {"how_to": 0.85, "migration": 0.85, "error": 0.7, "compare": 0.5, "option": 0.5, "what_is": 0.5}
"""What the best block counts for, beside 1 for the best statement."""


@dataclass(frozen=True, slots=True)
class ScoredUnit:
    """A unit with its score; larger is better, comparable within one question."""

    unit: Unit
    score: float
    page: str
    worth: tuple[float, ...]
    """What each of its clusters is worth."""
    is_history: bool = False
    """Whether it stands in release notes or an upgrade guide."""
    is_older: bool = False
    """Whether it shows the older of two ways, and something found shows the other."""

    @property
    def best(self) -> int:
        """The place of its best cluster."""
        return self.worth.index(max(self.worth))


class UnitScores:
    """Scores the units of one question's material."""

    def __init__(
        self,
        material: Material,
        terms: QuestionTerms,
        statements: Sequence[ScoredStatement],
        blocks: Sequence[ScoredBlock],
    ) -> None:
        self._passages = material.passages
        self._terms = terms
        self._unimportant = stop_stems()
        self._older = frozenset(older_ways(material.passages, terms))
        self._even = terms.evened(stems_of("\n".join(f"{one.title}\n{one.content}" for one in self._passages)))
        self._said = _shares((one.statement.place, one.score) for one in statements)
        self._shown = _shares((one.block.place, one.score) for one in blocks)
        best = _measure([one.score or 0.0 for one in self._passages])
        self._found = [
            min(1.0, one.score / best) if one.score is not None else by_rank(rank) for rank, one in enumerate(self._passages)
        ]
        self._sections = _section_shares(material)

    def of(self, unit: Unit) -> ScoredUnit:
        """A unit with its score."""
        passage = self._passages[unit.rank]
        worth = tuple(self._worth(cluster) for cluster in unit.clusters)
        said = max((self._said.get(one.place, 0.0) for cluster in unit.clusters for one in cluster.statements), default=0.0)
        shown = max((self._shown.get(block.place, 0.0) for block in unit.blocks), default=0.0)
        if self._is_example(unit, passage):
            said = CODE_ALONE * shown
        if self._terms.intent == "compare" and any(map(self._names_both_sides, unit.clusters)):
            said += BOTH_SIDES
            said += TELLS_APART * any(tells_apart(self._terms.sides, cluster) for cluster in unit.clusters)
        score = said + _CODE[self._terms.intent] * shown + BY_SEARCH * self._by_search(unit)
        score += BY_TEXT * self._even.share(stems_of(unit.text)) - self._faults(passage) - CONTENTS * self._lists_topics(unit)
        score += TO_THE_POINT * self._to_the_point(unit)
        score += HEADED * any(is_headed_by(side, unit) for side in self._terms.sides)
        score += NAMED * any(symbol == unit.leaf.strip("`").removesuffix("()") for symbol in self._terms.symbols)
        score += ENTRY * (self._terms.intent == "option" and is_symbol(unit.leaf))
        score += self._asked_by_name(unit)
        is_older = passage in self._older
        return ScoredUnit(unit, score, page_of(passage), worth, is_history(passage.title, passage.path), is_older)

    def _is_example(self, unit: Unit, passage: Passage) -> bool:
        """Whether a unit of a page is nothing but code; a bare declaration is no example."""
        return not (passage.path or "").endswith(SOURCE_FILES) and not any(cluster.statements for cluster in unit.clusters)

    def _by_search(self, unit: Unit) -> float:
        """What the search says of a unit: of a passage that was put together from several sections, each has its own share."""
        return self._found[unit.rank] * self._sections.get((unit.rank, unit.heading), 1.0)

    def _to_the_point(self, unit: Unit) -> float:
        """The share of a heading's words that are asked for, and of those that only say that a thing is shown plainly."""
        if len(self._terms.stems) > FEW:
            return 0.0
        if is_basic(unit.leaf):
            return 1.0
        words = [word for word in stems_of(unit.leaf) if len(word) > 2 and word not in self._unimportant]
        asked = self._terms.stems
        return sum(any(word == one or word in self._terms.alternatives.get(one, ()) for one in asked) for word in words) / (
            len(words) or 1
        )

    def _asked_by_name(self, unit: Unit) -> float:
        """The share of the question that an entry's name holds, if its words (two at least) are all asked for."""
        if self._terms.intent not in ("how_to", "option") or not is_symbol(unit.leaf):
            return 0.0
        name = re.split(r"[(=:]", unit.leaf.strip("`"), maxsplit=1)[0].rsplit(".", 1)[-1]
        words = frozenset(stem(part) for part in _PART.findall(name)) - self._unimportant
        return self._terms.share(words) if len(words) > 1 and words.issubset(self._terms.stems) else 0.0

    def _faults(self, passage: Passage) -> float:
        declares = self._terms.intent in ("how_to", "error") and (passage.path or "").endswith(SOURCE_FILES)
        old = self._terms.intent != "migration" and is_history(passage.title, passage.path)
        return DECLARES * declares + OLD_NEWS * old

    def _lists_topics(self, unit: Unit) -> bool:
        """Whether a unit is nothing but a list of short items, where the question is how to do a thing: features, contents."""
        if self._terms.intent not in ("how_to", "error") or unit.blocks:
            return False
        statements = [one for cluster in unit.clusters for one in cluster.statements]
        items = [one for one in statements if one.kind == "item"]
        words = sum(len(one.text.split()) for one in items)
        bare = all("`" not in one.text for one in items)
        return bare and len(items) >= FEWEST_TOPICS and len(items) >= 0.7 * len(statements) and words <= TOPIC_WORDS * len(items)

    def _worth(self, cluster: Cluster) -> float:
        said = max((self._said.get(one.place, 0.0) for one in cluster.statements), default=0.0)
        shown = max((self._shown.get(one.place, 0.0) for one in cluster.blocks), default=0.0)
        named = any(names(symbol, cluster.text) for symbol in self._terms.symbols)
        worth = said + _CODE[self._terms.intent] * shown + 0.3 * self._terms.share(stems_of(cluster.text)) + 0.2 * named
        return worth + (BOTH_SIDES if self._terms.intent == "compare" and self._names_both_sides(cluster) else 0.0)

    def _names_both_sides(self, cluster: Cluster) -> bool:
        """Whether the prose of a cluster names two of the things that are compared."""
        if self._terms.sides:
            return named_in(self._terms.sides, cluster) > 1
        prose = "\n".join(one.text for one in cluster.statements)
        return sum(names(symbol, prose) for symbol in self._terms.symbols) > 1


def _section_shares(material: Material) -> dict[tuple[int, str], float]:
    """The factor for each heading on its passage's score, by the rank of that and the heading.

    Small sections that share a piece are headings of their own, and what is below a section's heading is of that section.
    """
    known = [
        {plain(heading): share for joined, share in passage.sections for heading in joined.split(" / ")}
        for passage in material.passages
    ]
    current = [next((share for _, share in passage.sections), 1.0) for passage in material.passages]
    found: dict[tuple[int, str], float] = {}
    for piece in sorted([*material.statements, *material.blocks], key=lambda one: one.place):
        rank = piece.place[0]
        if known[rank] and (rank, piece.heading) not in found:
            current[rank] = known[rank].get(plain(piece.heading.rsplit(" > ", 1)[-1]), current[rank])
            found[rank, piece.heading] = 1 - OF_A_SECTION * (1 - current[rank])
    return found


def _measure(scores: Sequence[float]) -> float:
    """The score that counts as 1: the best, but no more than a few times the second, or all others would count for nothing."""
    best = sorted(scores, reverse=True)[:2]
    return min(best[0], OUTLIER * best[1] or best[0]) or 1.0 if len(best) > 1 else (best or [0.0])[0] or 1.0


def _shares(scores: Iterable[tuple[Place, float]]) -> dict[Place, float]:
    found = dict(scores)
    best = max([*found.values(), LEAST_BEST])
    return {place: score / best for place, score in found.items()}
