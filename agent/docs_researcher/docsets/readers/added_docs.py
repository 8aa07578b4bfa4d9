"""Docstrings that a package adds to its compiled functions in a file of its own: NumPy's `add_newdoc(place, name, text)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from griffe import Module, Object

_CALL = "add_newdoc"
MAX_FILE_BYTES = 4_000_000
"""NumPy's own file has 200 kB."""


def add_docs(package: Module, folder: Path) -> None:
    """Give the names of a package that was parsed in `folder` the docstrings that its files add; those that have one keep it."""
    from griffe import Docstring

    for file in sorted(folder.rglob("*.py")):
        for place, name, text, line in _added(file):
            # Compiled names are declared where they are imported from, and documented where they are compiled.
            found = _member(package, f"{place}.{name}") or _member(package, f"{package.name}.{name}")
            if found is not None and not (found.docstring and found.docstring.value.strip()):
                found.docstring = Docstring(cleandoc(text), lineno=line, parent=found)


def _added(file: Path) -> Iterator[tuple[str, str, str, int]]:
    """Module, name in it, docstring and line of every call with plain texts."""
    try:
        if file.stat().st_size > MAX_FILE_BYTES or _CALL.encode() not in (data := file.read_bytes()):
            return
        tree = ast.parse(data)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != _CALL:
            continue
        try:
            values = [ast.literal_eval(argument) for argument in node.args]
        except (ValueError, TypeError, MemoryError, RecursionError):
            continue
        if len(values) == 3 and all(isinstance(value, str) for value in values[:2]):
            for name, text in _texts(values[1], values[2]):
                yield values[0], name, text, node.lineno


def _texts(name: str, said: object) -> Iterator[tuple[str, str]]:
    """What is said of a name, or of its members: a text, a pair of member and text, or a list of such pairs."""
    if isinstance(said, str):
        yield name, said
        return
    for pair in cast("list[object]", said) if isinstance(said, list) else [said]:
        match pair:
            case (str(member), str(text)):
                yield f"{name}.{member}", text
            case _:
                continue


def _member(package: Module, path: str) -> Object | None:
    """What a dotted path below the package means, whichever of its modules it is defined in."""
    from griffe import Alias

    first, *parts = path.split(".")
    if first != package.name:
        return None
    found: Object | Alias = package
    try:
        for part in parts:
            found = found.members[part]
            found = found.final_target if isinstance(found, Alias) else found
    except Exception:  # griffe has its own kinds for what is not in the archive and for a circle
        return None
    return found
