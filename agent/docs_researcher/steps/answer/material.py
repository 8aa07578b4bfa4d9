"""What an answer can be made of: the statements and code blocks of the passages, in order, with what each depends on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from docs_researcher.core.passages import Passage
from docs_researcher.docsets.searching.trim import LEFT_OUT, LEFT_OUT_CODE
from docs_researcher.steps.answer.directives import code_in, is_directive, is_prose_directive
from docs_researcher.steps.answer.list_membership import OpenList
from docs_researcher.steps.answer.passage_parts import Part, parts_of
from docs_researcher.steps.answer.sentences import (
    introduces,
    is_label,
    leans_on_the_one_before,
    plain,
    sentences_of,
    shows_something,
)
from docs_researcher.steps.answer.untrusted import may_be_quoted, without_hidden_text
from docs_researcher.steps.queries.question_terms import QuestionTerms

StatementKind = Literal["sentence", "item", "step", "row"]

Place = tuple[int, int, int]
"""Rank of the passage, index of the part in it, number of the sentence in that: the order of reading."""

Group = tuple[int, int]
"""One list or table: rank of the passage, index of its first part."""

NOWHERE: Place = (-1, -1, -1)
"""The place of what a sentence announces but the passage does not hold."""

MOST_POINTERS = 6
"""Statements below "See Also" that are left out; what stands behind so many is text again."""
WORDS_OF_A_POINTER = 16


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, list item, numbered step or table row, ready to be quoted."""

    place: Place
    kind: StatementKind
    text: str
    heading: str
    """The heading path under which it stands, the page's title first."""
    needs: Place | None = None
    """The place of the statement without which this one is not understood."""
    marker: str = ""
    """A step's number: `2.`"""
    label: str = ""
    """The option, function or setting under whose name it stands, if that is its heading."""
    header: str = ""
    """The two header lines of a table row."""
    group: Group | None = None
    """The list or table that it belongs to."""
    depth: int = 0
    """Columns by which a list item is indented."""
    opens: Place | None = None
    """The place of the code, list or table that it announces; without that it must not be quoted."""


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """One fenced block, letter for letter, with the sentence that introduces it."""

    place: Place
    code: str
    language: str
    info: str
    heading: str
    intro: Statement | None
    joined: bool = False
    """Whether nothing but white space stands between it and the block before it."""
    also: str = ""
    """The other language in which the documentation shows the same right beside it; empty without one."""


@dataclass(frozen=True, slots=True)
class Material:
    """The statements and blocks of one concept's passages."""

    passages: tuple[Passage, ...]
    statements: tuple[Statement, ...]
    blocks: tuple[CodeBlock, ...]
    by_place: dict[Place, Statement] = field(default_factory=dict[Place, Statement])
    groups: Mapping[Group, tuple[Statement, ...]] = field(default_factory=dict[Group, tuple[Statement, ...]])
    """The members of each list and table, in order."""
    withheld: int = 0
    """Paragraphs and blocks that were not quoted because they speak to an assistant or run a remote script."""
    withheld_parts: frozenset[Group] = frozenset()
    """Rank of the passage and index of the part, of each of them."""


def material_of(passages: Sequence[Passage], terms: QuestionTerms) -> Material:
    """Take passages apart, leaving out what may not be quoted in an answer to this question."""
    statements: list[Statement] = []
    blocks: list[CodeBlock] = []
    withheld: list[Group] = []
    for rank, passage in enumerate(passages):
        reader = _PassageReader(rank, passage, terms)
        for piece in _opened(list(_without_pointers(reader.read()))):
            if isinstance(piece, CodeBlock):
                blocks.append(piece)
            else:
                statements.append(piece)
        dropped = reader.introductions_of_withheld
        statements = [statement for statement in statements if statement.place not in dropped]
        withheld += ((rank, index) for index in reader.withheld)
    by_place = {statement.place: statement for statement in statements}
    return Material(
        tuple(passages), tuple(statements), tuple(blocks), by_place, _groups(statements), len(withheld), frozenset(withheld)
    )


_POINTERS = re.compile(
    r"\*\*(?:see also|abstract: usage documentation|usage documentation|further reading|references)\W*\*\*:?", re.I
)
"""A label above nothing but names of other pages."""


