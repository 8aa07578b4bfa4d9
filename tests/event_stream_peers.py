"""MCP servers over the transport before Streamable HTTP: one stream of events, and a POST for each message."""

from __future__ import annotations

import json
import queue
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from docs_researcher.testing.loopback import LoopbackServer, QuietHandler
from mcp_web_peers import DOCS, TOOLS, Reply

Message = dict[str, Any]
END = None
"""Put into a stream, it ends it."""


def _refuse_nothing(verb: str, message: Message) -> Reply | None:
    return None


def _as_usual(peer: EventStreamPeer, message: Message) -> bool:
    return False


class EventStreamPeer(LoopbackServer):
    """An ordinary server. `refuse` may answer any request by itself; `on_call` may do something else than answer a call."""

    def __init__(
        self,
        refuse: Callable[[str, Message], Reply | None] = _refuse_nothing,
        on_call: Callable[[EventStreamPeer, Message], bool] = _as_usual,
    ) -> None:
        self.seen: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.stream: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.refuse = refuse
        self.on_call = on_call

        class Handler(_Handler):
            peer = self

        super().__init__(Handler)
        self.start()

    @property
    def url(self) -> str:
        """Where the stream is."""
        return f"{super().url}/sse"

    def tell(self, request: Message, answer: Message) -> None:
        """Send an answer into the stream."""
        self.stream.put(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer}))

    def usual(self, request: Message) -> Message:
        """What an ordinary server answers."""
        if request["method"] == "initialize":
            about: Message = {"capabilities": {"tools": {}}, "serverInfo": {"name": "peer", "version": "1"}}
            return {"result": {"protocolVersion": "2024-11-05", **about}}
        if request["method"] == "tools/list":
            return {"result": {"tools": TOOLS}}
        return {"result": {"content": [{"type": "text", "text": DOCS}]}}

    def stop(self) -> None:
        """End it."""
        self.stream.put(END)
        super().stop()


class _Handler(QuietHandler):
    peer: EventStreamPeer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._noted("GET")
        if not self._refused("GET", {}):
            self._events()

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        self._noted(message.get("method", ""))
        if self._refused("POST", message):
            return
        self._send(Reply("Accepted", 202, "text/plain"))
        if "id" in message and not (message["method"] == "tools/call" and self.peer.on_call(self.peer, message)):
            self.peer.tell(message, self.peer.usual(message))

    def _noted(self, what: str) -> None:
        self.peer.seen.append(what)
        self.peer.headers.append({key.lower(): value for key, value in self.headers.items()})

    def _refused(self, verb: str, message: Message) -> bool:
        reply = self.peer.refuse(verb, message)
        if reply is not None:
            self._send(reply)
        return reply is not None

    def _send(self, reply: Reply) -> None:
        data = reply.body.encode() if isinstance(reply.body, str) else reply.body
        head = f"HTTP/1.1 {reply.status} X\r\ncontent-type: {reply.content_type}\r\ncontent-length: {len(data)}\r\n\r\n"
        self.wfile.write(head.encode() + data)

    def _events(self) -> None:
        events: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.peer.stream = events
        self.close_connection = True
        head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
        self.wfile.write(f"{head}: hello\r\n\r\nevent: endpoint\r\ndata: /messages?session_id=1\r\n\r\n".encode())
        while (data := events.get()) is not END:
            self.wfile.write(f"event: message\ndata: {data}\n\n".encode())


@contextmanager
def event_stream_peer(**how: Any) -> Generator[EventStreamPeer]:
    """A peer that is stopped afterwards."""
    peer = EventStreamPeer(**how)
    try:
        yield peer
    finally:
        peer.stop()
