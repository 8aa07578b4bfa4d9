"""Our MCP server over standard input and output.

One JSON message a line and nothing else on stdout: both descriptors are taken aside before anything can print, and stray
output lands on stderr. Reading and writing are done by two threads of our own (`server.pipes`), so that a cancelled server does
not wait for a line that never comes. When stdin ends, calls in flight are answered, within a bound, and the process leaves.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from docs_researcher.server.app import build_server
from docs_researcher.server.early_clients import IMPLIED_ID, Opening, read_any
from docs_researcher.server.log import WireLog
from docs_researcher.server.pipes import LineReader, LineWriter, take_standard_streams
from docs_researcher.server.tools import ToolChoice
from docs_researcher.tools.base import DocsProvider
from docs_researcher.tools.mcp.framing import Unreadable
from docs_researcher.tools.mcp.streams import StreamEnd

if TYPE_CHECKING:
    from mcp.shared.message import SessionMessage
    from mcp.types import JSONRPCMessage

    from docs_researcher.server.docsets import Docsets
    from docs_researcher.server.first_answers import FirstAnswers
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


@dataclass(frozen=True, slots=True)
class Served:
    """What a connection is served from; see `server.app.build_server`."""

    provider: DocsProvider
    tools: ToolChoice = "all"
    research: ResearchTool | None = None
    docsets: Docsets | None = None


@dataclass(frozen=True, slots=True)
class Connection:
    """Both ends of one client's pipe, and what was answered to it already."""

    reader: LineReader
    writer: LineWriter
    first: FirstAnswers | None = None
    listed: tuple[str, ...] | None = None
    """The state of the docsets that these answers are of."""

    @classmethod
    def on(cls, incoming: int, outgoing: int) -> Connection:
        """On two open descriptors."""
        return cls(LineReader(incoming), LineWriter(outgoing))


async def serve_stdio(served: Served, connection: Connection | None = None) -> None:
    """Serve on this process's stdin and stdout until stdin ends.

    Takes the process over: stdout stays redirected to stderr afterwards, what has been imported is never collected, and
    `EXIT_SECONDS` after the end of stdin the process exits with 0, whatever is still running in it.

    Args:
        served: what is served.
        connection: the pipes, where they have been taken over before.
    """
    connection = connection or Connection.on(*take_standard_streams())
    import mcp.server  # noqa: F401  # pyright: ignore[reportUnusedImport] -- before the collector looks at what there is

    gc.freeze()
    gc.enable()
    threading.Thread(target=_leave_with_parent, name="mcp-parent", daemon=True).start()
    await serve_connection(served, connection, at_end=_exit_soon)


async def serve_connection(served: Served, connection: Connection, *, at_end: Callable[[], None] = lambda: None) -> None:
    """Serve one client until its input ends. `at_end` is called at that moment."""
    from mcp.server import NotificationOptions

    watch = served.docsets is not None
    server = build_server(
        served.provider,
        tools=served.tools,
        research=served.research,
        docsets=served.docsets,
        watch=watch,
        listed=connection.listed,
    )
    wire = _Wire(connection.first)
    outbox = _Outbox(connection.writer, wire)
    inbox = _Inbox(connection.reader, outbox, wire, at_end)
    changes = NotificationOptions(tools_changed=watch, resources_changed=watch)
    await server.run(inbox, outbox, server.create_initialization_options(changes))


def _exit_soon() -> None:
    timer = threading.Timer(EXIT_SECONDS, os._exit, (0,))
    timer.daemon = True
    timer.start()


class _Wire:
    """What both directions of a connection know: requests that are not yet answered, the first answers, the log."""

    def __init__(self, first: FirstAnswers | None) -> None:
        self.first = first
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


class _Inbox(StreamEnd):
    """The messages of a client, as the stream that the SDK reads. Ends when calls in flight are over."""

    def __init__(self, reader: LineReader, outbox: _Outbox, wire: _Wire, at_end: Callable[[], None]) -> None:
        self._outbox = outbox
        self._wire = wire
        self._at_end = at_end
        self._opening = Opening()
        self._ready: deque[JSONRPCMessage] = deque()
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._dismissed = False
        self._ended = False
        loop = asyncio.get_running_loop()
        reader.hand_over(lambda line: loop.call_soon_threadsafe(self._lines.put_nowait, line))

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
        if self._wire.first is not None and line.strip():
            self._wire.first.came(line)
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
        """Nothing more is read."""
        self._ended = True


class _Outbox(StreamEnd):
    """The stream that the SDK writes to: each message one line, in order."""

    def __init__(self, writer: LineWriter, wire: _Wire) -> None:
        self._writer = writer
        self._wire = wire

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
        if not isinstance(message, JSONRPCResponse | JSONRPCError):
            self._writer.put(line.encode())
            return
        given = self._wire.first is not None and message.id is not None and self._wire.first.went(message.id, line)
        if not given:
            self._writer.put(line.encode())
        self._wire.answered(message.id)

    def refuse(self, line: Unreadable) -> None:
        """Answer a line that was no message."""
        from mcp.types import INVALID_REQUEST, PARSE_ERROR

        code, why = (INVALID_REQUEST, "not a JSON-RPC 2.0 message") if line.is_json else (PARSE_ERROR, "not JSON")
        logger.warning("a line on stdin is %s: %.200r", why, line.line)
        self._writer.put(_error_line(line.id, code, f"The line is {why}.").encode())

    def confirm(self, request_id: int | str) -> None:
        """Answer a request that wants nothing but a yes."""
        from mcp.types import JSONRPCResponse

        response = JSONRPCResponse(jsonrpc="2.0", id=request_id, result={})
        self._wire.log.went(response)
        self._writer.put(response.model_dump_json(by_alias=True, exclude_unset=True).encode())

    async def aclose(self) -> None:
        """Write what is queued and stop, within a bound."""
        self._writer.finish()
        deadline = asyncio.get_running_loop().time() + FLUSH_SECONDS
        while self._writer.is_writing and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.005)


def _error_line(request_id: int | str | None, code: int, message: str) -> str:
    from mcp.types import ErrorData, JSONRPCError

    error = JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=message))
    return error.model_dump_json(by_alias=True, exclude_unset=True)


def _leave_with_parent() -> None:
    """Body of the watching thread: leave when the process that started us is gone, since nobody reads our answers then."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(PARENT_SECONDS)
    os._exit(0)
