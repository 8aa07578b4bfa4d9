"""The configuration files that name MCP servers, ours and those of other programs, read one by one."""

from __future__ import annotations

import hashlib
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.core.lines import lines_of
from docs_researcher.definition.places import config_file
from docs_researcher.tools.servers.entries import Origin, ServerEntry
from docs_researcher.tools.servers.entries import Scope as OriginScope
from docs_researcher.tools.servers.jsonc import Document, JsoncError, decode, read_jsonc
from docs_researcher.tools.servers.parse import parse_entry
from docs_researcher.tools.servers.variables import Scope

OWN = "docs-researcher"
TABLE = "mcp_servers"
"""The table of our configuration file that holds the servers."""
MAX_BYTES = 32 * 1024 * 1024
"""Claude Code keeps histories in its file; a larger one is not read."""
PROJECT_MARKS = (".git", "pyproject.toml", "package.json", ".mcp.json", ".cursor", ".vscode")


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that could not be read."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """One place in which servers may be named. `tables` are the paths of the tables that hold them, the first that is there."""

    path: Path
    scope: OriginScope
    program: str
    tables: tuple[tuple[str, ...], ...]
    bare: bool = False
    """Whether the file may be the table itself."""


def project_folder(start: Path) -> Path:
    """The project that a folder belongs to: the nearest one upwards with a mark of a project, else the folder itself.

    The user's home is no project, whatever it holds.
    """
    start = start.absolute()
    home = _home()
    for folder in (start, *start.parents):
        if folder == home:
            break
        if any((folder / mark).exists() for mark in PROJECT_MARKS):
            return folder
    return start


def known_files(project: Path) -> tuple[ConfigFile, ...]:
    """The files in the order in which a name is looked up: ours, the user's, the project's.

    A project comes last, so that what a checkout brings along never stands in for a server of the user's own.
    """
    home = _home()
    claude = Path(os.environ.get("CLAUDE_CONFIG_DIR") or home) / ".claude.json"
    servers = (("mcpServers",),)
    return (
        ConfigFile(config_file(), "own", OWN, ((TABLE,),)),
        ConfigFile(claude, "user", "Claude Code", (("projects", str(project), "mcpServers"),)),
        ConfigFile(claude, "user", "Claude Code", servers),
        ConfigFile(home / ".cursor" / "mcp.json", "user", "Cursor", servers),
        ConfigFile(project / ".mcp.json", "project", "Claude Code", (*servers, ("servers",)), bare=True),
        ConfigFile(project / ".cursor" / "mcp.json", "project", "Cursor", servers),
        ConfigFile(project / ".vscode" / "mcp.json", "project", "VS Code", (("servers",), *servers)),
    )


def read_file(file: ConfigFile, project: Path) -> tuple[list[ServerEntry], SkippedFile | None]:
    """The servers of one file; of a file that is not there, none.

    Raises:
        ConfigurationError: the file is our own and cannot be read.
    """
    try:
        data = _bytes(file.path)
        if data is None:
            return [], None
        entries = list(_entries(file, data, Scope(os.environ, _home(), project)))
    except (OSError, ValueError) as error:
        reason = _reason(error)
        if file.scope == "own":
            raise ConfigurationError(f"{file.path} cannot be read", why=reason, next_step="Correct the file.") from error
        return [], SkippedFile(file.path, reason)
    return entries, None


def _entries(file: ConfigFile, data: bytes, scope: Scope) -> Iterator[ServerEntry]:
    text = decode(data)
    document = _read_toml(text) if file.path.suffix == ".toml" else read_jsonc(text)
    found = _table(document.value, file)
    if found is None:
        return
    path, table = found
    digest = hashlib.sha256(data).hexdigest()
    for name, raw in table.items():
        origin = Origin(file.path, file.scope, file.program, document.line(*path, name), digest)
        yield parse_entry(name, raw, origin, scope, _lines(document, (*path, name)))


def _lines(document: Document, path: tuple[str, ...]) -> Callable[..., int | None]:
    return lambda *below: document.line(*path, *below)


def _table(value: object, file: ConfigFile) -> tuple[tuple[str, ...], Mapping[str, Any]] | None:
    if not isinstance(value, dict):
        raise ValueError("the file holds no table")
    for path in file.tables:
        table: object = cast("object", value)
        for key in path:
            table = cast("dict[str, object]", table).get(key) if isinstance(table, dict) else None
        if isinstance(table, dict):
            return path, cast("dict[str, Any]", table)
        if table is not None:
            raise ValueError(f"{'.'.join(path)} is no table")
    whole = cast("dict[str, Any]", value)
    if file.bare and whole and all(_looks_like_server(item) for item in whole.values()):
        return (), whole
    return None


def _looks_like_server(value: object) -> bool:
    return isinstance(value, dict) and ("command" in value or "url" in value)


def _read_toml(text: str) -> Document:
    return Document(tomllib.loads(text.replace("\r\n", "\n")), _TomlLines(lines_of(text)))


class _TomlLines(Mapping[tuple[str, ...], int]):
    """Lines of keys in our own file, found by looking: the TOML reader tells none. Only what an error asks for is looked up."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def __getitem__(self, path: tuple[str, ...]) -> int:
        for cut in range(len(path) - 1, 0, -1):
            start = self._header(path[:cut])
            line = self._key(start, path[cut]) if start else None
            if line:
                return line
        line = self._header(path)
        if line is None:
            raise KeyError(path)
        return line

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def _header(self, path: tuple[str, ...]) -> int | None:
        keys = r"\s*\.\s*".join(rf"[\"']?{re.escape(key)}[\"']?" for key in path)
        header = re.compile(rf"\s*\[\s*{keys}\s*\]")
        return next((number for number, line in enumerate(self._lines, 1) if header.match(line)), None)

    def _key(self, header: int, key: str) -> int | None:
        wanted = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[.=]|.*[{{,]\s*[\"']?{re.escape(key)}[\"']?\s*=")
        for number, line in enumerate(self._lines[header:], header + 1):
            if line.lstrip().startswith("["):
                return None
            if wanted.match(line):
                return number
        return None


def _bytes(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if len(data) > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES // 1024 // 1024} MB")
    return data


def _reason(error: Exception) -> str:
    if isinstance(error, JsoncError):
        return f"line {error.line}: {error.what}"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)


def _home() -> Path:
    return Path.home()
