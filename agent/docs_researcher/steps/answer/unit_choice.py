"""Which units of the documentation answer a question, and what of each is quoted.

The best unit is quoted first, then the next best ones, until the section is as long as an answer should be or they are far from
the best. A unit is quoted whole where it fits into its room, with long code abridged; of a longer one whole clusters are left
away, those that say least about the question first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docs_researcher.steps.answer.cluster_cut import shortened, standing, with_a_beginning, with_short_code
from docs_researcher.steps.answer.code_choice import adds_nothing
from docs_researcher.steps.answer.entries import about_the_question
from docs_researcher.steps.answer.local_imports import defines, local_imports
from docs_researcher.steps.answer.material import CodeBlock, Statement
from docs_researcher.steps.answer.sides import is_headed_by, named_in, tells_apart
from docs_researcher.steps.answer.unit_scores import ScoredUnit
from docs_researcher.steps.answer.units import Cluster, Piece, Unit
from docs_researcher.steps.queries.question_terms import QuestionTerms

WHOLE = 600
"""Tokens up to which a unit is quoted as it is; of a longer one long lists lose what nobody asked for."""
OF_THE_BEST = 700
"""Tokens of the best unit, where it is longer: of 215 questions two fewer were right with 900."""
FURTHER = 450
"""Tokens up to which a further one is."""
ENOUGH = 1_300
"""Tokens of a section after which nothing further is quoted. Of 215 questions 146 were right with 1,000, at 924 tokens an answer,
147 with 1,200, at 1,032, and 150 with this, at 1,079 (2026-11-30)."""
SURE = 0.7
ENOUGH_WHERE_SURE = 1_000
"""The same from that sureness on: one fewer is right, and an answer takes 42 tokens less."""
NEAR = 0.65
"""The share of the best score that a further unit needs. With 0.55 an answer takes a tenth more tokens and one more is right."""
LEAST = 60
"""In less room no further unit is begun."""
UNSURE = 0.5
"""Below this sureness it is said what the documentation does not mention."""
MOST_SOURCES = 4
"""For so many sources room is kept."""
OF_A_SIDE = 300
"""Tokens of what is quoted of each of the things compared."""
LITTLE_OVER = 1.5
"""A unit of so many times its room is brought down to it by abridging its code; a longer one loses clusters."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is quoted of one unit, in the order of reading."""

    rank: int
    heading: str
    pieces: tuple[Piece, ...]

    @property
    def blocks(self) -> tuple[CodeBlock, ...]:
        """Its code."""
        return tuple(piece for piece in self.pieces if isinstance(piece, CodeBlock))

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Its sentences, items, steps and rows."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Statement))


