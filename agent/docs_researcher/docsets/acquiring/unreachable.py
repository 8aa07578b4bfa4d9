"""Hosts that did not answer, remembered for a while, so that the next question does not wait for them again."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

REMEMBERED_SECONDS = 600.0
"""How long a host is left alone: long enough for a session of questions, short enough for a network that comes back."""
SLOW_SECONDS = 1.0
"""A refusal that came faster costs nothing to hear again, so it is not remembered."""
FILE_NAME = "unreachable.json"
MAX_HOSTS = 200


class Unreachable:
    """The hosts that cost time in vain, in one small file. A wrong or missing file costs time and nothing else."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE_NAME

    def seconds_since(self, host: str) -> float | None:
        """How long ago this host did not answer; None when it did, or when that is too long ago to count."""
        since = self._read().get(host)
        if since is None:
            return None
        passed = time.time() - since
        return passed if 0 <= passed < REMEMBERED_SECONDS else None

    def remember(self, host: str, took: float) -> None:
        """Note that a host did not answer, which took so many seconds to find out."""
        if took >= SLOW_SECONDS:
            known = self._read()
            known[host] = time.time()
            self._write(known)

    def forget(self, host: str) -> None:
        """Note that a host answered."""
        known = self._read()
        if known.pop(host, None) is not None:
            self._write(known)

    def _read(self) -> dict[str, float]:
        try:
            data: Any = json.loads(self._file.read_bytes())
        except (OSError, ValueError):
            return {}
        if not isinstance(data, dict):
            return {}
        values = cast("dict[object, object]", data)
        return {str(host): float(since) for host, since in values.items() if isinstance(since, int | float)}

    def _write(self, known: dict[str, float]) -> None:
        newest = sorted(known.items(), key=lambda item: -item[1])[:MAX_HOSTS]
        temporary = self._file.with_name(f".{FILE_NAME}.{os.getpid()}")
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(dict(newest)), encoding="utf-8")
            temporary.replace(self._file)
