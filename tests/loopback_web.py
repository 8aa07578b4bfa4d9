"""A web server on loopback that answers what a test tells it to, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from docs_researcher.testing.loopback import LoopbackServer, QuietHandler


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


class Loopback(LoopbackServer):
    """The server: set `pages[path]`, read `asked`."""

    def __init__(self) -> None:
        self.pages: dict[str, Answering] = {}
        self.asked: list[Asked] = []
        outer = self

        class Handler(QuietHandler):
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

        super().__init__(Handler)
        self.start()
