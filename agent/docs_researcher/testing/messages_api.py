"""A scripted Messages API on loopback: real HTTP, real server-sent events, no model.

Give it steps, point a client at `url`, and look at `requests` afterwards. A request beyond the script gets an HTTP error that
says so, and steps that were not played make `check_finished` fail. For a client whose requests cannot be counted ahead, such as
a whole coding agent, `ScriptedMessagesApi.answering` takes one function for all of them. A request without `"stream": true`
gets its turn as one JSON message.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from docs_researcher.testing.loopback import LoopbackServer, QuietHandler

Body = Mapping[str, Any]
Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Text:
    """A text block. `cites` are (source, title) pairs of search results that it cites."""

    text: str
    cites: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool call. `broken_json` replaces the input on the wire, for replies that were cut inside it."""

    id: str
    name: str
    input: Mapping[str, Any]
    broken_json: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn, streamed.

    `ending` is how the stream ends: "normal"; "error" (an `error` event after status 200); "cut" (the connection breaks);
    "clean" (the body ends without `message_stop`); "silent" (nothing more comes, the connection stays open).
    """

    blocks: tuple[Text | ToolUse, ...] = ()
    stop_reason: str = "end_turn"
    ending: str = "normal"
    error_type: str = "overloaded_error"
    input_tokens: int = 100
    output_tokens: int = 20
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    stop_details: Mapping[str, Any] | None = None
    delay: float = 0.0
    """Seconds before the first event, for comparisons in which every turn must cost the same."""


@dataclass(frozen=True, slots=True)
class HttpError:
    """An error status instead of a stream."""

    status: int
    type: str = "api_error"
    message: str = "scripted"
    retry_after: str | None = None
    body: str | None = None
    """Sent instead of the JSON error, for gateways that answer in HTML."""


Answering = Callable[[Body], "Turn | HttpError"]
ApiStep = Turn | HttpError | Answering


@dataclass(frozen=True, slots=True)
class Received:
    """One request: lower-case headers and the JSON body."""

    path: str
    headers: Mapping[str, str]
    body: Body


@dataclass(slots=True)
class _Script:
    steps: list[ApiStep]
    always: Answering | None = None
    requests: list[Received] = field(default_factory=list[Received])
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)

    def next(self, received: Received) -> Turn | HttpError:
        with self.lock:
            number = len(self.requests)
            self.requests.append(received)
        if self.always is not None:
            return self.always(received.body)
        if number >= len(self.steps):
            return HttpError(
                400, "invalid_request_error", f"the script has {len(self.steps)} steps; this is request {number + 1}"
            )
        step = self.steps[number]
        return step if isinstance(step, Turn | HttpError) else step(received.body)


class ScriptedMessagesApi(LoopbackServer):
    """The server. Use it as a context manager; it listens from `__enter__` to `__exit__`."""

    def __init__(self, steps: Iterable[ApiStep]) -> None:
        self._script = _Script(list(steps))
        script = self._script

        class Handler(_Handler):
            pass

        Handler.script = script
        super().__init__(Handler)

    @classmethod
    def answering(cls, answer: Answering) -> ScriptedMessagesApi:
        """A server without a script: `answer` is called with the body of each request, several at a time if they come so."""
        api = cls(())
        api._script.always = answer
        return api

    @property
    def requests(self) -> list[Received]:
        """What was received, in order."""
        return self._script.requests

    def check_finished(self) -> None:
        """Fail unless every step was played.

        Raises:
            AssertionError: if steps are left over.
        """
        left = len(self._script.steps) - len(self._script.requests)
        if left > 0:
            raise AssertionError(f"{left} of {len(self._script.steps)} steps were not played")

    def stop(self) -> None:
        """End it, a silent step as well."""
        self._script.closing.set()
        super().stop()


class _Handler(QuietHandler):
    protocol_version = "HTTP/1.1"
    script: _Script

    def do_HEAD(self) -> None:
        self._whole(200, b"", "application/json")

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
        if self.path.partition("?")[0].endswith("/count_tokens"):
            self._whole(200, json.dumps({"input_tokens": length // 4}).encode(), "application/json")
            return
        received = Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        step = self.script.next(received)
        if isinstance(step, HttpError):
            self._error(step)
        elif not body.get("stream"):
            self.script.closing.wait(step.delay)
            self._whole(200, json.dumps(_message(step, str(body.get("model", "")))).encode(), "application/json")
        else:
            self._stream(step, str(body.get("model", "")))

    def _error(self, step: HttpError) -> None:
        error = {"type": "error", "error": {"type": step.type, "message": step.message}}
        payload = (step.body if step.body is not None else json.dumps(error)).encode()
        self._whole(step.status, payload, "text/html" if step.body is not None else "application/json", step.retry_after)

    def _whole(self, status: int, payload: bytes, kind: str, retry_after: str | None = None) -> None:
        """An answer that is not a stream."""
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(payload)))
        self.send_header("request-id", "req_scripted")
        if retry_after is not None:
            self.send_header("retry-after", retry_after)
        self.end_headers()
        self.wfile.write(payload)

    def _stream(self, turn: Turn, model: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.send_header("request-id", "req_scripted")
        self.end_headers()
        if turn.delay:
            self.script.closing.wait(turn.delay)
        for event in _events(turn, model):
            self._chunk(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        if turn.ending == "silent":
            self.script.closing.wait()
        if turn.ending in ("silent", "cut"):
            self.close_connection = True
            self.connection.close()
            return
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def _message(turn: Turn, model: str) -> dict[str, Any]:
    """The turn as one message."""
    content: list[dict[str, Any]] = [
        {"type": "text", "text": block.text, "citations": None}
        if isinstance(block, Text)
        else {"type": "tool_use", "id": block.id, "name": block.name, "input": dict(block.input)}
        for block in turn.blocks
    ]
    details = None if turn.stop_details is None else dict(turn.stop_details)
    ending = {"stop_reason": turn.stop_reason, "stop_details": details}
    return {**_opening(turn, model, turn.output_tokens), "content": content, **ending}


def _opening(turn: Turn, model: str, output_tokens: int) -> dict[str, Any]:
    """A message before its content."""
    usage = {
        "input_tokens": turn.input_tokens,
        "output_tokens": output_tokens,
        "cache_creation_input_tokens": turn.cache_write_tokens,
        "cache_read_input_tokens": turn.cache_read_tokens,
    }
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }


def _events(turn: Turn, model: str) -> Iterator[Event]:
    yield {"type": "message_start", "message": _opening(turn, model, 0)}
    for index, block in enumerate(turn.blocks):
        yield from _block_events(index, block)
    if turn.ending == "error":
        yield {"type": "error", "error": {"type": turn.error_type, "message": "Overloaded"}}
        return
    if turn.ending != "normal":
        return
    delta: dict[str, Any] = {"stop_reason": turn.stop_reason, "stop_sequence": None}
    if turn.stop_details is not None:
        delta["stop_details"] = dict(turn.stop_details)
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": turn.output_tokens}}
    yield {"type": "message_stop"}


def _block_events(index: int, block: Text | ToolUse) -> Iterator[Event]:
    if isinstance(block, Text):
        start: Event = {"type": "text", "text": ""}
        delta: Event = {"type": "text_delta", "text": block.text}
    else:
        start = {"type": "tool_use", "id": block.id, "name": block.name, "input": {}}
        written = block.broken_json if block.broken_json is not None else json.dumps(dict(block.input))
        delta = {"type": "input_json_delta", "partial_json": written}
    yield {"type": "content_block_start", "index": index, "content_block": start}
    yield {"type": "content_block_delta", "index": index, "delta": delta}
    for number, (source, title) in enumerate(block.cites if isinstance(block, Text) else ()):
        citation = {
            "type": "search_result_location",
            "source": source,
            "title": title,
            "cited_text": "",
            "search_result_index": number,
            "start_block_index": 0,
            "end_block_index": 1,
        }
        yield {"type": "content_block_delta", "index": index, "delta": {"type": "citations_delta", "citation": citation}}
    yield {"type": "content_block_stop", "index": index}
