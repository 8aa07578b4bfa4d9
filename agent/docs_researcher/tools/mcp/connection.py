"""A connection to one MCP server: made when first needed, owned by one task, bounded in every wait.

The SDK's client must be entered and left in the same task, or closing it never returns. So each run of a server has an
owner task that does both; any task may call through it. A server that dies is started once more, a session that is lost is
opened once more, and the call that was under way is repeated: both tools only read.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from docs_researcher.core.errors import ServerError
from docs_researcher.core.importing import IMPORTING
from docs_researcher.tools.mcp.era import AUTO, LEGACY, WHAT, Era, recalled, remember_era
from docs_researcher.tools.mcp.http_faults import HttpFault
from docs_researcher.tools.mcp.link import Link, Target
from docs_researcher.tools.mcp.tap import Recorder, TappedLink
from docs_researcher.tools.server_memory import Memory

if TYPE_CHECKING:
    from mcp import Client, MCPError

READ_SECONDS = 50.0
"""One answer. A whole run has 55 seconds, so a silent server leaves time to say so."""
CLOSE_SECONDS = 8.0
"""Leaving the client and the child's own three waits; after that the owner is cancelled, which kills the child."""

SESSION_LOST = "Session terminated"
"""The SDK's words for a 404 to a session."""

logging.getLogger("mcp").addHandler(logging.NullHandler())  # without a handler the SDK's warnings go to the user's terminal

_Answer = TypeVar("_Answer")


class Connection:
    """Calls one server; starts it on the first call and once more if it dies."""

    def __init__(
        self,
        target: Target,
        *,
        mode: str = "auto",
        connect_seconds: float | None = None,
        read_seconds: float = READ_SECONDS,
        client_options: Mapping[str, Any] | None = None,
        recorder: Recorder | None = None,
        memory: Memory | None = None,
    ) -> None:
        """Nothing is started yet.

        `mode` is the SDK's: "auto", "legacy" or a protocol version. `connect_seconds` None takes the target's own limit.
        `client_options` go to the SDK's client as they are; `recorder` is shown every message. `memory` spares asking which
        protocol the server speaks.
        """
        self.target = target
        self._era = Era(target.mode if mode == "auto" else mode)
        self._memory = memory
        self._connect_seconds = connect_seconds or target.connect_seconds
        self._read_seconds = read_seconds
        self._client_options = dict(client_options or {})
        self._recorder = recorder
        self._lock = asyncio.Lock()
        self._run: _Run | None = None
        self._starting: _Run | None = None
        self._restarts_left = 1
        self._given_up: ServerError | None = None
        self._closed = False

    async def call(self, ask: Callable[[Client], Awaitable[_Answer]]) -> _Answer:
        """What `ask` gets from the server.

        Raises:
            ServerError: the server cannot be started, died (twice), or did not answer in time.
            MCPError: the server answered with a JSON-RPC error.
        """
        run = await self._running(None)
        while True:  # ends: each death uses up a restart or raises, and only what is remembered can be unproven
            try:
                answer = await run.ask(ask)
            except _Died:
                run = await self._running(run)
            except (_protocol_error(), ServerError) as error:
                if run.proven:
                    raise
                if isinstance(error, HttpFault) and not error.may_be_of_the_protocol:
                    self._given_up = error  # as when the server is asked first: the next call must not wait as long again
                    raise
                run = await self._asked_anew(run)
            else:
                run.proven = True
                if self.target.renews:
                    self._restarts_left = 1
                return answer

    async def aclose(self) -> None:
        """End the server. Safe to call twice, and from any task; in a task that is being cancelled it is not waited for."""
        self._closed = True
        task = asyncio.current_task()
        hurried = task is not None and task.cancelling() > 0  # Ctrl-C: the process itself is about to end
        if self._starting is not None:
            await self._starting.close(at_once=True)
        async with self._lock:
            run, self._run = self._run, None
            if run is not None:
                await run.close(at_once=hurried)

    async def _running(self, dead: _Run | None) -> _Run:
        """The current run, a first one, or the one that replaces `dead`."""
        async with self._lock:
            if self._closed:
                raise self._is_closed()
            if self._given_up is not None:
                raise self._given_up
            if self._run is not None and self._run is not dead:
                return self._run
            if self._run is not None:
                await self._bury(self._run)
            try:
                self._run = await self._started()
            except ServerError as error:
                self._given_up = error  # the next call must not wait for the same deadline again
                raise
            return self._run

    async def _asked_anew(self, doubted: _Run) -> _Run:
        """The run that replaces one which began with what is remembered, and failed: the server may have changed."""
        async with self._lock:
            if self._run is doubted:
                self._run = None
                await doubted.close()
                if self._memory is not None:
                    self._memory.forget(WHAT)
        return await self._running(None)

    async def _bury(self, dead: _Run) -> None:
        failure = await dead.failure(self.target.loss)
        await dead.close()
        self._run = None
        if self._restarts_left == 0:
            self._given_up = failure
            raise failure
        self._restarts_left -= 1

    async def _started(self) -> _Run:
        """A new run. It begins with what is remembered, if that works.

        Some older servers exit on the newer protocol's first question, so the older one gets its turn.
        """
        if self._era != AUTO:
            return await self._start(self._era)
        known = recalled(self._memory, answers_at_once=self.target.renews)
        if known != AUTO:
            try:
                return await self._start(known)
            except ServerError:
                if self._closed or self._memory is None:
                    raise
                self._memory.forget(WHAT)
        try:
            run = await self._start(AUTO)
        except _ExitedAtStart:
            if self._closed:
                raise
            run = await self._start(LEGACY)
            self._era = LEGACY
        remember_era(self._memory, run.client)
        return run

    async def _start(self, era: Era) -> _Run:
        link = TappedLink(self.target.link(), self._recorder)
        self._starting = run = _Run(self.target, link, era, self._connect_seconds, self._read_seconds, self._client_options)
        try:
            await run.ready()
        finally:
            self._starting = None
        return run

    def _is_closed(self) -> ServerError:
        return ServerError(f"the connection to the MCP server {self.target.name!r} is closed")


