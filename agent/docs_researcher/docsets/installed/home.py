"""Where docsets lie, and which files there are. The standard library is enough for it: a server that starts asks this first."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

HOME_VARIABLE = "DOCS_RESEARCH_HOME"
ECOSYSTEMS = ("local", "npm", "pypi")
"""The folders that docsets lie in, below the folder of docsets."""


def default_home() -> Path:
    """The folder that DOCS_RESEARCH_HOME names, else the platform's folder for user data."""
    named = os.environ.get(HOME_VARIABLE, "").strip()
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("docs-researcher", appauthor=False)


def docsets_folder(home: Path) -> Path:
    """The folder of docsets in a home."""
    return home / "docsets"


def cache_folder(home: Path) -> Path:
    """The folder in a home for what can be made again."""
    return home / "cache"


def docset_files(folder: Path) -> Iterator[tuple[Path, tuple[int, int]]]:
    """Every docset file below the folder of docsets with its size and time, in the order of their names.

    Links and hidden files do not count.
    """
    for ecosystem in ECOSYSTEMS:
        try:
            with os.scandir(folder / ecosystem) as entries:
                found = sorted(
                    (entry.name, entry)
                    for entry in entries
                    if entry.name.endswith(".db") and not entry.name.startswith(".") and entry.is_file(follow_symlinks=False)
                )
        except OSError:
            continue
        for name, entry in found:
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                yield folder / ecosystem / name, (status.st_size, status.st_mtime_ns)
