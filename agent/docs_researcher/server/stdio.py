"""Our MCP server over standard input and output.

One JSON message a line and nothing else on stdout: both descriptors are taken aside before anything can print, and stray
output lands on stderr. Reading and writing are done by two threads of our own, so that a cancelled server does not wait for
a line that never comes. When stdin ends, calls in flight are answered, within a bound, and the process leaves.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from docs_researcher.server.app import build_server
from docs_researcher.tools.base import DocsProvider
from docs_researcher.tools.mcp.framing import LineSplitter, Unreadable, read_line

if TYPE_CHECKING:
    from types import TracebackType

    from mcp.shared.message import SessionMessage

logger = logging.getLogger(__name__)

DRAIN_SECONDS = 1.2
"""Calls in flight may take this long after stdin has ended."""
EXIT_SECONDS = 1.8
"""The process is gone this long after stdin has ended, even if a tool's thread is stuck: hosts leave orphans behind."""
FLUSH_SECONDS = 1.0
"""The last answers may take this long to be written to a host that reads slowly."""
MAX_LINE = 16 * 1024 * 1024
"""Bytes of the longest request that is read."""
CHUNK = 65_536


async def serve_stdio(provider: DocsProvider) -> None:
    """Serve `provider` on this process's stdin and stdout until stdin ends.

    Takes the process over: stdout stays redirected to stderr afterwards, and `EXIT_SECONDS` after the end of stdin the
    process exits with 0, whatever is still running in it.
    """
    incoming, outgoing = _take_standard_streams()
    await serve_pipes(provider, incoming, outgoing, at_end=_exit_soon)


async def serve_pipes(provider: DocsProvider, incoming: int, outgoing: int, *, at_end: Callable[[], None] = lambda: None) -> None:
    """Serve `provider` on two open file descriptors until `incoming` ends. `at_end` is called at that moment."""
    server = build_server(provider)
    flights = _Flights()
    outbox = _Outbox(outgoing, flights)
    inbox = _Inbox(incoming, outbox, flights, at_end)
    await server.run(inbox, outbox, server.create_initialization_options())


def _take_standard_streams() -> tuple[int, int]:
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


def _exit_soon() -> None:
    timer = threading.Timer(EXIT_SECONDS, os._exit, (0,))
    timer.daemon = True
    timer.start()


class _Flights:
    """The requests that were read and are not yet answered."""

    def __init__(self) -> None:
        self._ids: set[int | str] = set()
        self._none = asyncio.Event()
        self._none.set()

    def started(self, request_id: int | str) -> None:
        self._ids.add(request_id)
        self._none.clear()

    def ended(self, request_id: object) -> None:
        if isinstance(request_id, int | str):  # a peer may have written anything
            self._ids.discard(request_id)
        if not self._ids:
            self._none.set()

    async def all_ended(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._none.wait(), seconds)
        except TimeoutError:
            return False
        return True


class _Inbox:
    """The messages on a descriptor, as the stream that the SDK reads. Ends when calls in flight are over."""

    def __init__(self, descriptor: int, outbox: _Outbox, flights: _Flights, at_end: Callable[[], None]) -> None:
        self._outbox = outbox
        self._flights = flights
        self._at_end = at_end
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._ended = False
        arguments = (descriptor, asyncio.get_running_loop(), self._lines)
        threading.Thread(target=_read_lines, args=arguments, name="mcp-stdin", daemon=True).start()

    async def receive(self) -> SessionMessage | Exception:
        """The next message.

        Raises:
            anyio.EndOfStream: the other end is gone.
        """
        import anyio

        try:
            return await self.__anext__()
        except StopAsyncIteration:
            raise anyio.EndOfStream from None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        while not self._ended:
            line = await self._lines.get()
            if line is None:
                self._ended = True
                self._at_end()
                if not await self._flights.all_ended(DRAIN_SECONDS):
                    logger.warning("stdin ended; calls that take longer than %g s are given up", DRAIN_SECONDS)
                break
            message = read_line(line)
            if isinstance(message, Unreadable):
                self._outbox.refuse(message)
            elif message is not None:
                return self._noted(message)
        raise StopAsyncIteration

    def _noted(self, message: Any) -> SessionMessage:
        from mcp.shared.message import SessionMessage
        from mcp.types import JSONRPCNotification, JSONRPCRequest

        if isinstance(message, JSONRPCRequest):
            self._flights.started(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._flights.ended((message.params or {}).get("requestId"))
        return SessionMessage(message)

    async def aclose(self) -> None:
        """Nothing more is read. The reading thread is a daemon: it may be waiting for a line for ever."""
        self._ended = True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()


class _Outbox:
    """The stream that the SDK writes to: each message one line on a descriptor, in order, written by a thread."""

    def __init__(self, descriptor: int, flights: _Flights) -> None:
        self._flights = flights
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=_write_lines, args=(descriptor, self._lines), name="mcp-stdout", daemon=True)
        self._thread.start()

    async def send(self, item: SessionMessage, /) -> None:
        """Queue one message; a full pipe delays nobody here."""
        from mcp.types import INTERNAL_ERROR, JSONRPCError, JSONRPCResponse

        message = item.message
        try:
            line = message.model_dump_json(by_alias=True, exclude_unset=True)
        except ValueError:  # a lone surrogate somewhere in a text
            logger.exception("a message could not be written as JSON")
            if not isinstance(message, JSONRPCResponse):
                return
            line = _error_line(message.id, INTERNAL_ERROR, "the answer could not be written as JSON")
        self._lines.put(line.encode() + b"\n")
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._flights.ended(message.id)

    def refuse(self, line: Unreadable) -> None:
        """Answer a line that was no message."""
        from mcp.types import INVALID_REQUEST, PARSE_ERROR

        code, why = (INVALID_REQUEST, "not a JSON-RPC 2.0 message") if line.is_json else (PARSE_ERROR, "not JSON")
        logger.warning("a line on stdin is %s: %.200r", why, line.line)
        self._lines.put(_error_line(line.id, code, f"The line is {why}.").encode() + b"\n")

    async def aclose(self) -> None:
        """Write what is queued and stop, within a bound."""
        self._lines.put(None)
        deadline = asyncio.get_running_loop().time() + FLUSH_SECONDS
        while self._thread.is_alive() and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.005)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()


def _error_line(request_id: int | str | None, code: int, message: str) -> str:
    from mcp.types import ErrorData, JSONRPCError

    error = JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=message))
    return error.model_dump_json(by_alias=True, exclude_unset=True)


def _read_lines(descriptor: int, loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[bytes | None]) -> None:
    """Body of the reading thread: complete lines into the loop, None at the end. A last line without a line feed counts."""
    splitter = LineSplitter(MAX_LINE)
    try:
        while chunk := _read(descriptor):
            for line in splitter.feed(chunk):
                loop.call_soon_threadsafe(lines.put_nowait, b"too long to be read" if line is None else line)
        for line in splitter.feed(b"\n"):
            loop.call_soon_threadsafe(lines.put_nowait, line or b"")
        loop.call_soon_threadsafe(lines.put_nowait, None)
    except RuntimeError:  # the loop is closed: nobody waits any more
        return


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, CHUNK)
    except OSError:  # the other end is gone
        return b""


def _write_lines(descriptor: int, lines: queue.SimpleQueue[bytes | None]) -> None:
    """Body of the writing thread: lines until None. When the host is gone, the rest is thrown away."""
    gone = False
    while (line := lines.get()) is not None:
        while line and not gone:
            try:
                line = line[os.write(descriptor, line) :]
            except OSError:
                gone = True
