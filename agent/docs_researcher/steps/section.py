"""One concept of a question: what it asks, what was found for it, and the text made of that within its budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.passages import Passage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer_text import block_text, concept_heading, excerpt, page_of, source_line
from docs_researcher.steps.code_choice import FROM_ELSEWHERE as BLOCK_FROM_ELSEWHERE
from docs_researcher.steps.code_choice import (
    WORTH_SHOWING,
    ScoredBlock,
    choose_blocks,
    for_what_is_missing,
    names,
    scored_blocks,
    without_twins,
)
from docs_researcher.steps.material import CodeBlock, Material, Place, Statement, material_of
from docs_researcher.steps.question_terms import QuestionTerms, question_terms, stems_of
from docs_researcher.steps.statement_choice import (
    FROM_ELSEWHERE,
    WORTH_SAYING,
    ScoredStatement,
    can_open,
    choose_statements,
    first_page_answers,
    key_symbols,
    passage_scores,
    scored_statements,
)

WEAK = 0.5
"""Below this confidence a passage is a guess (measured: 57 % of such results hold the right page, 2026-11-29)."""
SAID_AT_LEAST = 0.5
"""What may be quoted holds at least this share of what is asked, or is a guess."""
HEADED = 0.45
HELD_TOGETHER = 0.7
"""Where the search finds many places alike, a heading or a piece that holds these shares of what is asked sets one apart."""
ALIKE = 0.8
"""The search finds places alike when the third page scores this share of the first."""
WITH_CODE = 0.5
"""What a page is worth more to somebody who asks how to do a thing, for showing it in code."""
PAGES = 2
"""Pages that one concept is answered from, one where there is code; a further one has to show code, or say about as much."""
FIRM = 0.8
"""A block of this share of the best score does not make room for another."""
CODE_SHARE = 0.62
"""The part of a section's tokens that code may take."""
EXCERPT_OVERHEAD = 4
"""Tokens of the line breaks and fences around an excerpt."""
BEYOND_AN_ANSWER = 0.95
"""What a piece of another page needs, beside the best one's 1, where the first page answers by itself."""


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
        terms = question_terms(asked, _own_names(library))
        self.material = material_of(evidence.passages, terms)
        self.terms = terms.weighted(_texts(self.material))
        self._scores = passage_scores(self.material, self.terms)
        self._statements = scored_statements(self.material, self.terms, self._scores)
        self.weak = not self._is_named() and (_confidence(self.material, self.terms) < WEAK or self._is_a_guess())

    def _is_named(self) -> bool:
        """Whether the best passage stands on the page or under the heading of a name of the API that is asked about."""
        title = self.material.passages[0].title
        return any(names(symbol, title) for symbol in self.terms.symbols)

    def _is_a_guess(self) -> bool:
        """Whether what may be quoted holds too little of what is asked, or is picked out of many places that are all alike."""
        best = self._statements[0].score if self._statements else 0.0
        said = [one.statement for one in self._statements if one.score >= WORTH_SAYING * best]
        texts = [f"{one.heading} {one.label} {one.text}" for one in said]
        texts += [f"{block.heading} {block.code}" for block in self.material.blocks]
        shares = [self.terms.share(stems_of(text)) for text in texts]
        if not shares or self.terms.share(stems_of("\n".join(texts))) < SAID_AT_LEAST:
            return True
        headed = max(self.terms.share(stems_of(passage.title)) for passage in self.material.passages)
        return _are_alike(self.material.passages) and headed < HEADED and max(shares) < HELD_TOGETHER

    @property
    def missing_words(self) -> tuple[str, ...]:
        """Words of the question that stand in none of the passages, as the question writes them."""
        held = frozenset[str]().union(*(stems_of(f"{passage.title} {passage.content}") for passage in self.material.passages))
        words = [word.strip(".,;:!?()\"'`") for word in self.terms.text.split()]
        stems = set(self.terms.stems) - held
        return tuple(dict.fromkeys(word for word in words if stems_of(word) & stems))

    def write(self, budget: int, room: int, most_blocks: int, shown: list[str]) -> tuple[str, list[Passage]]:
        """The section's text within `budget` tokens and the passages it quotes. `shown` is what stands in the answer already.

        Where nothing fits, the best sentence is said, though it takes all of the `room` that the whole answer has left.
        """
        heading = "" if self.alone else concept_heading(self.concept)
        budget -= estimate_tokens(heading) + EXCERPT_OVERHEAD if heading else EXCERPT_OVERHEAD
        scores = self._scores
        statements = tuple(one for one in self._statements if one.statement.text not in shown)
        answer = statements[0].statement.place if statements else None
        ranked = without_twins(scored_blocks(self.material, self.terms, scores, key_symbols(statements, scores), answer))
        ranked = tuple(one for one in ranked if one.block.code not in shown)
        enough = self._needed_elsewhere(statements, ranked)
        blocks, too_long = choose_blocks(ranked, most=most_blocks, budget=int(budget * CODE_SHARE), from_elsewhere=enough[1])
        blocks = self._with_the_rest(blocks, ranked, most_blocks, int(budget * CODE_SHARE))
        code = [one.block for one in blocks]
        pointer = self._pointer(too_long)
        spent = sum(_block_cost(block) for block in code) + estimate_tokens(pointer)
        sources = max(1, min(3, len(self.material.passages))) * 16
        left = budget - spent - sources
        chosen, further = choose_statements(self.material, statements, code, budget=left, from_elsewhere=enough[0])
        code += further
        worth = {one.statement.place: one.score for one in statements} | {one.block.place: one.score for one in blocks}
        text, passages = self._excerpts(chosen, code, worth, scores, budget - estimate_tokens(pointer))
        if not text:
            text, passages = self._one_sentence(statements, room - estimate_tokens(heading) - EXCERPT_OVERHEAD)
            pointer = pointer if estimate_tokens(f"{text}{pointer}") + EXCERPT_OVERHEAD <= budget else ""
        if too_long is not None and pointer:
            passages.append(self.material.passages[too_long.block.place[0]])
        shown += [one.text for one in chosen] + [block.code for block in code]
        return "\n\n".join(part for part in (heading, text, pointer) if part), passages

    def _with_the_rest(
        self, blocks: Sequence[ScoredBlock], ranked: Sequence[ScoredBlock], most: int, budget: int
    ) -> tuple[ScoredBlock, ...]:
        """The chosen blocks, and one for a part of the question that they leave out; a weak third one makes room for it."""
        if not blocks or self.weak or self.terms.intent != "how_to":
            return tuple(blocks)
        kept = tuple(blocks) if len(blocks) < most else tuple(one for one in blocks if one.score >= FIRM * blocks[0].score)
        further = for_what_is_missing(ranked, kept, self.terms, budget - sum(one.tokens for one in kept))
        return (*kept, further) if further is not None and further not in blocks and len(kept) < most else tuple(blocks)

    def _needed_elsewhere(self, statements: Sequence[ScoredStatement], blocks: Sequence[ScoredBlock]) -> tuple[float, float]:
        """The shares of the best score that statements and blocks of further pages need."""
        if self.weak:
            return WORTH_SAYING, WORTH_SHOWING
        if first_page_answers(self.material, self.terms, statements, blocks):
            return BEYOND_AN_ANSWER, BEYOND_AN_ANSWER
        return FROM_ELSEWHERE, BLOCK_FROM_ELSEWHERE

    def _one_sentence(self, scored: Sequence[ScoredStatement], room: int) -> tuple[str, list[Passage]]:
        """The best sentence that fits by itself, else the beginning of the best one; nothing in a room of a few words."""
        ready = [one.statement for one in scored if can_open(one.statement)] or [one.statement for one in scored]
        for one in [*(one for one in ready if estimate_tokens(one.text) <= room), *ready[:1]]:
            text = excerpt([replace(one, kind="sentence", group=None)], [], {})
            text = text if estimate_tokens(text) <= room else _beginning(text, room)
            return text, [self.material.passages[one.place[0]]] if text else []
        return "", []

    def _pointer(self, too_long: ScoredBlock | None) -> str:
        if too_long is None:
            return ""
        return f"A longer example (about {too_long.tokens} tokens) was left out whole; it stands in “{too_long.block.heading}”."

    def _excerpts(
        self,
        statements: Sequence[Statement],
        blocks: Sequence[CodeBlock],
        worth: Mapping[Place, float],
        scores: Sequence[float],
        budget: int,
    ) -> tuple[str, list[Passage]]:
        """One excerpt a passage, the page with the best pieces first, within a page in its own order; as many as fit."""
        best: dict[int, float] = {}
        for one in [*statements, *blocks]:
            best[one.place[0]] = max(best.get(one.place[0], 0.0), worth.get(one.place, 0.0))
        pages = [page_of(passage) for passage in self.material.passages]
        shows = {pages[block.place[0]] for block in blocks} if self.terms.intent == "how_to" else set[str]()
        worth_of = {
            page: max(best[rank] + scores[rank] for rank in best if pages[rank] == page) + (WITH_CODE if page in shows else 0.0)
            for page in {pages[rank] for rank in best}
        }
        lines = [passage.line or 0 for passage in self.material.passages]
        top = max(best.values(), default=0.0)
        wanted = sorted(worth_of, key=lambda page: (-worth_of[page], pages.index(page)))
        near = {page for page in wanted if max(best[rank] for rank in best if pages[rank] == page) >= BEYOND_AN_ANSWER * top}
        near |= {*wanted[: 1 if blocks and not self.weak else PAGES], *(pages[block.place[0]] for block in blocks)}
        best = {rank: score for rank, score in best.items() if pages[rank] in near}
        ranks = sorted(best, key=lambda rank: (-worth_of[pages[rank]], pages.index(pages[rank]), lines[rank], rank))
        excerpts: list[tuple[str, str]] = []
        passages: list[Passage] = []
        for rank in ranks:
            passage = self.material.passages[rank]
            mine = [block for block in blocks if block.place[0] == rank]
            said = [one for one in statements if one.place[0] == rank]
            source = source_line(passage, mine[0].heading if mine else said[0].heading)
            text = excerpt(said, mine, self.material.groups)
            tokens = estimate_tokens(f"{text}\n\n{source}\n\n")
            if tokens <= budget:
                budget -= tokens
                excerpts.append((text, source))
                passages.append(passage)
        return _with_sources(excerpts), passages


