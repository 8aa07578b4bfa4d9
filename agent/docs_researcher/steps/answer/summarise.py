"""The last step without a model: an answer made of the sentences and the code of the documentation itself.

Everything in the answer stands in a passage. The budget holds always; long code is abridged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.clean import clean
from docs_researcher.core.passages import Passage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer.answer_text import REFERENCES, headline, references
from docs_researcher.steps.answer.gaps import gaps
from docs_researcher.steps.answer.section import ConceptEvidence, Section
from docs_researcher.steps.answer.untrusted import may_be_quoted

__all__ = ["ConceptEvidence", "Summary", "summarise"]

MOST_REFERENCES = 9
PAGES_A_SECTION = 3
"""Lines of the reference list for which room is kept, for each section."""

TOKENS_A_REFERENCE = 150
"""Of so many tokens of an answer room for one such line is kept: a small answer is taken from one page."""


@dataclass(frozen=True, slots=True)
class Summary:
    """An answer's text; `weak` when nothing found clearly answers; `used` are the passages quoted, in the order of use."""

    text: str
    weak: bool
    used: tuple[Passage, ...]
    withheld: int = 0
    """Pieces that were not quoted since they speak to an assistant or run a remote script."""
    passed_over: tuple[str, ...] = ()
    """Titles of passages that the search put first, and that another one answers for since such a piece stands in them."""
    lacking: str = ""
    """That the documentation is thin and does not hold what was asked for; empty where that is not so."""
    doubtful: bool = False
    """Whether a part of it more likely does not answer than that it does, though not all is weak."""


def summarise(
    question: str,
    concepts: Sequence[ConceptEvidence],
    *,
    budget: int,
    library: AnsweredLibrary | None,
    lead: Sequence[str] = (),
    left_out: Sequence[str] = (),
    description: str = "",
    only_reference: bool = False,
) -> Summary:
    """Answer a question out of the passages found for its concepts, within `budget` tokens.

    `lead` are sentences that have to be said first; `left_out` are the concepts that were not looked up. `description` is what
    the library's package says that it is, for a question about that which no page answers. `only_reference` says that the
    documentation holds no guide.
    """
    found = [concept for concept in concepts if concept.passages]
    sections = [Section(question, concept, library, alone=len(concepts) == 1) for concept in found]
    weak = bool(found) and all(section.weak for section in sections)
    page = _Page(budget)
    page.add(headline(library, [passage for concept in found for passage in concept.passages]))
    page.add(" ".join(lead))
    passed_over = tuple(dict.fromkeys(title for section in sections for title in section.passed_over))
    page.add(_passed_over(passed_over))
    lacking = gaps(sections, concepts, left_out, only_reference=only_reference)
    page.add(lacking.told)
    page.add(_described(description, library, sections))
    used: list[Passage] = []
    for position, section in enumerate(sections):
        share = (page.left - _reference_tokens(sections[position:], library, budget)) // (len(sections) - position)
        text, passages = section.write(share, page.left, page.shown)
        page.add(text)
        used += passages
    lines = references(used, library)[:MOST_REFERENCES]
    page.add_lines(REFERENCES, lines)
    return Summary(
        clean(page.text),
        weak,
        tuple(dict.fromkeys(used)),
        sum(section.material.withheld for section in sections),
        passed_over,
        lacking.told if lacking.are_asked_for else "",
        not weak and any(section.weak or section.is_doubtful for section in sections),
    )


def _described(description: str, library: AnsweredLibrary | None, sections: Sequence[Section]) -> str:
    """What the package says that it is, where nothing but that is asked and no sentence of the documentation says it."""
    first = sections[0] if len(sections) == 1 and sections[0].is_about_itself else None
    if first is None or library is None or not description or (first.definition is not None and first.definition.is_said):
        return ""
    return f"{library.name}: {description.rstrip('.')}." if may_be_quoted(description, first.terms) else ""


def _reference_tokens(sections: Sequence[Section], library: AnsweredLibrary | None, budget: int) -> int:
    """Tokens to keep free for the references of the sections still to be written."""
    passages = [passage for section in sections for passage in section.material.passages]
    lines = references(passages, library)[: max(1, min(PAGES_A_SECTION * len(sections), budget // TOKENS_A_REFERENCE))]
    return estimate_tokens("\n".join([REFERENCES, *lines])) + len(lines) + 2 if lines else 0


def _passed_over(titles: Sequence[str]) -> str:
    if not titles:
        return ""
    return f"Withheld, since it speaks to an assistant or runs a remote script: text of “{titles[0]}”."


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
