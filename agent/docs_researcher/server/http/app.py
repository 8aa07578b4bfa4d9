"""The ASGI application: a door that every request passes, and behind it the addresses.

The door checks, in this order: `Host` and `Origin`, the token, the rate, the size. Then it counts the request and writes its
line into the access log, however it ended.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.server.http import limits, metrics
from docs_researcher.server.http.access_log import log_request
from docs_researcher.server.http.backend import Backend, Opened
from docs_researcher.server.http.context7 import Context7Api, take_events
from docs_researcher.server.http.faults import BAD_TOKEN, FAILED, NO_SUCH_METHOD, NO_TOKEN, NOT_FOUND, TOO_LARGE, refuse
from docs_researcher.server.http.guard import Guard, Refusal
from docs_researcher.server.http.health import Health, openapi
from docs_researcher.server.http.mcp_endpoint import Docsets, McpEndpoint
from docs_researcher.server.http.numbers import Numbers
from docs_researcher.server.http.settings import HttpSettings
from docs_researcher.server.http.tokens import Token, TokenFile, presented_token
from docs_researcher.server.http.worker import leave_with_parent

logger = logging.getLogger(__name__)

CELLS = limits.CELLS + metrics.CELLS
"""The numbers that one server counts in."""

MCP_PATHS = {"/mcp": "mcp", "/mcp/oauth": "mcp"}
API_PATHS = {"/api/v2/libs/search": "search", "/api/v2/context": "context"}
OPEN_PATHS = frozenset({"/healthz", "/readyz", "/ping"})
"""Asked by machines that know an address and neither the host's name nor a token."""
_PUBLIC_PATHS = OPEN_PATHS | {"/openapi.json"}
_ROUTES = {**MCP_PATHS, **API_PATHS}
_NOT_ANSWERED = 499
_SLASHES = re.compile(r"/{2,}")


@dataclass(slots=True)
class _Visit:
    """What is known of one request on its way."""

    path: str
    method: str
    caller: str
    headers: dict[str, str] = field(default_factory=dict[str, str])
    """Fields that the answer gets whatever it is."""
    status: int = _NOT_ANSWERED
    """Until an answer has begun, the caller may have left."""

    @property
    def over_mcp(self) -> bool:
        return self.path in MCP_PATHS


