"""The packages that are installed in a Python environment: names and versions of its dist-info folders, nothing more."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from docs_researcher.library.projects.files import ProjectFiles
from docs_researcher.library.projects.values import comparable

VARIABLE = "VIRTUAL_ENV"
FOLDERS = (".venv", "venv")
_MARK = "pyvenv.cfg"
_DIST_INFO = re.compile(r"([A-Za-z0-9][\w.]*)-(\d[\w.+!]*)\.dist-info")


class Environment:
    """An environment that was found. `shown` is what it is called in answers."""

    def __init__(self, files: ProjectFiles, folder: Path) -> None:
        self._files = files
        self.shown = files.shown(folder) if folder.is_relative_to(files.root) else folder.name
        self._packages: dict[str, tuple[str, Path]] = {}
        for packages in _site_packages(files, folder):
            for name in files.names(packages):
                match = _DIST_INFO.fullmatch(name)
                if match is not None:
                    self._packages.setdefault(comparable("pypi", match[1]), (match[2], packages / name))

    def version(self, name: str) -> str | None:
        """The installed version of a package."""
        found = self._packages.get(comparable("pypi", name))
        return found[0] if found is not None else None

    def installed(self) -> Iterator[tuple[str, str, bool]]:
        """Every package with its version, and whether somebody asked for it by name, which only pip writes down rightly."""
        for name, (version, folder) in self._packages.items():
            by_pip = (self._files.text(folder / "INSTALLER") or "").strip() == "pip"
            yield name, version, by_pip and (folder / "REQUESTED").is_file()


def active_environment() -> Path | None:
    """The environment that the user works in, by VIRTUAL_ENV; None without one.

    The environment that this program runs from does not count: what it holds are our own dependencies. One that lies in the
    project is found there all the same.
    """
    named = os.environ.get(VARIABLE, "").strip()
    if not named or os.path.realpath(named) == os.path.realpath(sys.prefix):
        return None
    return Path(named)


def environment_of(files: ProjectFiles, folders: tuple[Path, ...]) -> Environment | None:
    """The active environment, else the one that lies in the project."""
    active = active_environment()
    if active is not None and _MARK in files.names(active):
        return Environment(files, active)
    for folder in folders:
        for name in FOLDERS:
            if name in files.names(folder) and _MARK in files.names(folder / name):
                return Environment(files, folder / name)
    return None


def _site_packages(files: ProjectFiles, folder: Path) -> list[Path]:
    if "Lib" in files.names(folder):
        return [folder / "Lib" / "site-packages"]
    return [folder / "lib" / name / "site-packages" for name in files.names(folder / "lib") if name.startswith("python")]
