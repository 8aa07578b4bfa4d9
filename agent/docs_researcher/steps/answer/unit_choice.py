"""Which units of the documentation answer a question, and what of each is quoted.

A unit is quoted whole where it fits into its room, with long code abridged; of a longer one whole clusters are left away,
those that say least about the question first. A further unit must earn its place: by a part of the question that nothing says
so far, by the code that is still missing, or by being about as good where none stands out. Where it is not sure that the best
unit answers at all, the best of other pages are shown beside it in short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docs_researcher.steps.answer.cluster_cut import is_long_list, shortened, standing, with_a_beginning, with_short_code
from docs_researcher.steps.answer.code_choice import adds_nothing, is_output, names
from docs_researcher.steps.answer.entries import about_the_question
from docs_researcher.steps.answer.local_imports import defines, local_imports
from docs_researcher.steps.answer.material import CodeBlock, Statement, is_symbol
from docs_researcher.steps.answer.sides import is_headed_by, named_in, tells_apart
from docs_researcher.steps.answer.unit_scores import ScoredUnit
from docs_researcher.steps.answer.units import Cluster, Piece, Unit
from docs_researcher.steps.queries.question_terms import QuestionTerms, stems_of

WHOLE = 600
"""Tokens up to which a unit is quoted as it is, where there is room for it."""
OF_THE_BEST = 900
"""Tokens of the best unit, where it is longer."""
FURTHER = 550
"""Tokens up to which a further one is."""
ENOUGH = 1_000
"""Tokens of a section after which nothing further is begun."""
UPGRADE = 1_100
"""The same for a question about an upgrade."""
MOST_UNITS = 4
UNSURE = 0.5
"""Below this sureness other pages are looked at too. With 0.7 answers took a twentieth more tokens and one fewer of 77 was
right; with 0.3 two fewer were (2026-11-30)."""
PAGES = 4
"""So many pages are shown where it is not sure which one answers."""
OF_ANOTHER_PAGE = 250
"""Tokens of each but the first."""
OF_A_SIDE = 300
"""Tokens of what is quoted of each of the things compared."""
ENOUGH_PAGES = 1_100
"""Tokens of a section after which no further page is shown."""
ROOMY = 1_000
"""Tokens of a section up to which the first passage of the search is completed. Of 215 questions 139 were right without that, at
880 tokens, and 142 with it, at 920; 144 with the second one too, at 1,020, and 148 with four, at 1,250 (2026-11-30)."""
POSSIBLE = 0.5
"""The share of the best score that the best unit of another page needs then. With 0.3 answers took more tokens and no more of
60 were right (2026-11-30)."""
BESIDE = 0.62
"""The share of the best score that a further unit needs in any case."""
GAIN = 0.14
"""The share of what is asked that a further unit must add."""
NEAR = 0.93
"""A unit of this share of the best score is about as good."""
SHORT = 800
"""An answer of fewer tokens has room for a unit that is almost as good."""
ALMOST = 0.65
"""The share of the best score that such a unit needs."""
NEAR_ENOUGH = 0.8
"""The same where all that can be said of what is asked is said."""
ANSWERED = 0.85
"""Where this share of what is asked is said, nothing is added for being about as good."""
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


def _all_of(unit: Unit) -> str:
    return f"{unit.heading}\n{unit.text}"


class Choice:
    """The units chosen so far, what they say, and the room that is left."""

    def __init__(self, terms: QuestionTerms, *, budget: int, sure: float, shown: Sequence[str] = ()) -> None:
        """`sure` is how sure it is, 0 to about 1, that the best unit answers."""
        self._terms = terms
        self._left = budget
        upgrade = terms.intent == "migration"  # is answered by many small changes
        self._most_units = MOST_UNITS * 2 if upgrade else MOST_UNITS
        self._enough = min(UPGRADE if upgrade else ENOUGH, budget)
        self._sure = sure
        self._shown = set(shown)
        self._codes: list[str] = list(shown)
        self._said = frozenset[str]()
        self._sayable = 1.0
        self.excerpts: list[Excerpt] = []

    def fill(self, scored: Sequence[ScoredUnit]) -> None:
        """Take the best unit and those further ones that earn their place."""
        self._sayable = self._terms.share(frozenset[str]().union(*(stems_of(_all_of(one.unit)) for one in scored)))
        if not scored:
            return
        best = self._opening(scored)
        self._take(best, max(OF_THE_BEST, best.unit.clusters[best.best].tokens))
        sides = self._terms.sides
        if sides and not any(tells_apart(sides, cluster) for cluster in best.unit.clusters):
            self._take_sides(scored, best)
        elif len(self._terms.symbols) > 1:
            self._take_named(scored)
        elif self._sure < UNSURE:
            self._look_around(scored)
        for one in scored:
            if one is best:
                continue
            if one.score < BESIDE * best.score or len(self.excerpts) >= self._most_units or self._spent >= self._enough:
                break
            if self._stands_back(one, best):
                continue
            if self._earns(one, best) and not self._is_taken(one):
                self._take(one, FURTHER)
        self._complete_the_first(scored, best)
        self._show_code(scored)
        self._define(scored)

    def _complete_the_first(self, scored: Sequence[ScoredUnit], best: ScoredUnit) -> None:
        """Take what else the first passage of the search holds: units are weighed by their words, passages by more than that."""
        for one in scored:
            if one.unit.rank or self._is_taken(one) or self._stands_back(one, best):
                continue
            if self._is_asked_for(one):
                self._take(one, min(FURTHER, ROOMY - self._spent))

    def _is_asked_for(self, one: ScoredUnit) -> bool:
        """Whether what a file declares beside the best holds a word of the question; a class may have only its file in common."""
        name = one.unit.leaf.strip("`").rsplit(".", 1)[-1]
        if not (is_symbol(one.unit.leaf) and name[:1].isupper()):
            return True
        said = "\n".join(piece.text for cluster in one.unit.clusters for piece in cluster.statements)
        held = stems_of(f"{name}\n{said}")
        return any(term in held for term in self._terms.stems if term not in self._terms.parts)

    def _show_code(self, scored: Sequence[ScoredUnit]) -> None:
        """Where code is wanted and none is taken: take the best unit of a page that is quoted which has some."""
        pages = {one.page for one in scored if self._is_taken(one)}
        for one in scored:
            if one.page in pages and self._lacks_code(one) and not self._is_taken(one) and self._take(one, FURTHER):
                return

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
        self._most_units = max(self._most_units, len(self.excerpts))

    def _take_named(self, scored: Sequence[ScoredUnit]) -> None:
        """Take, for each of several names of the API that are asked about, the best unit that is headed by it."""
        for name in self._terms.symbols:
            headed = [one for one in scored if is_headed_by(name, one.unit)]
            if headed and not any(map(self._is_taken, headed)):
                self._take(headed[0], FURTHER)
        self._most_units = max(self._most_units, len(self.excerpts))

    def _look_around(self, scored: Sequence[ScoredUnit]) -> None:
        """Take the best of other pages, in short: one of them may answer what the best unit does not."""
        pages = {scored[0].page}
        for one in scored[1:]:
            if len(pages) >= PAGES or self._spent >= ENOUGH_PAGES or one.score < POSSIBLE * scored[0].score:
                break
            if self._stands_back(one, scored[0]):
                continue
            if one.page not in pages and self._take(one, OF_ANOTHER_PAGE):
                pages.add(one.page)
        self._most_units = max(self._most_units, len(self.excerpts) + 1)

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

    def _earns(self, one: ScoredUnit, best: ScoredUnit) -> bool:
        """Whether a further unit adds something to what is said already."""
        near = one.score >= NEAR * best.score
        sides = self._terms.sides
        if sides and not any(named_in(sides, cluster) for cluster in one.unit.clusters):
            return False
        if not near and (self._is_talk(one, best) or self._is_about_another_name(one, best)):
            return False
        said = self._terms.share(self._said)
        if self._terms.share(self._said | stems_of(_all_of(one.unit))) - said >= GAIN:
            return True
        if self._lacks_code(one) or (self._terms.intent == "migration" and one.page == best.page):
            return True
        answered = self._sure >= UNSURE and said >= ANSWERED * self._sayable
        if self._spent < SHORT:
            return one.score >= (NEAR_ENOUGH if answered else ALMOST) * best.score
        return near and not answered

    def _is_about_another_name(self, one: ScoredUnit, best: ScoredUnit) -> bool:
        """Whether the best unit names what is asked about, and this one does not."""
        asked = [symbol for symbol in self._terms.symbols if names(symbol, _all_of(best.unit))]
        return bool(asked) and not any(names(symbol, _all_of(one.unit)) for symbol in asked)

    def _is_talk(self, one: ScoredUnit, best: ScoredUnit) -> bool:
        """Whether somebody who asks how to do a thing, and has seen code, is sent to another page that shows none."""
        shown = self._terms.intent == "how_to" and any(excerpt.blocks for excerpt in self.excerpts)
        return shown and one.page != best.page and not one.unit.blocks

    def _lacks_code(self, one: ScoredUnit) -> bool:
        """Whether a question that is answered in code has none so far, and this unit has."""
        if self._terms.intent not in ("how_to", "migration", "error") or any(one.blocks for one in self.excerpts):
            return False
        return any(not is_output(block) for block in one.unit.blocks)

    def _take(self, one: ScoredUnit, room: int) -> bool:
        """Take what fits of a unit, and whether there was anything."""
        pieces = with_a_beginning(self._fitting(one, min(room, self._left)), one.unit.leaf)
        whole = Cluster(pieces)
        if not pieces or (self.excerpts and one.unit.clusters[one.best].blocks and not whole.blocks):
            return False  # a further unit whose code is shown already says little without it
        self.excerpts.append(Excerpt(one.unit.rank, one.unit.heading, pieces))
        self._left -= whole.tokens
        self._codes += [block.code for block in whole.blocks]
        self._said |= stems_of(f"{one.unit.heading}\n{whole.text}")
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
            best = place == one.best
            if not best and is_long_list(clusters[place]):
                continue
            cluster = shortened(clusters[place], self._terms, room if best else min(room, FURTHER))
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
