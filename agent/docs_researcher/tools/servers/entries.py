"""One configured MCP server, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from docs_researcher.core.errors import ConfigurationError

Scope = Literal["own", "user", "project"]
"""Whose file names the server: our own configuration, the user's configuration of another program, or the project."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a server is configured."""

    file: Path
    scope: Scope
    program: str
    """Whose file it is: "docs-researcher", "Claude Code", "Cursor", "VS Code"."""
    line: int | None = None
    digest: str = ""
    """SHA-256 of the file as it was read, in hexadecimal."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else str(self.file)


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """A client that was registered with the server's sign-in beforehand; without an id, one is registered when it is needed."""

    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    scopes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """How one server is started (`command`) or reached (`url`); variables are filled in."""

    name: str
    origin: Origin
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    cwd: str | None = None
    url: str = ""
    event_stream: bool = False
    """Whether it speaks the transport before Streamable HTTP, `type: sse`."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    oauth: OAuthClient = field(default_factory=OAuthClient)
    connect_seconds: float | None = None
    disabled: bool = False
    shown: str = ""
    """What is started or contacted, in one line as it is written: variables by their names, no values of `env` and `headers`."""
    warnings: tuple[str, ...] = ()
    """What was left out or is not understood; the server may work without it."""
    problem: ConfigurationError | None = None
    """Why the server cannot be used. Raised when it is chosen, so that one bad entry hides no other."""

    @property
    def kind(self) -> Literal["stdio", "http", "sse"]:
        """How it is spoken to."""
        if self.event_stream:
            return "sse"
        return "http" if self.url else "stdio"
