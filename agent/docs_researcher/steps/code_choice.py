"""Which code blocks answer a question: scored by what was asked, by completeness and by where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer_text import page_of
from docs_researcher.steps.fences import caption_of
from docs_researcher.steps.local_imports import defines, is_stub, local_imports
from docs_researcher.steps.material import CodeBlock, Material, Place
from docs_researcher.steps.question_terms import QuestionTerms, stems_of, symbols_of

SAME_VARIANT = 0.72
"""Two blocks that share this much of their tokens (Jaccard) show the same thing twice."""
WORTH_SHOWING = 0.55
"""A block scored below this share of the best one does not answer the question."""
FROM_ELSEWHERE = 0.6
"""The same for a block from another page than the best one, where the match is not weak."""
ANSWERED = 0.4
"""What a block gains by following the paragraph of the sentence that answers best."""
BEST_PAGE = 0.2
"""What a block gains by standing on the page that answers best: an answer is better read off one page than off four."""
OF_THE_PASSAGE = 0.8
"""What the score of its passage counts for."""
MISSING = 0.25
"""A block that adds this share of what is asked is shown beside better ones."""
LEAST_BESIDE = 0.35
"""The share of the best score that it needs."""
LEAST = 0.2
"""A block below this score has nothing to do with the question."""

_TYPED = {"ts", "tsx", "typescript"}
_UNTYPED = {"js", "jsx", "javascript", "mjs", "cjs"}
_SHELL = {"bash", "sh", "shell", "console", "zsh", "terminal", "powershell", "cmd", "shell-session"}
_OUTPUT = {"text", "txt", "output", "none", "log", "plain", "plaintext", "traceback", "pytb"}
_SETUP = re.compile(
    r"^\s*(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\s.*\brequire\(|using\s|use\s+\w|#include\b)", re.MULTILINE
)
_TOKEN = re.compile(r"\w+|[^\w\s]")
_PROMPT = re.compile(r"^\s*(?:\$|%|>|PS>|C:\\>)\s+\S", re.MULTILINE)
_COMPLAINT = re.compile(
    r"^(?:Traceback \(most recent|Usage: |(?:[\w.]*(?:Error|Warning|Exception)|error|warning)\b: )", re.MULTILINE
)
_INSTALL = re.compile(r"^\s*(?:\$\s*)?(?:npm|pnpm|yarn|bun|bunx|npx|deno|pip|pipx|uv|poetry|conda)\b")
_DRAWN = re.compile("[\u2500-\u257f\u25b6\u25c0\u25b2\u25bc\u2190-\u2193]")
"""Box drawing and arrows."""
DRAWN_AT_LEAST = 8
"""With more of these a block is a drawing, and nothing to copy."""
_COMMAND_QUESTION = ("command", "cli", "terminal", "shell", "run", "install", "start", "line")


@dataclass(frozen=True, slots=True)
class ScoredBlock:
    """A block with its score; larger is better, comparable within one question."""

    block: CodeBlock
    score: float
    tokens: int
    page: str = ""
    """The page it stands on."""


def scored_blocks(
    material: Material,
    terms: QuestionTerms,
    passage_scores: Sequence[float],
    wanted_symbols: Sequence[str],
    answer: Place | None = None,
) -> tuple[ScoredBlock, ...]:
    """Every block with its score, best first. `wanted_symbols` are those of the statements that answer, `answer` the best one."""
    pages = [page_of(passage) for passage in material.passages]
    best = max(range(len(pages)), key=lambda rank: (passage_scores[rank], -rank), default=0)
    scored = [
        _on_best_page(
            _scored(block, terms, passage_scores[block.place[0]], wanted_symbols, answer), pages[block.place[0]], pages[best]
        )
        for block in material.blocks
    ]
    return tuple(sorted(scored, key=lambda one: (-one.score, one.block.place)))


def _scored(
    block: CodeBlock, terms: QuestionTerms, passage_score: float, wanted_symbols: Sequence[str], answer: Place | None
) -> ScoredBlock:
    words = f"{block.code}\n{block.info}"
    score = 0.8 * terms.share(stems_of(words)) + OF_THE_PASSAGE * passage_score
    if block.intro is not None:
        score += 0.35 * terms.share(stems_of(block.intro.text))
        if answer is not None and block.intro.place[:2] == answer[:2]:
            score += ANSWERED
    score += 0.25 * terms.share(stems_of(block.heading))
    if any(names(symbol, block.code) for symbol in terms.symbols):
        score += 0.35
    if wanted_symbols:
        score += 0.4 * sum(names(symbol, block.code) for symbol in wanted_symbols) / len(wanted_symbols)
    return ScoredBlock(block, score * _shape(block, terms), estimate_tokens(block.code))


def _on_best_page(one: ScoredBlock, page: str, best_page: str) -> ScoredBlock:
    return replace(one, page=page, score=one.score + (BEST_PAGE if page == best_page else 0.0))


def names(symbol: str, code: str) -> bool:
    """Whether a name of the API stands in the code as a word of its own."""
    bare = symbol.strip("`").split("(")[0].split("=")[0].strip()
    return bool(bare) and re.search(rf"(?<![\w$]){re.escape(bare)}(?![\w$])", code) is not None


def _shape(block: CodeBlock, terms: QuestionTerms) -> float:
    """A factor for how usable the block is as it stands."""
    lines = [line for line in block.code.split("\n") if line.strip()]
    factor = 1.0
    if _SETUP.search(block.code):
        factor += 0.08
    if is_output(block):
        factor -= 0.5
    if is_stub(block.code):
        factor -= 0.4
    if len(_DRAWN.findall(block.code)) > DRAWN_AT_LEAST:
        factor -= 0.7
    if block.intro is None:
        factor -= 0.15  # nobody says what it is
    if len(lines) == 1 and block.language.lower() not in _SHELL and not _PROMPT.match(block.code):
        factor -= 0.12
    if _is_old_variant(block) and not terms.asks_for_the_older_way:
        factor -= 0.3
    if _INSTALL.match(block.code) and len(lines) <= 4 and not terms.asks_for(*_COMMAND_QUESTION):
        factor -= 0.25
    return factor


def is_output(block: CodeBlock) -> bool:
    """Whether a block shows what a program printed rather than what one writes."""
    lines = [line for line in block.code.split("\n") if line.strip()]
    if _COMPLAINT.search(block.code) or block.language.lower() in ("pytb", "traceback"):
        return True
    if _PROMPT.match(block.code):
        return len(lines) > 8
    return block.language.lower() in _OUTPUT and not re.search(r"[=({\[]\s*\S", block.code)


def _is_old_variant(block: CodeBlock) -> bool:
    """Whether a block belongs to the older of two ways that a framework documents side by side (Pages Router, App Router)."""
    place = f"{block.info} {block.heading}".lower()
    return "pages router" in place or re.search(r"filename=[\"']?(?:src/)?pages/", place) is not None


def without_twins(blocks: Sequence[ScoredBlock]) -> tuple[ScoredBlock, ...]:
    """The blocks without those that show the same thing in another dress; the better dressed of two stays.

    Twins are blocks that follow each other directly and differ in language (TypeScript stays, JavaScript goes) or in the
    package manager, and blocks anywhere that share most of their tokens (the better scored stays).
    """
    by_place = {one.block.place: one for one in blocks}
    dropped: set[tuple[int, int, int]] = set()
    for one in blocks:
        before = by_place.get(_place_before(one.block, by_place))
        if before is not None and one.block.joined and _are_dresses(before.block, one.block):
            dropped.add(one.block.place if _stays(before.block, one.block) else before.block.place)
    kept: list[ScoredBlock] = []
    for one in blocks:
        if one.block.place in dropped:
            continue
        if _has_title(one.block) or not any(alike(one.block.code, other.block.code) for other in kept):
            kept.append(one)
    return tuple(kept)


def _place_before(block: CodeBlock, places: dict[tuple[int, int, int], ScoredBlock]) -> tuple[int, int, int]:
    earlier = [place for place in places if place[0] == block.place[0] and place[1] < block.place[1]]
    return max(earlier, default=(-1, -1, -1))


def _are_dresses(first: CodeBlock, second: CodeBlock) -> bool:
    languages = {first.language.lower(), second.language.lower()}
    if languages & _TYPED and languages & _UNTYPED:
        return True
    return bool(_INSTALL.match(first.code) and _INSTALL.match(second.code))


def _stays(first: CodeBlock, second: CodeBlock) -> bool:
    """Whether the first of two dresses stays."""
    return not (first.language.lower() in _UNTYPED and second.language.lower() in _TYPED)


@lru_cache(maxsize=512)
def _tokens(code: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(code))


def alike(first: str, second: str) -> bool:
    """Whether two blocks share most of their tokens."""
    one, other = _tokens(first), _tokens(second)
    return bool(one and other) and len(one & other) / len(one | other) >= SAME_VARIANT


def choose_blocks(
    scored: Sequence[ScoredBlock], *, most: int, budget: int, from_elsewhere: float = FROM_ELSEWHERE
) -> tuple[tuple[ScoredBlock, ...], ScoredBlock | None]:
    """At most `most` blocks within `budget` tokens, and the best block that was left out for its size, if it was the best.

    `from_elsewhere` is the share of the best score that a block of another page needs. A block is taken whole or not at all.
    After the first, the next is the one that shows most of what is not shown yet.
    """
    if not scored:
        return (), None
    best = scored[0].score
    page = scored[0].page
    enough = {True: max(LEAST, best * WORTH_SHOWING), False: max(LEAST, best * from_elsewhere)}
    worthy = [one for one in scored if one.score >= enough[one.page == page]]
    too_long = worthy[0] if worthy and worthy[0].tokens > budget else None
    chosen: list[ScoredBlock] = []
    shown: set[str] = set()
    while len(chosen) < most:
        rest = [
            one for one in worthy if one.tokens <= budget and not any(alike(one.block.code, seen.block.code) for seen in chosen)
        ]
        if not rest:
            break
        one = max(rest, key=lambda other: (_worth(other, shown), (-other.block.place[0], -other.block.place[1])))
        for taken in (one, *_after(one, scored, budget - one.tokens, most - len(chosen) - 1)):
            chosen.append(taken)
            budget -= taken.tokens
            shown |= set(symbols_of(taken.block.code))
    return tuple(chosen), too_long


def for_what_is_missing(
    scored: Sequence[ScoredBlock], chosen: Sequence[ScoredBlock], terms: QuestionTerms, budget: int
) -> ScoredBlock | None:
    """The block that shows most of what the question names and the chosen ones do not, if it is worth a place beside them.

    "Follow the links and export them" is not answered by the links alone, however well they are shown.
    """
    shown = frozenset[str]().union(*(_said(one) for one in chosen))
    rest = [one for one in scored if one not in chosen and one.tokens <= budget and one.score >= LEAST_BESIDE * scored[0].score]
    rest = [one for one in rest if len((_said(one) - shown).intersection(terms.stems)) > 1]  # a part is more than a word
    gains = {one.block.place: terms.share(shown | _said(one)) - terms.share(shown) for one in rest}
    best = max(rest, key=lambda one: (gains[one.block.place], one.score), default=None)
    return best if best is not None and gains[best.block.place] >= MISSING else None


def _said(one: ScoredBlock) -> frozenset[str]:
    """The stems of a block with the sentence before it and its nearest heading."""
    intro = one.block.intro.text if one.block.intro is not None else ""
    return stems_of(f"{one.block.code}\n{intro}\n{one.block.heading.rsplit(' > ', 1)[-1]}")


def _after(one: ScoredBlock, scored: Sequence[ScoredBlock], budget: int, room: int) -> tuple[ScoredBlock, ...]:
    """The blocks that come with a chosen one, as far as they fit.

    Those that define what it imports from a file beside it, and the one that follows directly under a title of its own
    ("before" is shown with its "after").
    """
    wanted = [*_definitions(one, scored), *_under_next_title(one, scored)]
    taken: list[ScoredBlock] = []
    for other in wanted:
        if len(taken) < room and other.tokens <= budget and other not in taken:
            taken.append(other)
            budget -= other.tokens
    return tuple(taken)


def _definitions(one: ScoredBlock, scored: Sequence[ScoredBlock]) -> Iterator[ScoredBlock]:
    for name, _ in local_imports(one.block.code):
        found = [other for other in scored if other is not one and defines(other.block.code, name)]
        yield from found[:1]


def _under_next_title(one: ScoredBlock, scored: Sequence[ScoredBlock]) -> Iterator[ScoredBlock]:
    if not _has_title(one.block):
        return
    for other in scored:
        follows = other.block.place[0] == one.block.place[0] and other.block.place[1] == one.block.place[1] + 1
        if other.block.joined and follows and _has_title(other.block):
            yield other


def _has_title(block: CodeBlock) -> bool:
    """Whether a block carries a title that is no file name: "Before", "Version 5"."""
    caption = caption_of(block.info)
    return bool(caption) and not re.search(r"\.[A-Za-z]\w*$|/", caption)


def _worth(one: ScoredBlock, shown: set[str]) -> float:
    """Score, less for length and for repeating what is shown already."""
    names_in_it = set(symbols_of(one.block.code))
    repeated = len(names_in_it & shown) / len(names_in_it) if names_in_it else 0.0
    return one.score * (1 - 0.2 * repeated) / (1 + one.tokens / 2_500)
