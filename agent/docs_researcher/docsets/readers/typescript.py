"""One TypeScript declaration file (`.d.ts`): what it declares, with comments, and what it imports and exports.

Read with tree-sitter: a piece that the grammar does not know stays a local error, and what stands around it is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from docs_researcher.docsets.readers.code_text import sub_in_code
from docs_researcher.docsets.readers.doc_comments import Comment, read_comment
from docs_researcher.docsets.readers.markdown import read_markdown
from docs_researcher.docsets.readers.reference import Symbol, as_prose
from docs_researcher.docsets.readers.typescript_bases import bases_of

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

WHOLE = "*"
"""The name under which a whole module is imported or exported."""
MAX_OVERLOADS = 6
"""Of a name declared more often than this the first ones are shown."""

_VARIANCE = re.compile(r"([<,]\s*(?:const\s+)?)(in\s+out|in|out)(?=\s+[A-Za-z_$])")
_BLANKED = re.compile(r"([<,]) {2,}")
_UNNAMED_DEFAULT = re.compile(r"(export default function )(?=\()")
_REFERENCE = re.compile(r"^///[ \t]*<reference[ \t]+path=[\"']([^\"']+)[\"']", re.MULTILINE)
_BUNDLED = re.compile(r"(?<=\w)\$\d{1,3}\b")
"""Bundlers tell equal names of several files apart by a number (`ServerOptions$1`), which no user writes."""
_EXPORTING = re.compile(r"^(?:export\s+|declare\s+|default\s+)+")
_DECLARATIONS = {
    "function_signature": "function",
    "function_declaration": "function",
    "class_declaration": "class",
    "abstract_class_declaration": "class",
    "interface_declaration": "class",
    "type_alias_declaration": "type",
    "enum_declaration": "type",
    "lexical_declaration": "variable",
    "variable_declaration": "variable",
    "internal_module": "namespace",
    "module": "namespace",
}
_OF_OTHERS = frozenset({"NodeJS", "JSX", "React", "Intl", "WebAssembly"})
"""Namespaces of the language, its runtime and React, to which packages add a line each."""
_NAMED_MEMBERS = frozenset({
    "method_signature", "abstract_method_signature", "property_signature", "public_field_definition", "method_definition",
})  # fmt: skip
_UNNAMED_MEMBERS = frozenset({"call_signature", "construct_signature", "index_signature"})


@dataclass(frozen=True, slots=True)
class Reference:
    """Where an imported or re-exported name comes from: a module as written, and the name there (`WHOLE` for all of it)."""

    module: str
    name: str


@dataclass(slots=True)
class DeclarationFile:
    """What one file says. Names of a namespace carry its name and a dot in front."""

    symbols: dict[str, Symbol] = field(default_factory=dict[str, Symbol])
    imports: dict[str, Reference] = field(default_factory=dict[str, Reference])
    exports: dict[str, Reference | str] = field(default_factory=dict[str, "Reference | str"])
    """Exported name to a name of this file, or to one of another module."""
    stars: list[str] = field(default_factory=list[str])
    """Modules whose every export is exported again."""
    assigned: str = ""
    """What `export = NAME` names."""
    globals: set[str] = field(default_factory=set[str])
    """Names of namespaces that are there without an import."""
    is_script: bool = True
    """Neither imports nor exports: everything is visible everywhere."""


def read_declarations(text: str) -> DeclarationFile:
    """Read one declaration file. Never raises for what stands in the text."""
    # The grammar knows neither variance words nor an unnamed default function; blanks and a name keep every position.
    text = sub_in_code(_VARIANCE, lambda match: match[1] + " " * len(match[2]), text)
    text = sub_in_code(_UNNAMED_DEFAULT, r"\1_default", text)
    found = DeclarationFile(stars=[f"./{path}" for path in _REFERENCE.findall(text)])
    _Reading(found).block(_parser().parse(text.encode("utf-8", "replace")).root_node, "")
    return found


@cache
def _parser() -> Parser:
    from tree_sitter import Language, Parser
    from tree_sitter_typescript import language_typescript

    return Parser(Language(language_typescript()))


def _text(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def _string(node: Node | None) -> str:
    return _text(node).strip("\"'`")


def _line(node: Node) -> int:
    return node.start_point.row + 1


@dataclass(slots=True)
class _Reading:
    found: DeclarationFile

    def block(self, parent: Node, prefix: str, *, exporting: bool = False) -> None:
        """Read the statements of a file or of a namespace called `prefix`."""
        comment: Node | None = None
        for node in parent.children:
            if node.type == "comment":
                comment = node if _text(node).startswith("/**") else comment
                continue
            self._statement(node, prefix, comment, exporting)
            comment = None

    def _statement(self, node: Node, prefix: str, comment: Node | None, exporting: bool) -> None:
        if node.type == "import_statement":
            self.found.is_script = False
            self._import(node)
        elif node.type == "export_statement":
            self.found.is_script = self.found.is_script and bool(prefix)
            self._export(node, prefix, comment)
        elif node.type in ("ambient_declaration", "expression_statement", "ERROR"):
            for child in node.named_children:
                if child.type == "statement_block":  # `declare global`
                    self._global(child)
                else:
                    self._statement(child, prefix, comment, exporting)
        elif node.type in _DECLARATIONS:
            self._declare(node, prefix, comment, exported=exporting)

    def _global(self, block: Node) -> None:
        """Namespaces that are there without an import, as `Chai`: what `expect` returns. Else it changes other people's types."""
        for node in block.named_children:
            inner = node.named_children[0] if node.type == "expression_statement" and node.named_children else node
            name = inner.child_by_field_name("name")
            if inner.type in ("internal_module", "module") and _text(name) not in _OF_OTHERS:
                before = set(self.found.symbols)
                self._namespace(inner, "", exported=False)
                self.found.globals.update(self.found.symbols.keys() - before)

    def _import(self, node: Node) -> None:
        module = _string(node.child_by_field_name("source"))
        clause = next((child for child in node.named_children if child.type.endswith("_clause")), None)
        if clause is None:
            return
        if clause.type == "import_require_clause":
            module = _string(clause.child_by_field_name("source"))
            self.found.imports[_text(clause.named_children[0])] = Reference(module, WHOLE)
            return
        for child in clause.named_children:
            if child.type == "identifier":
                self.found.imports[_text(child)] = Reference(module, "default")
            elif child.type == "namespace_import":
                self.found.imports[_text(child.named_children[-1])] = Reference(module, WHOLE)
            elif child.type == "named_imports":
                for name, alias in _specifiers(child):
                    self.found.imports[alias] = Reference(module, name)

    def _export(self, node: Node, prefix: str, comment: Node | None) -> None:
        declaration = node.child_by_field_name("declaration")
        if declaration is not None:
            is_default = any(child.type == "default" for child in node.children)
            inner = declaration.named_children[0] if declaration.type == "ambient_declaration" else declaration
            if inner.type in _DECLARATIONS:
                self._declare(inner, prefix, comment, exported=True, default=is_default)
            return
        source = node.child_by_field_name("source")
        module = _string(source) if source is not None else ""
        kinds = [child.type for child in node.children]
        if "=" in kinds:
            self.found.assigned = _text(node.named_children[-1])
            return
        for child in node.named_children:
            if child.type == "namespace_export":
                self.found.exports[_text(child.named_children[-1])] = Reference(module, WHOLE)
            elif child.type == "export_clause" and not prefix and not (module and "type" in kinds):  # others' types
                for name, alias in _specifiers(child):
                    self.found.exports[alias] = Reference(module, name) if module else name
            elif child.type == "identifier" and "default" in kinds:
                self.found.exports["default"] = _text(child)
        if module and "*" in kinds:
            self.found.stars.append(module)

    def _declare(self, node: Node, prefix: str, comment: Node | None, *, exported: bool, default: bool = False) -> None:
        kind = _DECLARATIONS[node.type]
        if kind == "namespace":
            self._namespace(node, prefix, exported)
            return
        said = read_comment(_text(comment)) if comment is not None else Comment("")
        for symbol in _symbols(node, kind, said):
            name = prefix + symbol.name
            if exported and not prefix:
                self.found.exports["default" if default else name] = name
            if not said.is_hidden:
                before = self.found.symbols.get(name)
                if before is not None and kind == "function" and said.is_deprecated_only:  # one way to call it is, not all
                    symbol = replace(symbol, signature=f"{said.as_deprecated}\n{symbol.signature}", prose=())
                self.found.symbols[name] = _merged(before, replace(symbol, name=name))

    def _namespace(self, node: Node, prefix: str, exported: bool) -> None:
        body = node.child_by_field_name("body")
        name = node.child_by_field_name("name")
        if body is None or name is None:
            return
        if name.type == "string":  # `declare module "x"` describes module x: its names stand for themselves
            self.block(body, prefix, exporting=True)
            return
        if exported and not prefix:
            self.found.exports[_text(name)] = _text(name)
        self.block(body, f"{prefix}{_text(name)}.")


