"""A web server on loopback that answers what a test tells it to, and remembers what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server says to one request. `cut_after` closes the connection after so many bytes of the body."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    content_type: str = "application/json"
    cut_after: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: its path as sent, and its headers (lower case)."""

    path: str
    headers: Mapping[str, str]


Answering = Answer | Callable[[Asked], Answer]


class Loopback:
    """The server: set `pages[path]`, read `asked`."""

    def __init__(self) -> None:
        self.pages: dict[str, Answering] = {}
        self.asked: list[Asked] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()})
                outer.asked.append(asked)
                page = outer.pages.get(self.path, Answer(b'{"error":"Not found"}', 404))
                answer = page(asked) if callable(page) else page
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("content-type", answer.content_type)
                if "content-length" not in answer.headers and "transfer-encoding" not in answer.headers:
                    self.send_header("content-length", str(len(answer.body)))
                self.send_header("connection", "close")
                self.end_headers()
                self.wfile.write(answer.body[: answer.cut_after])
                self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def url(self) -> str:
        """The address without a slash at the end."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def stop(self) -> None:
        """End the server; nothing listens on its port afterwards."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
