"""The statements chosen so far: each with what it depends on, lists and tables whole or cut where one can see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer_text import block_text
from docs_researcher.steps.material import CodeBlock, Material, Place, Statement
from docs_researcher.steps.question_terms import stems_of
from docs_researcher.steps.sentences import points_elsewhere

REPEATS = 0.7
"""A statement that shares this much of its words with one already chosen says it again."""
SHORT_PARAGRAPH = 100
"""Tokens up to which the paragraph before a chosen block comes with it as a whole."""
SHORT_LIST = 220
"""Tokens up to which a list or table is taken whole when one of its members is."""
LIST_SHARE = 0.6
"""The part of the budget that one list may take."""
FEWEST_STEPS = 2
"""A list of steps that does not fit is cut at its end; with fewer steps left it tells nothing."""


class StatementSet:
    """What has been chosen so far and what is left of the budget."""

    def __init__(self, material: Material, blocks: Sequence[CodeBlock], budget: int) -> None:
        self._material = material
        self._left = budget
        self._list_budget = int(budget * LIST_SHARE)
        self._chosen: dict[Place, Statement] = {}
        self._words: list[frozenset[str]] = []
        self._shown = {block.place for block in blocks}
        self._code = {block.place: block for block in material.blocks}
        self._further: list[CodeBlock] = []

    @property
    def further_blocks(self) -> tuple[CodeBlock, ...]:
        """The blocks without which the chosen steps would not stand."""
        return tuple(self._further)

    def in_order(self) -> tuple[Statement, ...]:
        """The chosen statements in the order of reading."""
        return tuple(self._chosen[place] for place in sorted(self._chosen))

    def repeats(self, one: Statement) -> bool:
        """Whether a statement is chosen already, or says what a chosen one says."""
        if one.place in self._chosen:
            return True
        stems = stems_of(one.text)
        return any(stems and len(stems & other) / max(1, min(len(stems), len(other))) >= REPEATS for other in self._words)

    def take(self, one: Statement) -> int:
        """Take a statement with what it depends on, if it fits; the number of statements taken that count, 0 or 1.

        What announces something that will not stand behind it is not taken, nor what depends on such a sentence.
        """
        wanted = [one]
        while (needed := wanted[-1].needs) is not None and len(wanted) < 3:
            before = self._material.by_place.get(needed)
            if before is None or before.place in self._chosen or points_elsewhere(before.text):
                break
            wanted.append(before)
        return self._take_all(wanted, one)

    def _take_all(self, wanted: Sequence[Statement], one: Statement) -> int:
        if one.place in self._chosen or not all(self._stands(other, wanted) for other in wanted) or not self._fits(wanted):
            return 0
        self._add(wanted)
        return 1

    def _stands(self, one: Statement, wanted: Sequence[Statement]) -> bool:
        """Whether what a statement announces, if anything, is shown or about to be."""
        if one.opens is None or one.opens in self._shown:
            return True
        target = self._material.by_place.get(one.opens)
        if target is None:
            return False
        members = [*wanted, *self._chosen.values()]
        return any(other is target or (other.group is not None and other.group == target.group) for other in members)

    def take_paragraph(self, one: Statement) -> None:
        """Take the whole paragraph that ends with `one` if it is short, else `one` with what it depends on."""
        rank, part, number = one.place
        mates = [self._material.by_place.get((rank, part, before)) for before in range(number + 1)]
        missing = [
            mate
            for mate in mates
            if mate is not None and mate.place not in self._chosen and not points_elsewhere(mate.text) and self._stands(mate, ())
        ]
        if one in missing and sum(cost(mate) for mate in missing) <= SHORT_PARAGRAPH and self._fits(missing):
            self._add(missing)
        else:
            self.take(one)

    def take_with_list(self, one: Statement) -> int:
        """Take `one` with its list or table: whole if it is short, steps up to where they fit, else `one` alone."""
        if one.place in self._chosen:
            return 0
        listed = [other for other in self._members(one) if other.place not in self._chosen]
        intro = self._intro(one)
        if one.kind == "step":
            return self._take_steps(one, listed, intro)
        whole = [*intro, *listed]
        if sum(map(cost, listed)) <= SHORT_LIST and self._take_all(whole, one):
            return 1
        return self._take_all([*intro, *self._nested(one, listed)], one) or self._take_all(self._nested(one, listed), one)

    def _members(self, one: Statement) -> Sequence[Statement]:
        """The list or table of a statement; steps numbered by headings are one list over the whole passage."""
        if one.group is not None:
            return self._material.groups[one.group]
        return [
            other
            for other in self._material.statements
            if other.kind == one.kind and other.group is None and other.place[0] == one.place[0]
        ]

    def _intro(self, one: Statement) -> list[Statement]:
        first = self._members(one)[0]
        before = self._material.by_place.get(first.needs) if first.needs is not None else None
        return [before] if before is not None and before.place not in self._chosen else []

    def _nested(self, one: Statement, listed: Sequence[Statement]) -> list[Statement]:
        """A list item with the items below it."""
        found = [one]
        for other in listed:
            if other.place > one.place:
                if one.kind == "row" or other.depth <= one.depth:
                    break
                found.append(other)
        return found

    def _take_steps(self, one: Statement, listed: Sequence[Statement], intro: Sequence[Statement]) -> int:
        """The steps with the code they announce, from the first one as far as they fit."""
        left = min(self._left, self._list_budget) - sum(map(cost, intro)) - GAP
        steps: list[Statement] = []
        blocks: list[CodeBlock] = []
        for step, block in self._with_code(listed):
            spent = cost(step) + (estimate_tokens(block_text(block) + "\n\n") if block is not None else 0)
            if spent > left or (step.opens is not None and block is None and not self._stands(step, listed)):
                break
            left -= spent
            steps.append(step)
            blocks += [block] if block is not None else []
        if len(steps) < min(FEWEST_STEPS, len(listed)):
            return self._take_all([one], one)
        self._add([*intro, *steps])
        self._add_blocks(blocks)
        return 1 if one in steps else self._take_all([one], one)

    def _with_code(self, steps: Sequence[Statement]) -> Iterator[tuple[Statement, CodeBlock | None]]:
        """Each step with the block that it announces, where that is not shown anyway."""
        for step in steps:
            hidden = step.opens is not None and step.opens not in self._shown
            yield step, self._code.get(step.opens) if hidden and step.opens is not None else None

    def _add_blocks(self, blocks: Sequence[CodeBlock]) -> None:
        for block in blocks:
            self._further.append(block)
            self._shown.add(block.place)
            self._left -= estimate_tokens(block_text(block) + "\n\n")

    def _fits(self, wanted: Sequence[Statement]) -> bool:
        return sum(map(cost, wanted)) <= self._left

    def _add(self, wanted: Sequence[Statement]) -> None:
        for one in wanted:
            self._chosen[one.place] = one
            self._left -= cost(one)
            self._words.append(stems_of(one.text))


def cost(one: Statement) -> int:
    """Tokens of a statement as it will be printed, with the line break behind it."""
    named = f"{one.marker} {one.label}: {one.text}\n\n"
    return estimate_tokens(named) + (estimate_tokens(one.header) if one.header and one.place[2] == 0 else 0)


GAP = 10
"""Tokens of the line that marks a gap."""
