"""The last step without a model: an answer made of the sentences and the code of the documentation itself.

Everything in the answer stands in a passage. The budget holds always; code is shown whole or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.clean import clean
from docs_researcher.core.passages import Passage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer_text import (
    REFERENCES,
    block_text,
    concept_heading,
    excerpt,
    headline,
    page_of,
    references,
    source_line,
)
from docs_researcher.steps.code_choice import FROM_ELSEWHERE as BLOCK_FROM_ELSEWHERE
from docs_researcher.steps.code_choice import WORTH_SHOWING, ScoredBlock, choose_blocks, scored_blocks, without_twins
from docs_researcher.steps.material import CodeBlock, Material, Place, Statement, material_of
from docs_researcher.steps.question_terms import QuestionTerms, question_terms, stems_of
from docs_researcher.steps.statement_choice import (
    FROM_ELSEWHERE,
    WORTH_SAYING,
    ScoredStatement,
    choose_statements,
    first_page_answers,
    key_symbols,
    passage_scores,
    scored_statements,
)

WEAK = 0.5
"""Below this confidence a passage is a guess (measured: 57 % of such results hold the right page, 2026-11-29)."""
MOST_BLOCKS = 3
CODE_SHARE = 0.62
"""The part of a section's tokens that code may take."""
MOST_REFERENCES = 9
PAGES_A_SECTION = 3
"""Lines of the reference list for which room is kept, for each section."""
BEYOND_AN_ANSWER = 0.95
"""What a piece of another page needs, beside the best one's 1, where the first page answers by itself."""
EXCERPT_OVERHEAD = 4
"""Tokens of the line breaks and fences around an excerpt."""


@dataclass(frozen=True, slots=True)
class ConceptEvidence:
    """What was found for one concept of a question, best first."""

    concept: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """An answer's text; `weak` when nothing found clearly answers; `used` are the passages quoted, in the order of use."""

    text: str
    weak: bool
    used: tuple[Passage, ...]
    withheld: int = 0
    """Pieces that were not quoted since they speak to an assistant or run a remote script."""