FEWEST_WORDS = 5
"""The beginning of a sentence says something from so many words on."""


def _beginning(text: str, room: int) -> str:
    """As many of the first words as fit, with a sign that there are more; empty when these are too few."""
    words = text.split()
    kept = next((count for count in range(len(words), 0, -1) if estimate_tokens(f"{' '.join(words[:count])} …") <= room), 0)
    return f"{' '.join(words[:kept])} …" if kept >= FEWEST_WORDS else ""


def _are_alike(passages: Sequence[Passage]) -> bool:
    """Whether no page stands out in a result."""
    best: dict[str, float] = {}
    for passage in passages:
        best[page_of(passage)] = max(best.get(page_of(passage), 0.0), passage.score or 0.0)
    scores = sorted(best.values(), reverse=True)
    return len(scores) > 2 and scores[2] >= ALIKE * scores[0] > 0


def _with_sources(excerpts: Sequence[tuple[str, str]]) -> str:
    """The excerpts, each with the line that names its source; one line for neighbours from the same place."""
    parts: list[str] = []
    for number, (text, source) in enumerate(excerpts):
        parts.append(text)
        if number + 1 == len(excerpts) or excerpts[number + 1][1] != source:
            parts.append(source)
    return "\n\n".join(parts)


def _block_cost(block: CodeBlock) -> int:
    return estimate_tokens(block_text(block) + "\n\n")


def _own_names(library: AnsweredLibrary | None) -> tuple[str, ...]:
    return (library.name, library.id.rsplit("/", 1)[-1]) if library else ()


def _texts(material: Material) -> list[str]:
    return [one.text for one in material.statements] + [block.code for block in material.blocks]


def _confidence(material: Material, terms: QuestionTerms) -> float:
    """The provider's own confidence in the best passage, else the share of the question's terms that it holds."""
    if not material.passages:
        return 0.0
    best = material.passages[0]
    if best.confidence is not None:
        return best.confidence
    return terms.share(stems_of(f"{best.title} {best.content}"))
