"""Messages to an MCP server as lines of bytes, and what it answers to them."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from pathlib import Path
from typing import Any

from docs_researcher.server.first_answers import FirstAnswers
from docs_researcher.server.pipes import LineReader, LineWriter
from docs_researcher.server.stdio import Connection, Served, serve_connection

LIMIT = 20
"""Seconds after which a test has hung."""


def line(number: int | None, method: str, **params: Any) -> bytes:
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(message if number is None else {**message, "id": number}).encode()


HELLO = line(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "test", "version": "1"})
READY = line(None, "notifications/initialized")


MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}
"""What each request of the protocol without a handshake carries."""


def call(number: int, query: str, *, modern: bool = False) -> bytes:
    meta = {"_meta": MODERN} if modern else {}
    return line(number, "tools/call", name="query-docs", arguments={"libraryId": "/a/b", "query": query}, **meta)


def exchange(served: Served, *lines: bytes, kept: Path | None = None) -> list[dict[str, Any]]:
    """What the server answers to bytes that arrive at once, before its input ends. First answers are kept in `kept`."""
    their_input, our_end = os.pipe()
    their_end, their_output = os.pipe()
    collected = bytearray()

    def collect() -> None:
        while chunk := os.read(their_end, 65_536):
            collected.extend(chunk)

    reader = threading.Thread(target=collect)
    reader.start()

    def feed() -> None:
        os.write(our_end, b"".join(lines))
        os.close(our_end)

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        asyncio.run(asyncio.wait_for(serve_connection(served, _connection(their_input, their_output, kept)), LIMIT))
    finally:
        os.close(their_output)
        feeder.join(LIMIT)
        reader.join(LIMIT)
        os.close(their_end)
        os.close(their_input)
    return [json.loads(text) for text in bytes(collected).split(b"\n") if text]


def _connection(incoming: int, outgoing: int, kept: Path | None) -> Connection:
    if kept is None:
        return Connection.on(incoming, outgoing)
    writer = LineWriter(outgoing)
    first = FirstAnswers(kept, "a test", writer.put)
    reader = LineReader(incoming, first.answer)
    reader.wait_for_more(LIMIT)
    return Connection(reader, writer, first)


def by_id(answers: list[dict[str, Any]]) -> dict[Any, dict[str, Any]]:
    """The answers by their ids; what has none (a notification) is left out."""
    return {answer["id"]: answer for answer in answers if "id" in answer}
