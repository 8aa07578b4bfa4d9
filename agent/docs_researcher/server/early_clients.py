"""What early and careless clients leave out of their first messages, put in before the SDK reads them.

Seen in the wild: an `initialize` without a version, capabilities or client info; requests without any handshake, without
`jsonrpc`, with an empty array as `params`; a `shutdown` out of the language servers' protocol, as request or notification.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from docs_researcher.tools.mcp.framing import Unreadable, read_line

if TYPE_CHECKING:
    from mcp.types import JSONRPCMessage

OLDEST_VERSION = "2024-11-05"
"""What a client that names no version is taken to speak."""
IMPLIED_ID = "docs-researcher/implied-initialize"
"""The id of the handshake that is made for a client that makes none; its answer goes nowhere."""

_NEEDS_NO_HANDSHAKE = frozenset({"initialize", "ping", "server/discover"})
_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_ASSUMED: dict[str, Any] = {
    "protocolVersion": OLDEST_VERSION,
    "capabilities": {},
    "clientInfo": {"name": "unnamed", "version": "0"},
}


def read_any(line: bytes) -> JSONRPCMessage | Unreadable | None:
    """`read_line`, which also takes a message without `jsonrpc` or with an array as `params`.

    A request whose id cannot be one is refused: read as a notification, it would never be answered.
    """
    message = read_line(line)
    if has_odd_id(message, line):
        return Unreadable(line[:200].decode("utf-8", "replace"), is_json=True)
    if not isinstance(message, Unreadable) or not message.is_json or len(line) > 1_000_000:
        return message
    value: object = json.loads(line.decode("utf-8", "replace").lstrip("\ufeff"))
    if not isinstance(value, dict) or not isinstance(cast("dict[str, Any]", value).get("method"), str):
        return message
    repaired = {**cast("dict[str, Any]", value), "jsonrpc": "2.0"}
    if isinstance(repaired.get("params"), list) or repaired.get("params", {}) is None:
        del repaired["params"]
    again = read_line(json.dumps(repaired).encode())
    return message if isinstance(again, Unreadable) else again


def has_odd_id(message: JSONRPCMessage | Unreadable | None, line: bytes) -> bool:
    """Whether what was read as a notification has an id that is neither a string nor a whole number."""
    method = getattr(message, "method", None)
    if method is None or hasattr(message, "id") or method.startswith("notifications/") or b'"id"' not in line:
        return False
    value: object = json.loads(line.decode("utf-8", "replace").lstrip("\ufeff"))
    return isinstance(value, dict) and "id" in value


class Opening:
    """The beginning of one connection."""

    def __init__(self) -> None:
        self._open = False

    def complete(self, message: JSONRPCMessage) -> tuple[JSONRPCMessage, ...]:
        """The messages to read in the place of this one: itself, completed, and before it a handshake that is missing."""
        from mcp.types import JSONRPCNotification, JSONRPCRequest

        if not isinstance(message, JSONRPCRequest):
            return (message,)
        if message.method == "initialize":
            self._open = True
            params = {key: value for key, value in (message.params or {}).items() if value is not None}
            if all(isinstance(params.get(key), type(value)) for key, value in _ASSUMED.items()):
                return (message,)
            usable = {key: value for key, value in params.items() if isinstance(value, type(_ASSUMED.get(key, value)))}
            return (message.model_copy(update={"params": {**_ASSUMED, **usable}}),)
        if self._open or message.method in _NEEDS_NO_HANDSHAKE:
            return (message,)
        self._open = True
        if _is_enveloped(message.params):
            return (message,)
        return (
            JSONRPCRequest(jsonrpc="2.0", id=IMPLIED_ID, method="initialize", params=dict(_ASSUMED)),
            JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized"),
            message,
        )


def _is_enveloped(params: dict[str, Any] | None) -> bool:
    """Whether a request carries what each request of the protocol without a handshake does."""
    meta = (params or {}).get("_meta")
    return isinstance(meta, dict) and _VERSION_KEY in meta
