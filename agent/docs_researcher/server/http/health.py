"""Whether the server lives, whether it can answer, and what it has counted. No token is needed but for the metrics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from docs_researcher import __version__
from docs_researcher.core.errors import DocsResearchError
from docs_researcher.docsets.installed.store import Store
from docs_researcher.server.http.faults import json_response
from docs_researcher.server.http.metrics import CONTENT_TYPE, Metrics
from docs_researcher.server.http.tokens import TokenFile

OPENAPI = Path(__file__).parent / "openapi.json"


@dataclass(frozen=True, slots=True)
class Health:
    """The addresses that orchestrators and monitors ask."""

    store: Callable[[], Store]
    tokens: TokenFile | None
    metrics: Metrics

    async def healthz(self, request: Request) -> Response:
        """`GET /healthz`: 200 as long as the process answers."""
        return json_response({"status": "ok", "version": __version__})

    async def readyz(self, request: Request) -> Response:
        """`GET /readyz`: 200 when a request would be answered, else 503 with the reason."""
        reason = self._not_ready()
        if reason:
            return json_response({"status": "unavailable", "message": reason}, 503)
        return json_response({"status": "ready"})

    async def ping(self, request: Request) -> Response:
        """`GET /ping`, as Context7's server answers it."""
        return json_response({"status": "ok", "message": "pong"})

    async def metrics_text(self, request: Request) -> Response:
        """`GET /metrics`, for Prometheus."""
        text = self.metrics.text(len(self.store().installed()))
        return Response(text, headers={"Content-Type": CONTENT_TYPE})

    def _not_ready(self) -> str:
        try:
            if self.tokens is not None:
                self.tokens.tokens()
            self.store().installed()
        except (DocsResearchError, OSError) as error:
            return str(error)
        return ""


async def openapi(request: Request) -> Response:
    """`GET /openapi.json`: the description of the API."""
    return Response(OPENAPI.read_bytes(), media_type="application/json")
