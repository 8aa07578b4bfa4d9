"""A configuration file read as values, with the line of a key for messages. TOML, or JSON where the name ends so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.core.lines import lines_of

MAX_BYTES = 1_048_576
"""A configuration has a few kilobytes; a larger file was named by mistake."""

_HEADER = r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?"
_KEY_PART = r"""[\w-]+|"[^"]*"|'[^']*'"""
_ASSIGNED = rf"\s*((?:{_KEY_PART})(?:\s*\.\s*(?:{_KEY_PART}))*)\s*="
"""Patterns as text: they are compiled where an error has to name its line, and not with every start."""


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file that was read."""

    path: Path
    text: str
    values: Mapping[str, Any]

    def place(self, *keys: str) -> str:
        """The file and the line of a key: `config.toml:3`. The file alone where the line cannot be told."""
        line = _toml_line(self.text, keys) if self.path.suffix != ".json" else _json_line(self.text, keys)
        return f"{self.path}:{line}" if line else str(self.path)

    def refused(self, keys: Sequence[str], why: str, next_step: str) -> ConfigurationError:
        """The error for a key whose value cannot be used; `why` goes on from the key's name."""
        return ConfigurationError(f"{self.place(*keys)}: `{'.'.join(keys)}` {why}", next_step=next_step)


def read_bytes(path: Path, *, must_exist: bool) -> bytes | None:
    """The bytes of a file; None for one that is not there and need not be.

    Raises:
        ConfigurationError: it cannot be opened, or is too large.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        if not must_exist:
            return None
        raise _unreadable(path, error) from error
    except OSError as error:
        raise _unreadable(path, error) from error
    if len(data) > MAX_BYTES:
        raise ConfigurationError(
            f"{path} is no configuration file",
            why=f"it has more than {MAX_BYTES:,} bytes",
            next_step="Name a TOML file with a few settings.",
        )
    return data


def parse_config(path: Path, data: bytes) -> ConfigFile:
    """Read the bytes of a file.

    Raises:
        ConfigurationError: they are not TOML (or JSON), with the line.
    """
    try:
        text = data.decode("utf-8-sig")
        return ConfigFile(path, text, _json(text) if path.suffix == ".json" else _toml(text))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigurationError(f"{path}:{line}: this is not UTF-8", next_step="Save the file as UTF-8.") from error
    except (ValueError, RecursionError) as error:
        kind = "JSON" if path.suffix == ".json" else "TOML"
        why = str(error) if isinstance(error, ValueError) else "too many brackets inside one another"
        raise ConfigurationError(f"{path} is not {kind}", why=why, next_step="Correct it; texts stand in quotes.") from error


def _toml(text: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(text)


def _json(text: str) -> dict[str, Any]:
    import json

    values: object = json.loads(text)
    if not isinstance(values, dict):
        raise ValueError("the outermost value is no object")
    return cast("dict[str, Any]", values)


def _unreadable(path: Path, error: OSError) -> ConfigurationError:
    return ConfigurationError(
        f"The configuration file {path} cannot be read",
        why=error.strerror or str(error),
        next_step="Name a file that exists and that you may read, or leave --config and DOCS_RESEARCH_CONFIG out.",
    )


def _toml_line(text: str, keys: Sequence[str]) -> int | None:
    """The line that assigns this key, else the one of the inline table that holds it."""
    wanted = tuple(keys)
    table: tuple[str, ...] = ()
    outer: int | None = None
    for number, line in enumerate(lines_of(text), start=1):
        if header := re.fullmatch(_HEADER, line):
            table = _parts(header.group(1))
            if table == wanted:
                return number
        elif assigned := re.match(_ASSIGNED, line):
            name = (*table, *_parts(assigned.group(1)))
            if name == wanted:
                return number
            if name == wanted[: len(name)]:
                outer = number
    return outer


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in re.findall(_KEY_PART, dotted))


def _json_line(text: str, keys: Sequence[str]) -> int | None:
    """The line of the last key, looked for behind the ones around it."""
    at = 0
    for key in keys:
        found = re.search(rf'"{re.escape(key)}"\s*:', text[at:])
        if found is None:
            return None
        at += found.start() + 1
    return text.count("\n", 0, at) + 1
