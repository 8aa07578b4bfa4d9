"""The program that the conformance suite runs: our connection and our sign-in, driven through one scenario.

The suite appends the address of the scenario's server and names the scenario in the environment. What a scenario wants is
done the way a user of the product would get it: connect, list the tools, call them with arguments that fit their schemas.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client, MCPError
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull
from mcp.types import ElicitRequestFormParams, ElicitResult

from docs_researcher.core.errors import ServerError
from docs_researcher.tools.mcp.connection import Connection
from docs_researcher.tools.mcp.http import HttpEndpoint
from docs_researcher.tools.mcp.logins import LoginFile
from docs_researcher.tools.mcp.oauth import LoginStorage, interactive

SCENARIO = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
CONTEXT: dict[str, Any] = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
REDIRECT = "http://127.0.0.1:3000/callback"
CLIENT_DOCUMENT = "https://conformance-test.local/client-metadata.json"
"""The client id by address that the suite's sign-in server knows."""


class Browser:
    """A user who says yes at once: follows the sign-in address to where it would send a browser."""

    def __init__(self) -> None:
        self._answer: AuthorizationCodeResult | None = None

    async def open(self, address: str) -> None:
        async with httpx2.AsyncClient(follow_redirects=False) as client:
            response = await client.get(address)
        values = {name: found[0] for name, found in parse_qs(urlsplit(response.headers["location"]).query).items()}
        self._answer = AuthorizationCodeResult(code=values["code"], state=values.get("state"), iss=values.get("iss"))

    async def code(self) -> AuthorizationCodeResult:
        assert self._answer is not None
        return self._answer


async def fill_in(context: Any, params: Any) -> ElicitResult:
    """Accept a form with the defaults of its schema."""
    properties: dict[str, Any] = {}
    if isinstance(params, ElicitRequestFormParams):
        properties = cast("dict[str, Any]", params.requested_schema.get("properties", {}))
    return ElicitResult(action="accept", content={name: _value(schema) for name, schema in properties.items()})


def _value(schema: Any) -> Any:
    if isinstance(schema, dict) and "default" in schema:
        return cast("dict[str, Any]", schema)["default"]
    kind = cast("dict[str, Any]", schema).get("type") if isinstance(schema, dict) else None
    return {"integer": 5, "number": 5, "boolean": True}.get(str(kind), "text")


async def use(client: Client) -> None:
    """List the tools and call them."""
    tools = (await client.list_tools()).tools
    for call in CONTEXT.get("toolCalls", ()):
        await client.call_tool(call["name"], call.get("arguments") or {})
    if CONTEXT.get("toolCalls"):
        return
    for tool in tools[:1] if SCENARIO.startswith("auth/") else tools:
        properties = cast("dict[str, Any]", tool.input_schema.get("properties", {}))
        try:
            await client.call_tool(tool.name, {name: _value(schema) for name, schema in properties.items()})
        except MCPError as error:
            print(f"{tool.name}: {error}", file=sys.stderr)


async def run(url: str) -> None:
    browser = Browser()
    storage = LoginStorage(LoginFile(url))
    if "client_id" in CONTEXT:
        client = {"client_id": CONTEXT["client_id"], "client_secret": CONTEXT.get("client_secret"), "redirect_uris": [REDIRECT]}
        registered = OAuthClientInformationFull.model_validate({**client, "token_endpoint_auth_method": "client_secret_basic"})
        await storage.set_client_info(registered)
    auth = interactive(url, storage, REDIRECT, browser.open, browser.code, client_metadata_url=CLIENT_DOCUMENT)
    endpoint = HttpEndpoint("conformance", url, auth=(lambda: auth) if SCENARIO.startswith("auth/") else None)
    connection = Connection(endpoint, client_options={"elicitation_callback": fill_in})
    try:
        await connection.call(use)
    finally:
        await connection.aclose()


def main() -> int:
    with tempfile.TemporaryDirectory() as home:
        os.environ["DOCS_RESEARCH_HOME"] = home
        try:
            asyncio.run(run(sys.argv[-1]))
        except (ServerError, MCPError) as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
