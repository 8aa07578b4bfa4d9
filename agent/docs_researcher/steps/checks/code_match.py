"""Whether a block of code stands in what was read: letter for letter, but for white space, in parts, or adapted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from docs_researcher.core.ledger import Evidence
from docs_researcher.steps.answer.abridged import LEFT_OUT, runs_of
from docs_researcher.steps.answer.answer_text import page_of
from docs_researcher.steps.answer.directives import code_in, is_directive
from docs_researcher.steps.fences import split_fences

MatchKind = Literal["exact", "spacing", "part", "adapted"]

ADAPTED = 0.9
"""Share of tokens in common, both ways, from which on a block counts as adapted from the documentation."""
SHORTEST_PART = 6
"""Characters that a piece must have at least to be recognised inside a longer text."""

_IMPORT = re.compile(r"^\s*(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\s.*\brequire\()")
_PROMPT = re.compile(r"^\s*(?:>>> |\.\.\. )")
"""Stands before what one types; it is no part of the code."""
_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class CodeMatch:
    """Where a block was found and how; `code` is the documentation's own text of it."""

    kind: MatchKind
    evidence: Evidence
    code: str
    language: str


@dataclass(frozen=True, slots=True)
class _Known:
    evidence: Evidence
    code: str
    language: str
    lines: tuple[str, ...]
    """The lines that are not blank, each without a prompt and with its white space folded."""
    tokens: Counter[str] = field(default_factory=Counter[str])


class CodeIndex:
    """The code blocks of a ledger's passages, ready to be compared with those of an answer."""

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        self._evidence = tuple(evidence)
        self._known = [known for one in self._evidence for known in _blocks_of(one)]

    def find(self, code: str, preferred: frozenset[int] = frozenset()) -> CodeMatch | None:
        """The best match of a block, or None. Among equals, evidence numbered in `preferred` goes first, then the earlier."""
        code = code.rstrip()
        if not code.strip():
            return None
        known = sorted(self._known, key=lambda one: (one.evidence.number not in preferred, one.evidence.number))
        lines = _lines(code)
        for one in known:
            if one.code == code:
                return CodeMatch("exact", one.evidence, one.code, one.language)
        for one in known:
            if one.lines == lines:
                return CodeMatch("spacing", one.evidence, one.code, one.language)
        return (
            self._part(known, lines)
            or self._abridged(known, code)
            or self._imports(known, lines)
            or self._quoted(code)
            or _adapted(known, code)
        )

    def _part(self, known: Sequence[_Known], lines: tuple[str, ...]) -> CodeMatch | None:
        if sum(map(len, lines)) < SHORTEST_PART:
            return None
        for one in known:
            start = _find(lines, one.lines)
            if start is not None:
                return CodeMatch("part", one.evidence, _original(one.code, start, len(lines)), one.language)
        return None

    def _abridged(self, known: Sequence[_Known], code: str) -> CodeMatch | None:
        """A block of which lines are left out: what is between the marks stands in one block, in its order."""
        parts = [_lines(part) for part in runs_of(code)]
        if not any(LEFT_OUT.match(line) for line in code.split("\n")):
            return None
        whole = next((one for one in known if _in_order(parts, one.lines)), None)
        return CodeMatch("part", whole.evidence, code, whole.language) if whole is not None else None

    def _imports(self, known: Sequence[_Known], lines: tuple[str, ...]) -> CodeMatch | None:
        """The import lines of several blocks of one page."""
        if not all(_IMPORT.match(line) for line in lines):
            return None
        for page in dict.fromkeys(page_of(one.evidence.passage) for one in known):
            own = [one for one in known if page_of(one.evidence.passage) == page]
            if all(any(line in one.lines for one in own) for line in lines):
                return CodeMatch("part", own[0].evidence, "\n".join(lines), own[0].language)
        return None

    def _quoted(self, code: str) -> CodeMatch | None:
        """A piece that stands in the open text, such as a command between back-ticks."""
        bare = code.strip()
        if len(bare) < SHORTEST_PART or "\n" in bare:
            return None
        for one in self._evidence:
            if bare in one.passage.content:
                return CodeMatch("part", one, bare, "")
        return None


def _blocks_of(evidence: Evidence) -> Iterable[_Known]:
    for segment in split_fences(evidence.passage.content):
        if segment.code is None:
            continue
        yield _known(evidence, segment.code, segment.language)
        if is_directive(segment.language):
            for inner in code_in(segment.language, segment.info, segment.code):
                yield _known(evidence, inner.code, inner.language)


def _known(evidence: Evidence, code: str, language: str) -> _Known:
    return _Known(evidence, code.rstrip(), language, _lines(code), Counter(_TOKEN.findall(code)))


def _lines(code: str) -> tuple[str, ...]:
    return tuple(folded for line in code.split("\n") if (folded := " ".join(_PROMPT.sub("", line).split())))


def _in_order(parts: Sequence[tuple[str, ...]], whole: Sequence[str]) -> bool:
    """Whether all parts stand in `whole`, each as a run behind the one before."""
    for part in parts:
        start = _find(part, whole)
        if start is None:
            return False
        whole = whole[start + len(part) :]
    return bool(parts)


def _find(part: Sequence[str], whole: Sequence[str]) -> int | None:
    """The position of `part` in `whole` as a run, or None."""
    if not part or len(part) > len(whole):
        return None
    first = part[0]
    for start in range(len(whole) - len(part) + 1):
        if whole[start] == first and tuple(whole[start : start + len(part)]) == tuple(part):
            return start
    return None


def _original(code: str, start: int, count: int) -> str:
    """The lines of `code` as written, from its non-blank line `start` over `count` non-blank lines."""
    lines = code.split("\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[filled[start] : filled[start + count - 1] + 1])


def _adapted(known: Sequence[_Known], code: str) -> CodeMatch | None:
    tokens = Counter(_TOKEN.findall(code))
    size = sum(tokens.values())
    best: tuple[float, _Known] | None = None
    for one in known:
        larger = max(size, sum(one.tokens.values()))
        share = sum((tokens & one.tokens).values()) / larger if larger else 0.0
        if share >= ADAPTED and (best is None or share > best[0]):
            best = (share, one)
    return CodeMatch("adapted", best[1].evidence, best[1].code, best[1].language) if best else None
