"""One concept of a question: what it asks, what was found for it, and the text made of that within its budget."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.passages import Passage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer.answer_text import concept_heading, excerpt, page_of, source_line
from docs_researcher.steps.answer.cluster_cut import standing
from docs_researcher.steps.answer.code_choice import is_drawing, names, scored_blocks, without_dresses
from docs_researcher.steps.answer.definition import asked_names, definition, introducing, is_about_itself, opened_by
from docs_researcher.steps.answer.material import Material, Place, is_numbered, material_of
from docs_researcher.steps.answer.nearest import nearest
from docs_researcher.steps.answer.page_imports import INTRODUCTION, imports_for
from docs_researcher.steps.answer.same_units import variants_line, without_doubles, without_pointers, without_variants
from docs_researcher.steps.answer.sides import is_headed_by, names_side, tells_apart
from docs_researcher.steps.answer.statement_choice import (
    ScoredStatement,
    can_open,
    passage_scores,
    scored_statements,
)
from docs_researcher.steps.answer.sureness import sureness
from docs_researcher.steps.answer.unit_choice import MOST_SOURCES, UNSURE, Choice, Excerpt
from docs_researcher.steps.answer.unit_scores import SOURCE_FILES, ScoredUnit, UnitScores
from docs_researcher.steps.answer.units import Cluster, Unit, units_of
from docs_researcher.steps.answer.upgrades import of_the_step
from docs_researcher.steps.queries.developer_words import RELATION
from docs_researcher.steps.queries.joined_tasks import joined_tasks
from docs_researcher.steps.queries.question_terms import question_terms, stems_of

WEAK = 0.3
"""Below this sureness it is a weak match where most of what is asked stands nowhere. Where the words are there, a result as
unsure as that was right in 9 of 13 cases (2026-11-30)."""
WEAK_WITHOUT_A_NAME = 0.46
"""The same where a name in the question ("Kafka", "S3") stands nowhere."""
WEAK_SIDES = 0.4
"""The same where nothing that was found is about one of the things compared."""
UNLIKELY = 0.3
"""Below this confidence of the search, and UNSURE as well, 9 of 34 answers were right; of 127 others 92 (2026-11-30)."""
LOOKED_THROUGH = 3
"""So many of the best units tell whether there is anything but declarations."""
NOWHERE_AT_LEAST = 0.5
"""The share of the question's words that stand nowhere, from which on most of what is asked does."""
SOURCE_TOKENS = 20
"""Tokens of the line that names where an excerpt stands."""
TOKENS_A_SOURCE = 150
"""Of so many tokens one goes with about one source."""
NOTHING = 0.2
"""Below this sureness a weak match is about something else: 10 of 13 made-up questions that the documentation cannot answer lay
below it, as did 3 of 20 that it may (2026-11-30)."""
WEAK_TOKENS = 600
"""Tokens of a weak match above it: readers could have acted on what three such answers only pointed to."""
SHORT_PIECE = 80
"""Tokens up to which the best piece of a weak match is shown."""
EXCERPT_OVERHEAD = 4
"""Tokens of the line breaks and fences around an excerpt."""


@dataclass(frozen=True, slots=True)
class ConceptEvidence:
    """What was found for one concept of a question, best first."""

    concept: str
    passages: tuple[Passage, ...]


