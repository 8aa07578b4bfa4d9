"""A docutils tree turned into the blocks of a page, with Markdown as their text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, cast

from docutils import nodes

from docs_researcher.docsets.readers.badges import is_badge
from docs_researcher.docsets.readers.base import NO_SITE, Block, Kind, Page, Site
from docs_researcher.docsets.readers.rst_code import code_block, guessed_language, invoked_commands
from docs_researcher.docsets.readers.rst_directives import (
    CALLABLES,
    CODE_DIRECTIVES,
    DROPPED_DIRECTIVES,
    LABELS,
    MARKERS,
    PREFIXED,
    SIGNATURES,
    SILENT_ARGUMENT,
    is_shown,
)
from docs_researcher.docsets.readers.rst_inline import Inline
from docs_researcher.docsets.readers.rst_lists import described, is_object_field, list_block, object_fields, strong
from docs_researcher.docsets.readers.rst_parsing import Taken, parse_rst
from docs_researcher.docsets.readers.rst_tables import table_text

_CARD_RULE = re.compile(r"^(?:\^{3,}|\+{3,})[ \t]*(?:\n|$)", re.MULTILINE)
"""What divides a card of sphinx-design into header, body and footer."""
_BARE_NAMES = re.compile(r"`[^`\n]+`(?:\n`[^`\n]+`)*")
"""All that a page shows which leaves its whole text to autodoc; that stands with the code."""
_LONGEST_HEADING = 90
"""A longer signature is shortened to its name in the heading and stands whole below it."""

Flow = Iterator[Block]


def read_document(path: str, text: str, site: Site = NO_SITE) -> Page | None:
    """The page in `text`, or None when it holds nothing to read. Raises what docutils raises."""
    document = parse_rst(f"{text}\n\n{site.shared}\n" if site.shared else text, site.captions)
    writer = _Writer(document, path, site)
    blocks = tuple(writer.flow(document.children, 0))
    if not blocks or (".. auto" in text and all(_BARE_NAMES.fullmatch(block.text) for block in blocks)):
        return None
    title = next((block.title for block in blocks if block.kind == "heading"), "") or PurePosixPath(path).stem
    return Page(path, title, writer.description, blocks)


class _Writer:
    """Walks one tree in order; knows what earlier directives set (the language of code, the current module and class)."""

    def __init__(self, document: nodes.document, path: str, site: Site) -> None:
        self.description = ""
        self._inline = Inline(document, path, site)
        self._language = "" if site.highlight in ("default", "none") else site.highlight
        self._module = ""
        self._class = ""
        self._line = 1
        self._ids: set[str] = set()
        self._handlers: dict[type, Callable[[Any, int], Flow]] = {
            nodes.section: self._section,
            nodes.title: self._nothing,
            nodes.paragraph: self._paragraph,
            nodes.literal_block: self._literal,
            nodes.doctest_block: self._doctest,
            nodes.bullet_list: self._list,
            nodes.enumerated_list: self._list,
            nodes.definition_list: self._definitions,
            nodes.field_list: self._fields,
            nodes.option_list: self._options,
            nodes.block_quote: self._quote,
            nodes.line_block: self._lines,
            nodes.table: self._table,
            nodes.footnote: self._footnote,
            nodes.citation: self._footnote,
            nodes.system_message: self._message,
            Taken: self._directive,
            **dict.fromkeys(
                (nodes.comment, nodes.target, nodes.substitution_definition, nodes.pending, nodes.transition, nodes.raw),
                self._nothing,
            ),
        }

    def flow(self, children: Sequence[nodes.Node], level: int) -> Flow:
        """The blocks of these nodes in order. `level` is that of the heading above them; -1 inside lists, quotes and cells."""
        for index, node in enumerate(children):
            self._line = _line(node) or self._line
            handler = self._handlers.get(type(node))
            if handler is not None:
                if isinstance(node, Taken) and level >= 0 and not _heads(children[index:]):
                    yield from self._directive(node, level, heads=False)
                else:
                    yield from handler(node, level)
            elif node.children:
                yield from self.flow(node.children, level)
            elif node.astext().strip():
                yield self._block("text", node.astext().strip())

    def _nested(self, node: nodes.Element) -> list[Block]:
        return list(self.flow(node.children, -1))

    def _block(self, kind: Kind, text: str) -> Block:
        return Block(kind, text, self._line)

    def _nothing(self, node: nodes.Node, level: int) -> Flow:
        return iter(())

    def _section(self, node: nodes.section, level: int) -> Flow:
        depth = min(max(level, 0) + 1, 6)
        title = node.next_node(nodes.title)
        if title is not None:
            shown = " ".join(self._inline.text(title.children).split())
            self._line = max(self._line, 1)
            if shown:
                yield self._heading(depth, shown, " ".join(title.astext().split()), self._section_id(node, title))
        yield from self.flow(node.children, depth)

    def _section_id(self, node: nodes.section, title: nodes.title) -> str | None:
        """The id that Sphinx publishes: made from the title, unless an earlier section has it."""
        own = cast("list[str]", node["ids"])
        made = nodes.make_id(title.astext())
        anchor = made if made and made not in self._ids else own[0] if own else None
        if anchor:
            self._ids.add(anchor)
        return anchor

    def _heading(self, level: int, text: str, title: str, anchor: str | None) -> Block:
        return Block("heading", f"{'#' * level} {text}", self._line, level=level, title=title, anchor=anchor)

    def _paragraph(self, node: nodes.paragraph, level: int) -> Flow:
        text = self._inline.text(node.children).strip()
        if text:
            yield self._block("text", text)

    def _literal(self, node: nodes.literal_block, level: int) -> Flow:
        code = "".join(child.astext() if isinstance(child, nodes.Text) else self._inline.plain(child) for child in node.children)
        yield code_block(code, self._language or guessed_language(code), self._line)

    def _doctest(self, node: nodes.doctest_block, level: int) -> Flow:
        yield code_block(node.astext(), "pycon", self._line)

    def _list(self, node: nodes.Element, level: int) -> Flow:
        line = self._line
        number = int(node.get("start", 1)) if isinstance(node, nodes.enumerated_list) else None
        items: list[tuple[str, list[Block]]] = []
        for item in node.children:
            mark = "- " if number is None else f"{number}. "
            number = None if number is None else number + 1
            items.append((mark, self._nested(cast("nodes.Element", item))))
        yield from list_block(items, line)

    def _definitions(self, node: nodes.definition_list, level: int) -> Flow:
        line = self._line
        items: list[tuple[str, list[Block]]] = []
        for item in node.children:
            parts = cast("nodes.Element", item).children
            terms = [strong(self._inline.text(part.children)) for part in parts if isinstance(part, nodes.term)]
            kinds = [self._inline.text(part.children) for part in parts if isinstance(part, nodes.classifier)]
            bodies = [part for part in parts if isinstance(part, nodes.definition)]
            head = " : ".join([", ".join(terms), *kinds])
            items.append((head, [block for body in bodies for block in self._nested(body)]))
        yield from described(items, line)

    def _fields(self, node: nodes.field_list, level: int) -> Flow:
        line = self._line
        items: list[tuple[str, list[Block]]] = []
        for item in node.children:
            name, body = cast("tuple[nodes.Element, nodes.Element]", tuple(cast("nodes.Element", item).children[:2]))
            blocks = self._nested(body)
            if level == 0 or not (blocks or name.children):  # `:orphan:` and its like at the top of a page
                continue
            items.append((self._inline.text(name.children), blocks))
        yield from object_fields([item for item in items if is_object_field(item[0])], line)
        yield from described(((strong(name), blocks) for name, blocks in items if not is_object_field(name)), line)

    def _options(self, node: nodes.option_list, level: int) -> Flow:
        line = self._line
        items: list[tuple[str, list[Block]]] = []
        for item in node.children:
            group, description = cast("tuple[nodes.Element, nodes.Element]", tuple(cast("nodes.Element", item).children[:2]))
            items.append((f"`{', '.join(option.astext() for option in group.children)}`", self._nested(description)))
        yield from described(items, line)

    def _quote(self, node: nodes.block_quote, level: int) -> Flow:
        line = self._line
        if not all(isinstance(child, nodes.paragraph | nodes.attribution) for child in node.children):
            yield from self.flow(node.children, -1 if level < 0 else level)
            return
        text = "\n\n".join(block.text for block in self._nested(node))
        if text:
            yield Block("quote", "\n".join(f"> {row}".rstrip() for row in text.split("\n")), line)

    def _lines(self, node: nodes.line_block, level: int) -> Flow:
        text = "  \n".join(self._inline.text(row.children) for row in node.findall(nodes.line)).strip()
        if text:
            yield self._block("text", text)

    def _table(self, node: nodes.table, level: int) -> Flow:
        line = self._line
        title = node.next_node(nodes.title)
        if title is not None:
            yield self._block("text", strong(self._inline.text(title.children)))
        text = table_text(node, self._nested)
        if text:
            yield Block("table", text, line)

    def _footnote(self, node: nodes.Element, level: int) -> Flow:
        label = next((child.astext() for child in node.children if isinstance(child, nodes.label)), "")
        label = label or next(iter(cast("list[str]", node["names"])), "#")
        bodies = [child for child in node.children if not isinstance(child, nodes.label)]
        text = "\n\n".join(block.text for block in self.flow(bodies, -1))
        if text:
            yield self._block("text", f"[{label}] {text}")

    def _message(self, node: nodes.system_message, level: int) -> Flow:
        """Docutils' complaint: dropped, except for the source text that it holds when a construct could not be read."""
        for child in node.children:
            if isinstance(child, nodes.literal_block):
                lines = child.astext().split("\n")
                if "title" in node.astext()[:60].lower():
                    yield self._block("text", strong(lines[0].strip()))
                elif not lines[0].lstrip().startswith(".. "):
                    yield code_block(child.astext(), "", self._line)

    def _directive(self, node: Taken, level: int, *, heads: bool = True) -> Flow:
        name = cast("str", node["name"])
        argument = cast("list[str]", node["argument"])
        if "raw" in node:
            yield from self._code(node, name, argument)
        elif name in DROPPED_DIRECTIVES or (name == "only" and not is_shown(" ".join(argument))):
            yield from self._dropped(node, name, argument)
        elif name in LABELS or name == "admonition":
            yield from self._admonition(node, name, argument, level)
        elif name in SIGNATURES:
            yield from self._object(node, name, argument, level if heads else -1)
        elif name in ("changelog", "change"):
            yield from self._change(node, name, level if heads else -1)
        elif name == "autosummary":
            names = [line.split()[0] for line in node.rawsource.split("\n") if line.strip() and not line.startswith(":")]
            if names:
                yield self._block("list", "\n".join(f"- `{entry.lstrip('~')}`" for entry in names))
        else:
            yield from self._other(node, name, argument, level)

    def _other(self, node: Taken, name: str, argument: Sequence[str], level: int) -> Flow:
        """A directive that arranges its body, or one that is not known: its argument is a title."""
        line = self._line
        blocks = list(self.flow(node.children, level))
        if name.startswith("button") and argument:
            text = " ".join(block.text for block in blocks) or self._inline.text(node["title"].children)
            is_address = re.fullmatch(r"https?://[^\s()]+", argument[0])
            yield self._block("text", f"[{text}]({argument[0]})" if is_address else text)
            return
        if "title" in node and name not in SILENT_ARGUMENT:
            yield Block("text", strong(self._inline.text(node["title"].children)), line)
        for block in blocks:
            is_card = name.endswith("card") and block.kind == "text"
            text = _CARD_RULE.sub("", block.text).strip("\n") if is_card else block.text
            if text:
                yield block._replace(text=text)

    def _change(self, node: Taken, name: str, level: int) -> Flow:
        """A release of a change log, with a heading where one may stand; a change in it is an item with its tags and tickets."""
        line = self._line
        options = cast("dict[str, str]", node["options"])
        if name == "change":
            blocks = self._nested(node)
            tickets = [f"#{number}" for number in re.findall(r"\d+", options.get("tickets", ""))]
            marks = ", ".join(filter(None, [options.get("tags", ""), *tickets]))
            if blocks and marks and blocks[0].kind == "text":
                blocks[0] = blocks[0]._replace(text=f"[{marks}] {blocks[0].text}")
            yield from list_block([("- ", blocks)], line)
            return
        if options.get("version"):
            released = options.get("released", "").strip()
            title = f"{options['version']} ({released})" if released else options["version"]
            if level >= 0:
                level = min(level + 1, 6)
                yield self._heading(level, title, title, None)
            else:
                yield self._block("text", strong(title))
        yield from self.flow(node.children, level)

    def _code(self, node: Taken, name: str, argument: Sequence[str]) -> Flow:
        code = cast("str", node["raw"])
        first = argument[0].split()[0] if argument and argument[0] else ""
        language = CODE_DIRECTIVES.get(name) or ("" if name == "testcode" else first)
        if not code.strip() or (name in ("testcode", "testoutput") and "hide" in node["options"]):
            return
        commands = invoked_commands(code) if name == "click:run" else None
        code, language = (commands, "console") if commands is not None else (code, language)
        if "title" in node:
            yield self._block("text", f"{self._inline.text(node['title'].children)}:")
        yield code_block(code, language or self._language or guessed_language(code), cast("int", node["raw_line"]))

    def _dropped(self, node: Taken, name: str, argument: Sequence[str]) -> Flow:
        first = argument[0] if argument else ""
        options = cast("dict[str, str]", node["options"])
        if name == "highlight":
            self._language = "" if first in ("default", "none") else first
        elif name in ("module", "currentmodule"):
            self._module, self._class = ("" if first == "None" else first), ""
        elif name == "meta":
            found = re.search(r"^:description:[ \t]*(.+)$", node.rawsource, re.MULTILINE)
            self.description = found.group(1).strip() if found else self.description
        elif name == "literalinclude" and first:
            yield self._block("text", f"{options.get('caption', 'Code')}: `{first}`")
        elif name == "image" and options.get("alt") and not is_badge(first):
            yield self._block("text", options["alt"])

    def _admonition(self, node: Taken, name: str, argument: Sequence[str], level: int) -> Flow:
        line = self._line
        label = LABELS.get(name, "")
        title = self._inline.text(node["title"].children).strip() if "title" in node else ""
        if "version" in label:
            version, _, rest = title.partition(" ")
            label, title = f"{label} {version}".strip(), rest.strip()
        elif name == "admonition":
            label, title = title, ""
        blocks = list(self.flow(node.children, level))
        if not title and blocks and blocks[0].kind == "text":
            title, blocks = blocks[0].text, blocks[1:]
        if title or blocks:
            yield Block("admonition", f"{strong(label + ':')} {title}".strip() if label else title, line)
        elif argument:
            yield Block("admonition", strong(label), line)
        yield from blocks

    def _object(self, node: Taken, name: str, argument: Sequence[str], level: int) -> Flow:
        """The description of a function, class, option ...: under a heading of its own, or behind its signature."""
        if not argument or (name in MARKERS and not node.children):
            return
        prefix = PREFIXED.get(name, "")
        signatures = [prefix + signature.removesuffix("\\").strip().replace("\\*", "*") for signature in argument]
        bare = re.split(r"[(\[ ]", argument[0], maxsplit=1)[0]
        outer = self._class
        if level >= 0 and node.children:
            depth = min(level + 1, 6)
            first = signatures[0]
            shown = first if len(first) <= _LONGEST_HEADING else f"{prefix}{bare}{'()' if name in CALLABLES else ''}"
            yield self._heading(depth, f"`{shown}`", shown, self._anchor(node, name, bare))
            rest = signatures if shown != first else signatures[1:]
            if rest:
                yield self._block("text", "\n".join(f"`{signature}`" for signature in rest))
            level = depth
        else:
            yield self._block("text", "\n".join(f"`{signature}`" for signature in signatures))
        facts = [self._inline.text(fact.children) for fact in cast("list[nodes.inline]", node["facts"])]
        if facts:
            yield self._block("text", "  \n".join(facts))
        if name in ("class", "exception"):
            self._class = bare
        yield from self.flow(node.children, level)
        self._class = outer

    def _anchor(self, node: Taken, name: str, bare: str) -> str | None:
        """The id that Sphinx gives to a Python object; None for others."""
        if name in MARKERS or name in ("option", "confval", "hook", "fixture") or node["domain"] not in ("", "py"):
            return None
        parts = [self._module, self._class if not bare.startswith(f"{self._class}.") else "", bare]
        return ".".join(part for part in parts if part)


def _heads(rest: Sequence[nodes.Node]) -> bool:
    """Whether the object that `rest` begins with may have a heading.

    Only objects and sections may follow it, so that no later paragraph of its section seems to belong to it.
    """
    for node in rest:
        if isinstance(node, Taken):
            if not {node["name"]} & (SIGNATURES | DROPPED_DIRECTIVES | {"changelog"}):
                return False
        elif not isinstance(
            node, nodes.section | nodes.target | nodes.comment | nodes.system_message | nodes.substitution_definition
        ):
            return False
    return True


def _line(node: nodes.Node) -> int | None:
    """The first line of a node, or of the first part of it that has one."""
    if isinstance(node, Taken):
        return node.line
    if node.line is not None and not isinstance(node, nodes.section):
        return node.line
    return next((part.line for part in node.findall() if part.line is not None), None)
