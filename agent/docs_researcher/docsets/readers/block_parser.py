"""markdown-it's block parser with less to do: on each line only those rules are tried that can match there.

markdown-it tries some fifteen rules on nearly every line and reads the lines of a paragraph twice. Tokens come out as from the
same rules in a `ParserBlock`, except for what nobody reads here: a paragraph is one token without its text (its lines are edited
in place), what stands inside a table is left out, and closing tokens of one kind and depth are one object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING, ClassVar, Literal, cast

from markdown_it.common.utils import mdTrim
from markdown_it.parser_block import ParserBlock
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import table

from docs_researcher.docsets.readers.block_tokens import PARAGRAPH

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.parser_block import RuleFuncBlockType
    from markdown_it.token import Token
    from markdown_it.utils import EnvType

_FIRST_CHARACTERS: Mapping[str, str] = {
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*-+0123456789",
    "heading": "#",
}
"""What a line begins with, behind its indent, on which a rule of CommonMark can match."""
_TEXT_RULES = ("lheading", "paragraph")
_SPACES = " \t"


class _Token:
    """What rules and readers use of a token of markdown-it, which takes five times as long to make."""

    attrs: ClassVar[Mapping[str, object]] = {}
    map = None
    children = None
    content = markup = info = ""
    meta: ClassVar[Mapping[str, object]] = {}
    block = True
    hidden = False

    def __init__(self, type: str, tag: str, nesting: int, level: int) -> None:
        self.type = type
        self.tag = tag
        self.nesting = nesting
        self.level = level


_new_token = cast("Callable[[str, str, int, int], Token]", _Token)


class _State(StateBlock):
    """Lines found by splitting the text, and tokens that close something made once."""

    def __init__(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> None:
        super().__init__("", md, env, tokens)
        self.src = src
        self._closing: dict[tuple[str, str, int], Token] = {}
        lines = src.split("\n")
        if not lines[-1].strip(_SPACES):
            lines.pop()  # not ended by a line break: as in markdown-it, blanks alone make no line
        lengths = [len(line) for line in lines]
        starts = list(accumulate(map((1).__add__, lengths), initial=0))
        shifts = [length - len(line.lstrip(_SPACES)) for line, length in zip(lines, lengths, strict=True)]
        columns = shifts.copy()
        if "\t" in src:
            columns = [len(line[:shift].expandtabs(4)) for line, shift in zip(lines, shifts, strict=True)]
        # The last entry is no line; rules may look one line too far.
        self.bMarks, self.eMarks = [*starts[:-1], len(src)], [*map(add, starts, lengths), len(src)]
        self.tShift, self.sCount, self.bsCount = [*shifts, 0], [*columns, 0], [0] * (len(lines) + 1)
        self.lineMax = len(lines)

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Append a new token, or the one that closes such a thing at this depth."""
        if nesting >= 0:
            token = _new_token(ttype, tag, nesting, self.level)
            self.level += nesting
            self.tokens.append(token)
            return token
        self.level -= 1
        token = self._closing.get((ttype, tag, self.level))
        if token is None:
            token = self._closing[ttype, tag, self.level] = _new_token(ttype, tag, nesting, self.level)
        self.tokens.append(token)
        return token


class _Chain:
    """Some rules in their order as one rule: it tries those that can match on a line which begins as this one does."""

    def __init__(self, rules: Sequence[tuple[RuleFuncBlockType, str | None]]) -> None:
        """Each rule with the characters that it needs; None: it may match on any line."""
        characters = {character for _, needed in rules for character in needed or ""}
        self.beginning = {
            character: tuple(rule for rule, needed in rules if needed is None or character in needed) for character in characters
        }
        self.other = tuple(rule for rule, needed in rules if needed is None)

    def __call__(self, state: StateBlock, line: int, end: int, silent: bool) -> bool:
        position = state.bMarks[line] + state.tShift[line]
        for rule in self.beginning.get(state.src[position : position + 1], self.other):  # noqa: SIM110 - `any` is slower
            if rule(state, line, end, silent):
                return True
        return False


class _Chains(Ruler["RuleFuncBlockType"]):
    """What rules ask for when they look which others may end their block: one rule that stands for them."""

    def __init__(self, names: list[str], chains: Mapping[str, _Chain]) -> None:
        super().__init__()
        self._names = names
        self._lists: dict[str, list[RuleFuncBlockType]] = {name: [chain] for name, chain in chains.items()}

    def getRules(self, chainName: str = "") -> list[RuleFuncBlockType]:
        """The rules of a chain."""
        return self._lists.get(chainName, [])

    def get_active_rules(self) -> list[str]:
        """The names of all rules."""
        return self._names


