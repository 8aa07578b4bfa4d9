"""requirements.txt as pip reads it, without installing anything: names, ranges, pins; `-r` and `-c` below the project's root."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from docs_researcher.library.projects.files import ProjectFiles, line_at

MAX_NESTED = 8
"""How deep files may include one another."""
MAX_LINES = 20_000
"""Lines of all files together."""

_JOINED = r"\\\n"
_INCLUDE = r"(?:-r|--requirement|-c|--constraint)(?:\s+|=|(?=[^\s-]))(\S.*)"
_BOUND = r"\s*[<>=!~]=?=?\s*[^\s;,()<>=!~]+"
_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,212}[A-Za-z0-9])?)\s*(?:\[[^\]\n]{0,500}\])?\s*"
    rf"(?P<rest>@\s*\S+|\(?{_BOUND}(?:\s*,\s*{_BOUND}){{0,20}}\s*,?\)?)?\s*(?:;.*|--.*)?"
)
_PART_OF_NAME = re.compile(r"[\w.-]")
_PIN = re.compile(r"={2,3}\s*(\d[\w.+!-]*)")
_FROM_PROJECT = r"-r\s|-c\s|\.toml\)|setup\.|\.in\b"
_VIA = r"#\s*via\b\s*(.*)|#\s{2,}(\S.*)"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement: `declared` as written, `pinned` where that is one version, `local` for addresses and folders."""

    name: str
    declared: str | None
    pinned: str | None
    local: bool
    direct: bool = True
    file: Path | None = None
    line: int | None = None


def parse_requirement(text: str) -> Requirement | None:
    """Read a line of PEP 508; None for what is none."""
    match = _REQUIREMENT.fullmatch(" ".join(text.split())) if len(text) <= 2_000 else None
    if match is None:
        return None
    rest = (match["rest"] or "").strip("() ")
    pin = _PIN.fullmatch(rest)
    return Requirement(match["name"], rest or None, pin[1] if pin else None, rest.startswith("@"))


def read_requirements(files: ProjectFiles, path: Path) -> Iterator[Requirement]:
    """The requirements of a file and of those that it includes; constraints only where something else requires the name."""
    reading = _Reading(files)
    found = list(reading.file(path, (), constraint=False))
    for requirement in found:
        pin = reading.constraints.get(requirement.name.lower())
        unpinned = requirement.pinned is None and not requirement.local
        yield replace(requirement, pinned=pin.pinned, file=pin.file, line=pin.line) if pin and unpinned else requirement


class _Reading:
    """One reading, which visits each file once."""

    def __init__(self, files: ProjectFiles) -> None:
        self.constraints: dict[str, Requirement] = {}
        self._files = files
        self._visited: set[str] = set()
        self._lines = 0

    def file(self, path: Path, above: tuple[Path, ...], *, constraint: bool) -> Iterator[Requirement]:
        """The requirements in a file, in order."""
        real = os.path.realpath(path)
        if real in self._visited:
            return
        self._visited.add(real)
        text = self._files.text(path)
        if text is None:
            return
        text = re.sub(_JOINED, "  ", text) if "\\\n" in text else text
        lines = text.split("\n")
        for number, line in enumerate(lines, start=1):
            self._lines += 1
            if self._lines > MAX_LINES:
                self._files.refuse(path, f"requirements have more than {MAX_LINES:,} lines", number)
                return
            bare = re.split(r"(?:^|\s)#", line, maxsplit=1)[0].strip()
            include = re.fullmatch(_INCLUDE, bare) if bare[:1] == "-" else None
            if include is not None:
                yield from self._included(path, include, number, (*above, path), constraint=constraint)
            elif bare and bare[0] != "-":
                yield from self._requirement(path, bare, lines, number, constraint=constraint)

    def _included(
        self, path: Path, include: re.Match[str], number: int, above: tuple[Path, ...], *, constraint: bool
    ) -> Iterator[Requirement]:
        name = include[1].strip().strip("\"'")
        target = path.parent / name
        root = os.path.realpath(self._files.root)
        if "://" in name or os.path.commonpath([os.path.realpath(target), root]) != root:
            self._files.refuse(path, "it includes a file that lies outside of the project", number)
        elif os.path.realpath(target) in {os.path.realpath(one) for one in above}:
            self._files.refuse(path, "it includes itself", number)
        elif len(above) > MAX_NESTED:
            self._files.refuse(path, f"files include one another more than {MAX_NESTED} deep", number)
        elif not os.path.exists(target):  # noqa: PTH110 -- Path raises for names that are too long
            self._files.refuse(path, "it includes a file that does not exist", number)
        else:
            is_constraint = constraint or include[0].startswith(("-c", "--constraint"))
            yield from self.file(target, above, constraint=is_constraint)

    def _requirement(self, path: Path, bare: str, lines: list[str], number: int, *, constraint: bool) -> Iterator[Requirement]:
        read = parse_requirement(bare)
        if read is None:
            return  # a path or an address without a name, of which no documentation is known
        read = replace(read, file=path, line=number, direct=_is_direct(lines, number))
        if not constraint:
            yield read
        elif read.pinned is not None:
            self.constraints.setdefault(read.name.lower(), read)


def _is_direct(lines: list[str], number: int) -> bool:
    """Whether the comments that compilers write ("# via rich") say that the project itself requires it."""
    said: list[str] = []
    for line in [lines[number - 1].partition(" #")[2], *lines[number : number + 40]]:
        bare = line.strip()
        if line in lines[number:] and not bare.startswith("#"):
            if bare.startswith("--hash") or not bare:
                continue
            break
        match = re.match(_VIA, bare)
        if match is not None:
            said.append(match[1] or match[2] or "")
    told = [text for text in said if text]
    return not told or any(re.search(_FROM_PROJECT, f"{text} ") for text in told)


def line_in(text: str, name: str) -> int | None:
    """The line of a manifest on which a package is required; comments do not count."""
    text, name = text.lower(), name.lower()
    position = text.find(name)
    while position >= 0:
        start = text.rfind("\n", 0, position) + 1
        before, behind = text[position - 1 : position], text[position + len(name) : position + len(name) + 1]
        if "#" not in text[start:position] and not _PART_OF_NAME.fullmatch(before) and not _PART_OF_NAME.fullmatch(behind):
            return line_at(text, position)
        position = text.find(name, position + 1)
    return None
