"""The body of a request to MCP: within its bounds of size and time, and in a form that the SDK reads."""

from __future__ import annotations

import asyncio

from mcp_types import jsonrpc_message_adapter
from starlette.types import Receive

from docs_researcher.server.early_clients import has_odd_id, read_any
from docs_researcher.server.http.faults import TOO_LARGE, TOO_SLOW
from docs_researcher.server.http.guard import Refusal
from docs_researcher.tools.mcp.framing import Unreadable

BODY_SECONDS = 15.0
"""How long a body may take to arrive; it is a few hundred bytes, at most one MiB."""


async def read_body(receive: Receive, most: int) -> bytes | Refusal | None:
    """The whole body; why it is not taken; or None when the caller has left."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _whole(receive, most)
    except TimeoutError:
        return TOO_SLOW


async def _whole(receive: Receive, most: int) -> bytes | Refusal | None:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > most:
            return TOO_LARGE
        if not message.get("more_body", False):
            return bytes(body)


def readable(body: bytes) -> bytes | Unreadable:
    """The message in a body, mended as on stdio: a byte order mark, half characters, a missing `jsonrpc`; else what is wrong."""
    try:
        message = jsonrpc_message_adapter.validate_json(body, by_name=False)
        if not has_odd_id(message, body):
            return body
    except ValueError:
        pass
    mended = read_any(body)
    if mended is None:
        return Unreadable("", is_json=False)
    return mended if isinstance(mended, Unreadable) else mended.model_dump_json(by_alias=True, exclude_unset=True).encode()
