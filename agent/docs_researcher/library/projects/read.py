"""Read the project around a folder: its direct dependencies with their versions, whatever tools it is built with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.definition.places import project_folders

if TYPE_CHECKING:
    from docs_researcher.library.projects.files import ProjectFiles
    from docs_researcher.library.projects.values import Dependency, Project

MAX_ENTRIES = 5_000
"""How many names of a folder are looked at for manifests."""
MAX_DEPENDENCIES = 5_000
"""More than any project that was looked at names itself, members of workspaces included."""

_FIXED = {
    "npm": ("package.json", "pnpm-workspace.yaml"),
    "python": ("pyproject.toml", "Pipfile", "uv.lock", "poetry.lock", "pdm.lock", "pylock.toml", ".venv", "venv"),
    "cargo": ("Cargo.toml",),
    "golang": ("go.mod",),
    "ruby": ("Gemfile.lock",),
    "php": ("composer.json", "composer.lock"),
    "maven": ("pom.xml",),
    "dotnet": ("packages.lock.json",),
}
"""The files that make a folder one of a project, by the module that reads them. It is imported when one of them is there."""

_Reader = Callable[["ProjectFiles", Sequence[Path]], "Iterator[Dependency]"]


def find_project(folder: Path) -> Project | None:
    """The project that a folder lies in, up to the root of its repository; None where no file makes it one.

    Nothing of it is executed, and nothing is written. What cannot be read is told in `notices`.
    """
    folders = project_folders(folder)
    kinds = {kind for one in folders for kind in _kinds(one)}
    if not kinds:
        return None  # found without importing what reads projects
    from docs_researcher.library.projects.files import ProjectFiles
    from docs_researcher.library.projects.values import Project

    files = ProjectFiles(folders[-1])
    found: dict[tuple[str, str, str | None, str], Dependency] = {}
    for kind in _FIXED:
        for dependency in _reader(kind)(files, folders) if kind in kinds else ():
            if len(found) >= MAX_DEPENDENCIES:
                files.tell(f"The project has more than {MAX_DEPENDENCIES:,} dependencies; the others are left out.")
                break
            found.setdefault((dependency.ecosystem, dependency.name, dependency.version, dependency.file), dependency)
    return Project(folders[-1], tuple(found.values()), tuple(files.notices))


def _kinds(folder: Path) -> Iterator[str]:
    """The modules that have something to read in a folder."""
    try:
        with os.scandir(folder) as entries:
            known = {entry.name for entry in islice(entries, MAX_ENTRIES)}
    except OSError:
        return
    for kind, fixed in _FIXED.items():
        if not known.isdisjoint(fixed):
            yield kind
    for name in known:
        if "requirements" in name and (name == "requirements" or name.endswith(".txt")):
            yield "python"
        elif name.endswith((".csproj", ".fsproj", ".vbproj")):
            yield "dotnet"


def _reader(kind: str) -> _Reader:
    module = import_module(f"docs_researcher.library.projects.{kind}")
    reader: _Reader = getattr(module, f"read_{kind}")
    return reader