def _specifiers(clause: Node) -> Iterator[tuple[str, str]]:
    """Name and alias of every name in braces."""
    for child in clause.named_children:
        name = _text(child.child_by_field_name("name"))
        if name:
            yield name, _text(child.child_by_field_name("alias")) or name


def _symbols(node: Node, kind: str, comment: Comment) -> Iterator[Symbol]:
    prose = prose_of(comment.text, _line(node))
    if kind == "class":
        yield _class(node, prose)
        return
    names = [node.child_by_field_name("name")]
    if kind == "variable":
        names = [child.child_by_field_name("name") for child in node.named_children if child.type == "variable_declarator"]
    signature = signature_of(_text(node))
    for name in names:
        if name is not None:
            yield Symbol(_text(name), "ts", signature, _line(node), prose, bases=bases_of(node) if kind == "variable" else ())


def _class(node: Node, prose: tuple[Block, ...]) -> Symbol:
    name = _text(node.child_by_field_name("name"))
    body = node.child_by_field_name("body")
    whole = _text(node)
    head = whole if body is None else whole[: len(whole) - len(_text(body))]
    plain, members = _members(name, body) if body is not None else ((), ())
    return Symbol(name, "ts", f"{signature_of(head)} {{", _line(node), prose, plain, members, "}", bases_of(node))