class _Died(Exception):
    """The server's pipe closed under a call."""


class _ExitedAtStart(ServerError):
    """The server closed its pipe before the handshake was over."""


class _Run:
    """One link with the client that speaks over it, entered and left by its own task."""

    def __init__(
        self,
        target: Target,
        link: Link,
        era: Era,
        connect_seconds: float,
        read_seconds: float,
        client_options: Mapping[str, Any],
    ) -> None:
        self.proven = era.discovered is None
        """Whether the server has answered; one that was taken at its remembered word has not."""
        self._target = target
        self._era = era
        self._connect_seconds = connect_seconds
        self._read_seconds = read_seconds
        self._client_options = client_options
        self._link = link
        self._stop = asyncio.Event()
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._own(), name=f"mcp-owner-{target.name}")

    async def ready(self) -> None:
        """Wait until the server is started and has shaken hands. If not, or when cancelled, it is gone on return.

        Raises:
            ServerError: it cannot be started, ended at once, was silent until the deadline, or was closed meanwhile.
        """
        try:
            await asyncio.shield(self._ready)
        except asyncio.CancelledError:
            await self.close(at_once=True)
            raise
        except Exception:
            await self.close()
            raise

    @property
    def client(self) -> Client:
        """The client, once the run is ready."""
        return self._ready.result()

    async def ask(self, ask: Callable[[Client], Awaitable[_Answer]]) -> _Answer:
        """Raises `_Died` when the connection is gone and `ServerError` when the answer did not come in time."""
        from mcp import MCPError
        from mcp.types import REQUEST_TIMEOUT

        if self._task.done() or self._link.ended.is_set():
            raise _Died
        try:
            return await ask(self.client)
        except MCPError as error:
            if _is_closed(error):
                raise _Died from error
            fault = self._fault(error)
            if fault is not None:
                raise fault from error
            if error.code == REQUEST_TIMEOUT:
                raise await self.failure(f"gave no answer within {self._read_seconds:g} s") from error
            raise

    async def failure(self, what: str) -> ServerError:
        """The error for this run, with what its process left behind."""
        why = await self._link.describe_end()
        return ServerError(f"the MCP server {self._target.name!r} {what}", why=why, next_step=self._target.next_step)

    async def close(self, *, at_once: bool = False) -> None:
        """Leave client and child. Returns when the process is gone, or after a bounded wait."""
        self._stop.set()
        if at_once:
            self._task.cancel()
        for seconds in (CLOSE_SECONDS, CLOSE_SECONDS):
            await asyncio.wait({self._task}, timeout=seconds)
            if self._task.done():
                break
            self._task.cancel()
        if self._ready.done():
            self._ready.exception()  # looked at here, so that asyncio does not report it as forgotten

    async def _own(self) -> None:
        try:
            async with contextlib.AsyncExitStack() as stack:
                stack.push_async_exit(self._link.__aexit__)
                async with asyncio.timeout(self._connect_seconds):
                    await self._link.start()
                    await asyncio.to_thread(_import_sdk)
                    client = await stack.enter_async_context(self._client())
                self._link.shaken_hands()
                self._ready.set_result(client)
                await self._stop.wait()
        except asyncio.CancelledError:
            if not self._ready.done():
                self._ready.set_exception(ServerError(f"the MCP server {self._target.name!r} was closed while it started"))
            raise
        except BaseException as error:
            if not self._ready.done():
                self._ready.set_exception(await self._start_failure(error))
            elif not isinstance(error, Exception):
                raise
            # Otherwise the server misbehaved while it was being left: there is nobody left to tell.

    def _fault(self, error: BaseException) -> ServerError | None:
        """What stands behind an error that our own transport gave as the answer to a request."""
        find = getattr(self._link, "fault", None)
        return find(getattr(error, "data", None)) if find is not None else None

    def _client(self) -> Client:
        """The client for this run's process; entering it starts the process, leaving it stops it."""
        from mcp import Client
        from mcp.types import Implementation

        from docs_researcher import __version__

        return Client(
            self._link,
            mode=self._era.mode,
            prior_discover=self._era.discovered,
            read_timeout_seconds=self._read_seconds,
            client_info=Implementation(name="docs-researcher", version=__version__),
            **self._client_options,
        )

    async def _start_failure(self, error: BaseException) -> BaseException:
        cause = _leaf(error)
        cause = self._fault(cause) or cause
        if isinstance(cause, ServerError) or not isinstance(cause, Exception):
            return cause
        if isinstance(cause, TimeoutError):
            return await self.failure(f"did not answer within {self._connect_seconds:g} s{self._target.silence}")
        end = await self._link.describe_end()
        if _is_closed(cause):
            what = f"the MCP server {self._target.name!r} ended before it could be used"
            return _ExitedAtStart(what, why=end, next_step=self._target.next_step)
        what = f"the MCP server {self._target.name!r} could not be understood"
        return ServerError(what, why=f"{_words(cause)}; {end}".strip("; "), next_step=self._target.next_step)


def _import_sdk() -> None:
    """Import what the connection is made with; a process that was started boots meanwhile, and other tasks go on."""
    with IMPORTING:
        importlib.import_module("mcp")


def _protocol_error() -> type[MCPError]:
    from mcp import MCPError

    return MCPError


def _leaf(error: BaseException) -> BaseException:
    """The first real error inside nested exception groups."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


def _is_closed(error: BaseException) -> bool:
    """Whether nothing more comes over this link: the pipe is closed, the answer broke off, or the session is unknown."""
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED, INVALID_REQUEST

    if not isinstance(error, MCPError):
        return False
    return error.code == CONNECTION_CLOSED or (error.code == INVALID_REQUEST and error.message == SESSION_LOST)


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]
