"""The address on this machine to which a browser returns after a sign-in."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, urlsplit

from docs_researcher.core.clean import clean
from docs_researcher.core.errors import ServerError

PATH = "/callback"
READ_SECONDS = 5.0
"""A browser sends its request at once; something else that connects is not waited for."""
MAX_HEAD = 16 * 1024

_PAGE = "<!doctype html><meta charset=utf-8><title>docs-researcher</title><p>{}</p>"


@dataclass(frozen=True, slots=True)
class CallbackAnswer:
    """What the browser brought back."""

    code: str
    state: str | None
    issuer: str | None


class CallbackServer:
    """Listens on loopback while it is entered."""

    def __init__(self, port: int = 0) -> None:
        self._port = port
        self._answer: asyncio.Future[CallbackAnswer] = asyncio.get_running_loop().create_future()

    async def __aenter__(self) -> Self:
        """Listen at the port of last time, or at any that is free."""
        try:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port, limit=MAX_HEAD)
        except OSError:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=MAX_HEAD)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        """Stop listening."""
        self._server.close()
        if self._answer.done() and not self._answer.cancelled():
            self._answer.exception()  # looked at here, so that asyncio does not report it as forgotten

    @property
    def address(self) -> str:
        """Where the browser is to be sent."""
        return f"http://127.0.0.1:{self._port}{PATH}"

    @property
    def answered(self) -> bool:
        """Whether a browser has been here."""
        return self._answer.done()

    async def answer(self, seconds: float) -> CallbackAnswer:
        """Wait for the browser.

        Raises:
            ServerError: the sign-in was refused, or nobody came in time.
        """
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(self._answer)
        except TimeoutError as error:
            raise ServerError(
                f"Nobody signed in within {seconds:g} s", next_step="Run it again and open the address in a browser."
            ) from error

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(READ_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
                status, words = self._take(head.split(b" ", 2)[1].decode("ascii", "replace") if b" " in head else "")
                body = _PAGE.format(words).encode()
                writer.write(
                    f"HTTP/1.1 {status} X\r\ncontent-type: text/html\r\ncontent-length: {len(body)}\r\n"
                    "cache-control: no-store\r\nconnection: close\r\n\r\n".encode()
                    + body
                )
                await writer.drain()
        writer.close()

    def _take(self, target: str) -> tuple[int, str]:
        """Read what the browser brought. Only the first answer counts."""
        parts = urlsplit(target)
        if parts.path != PATH:
            return 404, "Nothing is here."
        values = {name: found[0] for name, found in parse_qs(parts.query).items()}
        if not self._answer.done():
            if "error" in values:
                reason = clean(" ".join(values.get("error_description", values["error"]).split()))[:300]
                self._answer.set_exception(
                    ServerError("The sign-in was refused", why=reason, next_step="Run it again if that was a mistake.")
                )
            elif "code" in values:
                self._answer.set_result(CallbackAnswer(values["code"], values.get("state"), values.get("iss")))
            else:
                return 400, "No code came along."
        return 200, "You may close this window and go back to the terminal."