class Door:
    """The application that the web server calls."""

    def __init__(self, settings: HttpSettings, backend: Backend, numbers: Numbers) -> None:
        """`numbers` has `CELLS` cells, shared by all workers."""
        self._settings = settings
        self._backend = backend
        self._guard = Guard(settings.host, settings.allow_hosts, settings.allow_origins)
        self._tokens = TokenFile(settings.tokens) if settings.tokens is not None else None
        self._rate = limits.RateLimit(numbers, settings.rate) if settings.rate else None
        self._metrics = metrics.Metrics(numbers, limits.CELLS)
        self._opened: dict[Docsets, Opened] = {}
        self._mcp = McpEndpoint(lambda docsets: self._open(docsets).server, settings.max_body)
        self._inner = self._addresses()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or follow the life of the server."""
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        started = time.perf_counter()
        path = _SLASHES.sub("/", scope["path"])
        path = path.rstrip("/") or "/"
        client = scope.get("client")
        visit = _Visit(path, scope["method"], client[0] if client else "-")

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                visit.status = message["status"]
                if visit.headers:
                    added = [(name.lower().encode(), value.encode("latin-1")) for name, value in visit.headers.items()]
                    known = {name for name, _ in message["headers"]}
                    message = {**message, "headers": [*message["headers"], *(item for item in added if item[0] not in known)]}
            await send(message)

        scope = {**scope, "path": path, "raw_path": path.encode(), "state": {}}
        try:
            await self._answer(scope, receive, sent, visit)
        except Exception:  # raised further, it would also cost the caller its connection
            logger.exception("%s %s failed", visit.method, visit.path)
            if visit.status == _NOT_ANSWERED:
                await refuse(FAILED, over_mcp=visit.over_mcp)(scope, receive, sent)
        finally:
            self._note(visit, scope, time.perf_counter() - started)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, visit: _Visit) -> None:
        response = self._stopped_at_the_door(scope, visit)
        if response is not None:
            await response(scope, receive, send)
        elif visit.over_mcp:
            await self._mcp(scope, receive, send)
        else:
            await self._inner(scope, receive, send)

    def _stopped_at_the_door(self, scope: Scope, visit: _Visit) -> Response | None:
        """The answer to a request that does not come in, else None; `scope["state"]` then says what it may see."""
        headers = Headers(scope=scope)
        scope["state"]["docsets"] = None
        if visit.path in OPEN_PATHS:
            refusal = self._guard.refusal_of_probe(headers.get("host"))
            return refuse(refusal) if refusal is not None else None
        origin = headers.get("origin")
        refusal = self._guard.refusal(headers.get("host"), origin)
        if refusal is not None:
            return refuse(refusal, over_mcp=visit.over_mcp)
        visit.headers.update(self._guard.cross_origin(origin))
        if visit.method == "OPTIONS" and visit.headers:
            return Response(status_code=204)
        token, refusal = self._token(headers, visit)
        if token is not None:
            visit.caller = token.name
            scope["state"]["docsets"] = token.docsets
        allowance = self._rate.take(f"{'token' if token else 'address'} {visit.caller}") if self._rate else None
        if allowance is not None:
            visit.headers.update(allowance.headers(time.time()))
            if allowance.is_spent:
                return refuse(_too_often(allowance.retry_after), over_mcp=visit.over_mcp)
        if refusal is None and _declared_size(headers) > self._settings.max_body:
            refusal = TOO_LARGE
        return refuse(refusal, over_mcp=visit.over_mcp) if refusal is not None else None

    def _token(self, headers: Mapping[str, str], visit: _Visit) -> tuple[Token | None, Refusal | None]:
        """The token that a request came with, or why it needs one."""
        presented = presented_token(headers)
        if self._tokens is None:
            needed = visit.path == "/mcp/oauth" and presented is None
            return None, NO_TOKEN if needed else None
        if visit.path in _PUBLIC_PATHS or visit.path.startswith("/.well-known/"):
            return None, None  # hosts look for a login there, without a token, and have to be told that there is none
        if presented is None:
            return None, NO_TOKEN
        try:
            token = self._tokens.find(presented)
        except ConfigurationError as error:
            logger.error("%s", error)
            return None, Refusal(503, "tokens_unusable", "The tokens of this server cannot be read at the moment.")
        return token, None if token is not None else BAD_TOKEN

    def _note(self, visit: _Visit, scope: Scope, seconds: float) -> None:
        self._metrics.request(_ROUTES.get(visit.path, "other"), visit.status, seconds)
        if self._settings.access_log and visit.path not in OPEN_PATHS:
            query = scope["query_string"].decode("latin-1") if self._settings.log_queries else None
            log_request(visit.caller, visit.method, visit.path, query, visit.status, seconds)

    def _open(self, docsets: Docsets) -> Opened:
        opened = self._opened.get(docsets)
        if opened is None:
            opened = self._opened[docsets] = self._backend.open(docsets, self._metrics.call)
        return opened

    def _addresses(self) -> Starlette:
        api = Context7Api(lambda request: self._open(request.scope["state"]["docsets"]))
        health = Health(lambda: self._open(None).store, self._tokens, self._metrics)
        routes = [
            Route("/healthz", health.healthz),
            Route("/readyz", health.readyz),
            Route("/ping", health.ping),
            Route("/openapi.json", openapi),
            Route("/api/v2/libs/search", api.search),
            Route("/api/v2/context", api.context),
            Route("/api/v2/cli/events", take_events, methods=["POST"]),
        ]
        if self._settings.metrics:
            routes.append(Route("/metrics", health.metrics_text))
        return Starlette(
            routes=routes,
            lifespan=self._life,
            exception_handlers={404: _not_found, 405: _no_such_method, Exception: _failed},
        )

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncGenerator[None]:
        leave_with_parent()
        try:
            yield
        finally:
            await self._mcp.aclose()
            for opened in self._opened.values():
                await opened.close()


def _too_often(seconds: int) -> Refusal:
    return Refusal(429, "rate_limit_exceeded", f"Too many requests. Ask again in {seconds} s.")


def _declared_size(headers: Headers) -> int:
    text = headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdigit() else 0


async def _not_found(request: Request, error: Exception) -> Response:
    return refuse(NOT_FOUND)


async def _no_such_method(request: Request, error: Exception) -> Response:
    return refuse(NO_SUCH_METHOD, headers=error.headers if isinstance(error, HTTPException) else None)


async def _failed(request: Request, error: Exception) -> Response:
    return refuse(FAILED)
