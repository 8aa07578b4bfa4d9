"""JSON-RPC messages as lines of bytes, read leniently, for both ends of a pipe.

Peers write a byte order mark, CRLF, bytes that are no UTF-8, lone surrogates and log lines between their messages. None of
that may end a connection or cost more than its own line.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from mcp_types import JSONRPCMessage

MAX_LINE = 64 * 1024 * 1024
"""Bytes of the longest line that is read; a longer one is thrown away up to its end."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class LineSplitter:
    """Cuts a stream of bytes into lines, in time linear in the bytes fed."""

    def __init__(self, max_line: int = MAX_LINE) -> None:
        self._max_line = max_line
        self._parts: list[bytes] = []
        self._size = 0
        self._skipping = False

    def feed(self, chunk: bytes) -> list[bytes | None]:
        """The lines that are complete now, without their line feed; None for one that was too long."""
        *ended, rest = chunk.split(b"\n")
        lines = [self._take(part) for part in ended]
        self._keep(rest)
        return lines

    def _take(self, part: bytes) -> bytes | None:
        self._keep(part)
        line = None if self._skipping else b"".join(self._parts)
        self._parts, self._size, self._skipping = [], 0, False
        return line

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > self._max_line:
            self._parts, self._skipping = [], True
        elif part:
            self._parts.append(part)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is no JSON-RPC message: why, and the id it carries if it has one."""

    line: str
    is_json: bool
    id: int | str | None = None


def read_line(line: bytes) -> JSONRPCMessage | Unreadable | None:
    """The message on one line; None for a blank line. Bytes that are no UTF-8 and lone surrogates are replaced."""
    from mcp_types import jsonrpc_message_adapter

    text = line.decode("utf-8", "replace").lstrip("\ufeff").strip()
    if not text:
        return None
    try:
        return jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValueError:
        pass
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return Unreadable(text[:200], is_json=False)
    try:
        repaired = _SURROGATE.sub("\ufffd", json.dumps(value, ensure_ascii=False))
        return jsonrpc_message_adapter.validate_json(repaired, by_name=False)
    except (ValueError, RecursionError):
        return Unreadable(text[:200], is_json=True, id=_id(value))


def _id(value: object) -> int | str | None:
    found = cast("dict[str, object]", value).get("id") if isinstance(value, dict) else None
    return found if isinstance(found, int | str) and not isinstance(found, bool) else None
