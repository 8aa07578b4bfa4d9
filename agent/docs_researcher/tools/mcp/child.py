"""An MCP server as a child process: started, spoken to line by line, and gone afterwards, whatever it does.

The SDK's own stdio transport starts and stops a child well, but keeps its exit code and its output that is no JSON-RPC to
itself. Both belong into the error that a user reads, so the pipes are ours; the protocol stays the SDK's.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from types import TracebackType
from typing import TYPE_CHECKING, Any

from docs_researcher.core.clean import clean
from docs_researcher.core.errors import ServerError
from docs_researcher.core.lines import lines_of
from docs_researcher.core.secrets import remove_secrets
from docs_researcher.tools.mcp.framing import LineSplitter, Unreadable, read_line
from docs_researcher.tools.mcp.streams import StreamEnd
from docs_researcher.tools.mcp.watch import Watch

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectSendStream
    from mcp.client._transport import TransportStreams
    from mcp.shared.message import SessionMessage
    from mcp_types import JSONRPCMessage

CONNECT_SECONDS = 15.0
"""Start and handshake of a server that is installed."""
FETCHING_CONNECT_SECONDS = 60.0
"""The same when the command fetches the server first (`npx`, `uvx`, a container)."""
GRACE_SECONDS = 2.0
"""A server may take this long to leave by itself once its stdin is closed."""
SHORT_GRACE_SECONDS = 0.3
"""The same for a server that was never spoken to, and for every one when we are being stopped ourselves."""
TERMINATE_SECONDS = 2.0
"""Then this long after SIGTERM, before SIGKILL."""
KILL_SECONDS = 2.0
"""Then this long until the kernel has taken it away."""
EXIT_CODE_SECONDS = 0.5
"""A pipe closes a moment before the exit code is known."""
POLL_SECONDS = 0.01
STDERR_BYTES = 4_096
"""As much of the end of stderr is looked at for an error message."""
STDERR_LINES = 5
STDERR_CHARACTERS = 600
"""As much of it goes into an error message."""
CHUNK = 65_536
PROBE_SECONDS = 2.0
"""How long a server that shows signs of life may be silent on the newer protocol's first question.

After that it is asked in the older one, too. That does no harm to one that is only slow: it names the versions that it speaks.
"""
LIFELESS_PROBE_SECONDS = 6.0
"""The same for one that has printed nothing at all: it may still be starting."""
PROBE_STEP = 0.1
DISCOVER = "server/discover"

_running: set[int] = set()
"""Process groups of the servers that were started and are not known to have ended."""
_FETCHING = {"npx", "bunx", "pnpx", "uvx", "pipx", "docker", "podman"}

KEPT_BACK = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
"""Our own credentials are none of a documentation server's business, unless its configuration hands them over."""


@dataclass(frozen=True, slots=True)
class Launch:
    """How a server is started: the `mcpServers` entry of its name."""

    name: str
    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    cwd: str | None = None

    def environment(self) -> dict[str, str]:
        """Ours without our own credentials, then what the configuration says."""
        own = {name: value for name, value in os.environ.items() if name not in KEPT_BACK}
        return {**own, **self.env}

    @property
    def connect_seconds(self) -> float:
        """How long the start and the handshake may take."""
        fetches = PurePath(self.command).stem.lower() in _FETCHING
        return FETCHING_CONNECT_SECONDS if fetches else CONNECT_SECONDS

    @property
    def silence(self) -> str:
        """The clock runs from the start of the process."""
        return " of being started"

    @property
    def loss(self) -> str:
        """A process that ended."""
        return "died during a call"

    @property
    def next_step(self) -> str:
        """What the user can do about a server that fails."""
        return f"Run {self.command!r} with its args by hand to see what it says, or correct its configuration."

    @property
    def mode(self) -> str:
        """Both protocols are spoken over pipes."""
        return "auto"

    @property
    def renews(self) -> bool:
        """A server that dies again and again is not started for ever."""
        return False

    def link(self) -> ChildTransport:
        """A new run of the process, not started yet."""
        return ChildTransport(self)