class Section:
    """One concept: what it asks, what was found, and the text made of it."""

    def __init__(self, question: str, evidence: ConceptEvidence, library: AnsweredLibrary | None, *, alone: bool) -> None:
        self.concept = evidence.concept
        self.alone = alone
        asked = question if alone else evidence.concept
        own = _own_names(library, asked)
        terms = question_terms(asked, own)
        self.material = material_of(evidence.passages, terms)
        self.is_about_itself = is_about_itself(asked, own)
        self.definition = definition(self.material, asked_names(asked, own), itself=self.is_about_itself)
        self.terms = terms.weighted(_texts(self.material))
        self._scores = passage_scores(self.material, self.terms)
        self._statements = scored_statements(self.material, self.terms, self._scores)
        self._blocks = scored_blocks(self.material, self.terms, self._scores)
        self.units, self._variants = without_variants(self._scored_units(), self.terms)
        self._tasks = tuple(self._best_for(task, own) for task in joined_tasks(asked, own)) if alone else ()
        self.sureness = sureness(self.units, self.material, self.terms)
        self.weak = self._is_weak()

    def _scored_units(self) -> list[ScoredUnit]:
        """The units of all passages, best first."""
        blocks = tuple(block for block in without_dresses(self.material.blocks, self.terms) if not is_drawing(block))
        scores = UnitScores(self.material, self.terms, self._statements, self._blocks)
        found = [scores.of(unit) for unit in units_of(replace(self.material, blocks=blocks))]
        found = of_the_step(found, self.terms, self.material.passages)
        found = without_pointers(without_doubles(sorted(found, key=lambda one: (-one.score, one.unit.rank))))
        found = opened_by(found, self.definition.place) if self.definition is not None else found
        return (introducing(found) or found) if self.is_about_itself else found

    def _best_for(self, task: str, own: Sequence[str]) -> tuple[ScoredUnit, ...]:
        """The units, the best one first for one of the things that the question asks for at once."""
        terms = question_terms(task, own).weighted(_texts(self.material))
        scores = passage_scores(self.material, terms)
        statements = scored_statements(self.material, terms, scores)
        blocks = scored_blocks(self.material, terms, scores)
        scored = UnitScores(self.material, terms, statements, blocks)
        return tuple(sorted((scored.of(one.unit) for one in self.units), key=lambda one: -one.score))

    def _is_weak(self) -> bool:
        """Whether what was found is most likely about something else."""
        if self.definition is not None:
            return False
        if any(names(symbol, text) for symbol in self.terms.symbols for text in _texts(self.material)):
            return False
        if self._is_old_news and self.sureness < UNSURE:
            return True
        words = [word for word in self.terms.text.split() if stems_of(word) & set(self.terms.stems)]
        if self.sureness < WEAK and len(self._absent_words) >= max(1.0, NOWHERE_AT_LEAST * len(words)):
            return True
        if self.sureness < WEAK_WITHOUT_A_NAME and self.missing_names:
            return True
        return bool(self.sureness < WEAK_SIDES and self.terms.sides and not self._tells_of_sides)

    @property
    def is_doubtful(self) -> bool:
        """Whether what was found more likely does not answer than that it does, though it is no weak match."""
        passages = self.material.passages if self.terms.called else self.material.passages[:1]
        known = [one.confidence for one in passages if one.confidence is not None]  # of a query by a thing's name, or the asker's
        if not known or self.weak or self.definition is not None or (self.terms.sides and self._tells_of_sides):
            return False
        if self.terms.intent == "migration" and self.units and self.units[0].is_history:
            return False
        if any(names(symbol, text) for symbol in self.terms.symbols for text in _texts(self.material)):
            return False
        return max(known) < UNLIKELY and self.sureness < UNSURE

    @property
    def is_bare(self) -> bool:
        """Whether somebody who asks how a thing is done gets declarations without a word on them."""
        best = [one.unit for one in self.units[:LOOKED_THROUGH]]
        return self.terms.intent in ("how_to", "error") and bool(best) and all(map(self._is_bare, best))

    def _is_bare(self, unit: Unit) -> bool:
        declared = (self.material.passages[unit.rank].path or "").endswith(SOURCE_FILES)
        return declared and not any(cluster.statements for cluster in unit.clusters)

    @property
    def _is_old_news(self) -> bool:
        """Whether the best that was found are release notes or notes on an upgrade, and nobody asked for these."""
        return bool(self.units) and self.units[0].is_history and self.terms.intent != "migration"

    @property
    def _tells_of_sides(self) -> bool:
        """Whether a section is headed by one of the things compared, or a paragraph says how they differ."""
        return self.tells_apart or any(is_headed_by(side, one.unit) for side in self.terms.sides for one in self.units)

    @property
    def tells_apart(self) -> bool:
        """Whether a paragraph of what was found says how the things compared differ."""
        return any(tells_apart(self.terms.sides, cluster) for one in self.units for cluster in one.unit.clusters)

    @property
    def unnamed_sides(self) -> tuple[str, ...]:
        """Those of the things compared that stand in none of the passages."""
        texts = [f"{passage.title}\n{passage.content}" for passage in self.material.passages]
        return tuple(side for side in self.terms.sides if not any(names_side(side, text) for text in texts))

    @property
    def passed_over(self) -> tuple[str, ...]:
        """Titles of the passages before the one of the best unit, best first, of which something was withheld."""
        best = self.units[0].unit.rank if self.units else len(self.material.passages)
        ranks = sorted({rank for rank, _ in self.material.withheld_parts if rank < best})
        return tuple(self.material.passages[rank].title for rank in ranks)

    @property
    def missing_words(self) -> tuple[str, ...]:
        """Words of the question that stand in none of the passages, without those of which nobody wonders."""
        return tuple(word for word in self._absent_words if word.lower() not in _TELLS_NOTHING)

    @property
    def lacks_much(self) -> bool:
        """Whether half of what is asked stands nowhere in what was found."""
        return len(self.missing_words) >= max(1.0, NOWHERE_AT_LEAST * len(self.terms.stems))

    @property
    def _absent_words(self) -> tuple[str, ...]:
        """All of them, as the question writes them."""
        held = frozenset[str]().union(*(stems_of(f"{passage.title} {passage.content}") for passage in self.material.passages))
        words = [word.strip(".,;:!?()\"'`") for word in RELATION.sub(r"\1-to-\2", self.terms.text).split()]
        stems = self.terms.absent(held)
        return tuple(dict.fromkeys(word for word in words if stems_of(word) & stems))

    @property
    def missing_names(self) -> tuple[str, ...]:
        """Those of the missing words that are names: "Kafka", "S3". An everyday word that stands nowhere tells nothing."""
        openings = {match.group(1) for match in _OPENS_A_SENTENCE.finditer(self.terms.text)}
        return tuple(
            word for word in self.missing_words if _NAME.search(word) and word not in openings and word.lower() not in _LANGUAGES
        )

    @property
    def unnamed(self) -> tuple[str, ...]:
        """Names of the API in the question that stand in none of the passages, as the question writes them."""
        texts = [f"{passage.title}\n{passage.content}" for passage in self.material.passages]
        asked = [symbol for symbol in self.terms.symbols if _OF_AN_API.search(symbol)]
        return tuple(symbol for symbol in asked if not any(names(symbol, text) or _names_last(symbol, text) for text in texts))

    def write(self, budget: int, room: int, shown: list[str]) -> tuple[str, list[Passage]]:
        """The section's text within `budget` tokens and the passages it quotes. `shown` is what stands in the answer already.

        Where nothing fits, the best sentence is said, though it takes all of the `room` that the whole answer has left.
        """
        heading = "" if self.alone else concept_heading(self.concept)
        if self.weak and (self.sureness < NOTHING or self._is_old_news):
            return self._nearest(heading, budget)
        budget = min(budget, WEAK_TOKENS) if self.weak else budget
        budget -= estimate_tokens(heading) + EXCERPT_OVERHEAD if heading else EXCERPT_OVERHEAD
        sources = max(1, min(MOST_SOURCES, len(self.material.passages), budget // TOKENS_A_SOURCE)) * SOURCE_TOKENS
        choice = Choice(
            self.terms,
            budget=budget - sources,
            sure=self.sureness,
            shown=shown,
        )
        choice.fill(self.units, self._tasks)
        text, passages = self._excerpts(choice.excerpts, budget)
        if not text:
            text, passages = self._one_sentence(self._statements, room - estimate_tokens(heading) - EXCERPT_OVERHEAD)
        for one in choice.excerpts:
            shown += [statement.text for statement in one.statements] + [block.code for block in one.blocks]
        also = next((block.also for one in choice.excerpts for block in one.blocks if block.also), "")
        note = f"The documentation shows this code in {also} too." if also else ""
        note = note if estimate_tokens("\n\n".join((heading, text, note))) <= room else ""
        return "\n\n".join(part for part in (heading, text, note) if part), passages

    def _nearest(self, heading: str, budget: int) -> tuple[str, list[Passage]]:
        """Where to look, in a line each, since nothing of what was found clearly answers; a best piece of a few lines whole."""
        room = budget - estimate_tokens(heading) - EXCERPT_OVERHEAD
        if not self.units:
            return heading, []
        best = self.units[0]
        short = standing(best.unit.clusters[best.best].pieces)
        shown, passages = "", list[Passage]()
        if short and Cluster(short).tokens <= min(SHORT_PIECE, room - SOURCE_TOKENS):
            shown, passages = self._excerpts([Excerpt(best.unit.rank, best.unit.heading, short)], room)
            room -= estimate_tokens(shown)
        text, units = nearest(self.units[1:] if shown else self.units, self._statements, room)
        passages += [self.material.passages[one.unit.rank] for one in units]
        return "\n\n".join(part for part in (heading, shown, text) if part), passages

    def _imports(self, one: Excerpt, others: Sequence[Excerpt]) -> str:
        """The import lines that the code of an excerpt needs and that stand in a block of its page which is not shown."""
        page = page_of(self.material.passages[one.rank])
        shown = {block.place for other in [one, *others] for block in other.blocks}
        known = "\n".join(block.code for other in others for block in other.blocks)
        blocks = [
            block
            for block in self.material.blocks
            if block.place not in shown and page_of(self.material.passages[block.place[0]]) == page
        ]
        lines, language = imports_for(one.blocks, blocks, known)
        return f"{INTRODUCTION}\n\n```{language}\n{lines}\n```" if lines else ""

    def _one_sentence(self, scored: Sequence[ScoredStatement], room: int) -> tuple[str, list[Passage]]:
        """The best sentence that fits by itself, else the beginning of the best one; nothing in a room of a few words."""
        ready = [one.statement for one in scored if can_open(one.statement)] or [one.statement for one in scored]
        for one in [*(one for one in ready if estimate_tokens(one.text) <= room), *ready[:1]]:
            text = excerpt([replace(one, kind="sentence", group=None)], [], {})
            text = text if estimate_tokens(text) <= room else _beginning(text, room)
            return text, [self.material.passages[one.place[0]]] if text else []
        return "", []

    def _excerpts(self, chosen: Sequence[Excerpt], budget: int) -> tuple[str, list[Passage]]:
        """The excerpts as text, as many as fit: the best one, the rest of its page, then other pages, each in its own order.

        A numbered step is read in the order of the numbers, so that one is not put before the others.
        """
        pages = list(dict.fromkeys(page_of(self.material.passages[one.rank]) for one in chosen))
        lines = [passage.line or 0 for passage in self.material.passages]
        first = None if not chosen or is_numbered(chosen[0].heading.rsplit(" > ", 1)[-1]) else chosen[0]

        def place(one: Excerpt) -> tuple[int, bool, int, Place]:
            page = pages.index(page_of(self.material.passages[one.rank]))
            return page, one is not first, lines[one.rank], one.pieces[0].place

        parts: list[tuple[str, str]] = []
        passages: list[Passage] = []
        for one in sorted(chosen, key=place):
            passage = self.material.passages[one.rank]
            source = source_line(passage, one.heading)
            text = excerpt(one.statements, one.blocks, self.material.groups)
            if imported := self._imports(one, [other for other in chosen if other is not one]):
                text = f"{text}\n\n{imported}"
            if same := self._variants.get((one.rank, one.heading)):
                unit = next(kept.unit for kept in self.units if (kept.unit.rank, kept.unit.heading) == (one.rank, one.heading))
                text = f"{text}\n\n{variants_line(unit, same)}"
            tokens = estimate_tokens(f"{text}\n\n{source}\n\n")
            if tokens <= budget:
                budget -= tokens
                parts.append((text, source))
                passages.append(passage)
        return _with_sources(parts), passages


_OPENS_A_SENTENCE = re.compile(r"(?:^|[.:;?!]\s+)[\"'“]?(\w+)")
_LANGUAGES = frozenset("javascript typescript python js ts node html css sql bash windows linux macos".split())
"""Names that tell where something is used and not what it is."""
_NAME = re.compile(r"^[A-Z]|[a-z][A-Z]|^(?=\w*[A-Za-z])\w*\d")
_OF_AN_API = re.compile(r"^--?\w|_\w|^[a-z]+[A-Z]")
"""An option, a name with an underscore, or one in camel case: nobody writes these without meaning the API."""
_TELLS_NOTHING = frozenset(
    "two three four five six seven eight nine ten twice once another other even whatever whichever although though around away"
    " along never always ever longer bigger larger smaller faster better next last given gone takes".split()
)
"""Words of which nobody wonders that they stand nowhere."""
SHORTEST_LAST = 4
"""Letters of a name's last part that tell which name is meant."""
FEWEST_WORDS = 5
"""The beginning of a sentence says something from so many words on."""


def _beginning(text: str, room: int) -> str:
    """As many of the first words as fit, with a sign that there are more; empty when these are too few."""
    words = text.split()
    kept = next((count for count in range(len(words), 0, -1) if estimate_tokens(f"{' '.join(words[:count])} …") <= room), 0)
    return f"{' '.join(words[:kept])} …" if kept >= FEWEST_WORDS else ""


def _with_sources(excerpts: Sequence[tuple[str, str]]) -> str:
    """The excerpts, each with the line that names its source; one line for neighbours from the same place."""
    parts: list[str] = []
    for number, (text, source) in enumerate(excerpts):
        parts.append(text)
        if number + 1 == len(excerpts) or excerpts[number + 1][1] != source:
            parts.append(source)
    return "\n\n".join(parts)


def _own_names(library: AnsweredLibrary | None, asked: str) -> tuple[str, ...]:
    """What the question calls the library: its name, its id's, and these with a number behind (`jinja2` is Jinja)."""
    names = (library.name, library.id.rsplit("/", 1)[-1]) if library else ()
    numbered = (word for word in re.findall(r"[A-Za-z]+\d+", asked) if word.rstrip("0123456789").lower() in map(str.lower, names))
    return (*names, *numbered)


def _names_last(symbol: str, text: str) -> bool:
    """Whether a text names the last part of a dotted name: `vi.doMock` is documented as `VitestUtils.doMock`."""
    _, _, last = symbol.rstrip("()").rpartition(".")
    return "." in symbol and len(last) >= SHORTEST_LAST and names(last, text)


def _texts(material: Material) -> list[str]:
    return [one.text for one in material.statements] + [block.code for block in material.blocks]
