"""Where docsets lie, and which files there are. The standard library is enough for it: a server that starts asks this first."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from docs_researcher.core.errors import ConfigurationError

HOME_VARIABLE = "DOCS_RESEARCH_HOME"
ECOSYSTEMS = ("local", "npm", "pypi")
"""The folders that docsets lie in, below the folder of docsets."""


def default_home() -> Path:
    """The folder that DOCS_RESEARCH_HOME names, else the platform's folder for user data.

    Raises:
        ConfigurationError: neither is known, because there is no home folder.
    """
    named = os.environ.get(HOME_VARIABLE, "").strip()
    if named:
        folder = Path(os.path.expanduser(named))  # noqa: PTH111 -- it leaves `~nobody` as it is
        if named.startswith("~") and folder == Path(named):
            raise _no_home(f"{HOME_VARIABLE} is {named}, and there is no such user")
        if _is_no_folder(folder):
            raise _no_home(f"{HOME_VARIABLE} is {named}, and that is no folder")
        return folder
    from platformdirs import user_data_path

    folder = user_data_path("docs-researcher", appauthor=False)
    if folder.parts[0] == "~":
        raise _no_home("HOME is not set, and the system does not know this user")
    return folder


def _is_no_folder(path: Path) -> bool:
    """Whether something else lies there, or above it; one that is not there yet will be made."""
    try:
        return not stat.S_ISDIR(path.stat().st_mode)
    except NotADirectoryError:
        return True
    except (OSError, ValueError):
        return False


def _no_home(why: str) -> ConfigurationError:
    return ConfigurationError(
        "There is no home folder to keep documentation in", why=why, next_step=f"Set HOME, or {HOME_VARIABLE} to a folder."
    )


def docsets_folder(home: Path) -> Path:
    """The folder of docsets in a home."""
    return home / "docsets"


def cache_folder(home: Path) -> Path:
    """The folder in a home for what can be made again."""
    return home / "cache"


def docset_files(folder: Path) -> Iterator[tuple[Path, tuple[int, int]]]:
    """Every docset file below the folder of docsets with its size and time, in the order of their names.

    Links and hidden files do not count.

    Raises:
        OSError: a folder is there and cannot be read.
    """
    for ecosystem in ECOSYSTEMS:
        try:
            with os.scandir(folder / ecosystem) as entries:
                found = sorted(
                    (entry.name, entry)
                    for entry in entries
                    if entry.name.endswith(".db") and not entry.name.startswith(".") and entry.is_file(follow_symlinks=False)
                )
        except (FileNotFoundError, NotADirectoryError):
            continue
        for name, entry in found:
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                yield folder / ecosystem / name, (status.st_size, status.st_mtime_ns)
