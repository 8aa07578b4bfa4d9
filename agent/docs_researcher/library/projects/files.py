"""The files of a project, read with bounds. What cannot be read becomes a notice with file and line, never an error."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from docs_researcher.core.clean import clean

MAX_MANIFEST_BYTES = 256 * 1024
"""Manifests have a few kilobytes; the largest seen, of a repository with everything in it, has 60."""
MAX_LOCK_BYTES = 8 * 1024 * 1024
"""Lock files of large monorepos have 2 to 4 MB."""
MAX_ENTRIES = 5_000
"""How much of a folder is listed: that of installed packages is the longest."""
MAX_DEPTH = 64
"""How deep values may lie inside one another; lock files of npm's first form reach 15."""
MAX_NOTICES = 20
"""A project in which more is broken is told once."""

_CONFLICT = re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE)
_TOML_PLACE = re.compile(r"line (\d+)")
_ENDLESS_KEY = re.compile(r"^[^\"'=#\n]{1000}", re.MULTILINE)
"""A key of that length is no name; reading dotted ones takes time with the square of their parts."""


class ProjectFiles:
    """Reads below `root`, and gathers notices. Paths in notices and dependencies are relative to `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.notices: list[str] = []
        self._texts: dict[Path, str | None] = {}
        self._documents: dict[Path, dict[str, Any] | None] = {}
        self._folders: dict[Path, tuple[str, ...]] = {}

    def shown(self, path: Path) -> str:
        """The path for people: relative to the root, with forward slashes."""
        return clean(Path(os.path.relpath(path, self.root)).as_posix())

    def refuse(self, path: Path, why: str, line: int | None = None) -> None:
        """Tell that a file, or a line of it, is not read."""
        place = self.shown(path) + (f":{line}" if line else "")
        self.tell(f"{place} was not read: {why}.")

    def tell(self, notice: str) -> None:
        """Keep a sentence for the asker, each once."""
        if len(self.notices) < MAX_NOTICES and notice not in self.notices:
            self.notices.append(notice)

    def names(self, folder: Path) -> tuple[str, ...]:
        """The names in a folder, sorted; none for what is no folder."""
        if folder not in self._folders:
            found: list[str] = []
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        found.append(entry.name)
                        if len(found) >= MAX_ENTRIES:
                            break
            except (OSError, ValueError):
                found = []
            self._folders[folder] = tuple(sorted(found))
        return self._folders[folder]

    def text(self, path: Path, most: int = MAX_MANIFEST_BYTES) -> str | None:
        """The text of a file; None where there is none, and, with a notice, where it cannot be used."""
        if path not in self._texts:
            self._texts[path] = self._read(path, most)
        return self._texts[path]

    def _read(self, path: Path, most: int) -> str | None:
        try:
            known = path.stat()
            if not stat.S_ISREG(known.st_mode):  # opening a pipe would wait for ever
                self.refuse(path, "it is no file")
                return None
            if known.st_size > most:
                self.refuse(path, f"it has {known.st_size:,} bytes, and {most:,} are the most")
                return None
            with path.open("rb") as file:
                data = file.read(most)
            text = data.decode("utf-8-sig").replace("\r\n", "\n")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except UnicodeDecodeError as error:
            self.refuse(path, "it is not UTF-8", error.object.count(b"\n", 0, error.start) + 1)
            return None
        except (OSError, ValueError) as error:
            self.refuse(path, getattr(error, "strerror", None) or "it cannot be opened")
            return None
        if "\0" in text:
            self.refuse(path, "it is no text", line_at(text, text.index("\0")))
            return None
        conflict = _CONFLICT.search(text) if "<<<<<<< " in text or ">>>>>>> " in text else None
        if conflict is not None:
            self.refuse(path, "a merge in it is not finished", line_at(text, conflict.start()))
            return None
        return text

    def json(self, path: Path, most: int = MAX_MANIFEST_BYTES) -> dict[str, Any] | None:
        """A JSON object; None as for `text`, and for other JSON."""
        text = self.text(path, most)
        return None if text is None else self.parsed_json(path, text)

    def parsed_json(self, path: Path, text: str) -> dict[str, Any] | None:
        """The object in a text of `path`."""
        try:
            value: object = json.loads(text)
        except json.JSONDecodeError as error:
            self.refuse(path, f"it is not JSON ({error.msg})", error.lineno)
            return None
        except (RecursionError, ValueError):
            self.refuse(path, "its values lie too deep inside one another or are too large", _deep_line(text))
            return None
        if not isinstance(value, dict):
            self.refuse(path, "it holds no JSON object", 1)
            return None
        return cast("dict[str, Any]", value)

    def toml(self, path: Path) -> dict[str, Any] | None:
        """A TOML document; None as for `text`, and for what is not TOML."""
        if path not in self._documents:
            text = self.text(path)
            self._documents[path] = None if text is None else self.parsed_toml(path, text)
        return self._documents[path]

    def parsed_toml(self, path: Path, text: str, first_line: int = 1) -> dict[str, Any] | None:
        """The document in a text that begins at `first_line` of `path`."""
        import tomllib

        endless = _ENDLESS_KEY.search(text)
        if endless is not None:
            self.refuse(path, "a line in it is too long for a key", line_at(text, endless.start()) + first_line - 1)
            return None
        try:
            return tomllib.loads(text)
        except (RecursionError, ValueError) as error:
            deep = _deep_line(text) if isinstance(error, RecursionError) or "nested" in str(error) else None
            place = _TOML_PLACE.search(str(error))
            line = deep or (int(place[1]) if place is not None else line_at(text, len(text)))
            why = "its values lie too deep inside one another" if deep else "it is not TOML"
            self.refuse(path, why, line + first_line - 1)
            return None


def line_at(text: str, position: int) -> int:
    """The line, from 1, that a position lies in."""
    return text.count("\n", 0, position) + 1


def line_of(text: str, *needles: str) -> int | None:
    """The line of the first of these texts that is found."""
    for needle in needles:
        position = text.find(needle)
        if position >= 0:
            return line_at(text, position)
    return None


def texts(value: object) -> Iterator[str]:
    """The texts in a list; nothing for anything else."""
    if isinstance(value, list):
        for item in cast("list[object]", value):
            if isinstance(item, str):
                yield item


def _deep_line(text: str) -> int | None:
    """The line on which brackets first lie too deep inside one another."""
    depth = 0
    for match in re.finditer(r"[\[{(]|[\]})]", text):
        depth += 1 if match[0] in "[{(" else -1
        if depth > MAX_DEPTH:
            return line_at(text, match.start())
    return None