class Choice:
    """The units chosen so far, what they say, and the room that is left."""

    def __init__(self, terms: QuestionTerms, *, budget: int, sure: float, shown: Sequence[str] = ()) -> None:
        """`sure` is how sure it is, 0 to about 1, that the best unit answers; `shown` is what stands in the answer already."""
        self._terms = terms
        self._left = budget
        self._enough = min(ENOUGH if sure < SURE else ENOUGH_WHERE_SURE, budget)
        self._shown = set(shown)
        self._codes: list[str] = list(shown)
        self.excerpts: list[Excerpt] = []

    def fill(self, scored: Sequence[ScoredUnit], tasks: Sequence[Sequence[ScoredUnit]] = ()) -> None:
        """Take the best unit and further ones.

        `tasks` are the units for each of the things that are asked for at once, the best one first.
        """
        if not scored:
            return
        best = self._opening(scored)
        self._take(best, max(OF_THE_BEST, best.unit.clusters[best.best].tokens))
        for units in tasks:
            self._take_further(units[0], best, FURTHER)
        sides = self._terms.sides
        if sides and not any(tells_apart(sides, cluster) for cluster in best.unit.clusters):
            self._take_sides(scored, best)
        elif len(self._terms.symbols) > 1:
            self._take_named(scored)
        for one in scored:
            room = self._enough - self._spent
            if room < LEAST or one.score < NEAR * best.score:
                break
            self._take_further(one, best, min(FURTHER, room))
        self._define(scored)

    def _take_further(self, one: ScoredUnit, best: ScoredUnit, room: int) -> None:
        if not self._is_taken(one) and not self._stands_back(one, best):
            self._take(one, room)

    def _opening(self, scored: Sequence[ScoredUnit]) -> ScoredUnit:
        """The best unit; of a comparison the best that says how the sides differ, or is headed by one of them."""
        sides = self._terms.sides
        for one in scored if sides else ():
            if one.is_history:
                continue
            if any(is_headed_by(side, one.unit) for side in sides) or any(tells_apart(sides, part) for part in one.unit.clusters):
                return one
        return scored[0]

    def _take_sides(self, scored: Sequence[ScoredUnit], best: ScoredUnit) -> None:
        """Take, for each of the things compared that heads nothing so far, the best unit that is headed by it, else names it."""
        taken = [best.unit]
        for side in self._terms.sides:
            if any(is_headed_by(side, unit) for unit in taken):
                continue
            told = [one for one in scored if not one.is_history]
            headed = [one for one in told if is_headed_by(side, one.unit)]
            naming = [one for one in told if any(named_in([side], cluster) for cluster in one.unit.clusters)]
            for one in [*headed, *naming]:
                if self._is_taken(one) or self._take(one, OF_A_SIDE):
                    taken.append(one.unit)
                    break

    def _take_named(self, scored: Sequence[ScoredUnit]) -> None:
        """Take, for each of several names of the API that are asked about, the best unit that is headed by it."""
        for name in self._terms.symbols:
            headed = [one for one in scored if is_headed_by(name, one.unit)]
            if headed and not any(map(self._is_taken, headed)):
                self._take(headed[0], FURTHER)

    def _stands_back(self, one: ScoredUnit, best: ScoredUnit) -> bool:
        """Whether a unit tells of other times than the best one: release notes, or the older of two ways."""
        return (one.is_older and not best.is_older) or (
            one.is_history and not best.is_history and self._terms.intent != "migration"
        )

    def _is_taken(self, one: ScoredUnit) -> bool:
        return any((taken.rank, taken.heading) == (one.unit.rank, one.unit.heading) for taken in self.excerpts)

    def _define(self, scored: Sequence[ScoredUnit]) -> None:
        """Take the blocks that define what a shown one imports from a file beside it."""
        shown = [block.code for one in self.excerpts for block in one.blocks]
        wanted = [name for code in shown for name, _ in local_imports(code) if not any(defines(other, name) for other in shown)]
        for name in dict.fromkeys(wanted):
            found = (
                (one, cluster)
                for one in scored
                for cluster in one.unit.clusters
                if any(defines(block.code, name) for block in cluster.blocks)
            )
            one, cluster = next(found, (None, None))
            if one is not None and cluster is not None:
                alone = Unit(one.unit.rank, one.unit.heading, (cluster,))
                self._take(ScoredUnit(alone, one.score, one.page, (1.0,)), FURTHER)

    @property
    def _spent(self) -> int:
        return sum(Cluster(one.pieces).tokens for one in self.excerpts)

    def _take(self, one: ScoredUnit, room: int) -> bool:
        """Take what fits of a unit, and whether there was anything."""
        pieces = with_a_beginning(self._fitting(one, min(room, self._left)), one.unit.leaf)
        whole = Cluster(pieces)
        if not pieces:
            return False
        self.excerpts.append(Excerpt(one.unit.rank, one.unit.heading, pieces))
        self._left -= whole.tokens
        self._codes += [block.code for block in whole.blocks]
        return True

    def _fitting(self, one: ScoredUnit, room: int) -> tuple[Piece, ...]:
        """All of a unit, else its clusters in the order of reading: the best one first, then by their worth."""
        clusters = [self._fresh(cluster) for cluster in one.unit.clusters]
        whole = Cluster(tuple(piece for cluster in clusters for piece in cluster.pieces))
        if whole.tokens <= min(WHOLE, LITTLE_OVER * room):
            whole = with_short_code(whole, self._terms, room)
        if whole.tokens <= min(WHOLE, room):
            return whole.pieces
        kept: dict[int, Cluster] = {}
        asked = about_the_question(clusters, self._terms)
        for place in sorted(asked, key=lambda place: (place != one.best, -one.worth[place], place)):
            cluster = shortened(clusters[place], self._terms, room if place == one.best else min(room, FURTHER))
            if cluster.pieces and cluster.tokens <= room:
                kept[place] = cluster
                room -= cluster.tokens
        return tuple(piece for place in sorted(kept) for piece in kept[place].pieces)

    def _fresh(self, cluster: Cluster) -> Cluster:
        """A cluster without the code that is shown already, or that stands in it twice."""
        kept: list[Piece] = []
        own: set[str] = set()
        for piece in cluster.pieces:
            if isinstance(piece, CodeBlock):
                if piece.code in own or any(adds_nothing(piece.code, other) for other in self._codes):
                    continue
                own.add(piece.code)
            elif piece.text in self._shown:
                continue
            kept.append(piece)
        return Cluster(standing(kept))
