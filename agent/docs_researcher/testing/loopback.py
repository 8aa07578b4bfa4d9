"""An HTTP server on loopback, in a thread of its own: what stands under each server that tests talk to."""

from __future__ import annotations

import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

POLL_SECONDS = 0.01
"""How often it looks whether it shall end."""
STOP_SECONDS = 5.0
"""How long its thread may take to end."""


class LoopbackServer:
    """Listens on a free port from `start` to `stop`, each request in a thread of its own. A context manager does both."""

    def __init__(self, handler: type[BaseHTTPRequestHandler], tls: ssl.SSLContext | None = None) -> None:
        """Take the port; `handler` answers, over TLS if `tls` is given."""
        self._scheme = "http" if tls is None else "https"
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
            self._server.handle_error = lambda request, client_address: None  # a client that distrusts us hangs up
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": POLL_SECONDS}, daemon=True)

    @property
    def url(self) -> str:
        """Scheme, host and port, without a slash at the end."""
        return f"{self._scheme}://127.0.0.1:{self._server.server_port}"

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """End it; nothing listens on its port afterwards."""
        self._server.shutdown()
        self._thread.join(STOP_SECONDS)
        self._server.server_close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.stop()


class QuietHandler(BaseHTTPRequestHandler):
    """Answers without a log: stderr belongs to the program under test."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
