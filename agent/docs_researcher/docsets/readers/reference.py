"""Pages of an API reference, made of what the source code declares: a heading for each name, its signature, its comment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from docs_researcher.docsets.readers.base import Block, Page
from docs_researcher.docsets.readers.code_text import without_block_comments

MAX_SIGNATURE_CHARS = 1_600
"""A longer declaration without a comment is a type for compilers; its first line is shown, and where the rest stands."""
MAX_FENCE_CHARS = 2_400
"""Members without a comment share a block of code up to this size, about 700 tokens."""

EXCEPTIONS = "Exceptions"
"""The heading over exceptions that have no more than a sentence: apart they would crowd out what raises them."""
_SHORT_CHARS = 200
_CLASS = re.compile(r"class (\w+)(?:<[^>]*>)?(?:\((?P<python>[^)]*)\)| extends (?P<ts>[\w.$]+))?")
_EXCEPTION_NAME = re.compile(r"(?:Error|Exception|Warning)$")

_LAST_NAME = re.compile(r"(?:\[.*\]|\"[^\"]*\"|'[^']*'|[^.]*)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Symbol:
    """One thing that a module declares.

    Attributes:
        name: as its heading shows it.
        language: of the signature (`ts`, `python`).
        signature: the declaration without its body and comment; several overloads in several lines.
        line: where it stands in its file, counted from 1.
        prose: the comment, as blocks of a page.
        plain: members without a comment of their own, shown together.
        members: members with a comment, each shown under a heading.
        close: what ends a body that `plain` is shown in (`}`); empty where indentation does.
        bases: the types that it extends or implements, as they are named where it stands.
    """

    name: str
    language: str
    signature: str
    line: int
    prose: tuple[Block, ...] = ()
    plain: tuple[str, ...] = ()
    members: tuple[Symbol, ...] = ()
    close: str = ""
    bases: tuple[str, ...] = ()

    @property
    def is_documented(self) -> bool:
        """Whether it, or one of its members, has a comment."""
        return bool(self.prose) or bool(self.members)


def reference_page(path: str, title: str, symbols: Sequence[Symbol], intro: Sequence[Block] = ()) -> Page:
    """The page of one file. `path` is as shipped; `intro` stands above the first name."""
    blocks = [_heading(1, title, 1), *intro]
    minor = _short_exceptions(symbols)
    together = {id(symbol) for symbol in minor} if len(minor) > 1 else set[int]()
    for symbol in symbols:
        if id(symbol) in together:
            if symbol is minor[0]:
                blocks.append(_heading(2, EXCEPTIONS, symbol.line))
                for exception in minor:
                    blocks.extend(_blocks(exception, 3, path))
        else:
            blocks.extend(_blocks(symbol, 2, path))
    return Page(path, title, "", tuple(blocks), is_reference=True)


def as_prose(blocks: Iterable[Block], line: int) -> tuple[Block, ...]:
    """The blocks of a comment that starts on `line`. Its headings become labels: a name's comment is no chapter of the page."""
    return tuple(
        Block("text", f"**{block.title}**", line)
        if block.kind == "heading"
        else Block(block.kind, block.text, line, language=block.language)
        for block in blocks
    )


def last_name(name: str) -> str:
    """The part of a dotted name behind its last dot; a computed or quoted part (`[Symbol.iterator]`, `"a.b"`) is one whole."""
    found = _LAST_NAME.search(name)
    return found.group() if found is not None else name


def fenced(language: str, code: str) -> str:
    """`code` in a fence that is longer than any row of back-ticks in it."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    mark = "`" * (longest + 1)
    return f"{mark}{language}\n{code}\n{mark}"


def _short_exceptions(symbols: Sequence[Symbol]) -> list[Symbol]:
    """The exceptions that have little to say: classes called so, and those that come from one of the page."""
    names: set[str] = set()
    found: list[Symbol] = []
    for symbol in symbols:
        match = _CLASS.match(symbol.signature)
        if match is None:
            continue
        bases = [base.strip().rpartition(".")[2] for base in (match["python"] or match["ts"] or "").split(",")]
        if any(_EXCEPTION_NAME.search(name) or name in names for name in (match[1], *bases)):
            names.add(match[1])
            size = sum(len(block.text) for block in symbol.prose) + sum(map(len, symbol.plain))
            if not symbol.members and size <= _SHORT_CHARS:
                found.append(symbol)
    return found


def _heading(level: int, name: str, line: int) -> Block:
    return Block("heading", f"{'#' * level} {name}", line, level=level, title=name)


def _blocks(symbol: Symbol, level: int, path: str) -> Iterator[Block]:
    yield _heading(level, symbol.name.replace(".[", "["), symbol.line)
    for code in _signatures(symbol, path):
        yield Block("code", fenced(symbol.language, code), symbol.line, language=symbol.language)
    yield from symbol.prose
    for member in symbol.members:
        yield from _blocks(member, level + 1, path)


def _signatures(symbol: Symbol, path: str) -> Iterator[str]:
    """The signature with the plain members in it; in several blocks, each with the first line again, where they are many."""
    if not symbol.plain:
        yield _shortened(symbol, path) + symbol.close
        return
    body: list[str] = []
    size = 0
    for member in symbol.plain:
        text = "\n".join(f"  {line}" for line in member.split("\n"))
        if body and size + len(text) > MAX_FENCE_CHARS:
            yield _with_body(symbol, body)
            body, size = [], 0
        body.append(text)
        size += len(text)
    yield _with_body(symbol, body)


def _with_body(symbol: Symbol, body: Sequence[str]) -> str:
    end = f"\n{symbol.close}" if symbol.close else ""
    return f"{symbol.signature}\n" + "\n".join(body) + end


def _shortened(symbol: Symbol, path: str) -> str:
    text = symbol.signature
    if len(text) > MAX_SIGNATURE_CHARS and symbol.language == "ts":
        text = without_block_comments(text)
    if len(text) <= MAX_SIGNATURE_CHARS:
        return text
    kept = text[:MAX_SIGNATURE_CHARS].rpartition("\n")[0] or text[:200]
    mark = "#" if symbol.language == "python" else "//"
    return f"{kept}\n{mark} the rest stands in {path}, line {symbol.line}"