def _members(owner: str, body: Node) -> tuple[tuple[str, ...], tuple[Symbol, ...]]:
    """Members without a comment as they are written, and those with one as symbols of their own."""
    plain: list[str] = []
    documented: dict[str, Symbol] = {}
    unnamed = 0
    comment: Node | None = None
    for node in body.children:
        if node.type == "comment":
            comment = node if _text(node).startswith("/**") else comment
            continue
        if not node.is_named:
            continue
        said = read_comment(_text(comment)) if comment is not None else Comment("")
        comment = None
        if said.is_hidden or not _is_public_member(node):
            continue
        name = _text(node.child_by_field_name("name")) if node.type in _NAMED_MEMBERS else ""
        unnamed += not name
        signature = signature_of(_text(node))
        if said.is_deprecated_only and name:
            plain.append(f"{said.as_deprecated}\n{signature}")
        elif said.text and name:
            symbol = Symbol(f"{owner}.{name}", "ts", signature, _line(node), prose_of(said.text, _line(node)))
            documented[name] = _merged(documented.get(name), symbol)
        elif name or unnamed <= MAX_OVERLOADS:
            plain.append(signature)
    return tuple(plain), tuple(documented.values())


def _is_public_member(node: Node) -> bool:
    if node.type not in _NAMED_MEMBERS | _UNNAMED_MEMBERS:
        return False
    name = node.child_by_field_name("name")
    if name is not None and (name.type == "private_property_identifier" or _string(name).startswith(("_", "~"))):
        return False
    return not any(child.type == "accessibility_modifier" and _text(child) != "public" for child in node.children)


def _merged(before: Symbol | None, symbol: Symbol) -> Symbol:
    """Overloads, and the parts of an interface or of a value and a type of one name, under one heading."""
    if before is None:
        return symbol
    if before.close or symbol.close:
        return _merged_bodies(before, symbol)
    lines = before.signature.split("\n\n") if "\n" in before.signature else before.signature.split("\n")
    signature = before.signature if len(lines) >= MAX_OVERLOADS else f"{before.signature}\n{symbol.signature}"
    known = {block.text for block in before.prose}
    prose = before.prose + tuple(block for block in symbol.prose if block.text not in known)
    return replace(before, signature=signature, prose=prose)


def _merged_bodies(before: Symbol, symbol: Symbol) -> Symbol:
    with_body, other = (before, symbol) if before.close else (symbol, before)
    prose = before.prose + tuple(block for block in symbol.prose if block not in before.prose)
    if other.close:
        plain, members = before.plain + symbol.plain, before.members + symbol.members
        return replace(with_body, prose=prose, plain=plain, members=members, bases=before.bases + symbol.bases)
    signature = f"{other.signature}\n{with_body.signature}"
    return replace(with_body, signature=signature, prose=prose, bases=with_body.bases + other.bases)


def signature_of(text: str) -> str:
    """A declaration as it is shown: without the words around exports, with its own indentation taken back."""
    text = sub_in_code(_BUNDLED, "", _EXPORTING.sub("", text.strip()).rstrip(" ;,{\n"))
    text = sub_in_code(_BLANKED, lambda match: "<" if match[1] == "<" else ", ", text)
    lines = text.split("\n")
    indents = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(indents, default=0)
    closing = lines[-1].strip()[:1] in ("}", ")", "]", ">") if len(lines) > 1 else False
    shift = margin if closing or margin <= 2 else max(margin - 4, 0)
    return "\n".join([lines[0], *(line[shift:] if not line[:shift].strip() else line.lstrip() for line in lines[1:])])


def without_number(name: str) -> str:
    """A name without the number that a bundler gave it."""
    return _BUNDLED.sub("", name)


def prose_of(text: str, line: int) -> tuple[Block, ...]:
    """The blocks of a comment's text."""
    page = read_markdown("comment.md", text) if text else None
    return as_prose(page.blocks, line) if page is not None else ()


def documented(symbols: Iterable[Symbol]) -> int:
    """How many of the symbols have a comment."""
    return sum(symbol.is_documented for symbol in symbols)


if TYPE_CHECKING:
    from docs_researcher.docsets.readers.base import Block
