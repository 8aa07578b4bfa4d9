"""Go: go.mod, which holds the exact versions itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from docs_researcher.library.projects.files import ProjectFiles
from docs_researcher.library.projects.values import Dependency, valid_name, valid_version

MANIFEST = "go.mod"
_REQUIRED = re.compile(r"(?:require\s+)?([^\s()]+)\s+(v[^\s()]+)\s*(//.*)?")
_REPLACED = re.compile(r"(?:replace\s+)?([^\s()]+)(?:\s+v\S+)?\s+=>\s+(\S+)(?:\s+(v\S+))?\s*(?://.*)?")
_BLOCK = re.compile(r"(require|replace|exclude|retract|tool|use)\s*\(")


def read_golang(files: ProjectFiles, folders: Sequence[Path]) -> Iterator[Dependency]:
    """The modules that the nearest go.mod requires; those marked `// indirect` are not direct."""
    for folder in folders:
        if MANIFEST in files.names(folder):
            text = files.text(folder / MANIFEST)
            yield from _modules(files.shown(folder / MANIFEST), text) if text is not None else ()
            return


def _modules(file: str, text: str) -> Iterator[Dependency]:
    replaced: set[str] = set()
    found: list[Dependency] = []
    block = ""
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.strip()
        if opened := _BLOCK.fullmatch(bare):
            block = opened[1]
        elif bare == ")":
            block = ""
        elif (block == "replace" or bare.startswith("replace ")) and (swap := _REPLACED.fullmatch(bare)):
            if swap[2].startswith(".") or swap[2].startswith("/") or swap[3]:
                replaced.add(swap[1])
        elif (block == "require" or bare.startswith("require ")) and (match := _REQUIRED.fullmatch(bare)):
            name, version = valid_name("golang", match[1]), valid_version(match[2])
            if name is not None and version is not None:
                direct = "indirect" not in (match[3] or "")
                found.append(Dependency("golang", name, version, version, direct, file, number))
    for one in found:
        swapped = one.name in replaced
        yield Dependency("golang", one.name, None, one.declared, one.direct, file, one.line, True) if swapped else one
