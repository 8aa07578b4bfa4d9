"""Which sentences, steps and rows answer a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.answer_text import page_of
from docs_researcher.steps.answer.code_choice import names
from docs_researcher.steps.answer.material import Material, Statement
from docs_researcher.steps.answer.sentences import introduces, points_elsewhere
from docs_researcher.steps.queries.question_terms import Intent, QuestionTerms, stems_of

OLDER = 0.75
"""What a passage on the older of two documented ways counts for."""


OF_THE_PASSAGE = 1.0
"""What the score of its passage counts for, beside 1 for the words of the statement itself."""
BY_SEARCH = 0.5
"""The part of a passage's score that is the search's word; the rest is what of the question stands in it."""
SAME_PAGE = 0.85
"""What the search at least thinks of the other passages of the best page, beside 1 for the best passage."""

_CUES: dict[Intent, re.Pattern[str]] = {
    "how_to": re.compile(
        r"^(?:to\s|use\s|call\s|create\s|add\s|set\s|pass\s|define\s|import\s|you (?:can|need|must)|in order to"
        r"|if you (?:want|need))"
        r"|\b(?:you can|can be (?:used|done|set|passed)|by (?:using|calling|setting|passing|adding|default)|use the"
        r"|using the|is used to|lets you|allows you)\b",
        re.IGNORECASE,
    ),
    "what_is": re.compile(r"\b(?:is an?|are|is the|refers to|means|represents|lets you|allows)\b", re.IGNORECASE),
    "error": re.compile(
        r"\b(?:to (?:fix|solve|avoid|prevent|resolve|work around|silence|suppress)|you (?:must|need|have to|should)"
        r"|make sure|ensure|regist\w+|increase|instead"
        r"|must be|because|caused by|the (?:reason|solution|fix)|set\w*|specify\w*|declare|use the|can be (?:set|used"
        r"|changed|configured))\b",
        re.IGNORECASE,
    ),
    "option": re.compile(
        r"\b(?:defaults?|option|setting|parameter|argument|flag|value|if (?:true|set)|is used to|set to|fixture|returns?)\b",
        re.IGNORECASE,
    ),
    "migration": re.compile(
        r"\b(?:renamed|removed|replaced|no longer|instead of|now|deprecat\w+|changed|new|before|migrat\w+|upgrad\w+)\b",
        re.IGNORECASE,
    ),
    "compare": re.compile(
        r"\b(?:whereas|while|unlike|instead|difference|differs?|compared|than|both|only|prefer|better|but)\b", re.IGNORECASE
    ),
}
_DEFAULT_VALUE = re.compile(
    r"\bdefault(?:s to|s| value| is|:|\*\*)?[\s:=*]*(?:is |of |to )?(?:`[^`]+`|[\"'\d]|true\b|false\b|none\b)", re.IGNORECASE
)
"""A default said with its value."""
_OPENING = re.compile(
    r"^(?:(?:in )?this (?:page|guide|section|document|chapter|tutorial|example)|welcome|api reference for"
    r"|here(?:'s| is) an? (?:complete |full |short )?(?:list|overview|summary)|here (?:is|are) (?:an?|some))\b",
    re.IGNORECASE,
)
_COMPLAINT = re.compile(r"^(?:I|I'm|I've|my|we|troubleshooting)\b", re.IGNORECASE)
"""What a visitor says in a troubleshooting page; the answer stands behind it."""
_OLDER_WAY = re.compile(r"(?:^|/)(?:\d+-)?pages/")
_OLDER_TITLE = re.compile(r"\bpages router\b", re.IGNORECASE)
"""The older of two ways that a framework documents side by side (Pages Router, App Router), by folder and by title."""


@dataclass(frozen=True, slots=True)
class ScoredStatement:
    """A statement with its score; larger is better, comparable within one question."""

    statement: Statement
    score: float


def passage_scores(material: Material, terms: QuestionTerms) -> tuple[float, ...]:
    """How well each passage answers, 0 to about 1.

    Half is what the search says (its score, else the rank), which knows the whole documentation; half is what of the
    question stands in the headings and the text. The opening sections of a page that is about the question come first.
    """
    best = max((passage.score or 0.0 for passage in material.passages), default=0.0)
    first = page_of(material.passages[0]) if material.passages else ""
    older = older_ways(material.passages, terms)
    found: list[float] = []
    for rank, passage in enumerate(material.passages):
        by_search = passage.score / best if best > 0 and passage.score is not None else by_rank(rank)
        if page_of(passage) == first:
            by_search = max(by_search, SAME_PAGE)
        about = terms.share(stems_of(passage.title.split(" > ", 1)[0]))
        own = (
            0.5 * terms.share(stems_of(passage.content))
            + 0.35 * terms.share(stems_of(passage.title))
            + 0.15 * about * _opens(passage)
        )
        history = 0.6 if is_history(passage.title, passage.path) and terms.intent != "migration" else 1.0
        found.append((BY_SEARCH * by_search + (1 - BY_SEARCH) * own) * history * (OLDER if passage in older else 1.0))
    return tuple(found)


def older_ways(passages: Sequence[Passage], terms: QuestionTerms) -> tuple[Passage, ...]:
    """The passages on the older of two ways, where something else is there too and the older way is not asked for."""
    older = tuple(one for one in passages if _OLDER_WAY.search(one.path or "") or _OLDER_TITLE.search(one.title))
    newer = [one.content for one in passages if one not in older]
    if not newer or terms.asks_for_the_older_way:
        return ()
    only_there = any(
        any(names(symbol, one.content) for one in older) and not any(names(symbol, text) for text in newer)
        for symbol in terms.symbols
    )
    return () if only_there else older


def by_rank(rank: int) -> float:
    """What a place in a result says where the search tells no score: 1 for the first, falling slowly."""
    return 1 / (1 + 0.15 * rank)


def _opens(passage: Passage) -> float:
    """1 at the top of a page, falling with the line; 0 where the line is not known."""
    return 0.0 if passage.line is None else 1 / (1 + passage.line / 150)


_HISTORY = re.compile(
    r"(?:change[ _-]?log|release[ _-]?notes|what'?s new|whatsnew|history|news|releases?|announce|migrat|upgrad)", re.IGNORECASE
)


def is_history(title: str, path: str | None) -> bool:
    """Whether a page is release notes, a changelog or an upgrade guide, by its title and path."""
    return bool(_HISTORY.search(title.split(" > ", 1)[0]) or (path and _HISTORY.search(path)))


def scored_statements(material: Material, terms: QuestionTerms, scores: Sequence[float]) -> tuple[ScoredStatement, ...]:
    """Every statement with its score, best first."""
    scored = [ScoredStatement(one, _score(one, terms, scores[one.place[0]])) for one in material.statements]
    return tuple(sorted(scored, key=lambda one: (-one.score, one.statement.place)))


def _score(one: Statement, terms: QuestionTerms, passage_score: float) -> float:
    stems = stems_of(f"{one.label} {one.text}" if one.label else one.text)
    score = terms.share(stems) + 0.25 * terms.share(stems_of(one.heading)) + OF_THE_PASSAGE * passage_score
    if any(names(symbol, one.text) for symbol in terms.symbols):
        score += 0.35
    if "`" in one.text:
        score += 0.1
    if _CUES[terms.intent].search(one.text):
        score += 0.12
    if terms.asks_for("default") and _DEFAULT_VALUE.search(one.text):
        score += 0.3
    return score - _faults(one)


def _faults(one: Statement) -> float:
    words = one.text.count(" ") + 1
    fault = 0.0
    if points_elsewhere(one.text):
        fault += 0.3
    if _OPENING.match(one.text):
        fault += 0.25
    if words < 4:
        fault += 0.3
    elif words > 60:
        fault += 0.15
    if introduces(one.text):
        fault += 0.2  # it comes with the block or list that it introduces, if that is chosen
    if one.text.endswith("?") or _COMPLAINT.match(one.text):
        fault += 0.2
    return fault


def is_opening(text: str) -> bool:
    """Whether a sentence only says what the page is about."""
    return bool(_OPENING.match(text))


def can_open(one: Statement) -> bool:
    """Whether a statement tells something by itself: it neither announces the next one, nor sends the reader on, nor greets."""
    return not introduces(one.text) and not points_elsewhere(one.text) and not _OPENING.match(one.text)