class QuickBlockParser(ParserBlock):
    """The rules of another block parser, as they are when this one is made."""

    def __init__(self, rules: ParserBlock, first_characters: Mapping[str, str], *, deep_lines_end_text: bool = False) -> None:
        """`first_characters` says of rules that are not CommonMark's, by name, how a line begins on which they can match.

        With `deep_lines_end_text` a paragraph may end at any line; in CommonMark one that is indented by four goes on with it.
        """
        super().__init__()
        names = rules.ruler.get_active_rules()
        needed = {**_FIRST_CHARACTERS, **first_characters}
        named = list(zip(rules.ruler.getRules(""), names, strict=True))
        known = {id(rule): (_table if name == "table" else rule, needed.get(name)) for rule, name in named}
        block = [known[id(rule)] for rule, name in named if name not in _TEXT_RULES]
        chains = {
            chain: _Chain([known[id(rule)] for rule in rules.ruler.getRules(chain)])
            for chain in ("paragraph", "blockquote", "list")
        }
        self._ends_text = chains["paragraph"]
        self._deep_lines_end_text = deep_lines_end_text
        self._block = chains[""] = _Chain([*block, (self._text, None)])
        self.ruler = _Chains(names, chains)

    def parse(self, src: str, md: MarkdownIt, env: EnvType, outTokens: list[Token]) -> list[Token] | None:
        """Append the tokens of `src` to `outTokens`."""
        if not src:
            return None
        state = _State(src, md, env, outTokens)
        self.tokenize(state, state.line, state.lineMax)
        return state.tokens

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:
        """Append the tokens of these lines."""
        most = state.md.options.maxNesting
        line = startLine
        has_empty_lines = False
        while line < endLine:
            state.line = line = state.skipEmptyLines(line)
            if line >= endLine or state.sCount[line] < state.blkIndent:
                break
            if state.level >= most:
                state.line = endLine
                break
            self._block(state, line, endLine, False)  # text matches if nothing else does
            state.tight = not has_empty_lines
            line = state.line
            if line - 1 < endLine and state.isEmpty(line - 1):
                has_empty_lines = True
            if line < endLine and state.isEmpty(line):
                has_empty_lines = True
                line += 1
                state.line = line

    def _text(self, state: StateBlock, start: int, end: int, silent: bool) -> bool:
        """A paragraph, or a heading with an underline; the lines are read once for both."""
        before, state.parentType = state.parentType, "paragraph"
        line, level = self._end_of_text(state, start, end)
        state.parentType = before
        if not level:
            state.line = line
            state.push(PARAGRAPH, "p", 0).map = [start, line]
            return True
        state.line = line + 1
        token = state.push("heading_open", f"h{level}", 1)
        token.map = [start, state.line]
        token.markup = "-="[level % 2]
        token = state.push("inline", "", 0)
        token.content = mdTrim(state.getLines(start, line, state.blkIndent, False))
        token.map = [start, line]
        state.push("heading_close", f"h{level}", -1)
        return True

    def _end_of_text(self, state: StateBlock, start: int, end: int) -> tuple[int, int]:
        """The line behind the text that begins at `start`, and the level of the heading whose underline that line is (else 0)."""
        may_be_heading = not state.is_code_block(start)
        ended = 0
        for line in range(start + 1, end):
            position = state.bMarks[line] + state.tShift[line]
            if position >= state.eMarks[line]:
                return ended or line, 0
            column = state.sCount[line]
            if column - state.blkIndent > 3:  # in CommonMark it goes on with the text, and never underlines it
                if self._deep_lines_end_text and not ended and self._ends_text(state, line, end, True):
                    ended = line
                continue
            if may_be_heading and column >= state.blkIndent and (level := _underline(state, position, line)):
                return line, level
            # A line of a quote that is indented too little was looked at by the quote.
            if column >= 0 and self._ends_text(state, line, end, True):
                return ended or line, 0
        return ended or max(end, start + 1), 0


def _underline(state: StateBlock, position: int, line: int) -> int:
    """The level of the heading above a line that begins at `position`; 0 for a line that is no underline."""
    character = state.src[position]
    if character not in "-=" or state.src[position : state.eMarks[line]].rstrip(_SPACES).strip(character):
        return 0
    return 1 if character == "=" else 2


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A table as a whole, without a token for each of its cells."""
    if start + 2 > end:
        return False
    position = state.bMarks[start + 1] + state.tShift[start + 1]
    if state.src[position : position + 1] not in ("|", "-", ":") or not table(state, start, end, True):
        return False
    if silent:
        return True
    before, state.parentType = state.parentType, "table"
    ends = state.md.block.ruler.getRules("blockquote")
    line = start + 2
    while line < end and state.sCount[line] >= state.blkIndent and not state.is_code_block(line) and _has_text(state, line):
        if any(rule(state, line, end, True) for rule in ends):
            break
        line += 1
    state.parentType = before
    state.line = line
    token = state.push("table_open", "table", 1)
    token.map = [start, line]
    state.push("table_close", "table", -1)
    return True


def _has_text(state: StateBlock, line: int) -> bool:
    return bool(mdTrim(state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]))
