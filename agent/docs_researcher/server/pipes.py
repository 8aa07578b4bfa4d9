"""The two pipes of a connection: lines in and lines out, each moved by a thread of its own.

The reading thread starts before the rest of the server is imported, which takes most of a second that a host would wait for.
Until the event loop takes over, it keeps the lines, and hands each to whoever can answer it already.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable

from docs_researcher.tools.mcp.framing import LineSplitter

MAX_LINE = 16 * 1024 * 1024
"""Bytes of the longest request that is read."""
CHUNK = 65_536

TOO_LONG = b"too long to be read"
"""Stands for a line over the bound; it is refused as any other that is no JSON."""

Forward = Callable[[bytes | None], object]
"""Takes a line, or None for the end of the input. Raises RuntimeError when nobody takes lines any more."""


def take_standard_streams() -> tuple[int, int]:
    """Private descriptors of stdin and stdout; 0 then reads nothing and 1 writes to stderr, for us and for children."""
    sys.stdout.flush()
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # no stderr
        os.dup2(nothing, 1)
    os.close(nothing)
    return incoming, outgoing


class LineReader:
    """Reads lines from a descriptor, from now on. The thread is a daemon: it may be waiting for a line for ever."""

    def __init__(self, descriptor: int, answered: Callable[[bytes], bool] = lambda line: False) -> None:
        """`answered` is given each line, in the thread, until it first returns False: from then on more is needed."""
        self._answered = answered
        self._lock = threading.Lock()
        self._kept: list[bytes | None] = []
        self._forward: Forward | None = None
        self._more = threading.Event()
        self.is_over = False
        """Whether the input has ended after nothing but lines that were answered."""
        threading.Thread(target=self._read, args=(descriptor,), name="mcp-stdin", daemon=True).start()

    def wait_for_more(self, seconds: float) -> None:
        """Wait until there is a line that was not answered, the input has ended, or this time is over."""
        self._more.wait(seconds)

    def hand_over(self, forward: Forward) -> None:
        """Give every line read so far to `forward`, the answered ones too, and each later one as it comes."""
        with self._lock:
            for line in self._kept:
                forward(line)
            self._kept.clear()
            self._forward = forward

    def _read(self, descriptor: int) -> None:
        """Body of the thread: complete lines, None at the end. A last line without a line feed counts."""
        splitter = LineSplitter(MAX_LINE)
        try:
            while chunk := _chunk(descriptor):
                for line in splitter.feed(chunk):
                    self._came(TOO_LONG if line is None else line)
            for line in splitter.feed(b"\n"):
                self._came(line or b"")
            self._came(None)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return

    def _came(self, line: bytes | None) -> None:
        with self._lock:
            if self._forward is not None:
                self._forward(line)
                return
            self._kept.append(line)
            if self._more.is_set() or (line is not None and (not line.strip() or self._answered(line))):
                return
            self.is_over = line is None
            self._more.set()


class LineWriter:
    """Writes lines to a descriptor, in order; a full pipe delays nobody who puts one in."""

    def __init__(self, descriptor: int) -> None:
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=_write, args=(descriptor, self._lines), name="mcp-stdout", daemon=True)
        self._thread.start()

    @property
    def is_writing(self) -> bool:
        """Whether something may still be unwritten."""
        return self._thread.is_alive()

    def put(self, line: bytes) -> None:
        """Queue one line, without its line feed."""
        self._lines.put(line + b"\n")

    def finish(self, seconds: float = 0.0) -> None:
        """Take no more; wait at most this long until everything is written."""
        self._lines.put(None)
        if seconds:
            self._thread.join(seconds)


def _chunk(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, CHUNK)
    except OSError:  # the other end is gone
        return b""


def _write(descriptor: int, lines: queue.SimpleQueue[bytes | None]) -> None:
    """Body of the writing thread: lines until None. When the host is gone, the rest is thrown away."""
    gone = False
    while (line := lines.get()) is not None:
        while line and not gone:
            try:
                line = line[os.write(descriptor, line) :]
            except OSError:
                gone = True
