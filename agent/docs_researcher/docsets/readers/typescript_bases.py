"""What a declaration in TypeScript builds on: the types that a class or interface extends or implements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_CLAUSES = frozenset({"class_heritage", "extends_clause", "implements_clause", "extends_type_clause"})
_NAMES = frozenset({"identifier", "member_expression", "type_identifier", "nested_type_identifier"})
_SAME_MEMBERS = frozenset({"Partial", "Required", "Readonly"})
"""Types that have the members of what they are given."""


def bases_of(node: Node) -> tuple[str, ...]:
    """The names of those types as they are written, without their arguments; of a value with `new`, what it makes."""
    return tuple(dict.fromkeys(_bases(node)))


def _bases(node: Node) -> Iterator[str]:
    if node.type in ("lexical_declaration", "variable_declaration"):
        for declarator in node.named_children:
            annotation = declarator.child_by_field_name("type")
            if annotation is not None:
                yield from _made(annotation)
        return
    for child in node.named_children:
        if child.type in _CLAUSES:
            yield from _bases(child)
        elif node.type in _CLAUSES:
            yield from _named(child)


def _made(node: Node) -> Iterator[str]:
    """What the constructors in a type make."""
    if node.type == "constructor_type":
        yield from _named(node.named_children[-1])
        return
    for child in node.named_children:
        yield from _made(child)


def _named(node: Node) -> Iterator[str]:
    if node.type in _NAMES:
        yield (node.text or b"").decode("utf-8", "replace")
    elif node.type == "generic_type":
        [name, *arguments] = node.named_children
        given = arguments[0].named_children if arguments else []
        yield from _named(given[0] if given and name.text and name.text.decode() in _SAME_MEMBERS else name)
    elif node.type in ("intersection_type", "parenthesized_type"):
        for child in node.named_children:
            yield from _named(child)
