"""Lists of a docutils tree as Markdown: items, heads with what is said about them, the fields of an object."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docs_researcher.docsets.readers.base import Block

Item = tuple[str, list[Block]]
"""The mark or head of an item, and its blocks."""

_FIELD = re.compile(
    r"(?P<kind>param|parameter|arg|argument|key|keyword|kwarg|type|raises?|except|exception|returns?|rtype|yields?|ivar|cvar|var|vartype)"
    r"(?:\\?[ \t]+(?P<argument>.+))?$"
)
_TITLES = (
    ("Parameters", ("param", "parameter", "arg", "argument", "key", "keyword", "kwarg")),
    ("Attributes", ("ivar", "cvar", "var")),
    ("Raises", ("raise", "raises", "except", "exception")),
    ("Returns", ("return", "returns", "rtype")),
    ("Yields", ("yield", "yields")),
)


def list_block(items: Iterable[Item], line: int) -> Iterator[Block]:
    """One list; its items stand apart where one of them has more than one block."""
    texts: list[str] = []
    is_loose = False
    for mark, blocks in items:
        body = "\n\n".join(block.text for block in blocks)
        if not body.strip():
            continue
        is_loose = is_loose or len(blocks) > 1
        texts.append(mark + body.replace("\n", "\n" + " " * len(mark)))
    if texts:
        text = ("\n\n" if is_loose else "\n").join(texts)
        yield Block("list", re.sub(r"^[ \t]+$", "", text, flags=re.MULTILINE), line)


def described(items: Iterable[Item], line: int) -> Iterator[Block]:
    """A list of heads, each with what is said about it."""
    rows: list[Item] = []
    for head, blocks in items:
        if blocks and not head:
            rows.append(("- ", blocks))
        elif blocks and blocks[0].kind == "text":
            first = Block("text", f"{head}: {blocks[0].text}", blocks[0].line)
            rows.append(("- ", [first, *blocks[1:]]))
        else:
            rows.append(("- ", [Block("text", head, line), *blocks]))
    yield from list_block(rows, line)


def is_object_field(name: str) -> bool:
    """Whether a field (`param name`) describes a function or class, and is no fact of its own."""
    return _FIELD.match(name) is not None


def object_fields(items: Iterable[Item], line: int) -> Iterator[Block]:
    """The fields of a function or class under titles, in the order that Sphinx gives them: parameters, raises, returns."""
    groups: dict[str, list[Item]] = {title: [] for title, _ in _TITLES}
    types: dict[str, str] = {}
    for name, blocks in items:
        match = _FIELD.match(name)
        if match is None:
            continue
        kind, argument = match["kind"], (match["argument"] or "").replace("\\", "").strip("`* ")
        if kind in ("type", "vartype", "rtype"):
            types["" if kind == "rtype" else argument] = " ".join(" ".join(block.text for block in blocks).split())
        title = next((title for title, kinds in _TITLES if kind in kinds), "")
        if title in ("Parameters", "Attributes") and " " in argument:
            stated, _, argument = argument.rpartition(" ")
            types.setdefault(argument, stated)
        if title and (kind != "rtype" or not groups[title]):
            groups[title].append((argument, blocks if kind != "rtype" else []))
    for title, found in groups.items():
        if found:
            yield Block("text", f"{title}:", line)
            yield from described(((_head(name, types.get(name, "")), blocks) for name, blocks in found), line)


def _head(name: str, kind: str) -> str:
    kind = f"({kind})" if kind and name else kind
    return " ".join(filter(None, (f"`{name}`" if name else "", kind)))


def strong(text: str) -> str:
    """Text as a label; what is code or set apart already stays as it is."""
    text = " ".join(text.split())
    return text if not text or "*" in text or (text.startswith("`") and text.endswith("`")) else f"**{text}**"
