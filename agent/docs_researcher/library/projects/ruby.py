"""Ruby: Gemfile.lock. A Gemfile is a program, and is not read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from docs_researcher.library.projects.files import MAX_LOCK_BYTES, ProjectFiles
from docs_researcher.library.projects.values import Dependency, valid_name, valid_range, valid_version

LOCK = "Gemfile.lock"
_SPEC = re.compile(r" {4}([\w.-]+) \(([^()\s]+)\)")
_DIRECT = re.compile(r" {2}([\w.-]+)(!)?(?: \(([^()]+)\))?(!)?")
_PLATFORM = re.compile(r"-(?:x86|x64|arm|aarch|java|mingw|mswin|universal|ruby).*$")


def read_ruby(files: ProjectFiles, folders: Sequence[Path]) -> Iterator[Dependency]:
    """The gems of the nearest Gemfile.lock; those of its DEPENDENCIES are direct."""
    for folder in folders:
        if LOCK in files.names(folder):
            text = files.text(folder / LOCK, MAX_LOCK_BYTES)
            yield from _gems(files.shown(folder / LOCK), text) if text is not None else ()
            return


def _gems(file: str, text: str) -> Iterator[Dependency]:
    specs: dict[str, tuple[str, int, bool]] = {}
    direct: dict[str, tuple[str | None, int]] = {}
    section = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if line and not line[0].isspace():
            section = line.strip()
        elif section in ("GEM", "GIT", "PATH", "PLUGIN SOURCE") and (match := _SPEC.fullmatch(line)):
            specs.setdefault(match[1], (_PLATFORM.sub("", match[2]), number, section != "GEM"))
        elif section == "DEPENDENCIES" and (match := _DIRECT.fullmatch(line)):
            direct[match[1]] = (match[3], number)
    for name in [*direct, *(name for name in specs if name not in direct)]:
        valid = valid_name("gem", name)
        version, line, local = specs.get(name, (None, direct.get(name, (None, 1))[1], False))
        if valid is not None:
            asked = valid_range(direct[name][0]) if name in direct else None
            yield Dependency("gem", valid, None if local else valid_version(version), asked, name in direct, file, line, local)