class ChildTransport:
    """One run of a server, as a transport for the SDK's `Client`: enter it, get the two streams, leave it, and it is gone."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._process: asyncio.subprocess.Process | None = None
        self._watch: Watch | None = None
        self._reader: asyncio.Task[None] | None = None
        self._exit_code: int | None = None
        self._said = ""
        self._stderr_tail = ""
        self._used = False
        self._probe: asyncio.Task[None] | None = None
        self.ended = asyncio.Event()
        """Set when the server has closed its stdout."""

    def shaken_hands(self) -> None:
        """A server that has answered is given time to leave by itself."""
        self._used = True
        if self._probe is not None:
            self._probe.cancel()

    async def start(self) -> None:
        """Start the process, so that it boots while the SDK is imported here.

        Raises:
            ServerError: it cannot be started.
        """
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the transport is left, in another method
        try:
            self._process = process = await self._start()
            _running.add(process.pid)
            self._watch = Watch(process.pid)
        except BaseException:
            self._stderr.close()
            raise

    async def __aenter__(self) -> TransportStreams:
        """Speak to the process over its pipes."""
        import anyio
        from mcp.shared.message import SessionMessage

        process = self._process
        assert process is not None  # noqa: S101 - it was started
        send, receive = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self._reader = asyncio.create_task(self._read(process, send), name=f"mcp-reader-{self._launch.name}")
        return receive, _Writer(process, lambda message: self._sending(message, send))

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        """Stop the process and everything that it started in its group. Bounded, and short under cancellation."""
        process = self._process
        if process is None or self._stderr.closed:
            return
        await self._note_exit(process)
        try:
            await self._stop(process)
        finally:
            _kill_group(process.pid, "SIGKILL")
            _running.discard(process.pid)
            if self._watch is not None:
                self._watch.end()
            for task in (self._reader, self._probe):
                if task is not None:
                    task.cancel()
            self._note_stderr()
            _close_transport(process)
            self._stderr.close()
        await asyncio.sleep(0)  # the loop closes the pipes' transports in its next round

    async def describe_end(self) -> str:
        """What is known about a server that failed: exit code, last lines of stderr, output that was no message."""
        process = self._process
        if process is not None and not self._stderr.closed:
            await self._note_exit(process)
            self._note_stderr()
        parts: list[str] = []
        if self._exit_code is not None:
            parts.append(f"exit code {self._exit_code}")
        if self._stderr_tail:
            parts.append(f"its stderr ends: {self._stderr_tail}")
        if self._said:
            parts.append(f"its stdout held no message but: {self._said}")
        return remove_secrets("; ".join(parts))[0]

    async def _start(self) -> asyncio.subprocess.Process:
        launch, env = self._launch, self._launch.environment()
        try:
            return await asyncio.create_subprocess_exec(
                _resolved(launch.command, env),
                *launch.args,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=self._stderr,
                cwd=launch.cwd,
                env=env,
                start_new_session=sys.platform != "win32",
            )
        except (OSError, ValueError) as error:
            raise _cannot_start(launch, env, error) from error

    async def _read(self, process: asyncio.subprocess.Process, send: MemoryObjectSendStream[Any]) -> None:
        """Hand over the messages on stdout until it closes; what is no message is noted, what nobody wants is drained."""
        import anyio
        from mcp.shared.message import SessionMessage

        assert process.stdout is not None  # noqa: S101 - it was started with a pipe
        splitter = LineSplitter()
        wanted = True
        async with send:
            while chunk := await process.stdout.read(CHUNK):
                for line in splitter.feed(chunk):
                    message = Unreadable("a line too long to be read", is_json=False) if line is None else read_line(line)
                    if isinstance(message, Unreadable):
                        self._said = self._said or clean(message.line)
                    elif message is not None and wanted:
                        try:
                            await send.send(SessionMessage(message))
                        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                            wanted = False
            self.ended.set()

    def _sending(self, message: JSONRPCMessage, send: MemoryObjectSendStream[Any]) -> None:
        """Watch over the one question that older servers leave unanswered."""
        if getattr(message, "method", None) == DISCOVER:
            probe = self._end_probe(getattr(message, "id", 0), send)
            self._probe = asyncio.create_task(probe, name=f"mcp-probe-{self._launch.name}")

    async def _end_probe(self, request_id: int | str, send: MemoryObjectSendStream[Any]) -> None:
        """Answer the question in the server's place when it has been silent too long; if it answered, nobody listens any more."""
        import anyio
        from mcp.shared.message import SessionMessage
        from mcp_types import METHOD_NOT_FOUND, ErrorData, JSONRPCError

        silent_for = silent_alive = 0.0
        while silent_for < LIFELESS_PROBE_SECONDS and silent_alive < PROBE_SECONDS:
            await asyncio.sleep(PROBE_STEP)
            silent_for += PROBE_STEP
            silent_alive += PROBE_STEP if self._said or os.fstat(self._stderr.fileno()).st_size else 0
        answer = JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=METHOD_NOT_FOUND, message="no answer in time"))
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await send.send(SessionMessage(answer))

    async def _stop(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None  # noqa: S101 - it was started with a pipe
        task = asyncio.current_task()
        hurried = task is not None and task.cancelling() > 0  # Ctrl-C: our own process is about to end
        process.stdin.close()
        if await _exited(process, GRACE_SECONDS if self._used and not hurried else SHORT_GRACE_SECONDS):
            return
        _kill_group(process.pid, "SIGTERM")
        if await _exited(process, SHORT_GRACE_SECONDS if hurried else TERMINATE_SECONDS):
            return
        _kill_group(process.pid, "SIGKILL")
        await _exited(process, KILL_SECONDS)

    async def _note_exit(self, process: asyncio.subprocess.Process) -> None:
        """Keep the exit code of a server that ended by itself; one that we end tells nothing."""
        if self.ended.is_set() and self._exit_code is None:
            await _exited(process, EXIT_CODE_SECONDS)
            self._exit_code = process.returncode

    def _note_stderr(self) -> None:
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - STDERR_BYTES))
        lines = [line for line in lines_of(clean(self._stderr.read().decode("utf-8", "replace"))) if line.strip()]
        self._stderr_tail = " / ".join(line.strip() for line in lines[-STDERR_LINES:])[-STDERR_CHARACTERS:]


