"""What Sphinx reads in a project's `conf.py`, taken from its text: nothing of it is run."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

NAME = "conf.py"
MAX_CHARACTERS = 500_000
_SHARED = re.compile(r"^\.\. (?:\|[^|\n]+\||_[^\n]+:)[^\n]*(?:\n[ \t]+[^\n]*)*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Conf:
    """The settings that change what a page shows."""

    shared: str = ""
    """Substitutions and link targets that every page has (`rst_prolog`, `rst_epilog`)."""
    version: str = ""
    highlight: str = ""
    """The language of code that names none."""
    captions: Mapping[str, str] = field(default_factory=dict[str, str])
    """What a role of `extlinks` shows, with `%s` for its text."""
    roots: tuple[str, ...] = ()
    """Folders that are put on `sys.path`, relative to the file's own."""


def conf_paths(pages: Iterable[str]) -> list[str]:
    """Where the `conf.py` of these pages may lie: in a folder above them, the nearest to the top first."""
    folders = {""}
    for page in pages:
        folder = posixpath.dirname(page)
        while folder and folder not in folders:
            folders.add(folder)
            folder = posixpath.dirname(folder)
    return [posixpath.join(folder, NAME) for folder in sorted(folders, key=lambda folder: (folder.count("/"), folder))]


def find_conf(pages: Iterable[str], read: Callable[[str], str | None]) -> tuple[str, Conf]:
    """The path of the nearest `conf.py` above the pages and what it says; empty where there is none."""
    for path in conf_paths(pages):
        text = read(path)
        if text is not None and ("extensions" in text or "sphinx" in text or "rst_" in text):
            return path, read_conf(text)
    return "", Conf()


def read_conf(text: str) -> Conf:
    """The settings in the text of a `conf.py`. What is computed is not known; text that is no Python says nothing."""
    try:
        tree = ast.parse(text[:MAX_CHARACTERS])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Conf()
    values: dict[str, str] = {}
    captions: dict[str, str] = {}
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target if isinstance(node, ast.AugAssign) else None
        if not isinstance(target, ast.Name) or not isinstance(node, ast.Assign | ast.AugAssign):
            continue
        value = _text(node.value, values)
        if value is not None:
            values[target.id] = values.get(target.id, "") + value if isinstance(node, ast.AugAssign) else value
        elif target.id == "extlinks" and isinstance(node.value, ast.Dict):
            captions.update(_captions(node.value, values))
    shared = "\n".join(values.get(name, "") for name in ("rst_prolog", "rst_epilog"))
    return Conf(
        "\n\n".join(match.group() for match in _SHARED.finditer(shared)),
        values.get("release", "") or values.get("version", ""),
        values.get("highlight_language", ""),
        captions,
        tuple(_roots(tree)),
    )


def _text(node: ast.expr, values: Mapping[str, str]) -> str | None:
    """The string that an expression is: a literal, a name of one, several joined."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return values.get(node.id)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text(node.left, values), _text(node.right, values)
        return left + right if left is not None and right is not None else None
    if isinstance(node, ast.JoinedStr):
        parts = [_text(part.value if isinstance(part, ast.FormattedValue) else part, values) for part in node.values]
        return "".join(part for part in parts if part is not None) if None not in parts else None
    return None


def _captions(node: ast.Dict, values: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        name = _text(key, values) if key is not None else None
        caption = _text(value.elts[1], values) if isinstance(value, ast.Tuple) and len(value.elts) == 2 else None
        if name and caption and "%s" in caption and caption != "%s":  # which says nothing beyond the text
            found[name.lower()] = caption
    return found


def _roots(tree: ast.Module) -> list[str]:
    """The folders in `sys.path.insert(0, os.path.abspath("../src"))` and its like: the strings in such a call, joined."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func).startswith("sys.path."):
            parts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            shown = posixpath.normpath("/".join(parts)) if parts else "."
            if not shown.startswith("/"):
                found.append(shown)
    return found
