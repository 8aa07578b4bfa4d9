"""Which items and steps of a passage form one list, over the code and the paragraphs between them."""

from __future__ import annotations

import re

from docs_researcher.steps.answer.passage_parts import Part


class OpenList:
    """Which list an item belongs to. Numbers may count on behind code or a paragraph that is not indented; "1." begins anew."""

    def __init__(self, rank: int) -> None:
        self._rank = rank
        self._group: tuple[int, int] | None = None
        self._kind = ""
        self._depth = 0
        self._number = 0
        self._interrupted = False

    def on_heading(self) -> None:
        """A heading ends every list."""
        self._group = None

    def on_other(self, part: Part) -> None:
        """A paragraph or a block of code: below an item if it is indented, else behind the list."""
        self._interrupted = self._interrupted or part.depth <= self._depth

    def group_of(self, part: Part) -> tuple[int, int]:
        """The list of an item: the rank of its passage and the index of the list's first part."""
        number = int(re.sub(r"\D", "", part.marker) or 0) if part.kind == "step" else 0
        group = self._group if self._goes_on(part, number) else None
        if group is None:
            group = self._rank, part.index
            self._kind, self._depth = part.kind, part.depth
        if part.depth <= self._depth:
            self._number = number
        self._group, self._interrupted = group, False
        return group

    def _goes_on(self, part: Part, number: int) -> bool:
        if self._group is None:
            return False
        if part.depth > self._depth:
            return not self._interrupted
        if part.kind != self._kind:
            return False
        if part.kind == "step":
            return number == self._number + 1 or (number == self._number and not self._interrupted)
        return not self._interrupted
