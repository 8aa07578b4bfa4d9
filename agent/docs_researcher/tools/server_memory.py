"""What is remembered of an MCP server from one process to the next: which protocol it speaks, and how it offers the tools.

Finding that out costs a round trip each, and seconds where a server is deaf to the newer protocol. Whoever uses what is
remembered has to be ready for a server that has changed, and to `forget` it then.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from typing import Any, Protocol

from docs_researcher.tools.result_store import ResultStore


class Memory(Protocol):
    """Remembers JSON values of one server."""

    def recall(self, what: str) -> Any | None:
        """The value, while it holds; None if there is none."""
        ...

    def remember(self, what: str, value: Any, seconds: float) -> None:
        """Keep a value for so long."""
        ...

    def forget(self, what: str) -> None:
        """Drop a value that turned out to be wrong."""
        ...


class StoredMemory:
    """`Memory` in the file in which the results of MCP servers are kept."""

    def __init__(self, store: ResultStore, identity: str, *, clock: Callable[[], float] = time.time) -> None:
        """`identity` tells this server, with its command, address and credentials, from every other; `clock` gives seconds."""
        self._store = store
        self._identity = identity
        self._clock = clock

    def recall(self, what: str) -> Any | None:
        """The value, while it holds; None also for one that is not of our form."""
        now = self._clock()
        stored = self._store.get(self._key(what), now)
        if stored is None:
            return None
        try:
            kept = json.loads(stored.value)
            return kept["value"] if stored.at <= now < kept["until"] else None
        except (ValueError, TypeError, KeyError):
            return None

    def remember(self, what: str, value: Any, seconds: float) -> None:
        """Keep a value for so long; one that cannot be kept costs a round trip the next time, and nothing else."""
        now = self._clock()
        self._store.put(self._key(what), json.dumps({"until": now + seconds, "value": value}), now)

    def forget(self, what: str) -> None:
        """Drop a value."""
        self.remember(what, None, 0.0)

    def _key(self, what: str) -> bytes:
        return hashlib.sha256(json.dumps(["server memory", self._identity, what]).encode()).digest()
