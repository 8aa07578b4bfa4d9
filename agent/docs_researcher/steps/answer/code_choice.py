"""Which code blocks answer a question: scored by what was asked, by completeness and by where they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from docs_researcher.steps.answer.local_imports import is_stub
from docs_researcher.steps.answer.material import CodeBlock, Material, Place
from docs_researcher.steps.queries.question_terms import QuestionTerms, stems_of

OF_THE_PASSAGE = 0.8
"""What the score of its passage counts for."""

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


def scored_blocks(material: Material, terms: QuestionTerms, passage_scores: Sequence[float]) -> tuple[ScoredBlock, ...]:
    """Every block with its score, best first."""
    scored = [_scored(block, terms, passage_scores[block.place[0]]) for block in material.blocks]
    return tuple(sorted(scored, key=lambda one: (-one.score, one.block.place)))


def _scored(block: CodeBlock, terms: QuestionTerms, passage_score: float) -> ScoredBlock:
    words = f"{block.code}\n{block.info}"
    score = 0.8 * terms.share(stems_of(words)) + OF_THE_PASSAGE * passage_score
    if block.intro is not None:
        score += 0.35 * terms.share(stems_of(block.intro.text))
    score += 0.25 * terms.share(stems_of(block.heading))
    if any(names(symbol, block.code) for symbol in terms.symbols):
        score += 0.35
    return ScoredBlock(block, score * _shape(block, terms))


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
    if is_drawing(block):
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


def is_drawing(block: CodeBlock) -> bool:
    """Whether a block is a picture made of characters."""
    drawn = len(_DRAWN.findall(block.code))
    return drawn > DRAWN_AT_LEAST or (drawn > 1 and not re.search(r"[={(;]", block.code))


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


def without_dresses(blocks: Sequence[CodeBlock], terms: QuestionTerms) -> tuple[CodeBlock, ...]:
    """The blocks without those that follow another directly and show the same in another language or for another tool.

    The language that the question names stays, else TypeScript, and says which other one there is; of the commands of several
    package managers the first stays.
    """
    dropped: set[Place] = set()
    also: dict[Place, str] = {}
    for before, one in pairwise(sorted(blocks, key=lambda block: block.place)):
        if one.joined and before.place[0] == one.place[0] and _are_dresses(before, one):
            kept, other = (before, one) if _stays(before, one, terms) else (one, before)
            dropped.add(other.place)
            also[kept.place] = "" if _INSTALL.match(other.code) else _language_of(other)
    return tuple(replace(block, also=also.get(block.place, "")) for block in blocks if block.place not in dropped)


def _language_of(block: CodeBlock) -> str:
    return "JavaScript" if block.language.lower() in _UNTYPED else "TypeScript"


def _are_dresses(first: CodeBlock, second: CodeBlock) -> bool:
    languages = {first.language.lower(), second.language.lower()}
    if languages & _TYPED and languages & _UNTYPED:
        return True
    return bool(_INSTALL.match(first.code) and _INSTALL.match(second.code))


def _stays(first: CodeBlock, second: CodeBlock, terms: QuestionTerms) -> bool:
    """Whether the first of two dresses stays."""
    if {first.language.lower(), second.language.lower()} <= _TYPED | _UNTYPED and terms.asks_for("javascript", "js"):
        return first.language.lower() in _UNTYPED
    return not (first.language.lower() in _UNTYPED and second.language.lower() in _TYPED)


@lru_cache(maxsize=512)
def _tokens(code: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(code))


def adds_nothing(code: str, shown: str) -> bool:
    """Whether every token of a block stands in another one that is shown: it has the same to say."""
    return _tokens(code) <= _tokens(shown)
