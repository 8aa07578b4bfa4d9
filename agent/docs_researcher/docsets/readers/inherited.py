"""What a class or interface has from those that it builds on: named with it, since its users look for it there.

The compiler writes `class A extends A_base` where the base is an expression, and says what that makes in a constant that no
one can import. Such a class is shown with what the constant says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from textwrap import wrap

from docs_researcher.docsets.readers.reference import Symbol, last_name

MAX_INHERITED = 40
"""Names; attributes of HTML elements are hundreds."""
_MAX_DEPTH = 8
_WIDTH = 110
_MEMBER = re.compile(
    r"(?:/\*.*?\*/\s*)?(?:(?:static|readonly|abstract|async|public|override|declare|get|set)\s+)*"
    r"(?P<name>[A-Za-z$][\w$]*)[?!]?\s*[(<:]",
    re.DOTALL,
)
_MADE = re.compile(r"const \w+: (?:abstract )?new (?P<parameters>\(.*\)) => [^\n]+", re.DOTALL)

Home = tuple[str, str]
Find = Callable[[str, str], Home | None]
"""From the path of a file and a type named in it to where that is declared."""
Look = Callable[[Home], Symbol | None]


def with_inherited(symbol: Symbol, path: str, find: Find, look: Look) -> Symbol:
    """The class or interface with a comment in its body that names what it inherits; any other symbol as it is."""
    if not symbol.close or not symbol.bases:
        return symbol
    known = {*_member_names(symbol), "constructor"}
    rows: list[str] = []
    room = MAX_INHERITED
    for base, names in _inherited(symbol, path, find, look):
        fresh = [name for name in dict.fromkeys(names) if name not in known]
        known.update(fresh)
        if fresh and room:
            more = f" and {len(fresh) - room} more" if len(fresh) > room else ""
            rows += wrap(f"// from {base}: {', '.join(fresh[:room])}{more}", _WIDTH, subsequent_indent="//   ")
            room = max(room - len(fresh), 0)
    return replace(symbol, plain=(*symbol.plain, "\n".join(rows))) if rows else symbol


def _inherited(symbol: Symbol, path: str, find: Find, look: Look) -> Iterator[tuple[str, list[str]]]:
    """Each type that it builds on, the nearest first, with the names of its members."""
    seen: set[Home] = set()
    queue = [(path, base, 0) for base in symbol.bases]
    while queue:
        path, base, depth = queue.pop(0)
        home = find(path, base)
        found = look(home) if home is not None and home not in seen else None
        if home is None or found is None or depth > _MAX_DEPTH:
            continue
        seen.add(home)
        if found.close:
            yield last_name(found.name), list(_member_names(found))
        queue.extend((home[0], further, depth + 1) for further in found.bases)


def _member_names(symbol: Symbol) -> Iterator[str]:
    for text in symbol.plain:
        found = _MEMBER.match(text)
        if found is not None:
            yield found["name"]
    for member in symbol.members:
        yield last_name(member.name)


def is_made_base(name: str, symbols: dict[str, Symbol]) -> bool:
    """Whether a constant of a file is what the compiler put behind a class of it."""
    symbol = symbols.get(name)
    owner = symbols.get(name.removesuffix("_base")) if name.endswith("_base") else None
    return symbol is not None and not symbol.close and owner is not None and name in owner.bases


def with_made_base(symbol: Symbol, symbols: dict[str, Symbol]) -> Symbol:
    """A class with what the constant behind it says: what it extends, how it is constructed, the comment."""
    name = f"{symbol.name}_base"
    if not is_made_base(name, symbols):
        return symbol
    base = symbols[name]
    made = _MADE.fullmatch(base.signature)
    has_constructor = any(text.startswith("constructor") for text in symbol.plain)
    starts = (f"constructor{made['parameters']}",) if made is not None and not has_constructor else ()
    extends = re.compile(rf" extends {re.escape(name)}\b")
    shown = f" extends {' & '.join(base.bases)}" if base.bases else ""
    return replace(
        symbol,
        signature=extends.sub(lambda _: shown, symbol.signature),
        plain=starts + symbol.plain,
        prose=symbol.prose + base.prose,
        bases=tuple(dict.fromkeys((*base.bases, *(other for other in symbol.bases if other != name)))),
    )