class _Writer(StreamEnd):
    """The SDK's messages onto the child's stdin, one line each. The transport closes that itself when it is left."""

    def __init__(self, process: asyncio.subprocess.Process, sending: Callable[[JSONRPCMessage], None]) -> None:
        self._process = process
        self._sending = sending

    async def send(self, item: SessionMessage, /) -> None:
        import anyio

        self._sending(item.message)

        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101 - it was started with a pipe
        try:
            stdin.write(item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
            await stdin.drain()
        except OSError as error:
            raise anyio.BrokenResourceError from error


def kill_all() -> None:
    """Kill every server that still runs: for a process that is about to end without cleaning up."""
    for pid in tuple(_running):
        _kill_group(pid, "SIGKILL")


def _kill_group(pid: int, name: str) -> None:
    """Signal a server and everything that it started in its group; on Windows, where there is none, end the process tree."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(pid)], capture_output=True, timeout=5, check=False)  # noqa: S603, S607 - a fixed command with a number
        else:
            os.killpg(pid, getattr(signal, name))


def _resolved(command: str, env: Mapping[str, str]) -> str:
    """On Windows the file behind a bare command (`npx` is `npx.cmd`); elsewhere the command as it is."""
    return command if sys.platform != "win32" else windows_program(command, env)


def windows_program(command: str, env: Mapping[str, str]) -> str:
    """The file that a command means on Windows: on the PATH, with one of the endings of PATHEXT; the command if there is none."""
    names = {name.upper(): value for name, value in env.items()}
    endings = [ending.strip().lower() for ending in names.get("PATHEXT", ".COM;.EXE;.BAT;.CMD").split(";") if ending.strip()]
    if any(command.lower().endswith(ending) for ending in endings):
        endings = [""]
    folders = [""] if re.search(r"[\\/:]", command) else [folder for folder in names.get("PATH", "").split(";") if folder]
    for folder in folders:
        for ending in endings:
            file = Path(folder) / f"{command}{ending}"
            if file.is_file():
                return str(file)
    return command


def _cannot_start(launch: Launch, env: Mapping[str, str], error: Exception) -> ServerError:
    what = f"the MCP server {launch.name!r} cannot be started"
    if launch.cwd is not None and not Path(launch.cwd).is_dir():
        return ServerError(what, why=f"its folder {launch.cwd!r} does not exist", next_step="Correct its cwd.")
    if not isinstance(error, FileNotFoundError):
        return ServerError(what, why=f"{launch.command!r}: {error}", next_step="Check its command and args.")
    words = launch.command.split()
    step = "Install it, or give the command's full path."
    if len(words) > 1:
        step = f"A command is one executable: put {' '.join(words[1:])!r} into its args."
    return ServerError(what, why=f"no command {launch.command!r} on the PATH {env.get('PATH', '')!r}", next_step=step)


async def _exited(process: asyncio.subprocess.Process, seconds: float) -> bool:
    """Whether the process ended in time. Not `wait()`: that waits for the pipes too, which a grandchild may hold open."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while process.returncode is None:
        if loop.time() >= deadline:
            return False
        await asyncio.sleep(POLL_SECONDS)
    return True


def _close_transport(process: asyncio.subprocess.Process) -> None:
    """Close the pipes now: a grandchild that holds an end would leave them open, and asyncio offers no public way."""
    close = getattr(getattr(process, "_transport", None), "close", None)
    if callable(close):
        with contextlib.suppress(OSError):
            close()
