"""The last step without a model: an answer made of the sentences and the code of the documentation itself.

Everything in the answer stands in a passage. The budget holds always; long code is abridged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.clean import clean
from docs_researcher.core.passages import Passage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer.answer_text import REFERENCES, headline, references
from docs_researcher.steps.answer.next_query import next_queries
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


def summarise(
    question: str,
    concepts: Sequence[ConceptEvidence],
    *,
    budget: int,
    library: AnsweredLibrary | None,
    lead: Sequence[str] = (),
    left_out: Sequence[str] = (),
    description: str = "",
) -> Summary:
    """Answer a question out of the passages found for its concepts, within `budget` tokens.

    `lead` are sentences that have to be said first; `left_out` are the concepts that were not looked up. `description` is what
    the library's package says that it is, for a question about that which no page answers.
    """
    found = [concept for concept in concepts if concept.passages]
    sections = [Section(question, concept, library, alone=len(concepts) == 1) for concept in found]
    weak = bool(found) and all(section.weak for section in sections)
    page = _Page(budget)
    page.add(headline(library, [passage for concept in found for passage in concept.passages]))
    page.add(" ".join([*lead, *_only_readme(concepts)]))
    passed_over = tuple(dict.fromkeys(title for section in sections for title in section.passed_over))
    page.add(_passed_over(passed_over))
    page.add(_unanswered(sections, concepts, left_out))
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
        clean(page.text), weak, tuple(dict.fromkeys(used)), sum(section.material.withheld for section in sections), passed_over
    )


def _described(description: str, library: AnsweredLibrary | None, sections: Sequence[Section]) -> str:
    """What the package says that it is, where nothing but that is asked and no sentence of the documentation says it."""
    first = sections[0] if len(sections) == 1 and sections[0].is_about_itself else None
    if first is None or library is None or not description or (first.definition is not None and first.definition.is_said):
        return ""
    return f"{library.name}: {description.rstrip('.')}." if may_be_quoted(description, first.terms) else ""


_README = re.compile(r"(?:^|/)readme(?:\.\w+)?$", re.IGNORECASE)
_DOCS_FOLDER = re.compile(r"(?:^|/)(?:docs?|documentation|website|site|guides?)/", re.IGNORECASE)


def _only_readme(concepts: Sequence[ConceptEvidence]) -> tuple[str, ...]:
    """A sentence when all that was found stands in a package's README; an index page of a docs folder is called so too."""
    paths = {passage.path or "" for concept in concepts for passage in concept.passages}
    if paths and all(_README.search(path) and not _DOCS_FOLDER.search(path) for path in paths):
        return ("The package ships no guide; this is from its README.",)
    return ()


def _reference_tokens(sections: Sequence[Section], library: AnsweredLibrary | None, budget: int) -> int:
    """Tokens to keep free for the references of the sections still to be written."""
    passages = [passage for section in sections for passage in section.material.passages]
    lines = references(passages, library)[: max(1, min(PAGES_A_SECTION * len(sections), budget // TOKENS_A_REFERENCE))]
    return estimate_tokens("\n".join([REFERENCES, *lines])) + len(lines) + 2 if lines else 0


def _unanswered(sections: Sequence[Section], concepts: Sequence[ConceptEvidence], left_out: Sequence[str]) -> str:
    """What the answer cannot give, in plain sentences."""
    said: list[str] = []
    if sections and all(section.weak for section in sections):
        said.append(f"Weak match: the documentation found does not clearly answer this. {_next_try(sections[0])}")
    else:
        said += [f"Weak match for “{section.concept}”. {_next_try(section)}" for section in sections if section.weak]
    silent = dict.fromkeys(word for section in sections if section.is_silent for word in section.missing_names[:3])
    if silent and not said:
        said.append(f"What was read does not mention {', '.join(f'“{word}”' for word in silent)}.")
    unnamed = dict.fromkeys(name for section in sections for name in section.unnamed)
    if unnamed:
        said.append(f"What was read does not name {', '.join(f'`{name}`' for name in list(unnamed)[:3])}.")
    empty = [concept.concept for concept in concepts if not concept.passages]
    if empty:
        said.append(f"Nothing was found for: {', '.join(empty)}.")
    if left_out:
        said.append(f"Not looked up, ask again for: {', '.join(left_out)}.")
    return " ".join(said)


def _passed_over(titles: Sequence[str]) -> str:
    if not titles:
        return ""
    return f"Withheld, since it speaks to an assistant or runs a remote script: text of “{titles[0]}”."


def _next_try(section: Section) -> str:
    words = list(dict.fromkeys([*section.missing_names, *section.missing_words]))
    missing = ", ".join(f"“{word}”" for word in words[:3])
    why = f"It does not mention {missing}. " if missing else ""
    queries = " or ".join(f"“{query}”" for query in next_queries(section.units, section.terms))
    return f"{why}Ask next for {queries or _OWN_NAMES}."


_OWN_NAMES = "the API's own names for it"


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
