"""The HTTP client under the SDK's transport: the user's proxies and certificates, and every failure as an answer that names it.

The SDK turns an HTTP status, a web page and a network failure into one and the same error, or lets them end the whole
connection. Here each becomes the answer to its own request: an error of JSON-RPC whose `data` leads back to an `HttpFault`.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import httpx2
from httpx2 import AsyncByteStream
from mcp.client.auth.exceptions import OAuthFlowError

from docs_researcher.core.clean import clean
from docs_researcher.core.errors import ServerError
from docs_researcher.core.parsed import json_mapping
from docs_researcher.core.secrets import remove_secrets
from docs_researcher.tools.mcp.framing import MAX_LINE
from docs_researcher.tools.mcp.http_faults import HttpFault, network_fault, page_fault, quoted, status_fault

if TYPE_CHECKING:
    from docs_researcher.tools.mcp.address import HttpAddress

FAULT_CODE = -32603
FAULT_KEY = "docs-researcher/http-fault"
CONNECT_SECONDS = 10.0
"""An address that does not answer the door in this time is unreachable."""
MAX_ERROR_BODY = 64 * 1024
"""Bytes of an error page that are read."""
MAX_LISTENS = 5
"""How often one connection may open the stream for unasked messages: some servers end it at once, each time."""
BOM = b"\xef\xbb\xbf"

_EXTRA_CA_VARIABLES = ("NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
_LOOPBACK: Mapping[str, None] = {"all://localhost": None, "all://127.0.0.1": None, "all://[::1]": None}
_MCP_TYPES = ("application/json", "text/event-stream")


class McpHttpClient(httpx2.AsyncClient):
    """One client for one link to one address."""

    def __init__(self, address: HttpAddress, *, read_seconds: float) -> None:
        from docs_researcher import __version__

        super().__init__(
            headers={"user-agent": f"docs-researcher/{__version__}", **address.headers},
            auth=address.auth() if address.auth is not None else None,
            timeout=httpx2.Timeout(read_seconds, connect=CONNECT_SECONDS),
            verify=_certificates(address),
            mounts=dict(_LOOPBACK),
        )
        self._address = address
        self._server = f"the MCP server {address.name!r} at {address.shown}"
        self._faults: dict[str, HttpFault] = {}
        self._failures = 0
        self._listens = 0
        self.connected = False
        """Set after the handshake. Before it a fault ends the attempt; after it, its own request alone."""
        self.last_fault: HttpFault | None = None

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:  # pyright: ignore[reportIncompatibleMethodOverride] -- the same options, not repeated here
        """Send one request of the transport; what is no MCP comes back as an error of JSON-RPC."""
        if request.method == "GET" and "last-event-id" not in request.headers and self._enough_listening():
            return httpx2.Response(405, request=request)
        response = await self.attempted(request, **options)
        if isinstance(response, HttpFault):
            return self._failed(request, response)
        if request.method != "POST":
            return _guarded(response)
        judged = await self._judged(request, response)
        if isinstance(judged, httpx2.Response):
            return judged
        await response.aclose()
        return self._failed(request, judged, response.status_code)

    async def attempted(self, request: httpx2.Request, **options: Any) -> httpx2.Response | HttpFault:
        """The answer to one request, or why there is none."""
        try:
            return await super().send(request, **options)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            return network_fault(self._server, error)
        except ServerError as error:  # from signing in
            return _as_fault(error)
        except OAuthFlowError as error:
            return self._sign_in_fault(error)

    def fault(self, data: object) -> HttpFault | None:
        """The fault behind the `data` of a JSON-RPC error, once; None if the error came from the server."""
        key = cast("dict[str, object]", data).get(FAULT_KEY) if isinstance(data, dict) else None
        return self._faults.pop(key, None) if isinstance(key, str) else None

    def _sign_in_fault(self, error: Exception) -> HttpFault:
        reason = " ".join(remove_secrets(clean(str(error)))[0].split())[:300]
        step = f"Sign in again: docs-research auth login {self._address.name}"
        return HttpFault(f"signing in to {self._server} failed", "unauthorised", why=reason, next_step=step)

    def _enough_listening(self) -> bool:
        self._listens += 1
        return self._listens > MAX_LISTENS

    async def _judged(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Response | HttpFault:
        """The answer as the SDK is to see it, or the fault that it is."""
        status = response.status_code
        content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.is_redirect or status == 202 or (status < 400 and content_type in _MCP_TYPES):
            return _guarded(response)
        body = await _start_of(response)
        said = self._quoted(body, content_type)
        if status < 400:
            return page_fault(self._server, content_type, said)
        if _is_for_the_sdk(status, body, request):
            return httpx2.Response(status, headers={"content-type": content_type}, content=body, request=request)
        return self.refused(request, response, said)

    def refused(self, request: httpx2.Request, response: httpx2.Response, said: str) -> HttpFault:
        """The fault for an answer whose status is an error."""
        fault = status_fault(
            self._server,
            response.status_code,
            {name.lower(): value for name, value in response.headers.items()},
            said,
            configured_in=self._address.configured_in,
            sent_credentials="authorization" in request.headers or bool(self._address.headers),
            login=f"docs-research auth login {self._address.name}",
        )
        fault.http_status = response.status_code
        return fault

    async def said(self, response: httpx2.Response) -> str:
        """What a body says, in one short line without what is ours."""
        return self._quoted(await _start_of(response), response.headers.get("content-type", ""))

    def _quoted(self, body: bytes, content_type: str) -> str:
        secrets = [value.removeprefix("Bearer ") for value in self._address.headers.values()]
        return quoted(body, content_type, secrets)

    def _failed(self, request: httpx2.Request, fault: HttpFault, status: int = 503) -> httpx2.Response:
        self.last_fault = fault
        message = json_mapping(request.content) if request.method == "POST" else {}
        if not self.connected and "id" in message:
            raise fault
        if "id" not in message or "method" not in message:
            return httpx2.Response(status if status >= 400 else 503, request=request)
        return httpx2.Response(200, json=self.error(message["id"], fault), request=request)

    def error(self, request_id: object, fault: HttpFault) -> dict[str, Any]:
        """The error of JSON-RPC that leads back to a fault."""
        self._failures += 1
        key = str(self._failures)
        self._faults[key] = fault
        error = {"code": FAULT_CODE, "message": fault.message, "data": {FAULT_KEY: key}}
        return {"jsonrpc": "2.0", "id": request_id, "error": error}


def _is_for_the_sdk(status: int, body: bytes, request: httpx2.Request) -> bool:
    """Whether the SDK makes more of an answer than we: an error of the protocol, a lost session, the sign of an older server."""
    if status in (401, 403, 407, 429):
        return False
    message = json_mapping(body)
    if isinstance(message.get("error"), dict) and message.get("jsonrpc") == "2.0":
        return True
    if status == 404 and "mcp-session-id" in request.headers:
        return True
    return status < 500 and json_mapping(request.content).get("method") == "server/discover"


class _Guarded(AsyncByteStream):
    """A body without a byte order mark at its head, and of a bounded size."""

    def __init__(self, stream: AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        head, size = b"", 0
        checked = False
        async for chunk in self._stream:
            size += len(chunk)
            if size > MAX_LINE:
                raise httpx2.StreamError(f"the answer is larger than {MAX_LINE // 1024 // 1024} MB")
            if checked:
                yield chunk
                continue
            head += chunk
            if len(head) >= len(BOM) or not BOM.startswith(head):
                checked = True
                yield head.removeprefix(BOM)
        if not checked:
            yield head

    async def aclose(self) -> None:
        await self._stream.aclose()


def _guarded(response: httpx2.Response) -> httpx2.Response:
    if isinstance(response.stream, AsyncByteStream) and not response.is_closed:
        response.stream = _Guarded(response.stream)
    return response


async def _start_of(response: httpx2.Response) -> bytes:
    """The first bytes of a body, decoded as its headers say. A body that breaks off is read as far as it came."""
    body = bytearray()
    try:
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) >= MAX_ERROR_BODY:
                break
    except httpx2.HTTPError:
        pass
    return bytes(body[:MAX_ERROR_BODY]).removeprefix(BOM)


def _certificates(address: HttpAddress) -> ssl.SSLContext:
    """The certificates to trust: the system's, SSL_CERT_FILE's, and those of the variables that other programs read."""
    if urlsplit(address.url).scheme == "http" and address.auth is None:
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # never used, and loading the system's takes 40 ms
    context = httpx2.create_ssl_context()
    for variable in _EXTRA_CA_VARIABLES:
        path = os.environ.get(variable)
        if not path:
            continue
        try:
            context.load_verify_locations(**({"capath": path} if os.path.isdir(path) else {"cafile": path}))  # noqa: PTH112 -- a plain path
        except OSError as error:  # ssl.SSLError among them
            raise HttpFault(
                f"the certificates in {path} cannot be used",
                "unavailable",
                why=error.strerror or str(error),
                next_step=f"Correct or unset {variable}.",
            ) from error
    return context


def _as_fault(error: ServerError) -> HttpFault:
    if isinstance(error, HttpFault):
        return error
    return HttpFault(error.what, "unauthorised", why=error.why, next_step=error.next_step)
