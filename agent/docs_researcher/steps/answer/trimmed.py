"""What of a result is passed to a model that pays for what it reads: the sections that say most about what was asked.

A query reads more than a model is shown. The sections of all passages are scored as for an answer without a model, and the best
are passed on as they are written, under their headings, code whole or not at all. `[…]` stands where something is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.layout import PASSAGE_RULE, lead_of, render_passages
from docs_researcher.core.messages import ToolResult
from docs_researcher.core.passages import Passage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer.material import Group
from docs_researcher.steps.answer.passage_parts import parts_of
from docs_researcher.steps.answer.section import ConceptEvidence, Section
from docs_researcher.steps.answer.unit_scores import ScoredUnit
from docs_researcher.steps.answer.units import Cluster
from docs_researcher.steps.answer.untrusted import without_hidden_text

GAP = "[…]"
"""Stands where something of a passage is left out."""
FIRST = 1_000
"""Tokens of the best section before others are looked at; what they leave is its own."""
FURTHER = 300
"""Tokens up to which a section beside the best one is passed on. Without a bound 54 instead of 55 of 77 must-haves were."""
BESIDE = 0.4
"""The share of the best section's score that a further one needs. Below it nothing was lost but a tenth of the tokens
(`scripts/bench answers --passages`, 2026-11-30)."""


def trimmed(result: ToolResult, asked: str, budget: int) -> ToolResult:
    """A result of which the text has about `budget` tokens at most; one that is short enough comes back as it is.

    Args:
        result: what `query-docs` answered.
        asked: what its passages are to answer.
        budget: tokens of the text. One section that is longer than that is cut between paragraphs.

    Returns:
        The result with the passages that are shown, each with its title and source, in their order; `tokens_read` says how many
        tokens were looked through for them.
    """
    tokens = estimate_tokens(result.text)
    if tokens <= budget or not result.passages:
        return result
    lead = lead_of(result.text)
    passages = _Selection(result.passages, asked, result.library).within(budget - estimate_tokens(lead))
    if not passages:
        return result
    return replace(result, text=lead + render_passages(passages), passages=passages, tokens_read=tokens)


class _Selection:
    """The parts of the passages that are chosen so far."""

    def __init__(self, passages: Sequence[Passage], asked: str, library: AnsweredLibrary | None) -> None:
        self._passages = passages
        self._section = Section(asked, ConceptEvidence(asked, tuple(passages)), library, alone=True)
        self._sheets = [_Sheet(passage.content) for passage in passages]
        material = self._section.material
        owned = {(piece.place[0], piece.place[1]) for piece in (*material.statements, *material.blocks)}
        self._bound = owned | material.withheld_parts
        self._chosen: set[Group] = set()

    def within(self, budget: int) -> tuple[Passage, ...]:
        """The passages with their best parts, the best of all in any case."""
        units = self._section.units
        for number, one in enumerate(units):
            if one.score >= BESIDE * units[0].score:
                budget -= self._take(one, min(budget, FURTHER if number else FIRST))
        if units:
            self._take(units[0], budget)
        return tuple(self._shown())

    def _take(self, one: ScoredUnit, room: int) -> int:
        """Take a unit whole, else those of its clusters that fit, the best first; of the first unit one at least. Its tokens."""
        taken = 0
        best_first = sorted(range(len(one.worth)), key=lambda place: (-one.worth[place], place))
        for clusters in (one.unit.clusters, *((one.unit.clusters[place],) for place in best_first)):
            parts = self._parts_of(clusters) - self._chosen
            cost = self._cost(parts)
            if taken + cost <= room or not (self._chosen or clusters is one.unit.clusters):
                self._chosen |= parts
                taken += cost
        return taken

    def _parts_of(self, clusters: Iterable[Cluster]) -> set[Group]:
        """The parts that clusters are made of, with the names and headings that they stand under."""
        found: set[Group] = set()
        for cluster in clusters:
            for rank, index in {(piece.place[0], piece.place[1]) for piece in cluster.pieces}:
                found.add((rank, index))
                found |= {(rank, heading) for heading in self._sheets[rank].headings_above(index)}
                before = index - 1
                while before >= 0 and (rank, before) not in self._bound and self._sheets[rank].names_what_follows(before):
                    found.add((rank, before))
                    before -= 1
        return found

    def _cost(self, parts: set[Group]) -> int:
        known = {rank for rank, _ in self._chosen}
        heads = [self._passages[rank] for rank in {rank for rank, _ in parts} - known]
        texts = [self._sheets[rank].text(index) for rank, index in parts]
        return sum(map(estimate_tokens, texts)) + sum(estimate_tokens(_head(passage)) for passage in heads)

    def _shown(self) -> Iterator[Passage]:
        for rank, passage in enumerate(self._passages):
            kept = sorted(index for chosen, index in self._chosen if chosen == rank)
            if kept:
                yield replace(passage, content=self._sheets[rank].only(kept))


def _head(passage: Passage) -> str:
    """What a passage takes beside its content: title, source, a gap, and the rule behind it."""
    return render_passages([replace(passage, content=GAP)]) + f"\n\n{PASSAGE_RULE}\n\n"


class _Sheet:
    """One passage by its parts, each as it is written."""

    def __init__(self, content: str) -> None:
        shown = without_hidden_text(content)
        self._parts = parts_of(shown)
        lines = shown.split("\n")
        ends = [part.line for part in self._parts[1:]] + [len(lines)]
        self._texts = ["\n".join(lines[part.line : end]) for part, end in zip(self._parts, ends, strict=True)]

    def text(self, index: int) -> str:
        return self._texts[index]

    def names_what_follows(self, index: int) -> bool:
        """Whether a part that nothing is made of may be the name of what stands behind it, such as the signature of an option."""
        return self._parts[index].kind not in ("heading", "code")

    def headings_above(self, index: int) -> Iterator[int]:
        """The headings that a part stands under, the nearest first."""
        level = 7
        for place in range(index - 1, -1, -1):
            mark = self._texts[place].lstrip()
            depth = len(mark) - len(mark.lstrip("#"))
            if self._parts[place].kind == "heading" and depth < level:
                level = depth
                yield place

    def only(self, kept: Sequence[int]) -> str:
        """The parts that are kept, in order, with a mark where one between them, before or behind them is left out."""
        text = ""
        expected = 0
        for index in kept:
            if index != expected:
                text = f"{text.rstrip()}\n\n{GAP}\n".lstrip() + "\n"
            text += f"{self._texts[index]}\n"
            expected = index + 1
        return text.rstrip() + (f"\n\n{GAP}" if expected < len(self._parts) else "")
