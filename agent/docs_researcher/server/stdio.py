"""Our MCP server over standard input and output.

One JSON message a line and nothing else on stdout: both descriptors are taken aside before anything can print, and stray
output lands on stderr. Reading and writing are done by two threads of our own, so that a cancelled server does not wait for
a line that never comes. When stdin ends, calls in flight are answered, within a bound, and the process leaves.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from docs_researcher.server.app import build_server
from docs_researcher.server.early_clients import IMPLIED_ID, Opening, read_any
from docs_researcher.server.log import WireLog
from docs_researcher.server.tools import ToolChoice
from docs_researcher.tools.base import DocsProvider
from docs_researcher.tools.mcp.framing import LineSplitter, Unreadable

if TYPE_CHECKING:
    from types import TracebackType

    from mcp.shared.message import SessionMessage
    from mcp.types import JSONRPCMessage

    from docs_researcher.server.docsets import Docsets
    from docs_researcher.server.research_tool import ResearchTool

logger = logging.getLogger(__name__)

DRAIN_SECONDS = 1.2
"""Calls in flight may take this long after stdin has ended."""
EXIT_SECONDS = 1.8
"""The process is gone this long after stdin has ended, even if a tool's thread is stuck: hosts leave orphans behind."""
FLUSH_SECONDS = 1.0
"""The last answers may take this long to be written to a host that reads slowly."""
PARENT_SECONDS = 5.0
"""How often is looked whether the host still lives: a child of it can hold our stdin open after its end."""
MAX_LINE = 16 * 1024 * 1024
"""Bytes of the longest request that is read."""
CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Served:
    """What a connection is served from; see `server.app.build_server`."""

    provider: DocsProvider
    tools: ToolChoice = "all"
    research: ResearchTool | None = None
    docsets: Docsets | None = None


async def serve_stdio(served: Served) -> None:
    """Serve on this process's stdin and stdout until stdin ends.

    Takes the process over: stdout stays redirected to stderr afterwards, what has been imported is never collected, and
    `EXIT_SECONDS` after the end of stdin the process exits with 0, whatever is still running in it.
    """
    incoming, outgoing = _take_standard_streams()
    import mcp.server  # noqa: F401  # pyright: ignore[reportUnusedImport] -- before the collector looks at what there is

    gc.freeze()
    gc.enable()
    threading.Thread(target=_leave_with_parent, name="mcp-parent", daemon=True).start()
    await serve_pipes(served, incoming, outgoing, at_end=_exit_soon)


async def serve_pipes(served: Served, incoming: int, outgoing: int, *, at_end: Callable[[], None] = lambda: None) -> None:
    """Serve on two open file descriptors until `incoming` ends. `at_end` is called at that moment."""
    from mcp.server import NotificationOptions

    watch = served.docsets is not None
    server = build_server(served.provider, tools=served.tools, research=served.research, docsets=served.docsets, watch=watch)
    wire = _Wire()
    outbox = _Outbox(outgoing, wire)
    inbox = _Inbox(incoming, outbox, wire, at_end)
    changes = NotificationOptions(tools_changed=watch, resources_changed=watch)
    await server.run(inbox, outbox, server.create_initialization_options(changes))


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


class _Wire:
    """What both directions of a connection know: the requests that were read and are not yet answered, and the log."""

    def __init__(self) -> None:
        self.log = WireLog()
        self._ids: set[int | str] = set()
        self._none = asyncio.Event()
        self._none.set()

    def asked(self, request_id: int | str) -> None:
        self._ids.add(request_id)
        self._none.clear()

    def answered(self, request_id: object) -> None:
        if isinstance(request_id, int | str):  # a peer may have written anything
            self._ids.discard(request_id)
        if not self._ids:
            self._none.set()

    async def all_answered(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._none.wait(), seconds)
        except TimeoutError:
            return False
        return True


