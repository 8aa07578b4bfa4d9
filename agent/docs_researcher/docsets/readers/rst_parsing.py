"""reStructuredText parsed by docutils alone, without Sphinx and without the project's configuration.

Three things are taken over from docutils: directives that are not plain (their options, bodies and arguments are kept whatever
they are called), interpreted text, and nothing is ever read from or written to the disk. Its parsers of nested text make only
those states that they come to.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, ClassVar

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Directive, Parser, directives, states
from docutils.parsers.rst.states import Inliner, NestedStateMachine, RSTState, RSTStateMachine, SubstitutionDef
from docutils.statemachine import StringList
from docutils.utils import escape2null, new_document

from docs_researcher.docsets.readers.badges import is_badge
from docs_researcher.docsets.readers.rst_code import guessed_language
from docs_researcher.docsets.readers.rst_directives import (
    CODE_DIRECTIVES,
    DROPPED_DIRECTIVES,
    FACTS,
    LABELS,
    SIGNATURES,
    SILENT_ARGUMENT,
    TEXT_DIRECTIVES,
    is_lexer,
    may_be_code,
    short_name,
)
from docs_researcher.docsets.readers.rst_roles import DOC, shown_role

_LINE_LIMIT = 1_000_000
"""Docutils refuses a whole page for one long line; its own limit of 10,000 is too low for wide tables."""

_MARKUP_CHARACTERS = 50_000
"""A longer paragraph is taken as plain text."""

_MAX_UNCLOSED = 300
"""Marks without an end on one page; from then on its paragraphs are plain text. Each costs a look through its paragraph."""

_MARK = re.compile(r"[*`|_:@]")
"""One of these stands in all inline markup and in every address; most lines have none, and are not looked through for them."""
_OPTION = re.compile(r"[ \t]*:([A-Za-z][\w-]*):(?:[ \t]+(?P<value>.*)|(?P<number>\d.*))?$")
_DIRECTIVE = re.compile(r"[ \t]*\.\. [\w:-]+::(?: |$)")
_TOUCHING = re.compile(r"(?<=\w)(?=:su[bp]:`)")
"""A role that its author put to a word without the blank that reStructuredText wants: `2:sup:`64``."""
_DOCUTILS_OWN = frozenset({"table", "csv-table", "list-table", "replace", "unicode", "parsed-literal"})
"""Directives whose docutils form is just what is wanted."""

_lock = threading.Lock()
"""Docutils keeps its directives and its nested parser in a module and a class; one thread at a time may have ours there."""

_nested_parsers: list[Any] = []
"""Those that are not at work, for the next text; docutils puts one here only when it ended well."""


class Taken(nodes.General, nodes.Body, nodes.Element):
    """A directive as it stands: `name` (lower case, without domain), `argument`, `options`; its children are its parsed body.

    `raw` is the body as text, for code. `title` holds the argument's parsed inline text (for code its caption), `facts` what the
    options say about an object.
    """


class _TakenDirective(Directive):
    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        lines = list(self.content)
        if isinstance(self.state, SubstitutionDef):
            return self._substituted(lines)
        has_argument_line = bool(lines) and self.content_offset == self.lineno - 1
        name = short_name(self.name)
        start = 1 if has_argument_line and name not in TEXT_DIRECTIVES else 0
        while (
            start
            and start < len(lines)
            and lines[start].strip()
            and not _OPTION.match(lines[start])
            and not _DIRECTIVE.match(lines[start])
            and name not in CODE_DIRECTIVES
        ):
            start += 1  # further signatures, or a title that runs on
        argument = [line.strip() for line in lines[:start]]
        body, options = _skip_options(lines, start)
        node = Taken("\n".join(lines), name=name, argument=argument, options=options, domain=self.name.rpartition(":")[0])
        node.line = self.lineno
        if name == "math" and argument:
            node["raw"], node["raw_line"] = "\n".join([*argument, *lines[body:]]).strip("\n"), self.lineno
        elif name in CODE_DIRECTIVES or _is_code(name, argument, lines[body:]):
            node["raw"] = "\n".join(lines[body:])
            node["raw_line"] = self.content_offset + body + 1
            if options.get("caption"):
                node["title"] = self._inline(options["caption"])
        elif name not in DROPPED_DIRECTIVES:
            self._read_body(name, argument, options, body, node)
        return [node]

    def _read_body(self, name: str, argument: list[str], options: dict[str, str], body: int, node: Taken) -> None:
        if argument and name not in SIGNATURES:
            node["title"] = self._inline(" ".join(argument))
        elif name in SIGNATURES:
            node["facts"] = [self._inline(f"{key}: {options[key]}") for key in FACTS if options.get(key)]
        if name == "glossary":
            joined = _joined_terms(list(self.content[body:]))
            self.state.nested_parse(StringList(joined, items=self.content[body:].items), self.content_offset + body, node)
        else:
            self.state.nested_parse(self.content[body:], self.content_offset + body, node)

    def _substituted(self, lines: list[str]) -> list[nodes.Node]:
        """What a substitution stands for: the text of an image, nothing for a badge or a date."""
        if self.name.lower() != "image":
            return []
        if is_badge(" ".join(lines[:1])):
            return [nodes.image(alt="")]
        alternative = next((found["value"] for line in lines if (found := _OPTION.match(line)) and found[1] == "alt"), "")
        return [nodes.image(alt=alternative)]

    def _inline(self, text: str) -> nodes.inline:
        texts, _ = self.state.inline_text(text, self.lineno)
        return nodes.inline("", "", *texts)


def _goes_on(line: str) -> bool:
    """Whether a line belongs to the option above it."""
    return line[:1].isspace() and bool(line.strip()) and not _OPTION.match(line)


def _is_code(name: str, argument: list[str], body: list[str]) -> bool:
    """Whether the body of a directive that is not known is code: it names a language, or is called so and looks like it."""
    if name in LABELS or name in SIGNATURES or name in DROPPED_DIRECTIVES or name in SILENT_ARGUMENT or not any(body):
        return False
    if not may_be_code(name):
        return False
    first = "\n".join(body).strip("\n").split("\n\n")[0]
    return (len(argument) == 1 and is_lexer(argument[0])) or guessed_language(first) != ""


def _joined_terms(lines: list[str]) -> list[str]:
    """The lines of a glossary with the terms that share a definition on one line, apart from what would be joined otherwise."""
    shown: list[str] = []
    for number, line in enumerate(lines):
        follows = lines[number + 1] if number + 1 < len(lines) else ""
        is_term = bool(line.strip()) and not line[:1].isspace() and not line.startswith("..")
        if is_term and follows.strip() and not follows[:1].isspace() and not follows.startswith(".."):
            lines[number + 1] = f"{line.strip()}, {follows.strip()}"
            shown.append("")
        else:
            shown.append(lines[number])
    return shown


def _skip_options(lines: list[str], start: int) -> tuple[int, dict[str, str]]:
    """Where the body begins behind the option lines, and the options."""
    options: dict[str, str] = {}
    position = start
    while position < len(lines) and (match := _OPTION.match(lines[position])):
        options[match.group(1)] = match["value"] or match["number"] or ""
        position += 1
        while position < len(lines) and _goes_on(lines[position]):
            options[match.group(1)] += " " + lines[position].strip()
            position += 1
    while position < len(lines) and not lines[position].strip():
        position += 1
    return position, options


class _Address:
    """A pattern of docutils for addresses, which are slow, for a text that may hold one."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def search(self, text: str) -> re.Match[str] | None:
        """The first address."""
        return self._pattern.search(text) if ":" in text or "@" in text else None


