"""Code between back-ticks in the running text of an answer, held against what was read.

A name that plainly is code and stands in nothing that was read was invented, or comes from memory. Whatever is quoted letter by
letter stands, and so does what is put together from names that were read: only a name that stands nowhere counts.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from docs_researcher.core.ledger import Ledger
from docs_researcher.core.passages import Passage
from docs_researcher.steps.checks.code_claims import Claim, claims
from docs_researcher.steps.checks.version_claims import UNREAD
from docs_researcher.steps.fences import split_fences

_SPAN = re.compile(r"(?<!`)(?P<ticks>`+)(?!`)(?P<code>(?:[^\n]|\n(?!\s*\n))+?)(?<!`)(?P=ticks)(?!`)")
_ESCAPE = re.compile(r"\\([_*<>|`\[\]{}()#.!~-])")
_WORD = re.compile(r"[\w$]+(?:-[\w$]+)*")
_DOTTED = re.compile(r"([\w$]+)(?:\?\.|\.|::|->)(?=[A-Za-z_$])")
_LONGEST = 200
"""Characters of a span that is a name, an option or a command; a longer one is a block of code in the wrong place."""


def unread_code(text: str, ledger: Ledger, known: Iterable[str]) -> tuple[str, ...]:
    """The spans of inline code in `text` that hold a name that stands nowhere, as they are written, each once, in order.

    `known` are further texts whose names may be used: the question, results that were no passages, blocks that were found.
    """
    spans = dict.fromkeys(match["code"] for match in _spans(text))
    if not spans:
        return ()
    read = _Read.of([*(part for one in ledger for part in _texts(one.passage)), *known])
    return tuple(span for span in spans if not read.holds(span))


def mark_code(text: str, unread: Iterable[str]) -> str:
    """The text with a mark behind each of these spans."""
    strange = set(unread)
    if not strange:
        return text

    def marked(match: re.Match[str]) -> str:
        return f"{match.group()} {UNREAD}" if match["code"] in strange else match.group()

    return "\n".join(
        segment.raw if segment.code is not None else _SPAN.sub(marked, segment.raw) for segment in split_fences(text)
    )


def _spans(text: str) -> Iterator[re.Match[str]]:
    for segment in split_fences(text):
        if segment.code is None:
            yield from _SPAN.finditer(segment.raw)


@dataclass(frozen=True, slots=True)
class _Read:
    """Everything that was read, ready to be looked up."""

    text: str
    """In small letters, white space folded."""
    names: frozenset[str]
    """Each word without its case, underscores and hyphens."""
    pairs: frozenset[str]
    """Each two words that follow one another, as one."""
    objects: frozenset[str]
    """What stands in front of a dot with something behind it."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> _Read:
        text = _plain("\n".join(texts))
        words = _WORD.findall(text)
        folded = [_folded(word) for word in words]
        parts = (_folded(part) for word in words if "-" in word for part in word.split("-"))
        return cls(
            _spaced(text),
            frozenset([*folded, *parts]),
            frozenset(first + second for first, second in pairwise(folded)),
            frozenset(_folded(name) for name in _DOTTED.findall(text)),
        )

    def holds(self, span: str) -> bool:
        code = " ".join(_plain(span).split())
        if not code or len(code) > _LONGEST or self._quoted(_spaced(code)):
            return True
        return all(self._stands(claim) for claim in claims(code))

    def _quoted(self, code: str) -> bool:
        start = self.text.find(code)
        while start >= 0:
            before, after = self.text[start - 1 : start], self.text[start + len(code) : start + len(code) + 1]
            if not (_joins(before, code[0]) or _joins(code[-1], after)):
                return True
            start = self.text.find(code, start + 1)
        return False

    def _stands(self, claim: Claim) -> bool:
        if claim.below and _folded(claim.below) not in self.objects:
            return True
        names = [_folded(name) for name in claim.names]
        return any(name in self.names or (claim.title and name in self.pairs) for name in names)


def _texts(passage: Passage) -> tuple[str, ...]:
    values = (passage.title, passage.content, passage.source, passage.path, passage.url, passage.library_id, passage.version)
    return tuple(value for value in values if value)


def _plain(text: str) -> str:
    """Without what Markdown and HTML write instead of a character."""
    return html.unescape(_ESCAPE.sub(r"\1", text))


def _spaced(text: str) -> str:
    return " ".join(text.casefold().split())


def _folded(name: str) -> str:
    return re.sub(r"[_$-]", "", name).casefold() or name


def _joins(first: str, second: str) -> bool:
    """Whether two characters belong to one word."""
    return bool(first) and bool(second) and (first + second).replace("_", "a").replace("-", "a").isalnum()
