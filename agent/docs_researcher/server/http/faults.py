"""How a request is refused: MCP's callers get a JSON-RPC error, all others `{"error", "message"}`."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.responses import Response

from docs_researcher.server.http.guard import Refusal

UNAUTHORISED = -32001
REFUSED = -32000
"""JSON-RPC codes; the numbers from -32000 to -32019 mean nothing by themselves, the text says what is wrong."""

CHALLENGE = {"WWW-Authenticate": 'Bearer realm="docs-researcher"'}

NO_TOKEN = Refusal(401, "missing_api_key", "This server needs a token. Send it as: Authorization: Bearer TOKEN.")
BAD_TOKEN = Refusal(401, "invalid_api_key", "The token is not known here, or was revoked.")
TOO_LARGE = Refusal(413, "request_too_large", "The body of the request is too large.")
TOO_SLOW = Refusal(408, "request_timeout", "The body of the request did not arrive in time.")
NOT_FOUND = Refusal(404, "not_found", "There is nothing here. MCP is at /mcp, the API is described at /openapi.json.")
NO_SUCH_METHOD = Refusal(405, "method_not_allowed", "This address does not take that method.")
FAILED = Refusal(500, "internal_error", "The server failed. Its log says how.")

_END = {status: {"Connection": "close"} for status in (408, 413)}
"""What is left of a body that was not read would be taken for the next request."""


def json_response(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer, in UTF-8 without escapes."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Response(body.encode("utf-8", "replace"), status, dict(headers or {}), "application/json")


def refuse(refusal: Refusal, *, over_mcp: bool = False, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to a request that is refused."""
    fields = {**(CHALLENGE if refusal.status == 401 else {}), **_END.get(refusal.status, {}), **(headers or {})}
    if not over_mcp:
        return json_response({"error": refusal.code, "message": refusal.message}, refusal.status, fields)
    code = UNAUTHORISED if refusal.status == 401 else REFUSED
    return protocol_error(code, refusal.message, refusal.status, headers=fields)


def protocol_error(
    code: int, message: str, status: int, *, request_id: int | str | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """An error of JSON-RPC."""
    return json_response({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}, status, headers)
