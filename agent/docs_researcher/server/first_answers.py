"""Answers to the first messages of a connection, given again as they were given before, while the server is still being imported.

A host starts the server and waits for its list of tools, in the same words each time, and gets the same answers until
something changes. So what the SDK answers is kept, each answer under everything that it depends on: the circumstances (our
code, the installed distributions, the options, the docsets) and every line of the connection up to its question, word for word.
Nothing here knows what a message means; what is not kept is left to the SDK. The SDK reads the answered lines too, once it is
there: its own answers are compared with the kept ones, and replace them where they differ.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

logger = logging.getLogger(__name__)

METHODS = frozenset(
    {
        "initialize",
        "server/discover",
        "ping",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
    }
)
"""What is answered from nothing but the circumstances and these lines. Any other request ends what is kept of a connection."""
MOST_LINES = 32
"""Lines of a connection that are kept at most; hosts ask for their lists in fewer than ten."""
MOST_KEPT = 128
"""Answers that are kept at most: those of some ten hosts and their versions."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One line: the place of its answer, and the id of its request (None for a notification, which has no answer)."""

    place: str
    id: int | str | None


class _Conversation:
    """The lines of one connection so far, as one digest. Over once a line came that is none of the first.

    All of them count, in their order: the first request of a connection decides which revision the rest is answered in.
    """

    def __init__(self, circumstances: str) -> None:
        self._digest = hashlib.sha256(circumstances.encode()).hexdigest()
        self._left = MOST_LINES

    def next(self, line: bytes) -> _Asked | None:
        """What this line asks, or None when the conversation is over."""
        try:
            message = _message(line) if self._left else None
            request_id = message.pop("id", None) if message else None
            said = json.dumps(message, sort_keys=True)
        except (ValueError, RecursionError):
            message, said, request_id = None, "", None
        if message is None:
            self._left = 0
            return None
        self._left -= 1
        self._digest = hashlib.sha256(f"{self._digest} {said}".encode()).hexdigest()
        return _Asked(self._digest, request_id)


class FirstAnswers:
    """What is kept in a folder, for one connection. `answer` is for the reading thread, the others for the event loop."""

    def __init__(self, folder: Path, circumstances: str, put: Callable[[bytes], None]) -> None:
        """`put` writes one line to the host."""
        self._folder = folder
        self._put = put
        self._ahead = _Conversation(circumstances)
        self._after = _Conversation(circumstances)
        self._given: dict[int | str, bytes] = {}
        self._places: dict[int | str, str] = {}

    def answer(self, line: bytes) -> bool:
        """Whether nothing more is needed for this line: its answer was kept and has been given, or it has none."""
        asked = self._ahead.next(line)
        if asked is None or asked.id is None:
            return asked is not None
        kept = self._read(asked.place)
        if kept is None or asked.id in self._given:
            return False
        self._given[asked.id] = kept
        self._put(json.dumps({**json.loads(kept), "id": asked.id}, ensure_ascii=False, separators=(",", ":")).encode())
        return True

    def came(self, line: bytes) -> None:
        """Note a line that the SDK now reads."""
        asked = self._after.next(line)
        if asked is not None and asked.id is not None:
            self._places[asked.id] = asked.place

    def went(self, request_id: int | str, line: str) -> bool:
        """Keep an answer of the SDK, if it is one to a first question. Whether the host has been given it already."""
        place, given = self._places.pop(request_id, None), self._given.pop(request_id, None)
        if place is not None:
            answer = json.loads(line)
            del answer["id"]
            kept = json.dumps(answer, ensure_ascii=False, sort_keys=True).encode() if "result" in answer else None
            if given is not None and given != kept:
                logger.warning("a first answer that was kept is no longer right and has been replaced")
            self._keep(place, kept, known=given == kept)
        return given is not None

    def _read(self, place: str) -> bytes | None:
        try:
            kept = (self._folder / f"{place}.json").read_bytes()
            return kept if isinstance(json.loads(kept), dict) else None
        except (OSError, ValueError):
            return None

    def _keep(self, place: str, answer: bytes | None, *, known: bool) -> None:
        """Write what is new; a folder that cannot be written keeps nothing."""
        file = self._folder / f"{place}.json"
        with suppress(OSError):
            if answer is None:
                file.unlink(missing_ok=True)
            elif known:
                os.utime(file)
            else:
                self._folder.mkdir(parents=True, exist_ok=True)
                beside = file.with_name(f".{place}.{os.getpid()}")
                beside.write_bytes(answer)
                beside.replace(file)
                _forget_oldest(self._folder)


def circumstances(parts: list[object]) -> str:
    """`parts` as a text, with our code, the interpreter and the installed distributions."""
    import sys
    from importlib.util import find_spec

    package = Path(__file__).parents[1]
    places = {
        Path(spec.origin).parents[1] for name in ("mcp", "mcp_types", "pydantic") if (spec := find_spec(name)) and spec.origin
    }
    installed = sorted(path.name for place in places for path in place.iterdir() if path.name.endswith(".dist-info"))
    return json.dumps([sys.version, installed, sorted(_stamps(package)), *parts], default=str)


def _stamps(folder: Path | str) -> list[str]:
    """Every module below a folder with its size and time: in a checkout, code changes without a new version."""
    stamps: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                stamps += _stamps(entry.path)
            elif entry.name.endswith(".py"):
                status = entry.stat()
                stamps.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}")
    return stamps


def _message(line: bytes) -> dict[str, Any] | None:
    """A notification, or a request that may be kept; None for anything else.

    Raises:
        ValueError: it is not JSON.
        RecursionError: it is nested too deeply.
    """
    value: object = json.loads(line)
    if not isinstance(value, dict):
        return None
    message = cast("dict[str, Any]", value)
    method, request_id = message.get("method"), message.get("id")
    if not isinstance(method, str):
        return None
    if "id" not in message:
        return message if method.startswith("notifications/") else None
    if isinstance(request_id, str):
        request_id.encode()  # half a character is left to the SDK's reader, which replaces it
    has_id = isinstance(request_id, int | str) and not isinstance(request_id, bool)
    return message if has_id and method in METHODS else None


def _forget_oldest(folder: Path) -> None:
    for _, path in sorted(((path.stat().st_mtime_ns, path) for path in folder.iterdir()), reverse=True)[MOST_KEPT:]:
        path.unlink()