def _without_pointers(pieces: Iterable[Statement | CodeBlock]) -> Iterator[Statement | CodeBlock]:
    """The pieces of a passage without its lists of other pages: a label such as "**See Also**" and the short entries below it.

    A label such as "**Abstract: Usage Documentation**" has one paragraph below it.
    """
    below: Statement | None = None
    left = 0
    for piece in pieces:
        if isinstance(piece, Statement) and _POINTERS.fullmatch(piece.text):
            below, left = replace(piece, kind="row"), 1 if "documentation" in piece.text.lower() else MOST_POINTERS
        elif below is not None and left and isinstance(piece, Statement) and _is_below(piece, below):
            below, left = replace(below, kind=piece.kind), left - 1
        else:
            below = None
            yield piece


def _is_below(piece: Statement, label: Statement) -> bool:
    """Whether a piece is one of the entries below a label, whose `kind` is that of the entry before; "row" before the first."""
    alike = label.kind in ("row", piece.kind) and len(piece.text.split()) <= WORDS_OF_A_POINTER
    return alike and piece.heading == label.heading and piece.label == label.label and not is_label(piece.text)


def _groups(statements: Sequence[Statement]) -> dict[Group, tuple[Statement, ...]]:
    found: dict[Group, list[Statement]] = {}
    for one in statements:
        if one.group is not None:
            found.setdefault(one.group, []).append(one)
    return {group: tuple(members) for group, members in found.items()}


def _opened(pieces: Sequence[Statement | CodeBlock]) -> Iterator[Statement | CodeBlock]:
    """The pieces of one passage; each sentence that announces something knows what stands right behind it."""
    for number, piece in enumerate(pieces):
        if not isinstance(piece, Statement) or piece.kind == "row" or not introduces(piece.text):
            yield piece
            continue
        following = pieces[number + 1] if number + 1 < len(pieces) else None
        reached = following is not None and following.heading == piece.heading and _is_announced(piece, following)
        yield replace(piece, opens=following.place if reached and following is not None else NOWHERE)


def _is_announced(piece: Statement, following: Statement | CodeBlock) -> bool:
    """Whether what follows can be what a sentence announces.

    The next step of the same list cannot; nor can a plain paragraph be the picture, output or example that is announced.
    """
    if not isinstance(following, CodeBlock) and piece.kind == following.kind == "sentence" and shows_something(piece.text):
        return introduces(following.text)
    return isinstance(following, CodeBlock) or piece.kind != "step" or following.kind != "step" or following.depth > piece.depth


_MARKS = frozenset((LEFT_OUT, LEFT_OUT_CODE))
"""What the search writes where it left something out: no text of the documentation."""

_PICTURE = re.compile(r"\(Image: [^()]*(?:\([^()]*\)[^()]*)*\)")
"""What a reader puts in the place of a picture."""
_SYMBOL = re.compile(r"`?[@.$\w:-]*[\w$](?:\([^`]*\))?`?")
_NUMBERED = re.compile(r"^(?:step\s+)?(\d{1,2})[.):]\s+(\S.*)$", re.IGNORECASE)
_SIGNATURE = re.compile(r"^`[^`]+`(?:\s*\(?(?:optional|required|default[^)]*)\)?)?$")


def is_symbol(text: str) -> bool:
    """Whether a heading is nothing but the name of an option, a function or a setting."""
    return bool(_SYMBOL.fullmatch(text)) and (text.startswith("`") or bool(re.search(r"[_().]|[a-z][A-Z]|^--?\w", text)))


def is_numbered(heading: str) -> bool:
    """Whether a heading is a numbered step: `2. Add the file`."""
    return bool(_NUMBERED.match(heading))


def _first_place(title: str) -> str:
    """The title of a passage that was joined from neighbours (`Page > A / B > C`) up to its first place."""
    first = title.split(" / ", 1)[0]
    return first if first.count("(") == first.count(")") else title


