"""The built plugin folders on disk: written, or compared with what would be written now."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from docs_researcher.core.errors import UsageError
from docs_researcher.hosts.plugins import CLAUDE, CURSOR, PORTABLE, Tree
from docs_researcher.hosts.texts import AGENT

MARKETPLACES = (".claude-plugin/marketplace.json", ".cursor-plugin/marketplace.json", ".agents/plugins/marketplace.json")


@dataclass(frozen=True, slots=True)
class Difference:
    """One file, and how it is not as it would be built (`missing`, `differs`, `not built any more`) or what was done about it."""

    path: str
    kind: str

    def __str__(self) -> str:
        return f"{self.path}: {self.kind}"


def differences(root: Path, tree: Tree) -> tuple[Difference, ...]:
    """How the files below `root` differ from the tree. Only our folders and the marketplace files are looked at."""
    found = [Difference(name, kind) for name, text in tree.items() if (kind := _kind(root / name, text))]
    found += [Difference(name, "not built any more") for name in _extra(root, tree)]
    return tuple(sorted(found, key=lambda item: item.path))


def write(root: Path, tree: Tree) -> tuple[Difference, ...]:
    """Make the files below `root` what the tree says, and tell what was `written`, and what of ours was `deleted`.

    Raises:
        UsageError: `root` holds a marketplace that is not ours.
    """
    for name in MARKETPLACES:
        _check_ours(root / name)
    changed = differences(root, tree)
    for item in changed:
        path = root / item.path
        if item.path not in tree:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(tree[item.path], encoding="utf-8", newline="\n")
    return tuple(replace(item, kind="written" if item.path in tree else "deleted") for item in changed)


def _kind(path: Path, text: str) -> str:
    try:
        return "" if path.read_bytes() == text.encode() else "differs"
    except FileNotFoundError:
        return "missing"


def _extra(root: Path, tree: Tree) -> Iterable[str]:
    for folder in (CLAUDE, CURSOR, PORTABLE):
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.is_file() and name not in tree:
                yield name


def _check_ours(path: Path) -> None:
    try:
        found: object = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return
    except ValueError:
        found = None
    name = cast("dict[str, object]", found).get("name") if isinstance(found, dict) else None
    if name != AGENT:
        raise UsageError(
            f"{path} is the marketplace of somebody else",
            why="building here would overwrite it",
            next_step="Name an empty folder: docs-research plugins build --out FOLDER",
        )
