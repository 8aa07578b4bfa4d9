"""The log of a server on stderr: time, level, what happened; with `debug` also each message, with its id and how long it took.

Secrets are cut out of every line, since users copy such logs into reports.
"""

from __future__ import annotations

import logging
import sys
import time
from typing import TYPE_CHECKING, Literal

from docs_researcher.core.secrets import remove_secrets

if TYPE_CHECKING:
    from mcp.types import JSONRPCMessage

LogLevel = Literal["debug", "info", "warning", "error"]

SHOWN = 2_000
"""Characters of a message that a line shows."""
MAX_OPEN = 1_000
"""Requests whose beginning is remembered; a peer that leaves more unanswered loses their durations."""

logger = logging.getLogger("docs_researcher.server.wire")


def log_to_stderr(level: LogLevel) -> None:
    """Send our log lines from this level on to stderr, and those of libraries from warning on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_WithoutSecrets("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.ERROR if level == "error" else logging.WARNING)
    logging.getLogger("docs_researcher").setLevel(level.upper())


class _WithoutSecrets(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return remove_secrets(super().format(record))[0]


class WireLog:
    """Writes each message of one connection into the log, when that is wanted."""

    def __init__(self) -> None:
        self._began: dict[object, float] = {}

    def came(self, message: JSONRPCMessage) -> None:
        """A message of the client."""
        if not logger.isEnabledFor(logging.DEBUG):
            return
        request_id = getattr(message, "id", None)
        if request_id is not None and len(self._began) < MAX_OPEN:
            self._began[request_id] = time.monotonic()
        logger.debug("<- %s", _shown(message))

    def went(self, message: JSONRPCMessage) -> None:
        """A message of ours; of an answer also the time since its request."""
        if not logger.isEnabledFor(logging.DEBUG):
            return
        began = self._began.pop(getattr(message, "id", None), None)
        took = "" if began is None else f"{1000 * (time.monotonic() - began):.1f} ms "
        logger.debug("-> %s%s", took, _shown(message))


def _shown(message: JSONRPCMessage) -> str:
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
    except ValueError:  # a lone surrogate
        text = repr(message)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}... ({len(text):,} characters)"