class _PassageReader:
    """Reads one passage's parts; remembers the sentence that may introduce the next list or block."""

    def __init__(self, rank: int, passage: Passage, terms: QuestionTerms) -> None:
        self._rank = rank
        self._page = passage.title.split(" > ", 1)[0]
        self._title = _first_place(passage.title)
        self._parts = parts_of(without_hidden_text(passage.content))
        self._terms = terms
        self._last: Statement | None = None
        self._list_intro: Statement | None = None
        self._list = OpenList(rank)
        self._last_was_code = False
        first = next((part for part in self._parts if part.kind == "heading"), None)
        joined = " / " in passage.title and " > " in self._title
        if joined and first is not None and first.index and plain(first.text) == self._title.rsplit(" > ", 1)[-1]:
            self._title = self._title.rsplit(" > ", 1)[0]  # what stands above a section's heading is not under it
        last = passage.title.rsplit(" > ", 1)[-1]
        if any(part.kind == "heading" and plain(part.text) == last for part in self._parts):
            last = ""  # what stands above that heading is not under it
        self._label = last if is_symbol(last) else ""
        numbered = _NUMBERED.match(last)
        self._step = numbered.groups() if numbered else None
        self.withheld: list[int] = []
        self.introductions_of_withheld: set[Place] = set()

    def read(self) -> Iterator[Statement | CodeBlock]:
        for part in self._parts:
            if part.kind == "heading":
                self._on_heading(part)
            elif part.kind == "code" and is_directive(part.language):
                yield from self._directive(part)
            elif part.kind == "code":
                yield from self._block(part)
            elif part.kind == "table":
                yield from self._rows(part)
            else:
                yield from self._statements(part)

    def _on_heading(self, part: Part) -> None:
        text = plain(part.text)
        numbered = _NUMBERED.match(text)
        self._step = numbered.groups() if numbered else None
        self._label = text if is_symbol(text) else ""
        self._last, self._last_was_code = None, False
        self._list.on_heading()

    def _heading(self, part: Part) -> str:
        """Where a part stands: the page's title and the nearest heading."""
        local = plain(part.heading)
        return f"{self._page} > {local}" if local else self._title

    def _directive(self, part: Part) -> Iterator[Statement | CodeBlock]:
        if is_prose_directive(part.language):
            yield from self._statements(replace(part, kind="quote", text=part.text.replace("\n", " ")))
        for number, inner in enumerate(code_in(part.language, part.info, part.text)):
            block = replace(part, text=inner.code, language=inner.language, info=inner.info)
            yield from self._block(block, number)

    def _block(self, part: Part, number: int = 0) -> Iterator[CodeBlock]:
        if not part.text.strip():
            return
        self._list.on_other(part)
        intro = self._last
        if not may_be_quoted(part.text, self._terms, code=True):
            self.withheld.append(part.index)
            if intro is not None:
                self.introductions_of_withheld.add(intro.place)
            return
        place = (self._rank, part.index, number)
        yield CodeBlock(place, part.text, part.language, part.info, self._heading(part), intro, self._last_was_code)
        self._last_was_code = True

    def _statements(self, part: Part) -> Iterator[Statement]:
        text = plain(part.text)
        if text in _MARKS or _PICTURE.fullmatch(text):
            return
        if not may_be_quoted(part.text, self._terms):
            self.withheld.append(part.index)
            self._last = None
        elif _SIGNATURE.match(text) and part.kind == "text":
            self._label, self._last = text, None
        elif text and part.kind in ("item", "step"):
            yield self._item(part, text)
        elif text:
            self._list.on_other(part)
            yield from self._sentences(part, sentences_of(text))
        self._last_was_code = False

    def _item(self, part: Part, text: str) -> Statement:
        if self._last is not None and self._last.kind == "sentence":
            self._list_intro = self._last if introduces(self._last.text) else None
        elif self._last is None:
            self._list_intro = None
        intro = self._list_intro.place if self._list_intro else None
        kind: StatementKind = "step" if part.kind == "step" else "item"
        place, group = (self._rank, part.index, 0), self._list.group_of(part)
        self._last = Statement(
            place, kind, text, self._heading(part), intro, part.marker, self._label, group=group, depth=part.depth
        )
        return self._last

    def _sentences(self, part: Part, sentences: Sequence[str]) -> Iterator[Statement]:
        for number, sentence in enumerate(sentences):
            previous = self._last if self._last is not None and self._last.kind != "item" else None
            needs = previous.place if previous is not None and leans_on_the_one_before(sentence) else None
            kind: StatementKind = "sentence"
            text, marker = sentence, ""
            if self._step:
                kind, marker, needs = "step", f"{self._step[0]}.", None
                text, self._step = f"**{self._step[1]}**: {sentence}", None
            place = (self._rank, part.index, number)
            self._last = Statement(place, kind, text, self._heading(part), needs, marker, self._label)
            yield self._last

    def _rows(self, part: Part) -> Iterator[Statement]:
        self._last_was_code = False
        lines = part.text.split("\n")
        if len(lines) < 3 or not re.fullmatch(r"[\s|:-]+", lines[1]):
            return
        intro = self._last.place if self._last is not None and introduces(self._last.text) else None
        group = (self._rank, part.index)
        header = f"{plain(lines[0])}\n{re.sub('-{4,}', '---', lines[1].strip())}"
        for number, line in enumerate(lines[2:]):
            if may_be_quoted(line, self._terms):
                place = (self._rank, part.index, number)
                yield Statement(place, "row", plain(line), self._heading(part), intro, header=header, group=group)
