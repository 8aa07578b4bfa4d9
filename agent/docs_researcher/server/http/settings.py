"""What `docs-research serve --http` was told, as one value that a worker process can be started with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from docs_researcher.core.errors import UsageError
from docs_researcher.server.log import LogLevel

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8700

MAX_BODY = 1024 * 1024
"""Bytes of the largest request body; a tool call is a few hundred."""

DRAIN_SECONDS = 60
"""How long requests in flight may take after SIGTERM: a whole research run is over within 55 s."""


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """Where to listen, whom to answer and what to write down."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    """0 takes a free port."""
    allow_hosts: tuple[str, ...] = ()
    """Further `Host` headers that are answered, with or without a port."""
    allow_origins: tuple[str, ...] = ()
    """Further origins (`https://app.example`) whose pages may call."""
    tokens: Path | None = None
    """The file of bearer tokens; None answers everybody who reaches the port."""
    rate: int = 0
    """Requests a minute for one token, or one address where none is needed; 0 sets no limit."""
    workers: int = 1
    metrics: bool = False
    access_log: bool = True
    log_queries: bool = False
    """Write what was asked into the access log."""
    log_level: LogLevel = "warning"
    max_body: int = MAX_BODY
    drain_seconds: int = DRAIN_SECONDS


def parse_address(text: str) -> tuple[str, int]:
    """Host and port out of `HOST:PORT`, `HOST`, `:PORT`, `PORT` or `[IPV6]:PORT`; what is missing is the default.

    Raises:
        UsageError: the text is none of these.
    """
    text = text.strip()
    host, port = text, ""
    if text.startswith("[") and "]" in text:
        host, _, rest = text[1:].partition("]")
        port = rest.removeprefix(":")
    elif text.count(":") == 1:
        host, port = text.split(":")
    elif text.isdigit():
        host, port = "", text
    if port and not (port.isascii() and port.isdigit() and int(port) < 65_536):
        raise UsageError(f"{text!r} is not an address", why="a port is a number up to 65535", next_step="Write HOST:PORT.")
    if any(character.isspace() or character in "/[]" for character in host):
        why = "a host has no spaces, slashes or single brackets"
        raise UsageError(f"{text!r} is not an address", why=why, next_step="Write HOST:PORT.")
    return host or DEFAULT_HOST, int(port) if port else DEFAULT_PORT