def summarise(
    question: str,
    concepts: Sequence[ConceptEvidence],
    *,
    budget: int,
    library: AnsweredLibrary | None,
    lead: Sequence[str] = (),
    left_out: Sequence[str] = (),
) -> Summary:
    """Answer a question out of the passages found for its concepts, within `budget` tokens.

    `lead` are sentences that have to be said first; `left_out` are the concepts that were not looked up.
    """
    found = [concept for concept in concepts if concept.passages]
    sections = [_Section(question, concept, library, alone=len(concepts) == 1) for concept in found]
    weak = bool(found) and all(section.weak for section in sections)
    page = _Page(budget)
    page.add(headline(library, [passage for concept in found for passage in concept.passages]))
    page.add(" ".join(lead))
    page.add(_unanswered(sections, concepts, left_out))
    used: list[Passage] = []
    for position, section in enumerate(sections):
        share = (page.left - _reference_tokens(sections[position:], library)) // (len(sections) - position)
        most = max(1, MOST_BLOCKS // len(sections) + (1 if position < MOST_BLOCKS % len(sections) else 0))
        text, passages = section.write(share, most, page.shown)
        page.add(text)
        used += passages
    lines = references(used, library)[:MOST_REFERENCES]
    page.add_lines(REFERENCES, lines)
    return Summary(clean(page.text), weak, tuple(dict.fromkeys(used)), sum(section.material.withheld for section in sections))


def _reference_tokens(sections: Sequence[_Section], library: AnsweredLibrary | None) -> int:
    """Tokens to keep free for the references of the sections still to be written."""
    passages = [passage for section in sections for passage in section.material.passages]
    lines = references(passages, library)[: PAGES_A_SECTION * len(sections)]
    return estimate_tokens("\n".join([REFERENCES, *lines])) + len(lines) + 2 if lines else 0


def _unanswered(sections: Sequence[_Section], concepts: Sequence[ConceptEvidence], left_out: Sequence[str]) -> str:
    """What the answer cannot give, in plain sentences."""
    said: list[str] = []
    if sections and all(section.weak for section in sections):
        said.append(f"Weak match: the documentation found does not clearly answer this. {_next_try(sections[0])}")
    else:
        said += [f"Weak match for “{section.concept}”. {_next_try(section)}" for section in sections if section.weak]
    empty = [concept.concept for concept in concepts if not concept.passages]
    if empty:
        said.append(f"Nothing was found for: {', '.join(empty)}.")
    if left_out:
        said.append(f"Not looked up, ask again for: {', '.join(left_out)}.")
    return " ".join(said)


def _next_try(section: _Section) -> str:
    missing = ", ".join(f"“{word}”" for word in section.missing_words[:3])
    why = f"It does not mention {missing}. " if missing else ""
    return f"{why}Try the API's own names for it."


class _Page:
    """The text so far, which never grows beyond its budget."""

    def __init__(self, budget: int) -> None:
        self.left = budget
        self.shown: list[str] = []
        self._parts: list[str] = []

    @property
    def text(self) -> str:
        return "\n\n".join(self._parts)

    def add(self, text: str) -> bool:
        """Add a part if it fits; its cost is an upper bound, since estimates of parts round up."""
        tokens = estimate_tokens(text + "\n\n") if text else 0
        if not text or tokens > self.left:
            return False
        self._parts.append(text)
        self.left -= tokens
        return True

    def add_lines(self, title: str, lines: Sequence[str]) -> None:
        """Add a list below its title, with as many lines as fit."""
        for count in range(len(lines), 0, -1):
            if self.add("\n".join([title, *lines[:count]])):
                return


class _Section:
    """One concept: what it asks, what was found, and the text made of it."""

    def __init__(self, question: str, evidence: ConceptEvidence, library: AnsweredLibrary | None, *, alone: bool) -> None:
        self.concept = evidence.concept
        self.alone = alone
        asked = question if alone else evidence.concept
        terms = question_terms(asked, _own_names(library))
        self.material = material_of(evidence.passages, terms)
        self.terms = terms.weighted(_texts(self.material))
        self.weak = _confidence(self.material, self.terms) < WEAK

    @property
    def missing_words(self) -> tuple[str, ...]:
        """Words of the question that stand in none of the passages, as the question writes them."""
        held = frozenset[str]().union(*(stems_of(f"{passage.title} {passage.content}") for passage in self.material.passages))
        words = [word.strip(".,;:!?()\"'`") for word in self.terms.text.split()]
        stems = set(self.terms.stems) - held
        return tuple(dict.fromkeys(word for word in words if stems_of(word) & stems))

    def write(self, budget: int, most_blocks: int, shown: list[str]) -> tuple[str, list[Passage]]:
        """The section's text within `budget` tokens and the passages it quotes. `shown` is what stands in the answer already."""
        heading = "" if self.alone else concept_heading(self.concept)
        budget -= estimate_tokens(heading) + EXCERPT_OVERHEAD if heading else EXCERPT_OVERHEAD
        scores = passage_scores(self.material, self.terms)
        statements = scored_statements(self.material, self.terms, scores)
        statements = tuple(one for one in statements if one.statement.text not in shown)
        answer = statements[0].statement.place if statements else None
        ranked = without_twins(scored_blocks(self.material, self.terms, scores, key_symbols(statements, scores), answer))
        ranked = tuple(one for one in ranked if one.block.code not in shown)
        enough = self._needed_elsewhere(statements, ranked)
        blocks, too_long = choose_blocks(ranked, most=most_blocks, budget=int(budget * CODE_SHARE), from_elsewhere=enough[1])
        code = [one.block for one in blocks]
        pointer = self._pointer(too_long)
        spent = sum(_block_cost(block) for block in code) + estimate_tokens(pointer)
        sources = max(1, min(3, len(self.material.passages))) * 16
        left = budget - spent - sources
        chosen, further = choose_statements(self.material, statements, code, budget=left, from_elsewhere=enough[0])
        code += further
        worth = {one.statement.place: one.score for one in statements} | {one.block.place: one.score for one in blocks}
        text, passages = self._excerpts(chosen, code, worth, scores, budget - estimate_tokens(pointer))
        if too_long is not None:
            passages.append(self.material.passages[too_long.block.place[0]])
        shown += [one.text for one in chosen] + [block.code for block in code]
        return "\n\n".join(part for part in (heading, text, pointer) if part), passages

    def _needed_elsewhere(self, statements: Sequence[ScoredStatement], blocks: Sequence[ScoredBlock]) -> tuple[float, float]:
        """The shares of the best score that statements and blocks of further pages need."""
        if self.weak:
            return WORTH_SAYING, WORTH_SHOWING
        if first_page_answers(self.material, self.terms, statements, blocks):
            return BEYOND_AN_ANSWER, BEYOND_AN_ANSWER
        return FROM_ELSEWHERE, BLOCK_FROM_ELSEWHERE

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
        worth_of = {
            page: max(best[rank] + scores[rank] for rank in best if pages[rank] == page)
            for page in {pages[rank] for rank in best}
        }
        lines = [passage.line or 0 for passage in self.material.passages]
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
