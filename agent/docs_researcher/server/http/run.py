"""The server process: one that answers itself, or one that keeps several workers."""

from __future__ import annotations

import errno
import logging
import signal
import socket
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

from docs_researcher.core.errors import UsageError
from docs_researcher.server.http.app import CELLS, Door
from docs_researcher.server.http.backend import Backend
from docs_researcher.server.http.numbers import Numbers
from docs_researcher.server.http.settings import HttpSettings
from docs_researcher.server.log import log_to_stderr

BACKLOG = 512
"""Connections that may wait to be taken."""
FIRST_FREE_PORT = 1024
"""Ports below it need rights that a server of documentation should not have."""
KEEP_ALIVE_SECONDS = 30
"""How long an idle connection is kept; hosts call again within a conversation."""


@dataclass(frozen=True, slots=True)
class AppFactory:
    """Makes the application, in this process or in a worker that it is handed to."""

    settings: HttpSettings
    backend: Backend
    numbers: Numbers

    def __call__(self) -> Door:
        """The application. A worker starts with no logging of its own."""
        set_up_logging(self.settings)
        return Door(self.settings, self.backend, self.numbers)


def serve_http(settings: HttpSettings, backend: Backend, told: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C, then answer what is in flight and return.

    `told` is called once, when the port is open, with the address (`http://127.0.0.1:8700`).

    Raises:
        UsageError: the address cannot be listened on.
    """
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    listener = listen(settings.host, settings.port)
    settings = replace(settings, port=listener.getsockname()[1])
    if settings.workers == 1:
        server = uvicorn.Server(web_server(AppFactory(settings, backend, Numbers.of_this_process(CELLS)), settings))
        with _ended_by_signals(server):
            told(address_of(settings))
            server.run(sockets=[listener])
        return
    set_up_logging(settings)
    factory = AppFactory(settings, backend, Numbers.of_all_workers(CELLS))
    workers = Multiprocess(web_server(factory, settings), sockets=[listener])  # ends on signals from here on
    told(address_of(settings))
    workers.run()
    listener.close()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on an address; port 0 takes a free one.

    Raises:
        UsageError: the address is not ours, taken, or not allowed.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        # Named as TCP, or the event loop does not send small packets at once: 44 ms instead of 1 (measured 2026-11-29).
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if sys.platform != "win32":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(BACKLOG)  # who calls before the first worker is up waits a moment instead of being refused
            listener.set_inheritable(True)
        except OSError:
            listener.close()
            raise
    except OSError as error:
        why, next_step = _not_listening(host, port, error)
        raise UsageError(f"{host}:{port} cannot be listened on", why=why, next_step=next_step) from error
    return listener


def _not_listening(host: str, port: int, error: OSError) -> tuple[str, str]:
    """Why an address cannot be listened on, and what to do."""
    other = "Name another address with --http HOST:PORT; port 0 takes a free one."
    if error.errno == errno.EADDRINUSE:
        return "another program listens there already", other
    if error.errno == errno.EACCES and port < FIRST_FREE_PORT:
        return f"ports below {FIRST_FREE_PORT} are the superuser's", f"Name a port from {FIRST_FREE_PORT} on: --http {host}:8700"
    if error.errno == errno.EADDRNOTAVAIL:
        return "this machine has no such address", "Name one of its own; 0.0.0.0 stands for all."
    if isinstance(error, socket.gaierror):
        return "no such host is known", "Name an address of this machine; 0.0.0.0 stands for all."
    return error.strerror or str(error), other


def address_of(settings: HttpSettings) -> str:
    """The address to call the server under. 127.0.0.1 rather than `localhost`, which may mean ::1 first."""
    host = settings.host
    if host in ("0.0.0.0", "localhost"):  # noqa: S104 -- compared with, not bound to
        host = "127.0.0.1"
    elif host == "::":
        host = "::1"
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def set_up_logging(settings: HttpSettings) -> None:
    """Log to stderr; whether there is an access log does not depend on the level of the rest."""
    log_to_stderr(settings.log_level)
    logging.getLogger("docs_researcher.access").setLevel(logging.INFO)


def web_server(app: Door | AppFactory, settings: HttpSettings) -> Any:
    """The configuration of the web server (a `uvicorn.Config`)."""
    import uvicorn

    from docs_researcher.server.http.connection import PatientConnection

    return uvicorn.Config(
        app,
        http=PatientConnection,
        factory=isinstance(app, AppFactory),
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        interface="asgi3",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # a caller could write any address into them and so escape the rate limit
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=settings.drain_seconds,
    )


@contextmanager
def _ended_by_signals(server: Any) -> Generator[None]:
    """Let SIGTERM and Ctrl-C end the server gently from the first moment on.

    While it serves it has handlers of its own; afterwards it raises the signals again, when there is nothing left to end.
    """
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        server.should_exit = True

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