class _Inbox:
    """The messages on a descriptor, as the stream that the SDK reads. Ends when calls in flight are over."""

    def __init__(self, descriptor: int, outbox: _Outbox, wire: _Wire, at_end: Callable[[], None]) -> None:
        self._outbox = outbox
        self._wire = wire
        self._at_end = at_end
        self._opening = Opening()
        self._ready: deque[JSONRPCMessage] = deque()
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._dismissed = False
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
            if self._ready:
                return self._noted(self._ready.popleft())
            line = None if self._dismissed else await self._lines.get()
            if line is None:
                await self._end()
            else:
                self._read(line)
        raise StopAsyncIteration

    async def _end(self) -> None:
        self._ended = True
        self._at_end()
        if not await self._wire.all_answered(DRAIN_SECONDS):
            logger.warning("stdin ended; calls that take longer than %g s are given up", DRAIN_SECONDS)

    def _read(self, line: bytes) -> None:
        """What a line says: messages for the SDK, something to refuse, or the wish to end."""
        message = read_any(line)
        if isinstance(message, Unreadable):
            self._outbox.refuse(message)
        elif message is not None and not self._shut_down(message):
            self._ready.extend(self._opening.complete(message))

    def _shut_down(self, message: JSONRPCMessage) -> bool:
        """Whether this is a goodbye of the language servers' kind: as a request it is answered, as a notification it ends us."""
        method, request_id = getattr(message, "method", None), getattr(message, "id", None)
        if method not in ("shutdown", "exit"):
            return False
        self._wire.log.came(message)
        if request_id is not None:
            self._outbox.confirm(request_id)
        else:
            self._dismissed = True
        return True

    def _noted(self, message: JSONRPCMessage) -> SessionMessage:
        from mcp.shared.message import SessionMessage
        from mcp.types import JSONRPCNotification, JSONRPCRequest

        self._wire.log.came(message)
        if isinstance(message, JSONRPCRequest):
            self._wire.asked(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._wire.answered((message.params or {}).get("requestId"))
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

    def __init__(self, descriptor: int, wire: _Wire) -> None:
        self._wire = wire
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=_write_lines, args=(descriptor, self._lines), name="mcp-stdout", daemon=True)
        self._thread.start()

    async def send(self, item: SessionMessage, /) -> None:
        """Queue one message; a full pipe delays nobody here."""
        from mcp.types import INTERNAL_ERROR, JSONRPCError, JSONRPCResponse

        message = item.message
        if isinstance(message, JSONRPCResponse | JSONRPCError) and message.id == IMPLIED_ID:
            self._wire.answered(IMPLIED_ID)
            return
        self._wire.log.went(message)
        try:
            line = message.model_dump_json(by_alias=True, exclude_unset=True)
        except ValueError:  # a lone surrogate somewhere in a text
            logger.exception("a message could not be written as JSON")
            if not isinstance(message, JSONRPCResponse):
                return
            line = _error_line(message.id, INTERNAL_ERROR, "the answer could not be written as JSON")
        self._lines.put(line.encode() + b"\n")
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._wire.answered(message.id)

    def refuse(self, line: Unreadable) -> None:
        """Answer a line that was no message."""
        from mcp.types import INVALID_REQUEST, PARSE_ERROR

        code, why = (INVALID_REQUEST, "not a JSON-RPC 2.0 message") if line.is_json else (PARSE_ERROR, "not JSON")
        logger.warning("a line on stdin is %s: %.200r", why, line.line)
        self._lines.put(_error_line(line.id, code, f"The line is {why}.").encode() + b"\n")

    def confirm(self, request_id: int | str) -> None:
        """Answer a request that wants nothing but a yes."""
        from mcp.types import JSONRPCResponse

        response = JSONRPCResponse(jsonrpc="2.0", id=request_id, result={})
        self._wire.log.went(response)
        self._lines.put(response.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")

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


def _leave_with_parent() -> None:
    """Body of the watching thread: leave when the process that started us is gone, since nobody reads our answers then."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(PARENT_SECONDS)
    os._exit(0)


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