class _Unclosed(Exception):
    """Too many marks without an end: the text is no markup."""


class _ShownInliner(Inliner):
    """Docutils' inline parser with every role known, its patterns made once, and its work bounded."""

    _made_for: object = None
    _unclosed = 0
    captions: Mapping[str, str] = {}

    def init_customizations(self, settings: Any) -> None:
        self._unclosed = 0  # docutils calls this at the start of every page
        if self._made_for is settings:
            return
        plain = Inliner()  # docutils builds the patterns out of the attributes of the very class, not of a subclass
        plain.init_customizations(settings)
        found = [(_Address(pattern), getattr(self, method.__name__)) for pattern, method in plain.implicit_dispatch]
        self.__dict__.update(plain.__dict__, implicit_dispatch=found)
        self._made_for = settings

    def parse(
        self, text: str, lineno: int, memo: Any, parent: nodes.Element
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        if _MARK.search(text) is None:
            return [nodes.Text(escape2null(text))] if text else [], []
        if len(text) <= _MARKUP_CHARACTERS and self._unclosed <= _MAX_UNCLOSED:
            try:
                return super().parse(text, lineno, memo, parent)
            except _Unclosed:
                pass
        return [nodes.Text(text)], []

    def inline_obj(self, *args: Any, **kwargs: Any) -> Any:
        found = super().inline_obj(*args, **kwargs)
        if not found[4]:  # no end-string: each of these has looked through the rest of its paragraph
            self._unclosed += 1
            if self._unclosed > _MAX_UNCLOSED:
                raise _Unclosed
        return found

    def interpreted(
        self, rawsource: str, text: str, role: str, lineno: int
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        shown = shown_role(role, nodes.unescape(text), self.captions)
        if shown.form == "code":
            return [nodes.literal(rawsource, shown.text)], []
        if shown.form == "emphasis":
            return [nodes.emphasis(rawsource, shown.text)], []
        if shown.form == "strong":
            return [nodes.strong(rawsource, shown.text)], []
        if shown.form == "reference":
            label = shown.target if shown.target.startswith(DOC) else nodes.fully_normalize_name(shown.target)
            return [nodes.inline(rawsource, shown.text, label=label)], []
        return [nodes.Text(shown.text)], []


class _States(dict[str, Any]):
    """The states of one parser, each made when it is first asked for."""

    def __init__(self, machine: RSTStateMachine, classes: Mapping[str, type[Any]]) -> None:
        super().__init__()
        self._machine = machine
        self._classes = classes

    def __missing__(self, name: str) -> Any:
        state = self[name] = self._classes[name](self._machine, self._machine.debug)
        if getattr(self._machine, "memo", None) is not None:  # it runs; else it starts its states itself
            state.runtime_init()
        return state


class _NestedParser(NestedStateMachine):
    """Docutils makes all fifteen states for every list and list item, which was a third of the time of a page."""

    def add_states(self, state_classes: Iterable[type[Any]]) -> None:
        self.states = _States(self, {state.__name__: state for state in state_classes})


class _Machine(RSTStateMachine):
    """The parser of a whole text: a documentation has thousands of short ones, docstrings among them."""

    def add_states(self, state_classes: Iterable[type[Any]]) -> None:
        self.states = _States(self, {state.__name__: state for state in state_classes})


@cache
def _settings() -> Any:
    settings: Any = get_default_settings(Parser())
    settings.report_level = 5
    settings.halt_level = 6
    settings.file_insertion_enabled = False
    settings.raw_enabled = False
    settings.line_length_limit = _LINE_LIMIT
    settings.syntax_highlight = "none"
    settings.smart_quotes = False
    settings.auto_id_prefix = "id"  # as Sphinx has it: these ids are in the addresses of the published pages
    settings.warning_stream = False
    return settings


@cache
def _inliner() -> _ShownInliner:
    return _ShownInliner()


@contextmanager
def _ours_in_docutils() -> Generator[None]:
    directive, machine = directives.directive, states.RSTStateMachine
    nested, nested_cache = RSTState.nested_sm, RSTState.nested_sm_cache

    def ours(name: str, language: Any, document: nodes.document) -> tuple[Any, list[nodes.system_message]]:
        if name.lower() in _DOCUTILS_OWN:
            found, messages = directive(name, language, document)
            return found or _TakenDirective, messages
        return _TakenDirective, []

    with _lock:
        directives.directive, states.RSTStateMachine = ours, _Machine
        RSTState.nested_sm, RSTState.nested_sm_cache = _NestedParser, _nested_parsers
        try:
            yield
        finally:
            directives.directive, states.RSTStateMachine = directive, machine
            RSTState.nested_sm, RSTState.nested_sm_cache = nested, nested_cache


def parse_rst(text: str, captions: Mapping[str, str] | None = None) -> nodes.document:
    """The document tree of `text`, without docutils' transforms: substitutions and links are still as written.

    `captions` is what the project's own roles show, with `%s` for their text.

    Raises whatever docutils raises on input that it cannot stand (deep nesting).
    """
    if "sup:`" in text or "sub:`" in text:
        text = _TOUCHING.sub(r"\\ ", text)
    document = new_document("", _settings())
    with _ours_in_docutils():
        _inliner().captions = captions or {}
        Parser(inliner=_inliner()).parse(text, document)
    return document
