"""Context7's own MCP server, installed from npm, before an API of ours on loopback: every text it has for a failure."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

from docs_researcher.core.layout import PASSAGE_RULE
from docs_researcher.core.messages import QUERY, RESOLVE, ToolOutcome, ToolResult
from docs_researcher.runtime.research import research_sync
from docs_researcher.testing.loopback import LoopbackServer, QuietHandler
from docs_researcher.tools.mcp.http import HttpEndpoint
from docs_researcher.tools.mcp.provider import McpProvider
from docs_researcher.tools.specs import DOCS_TOOLS

pytestmark = [pytest.mark.registry, pytest.mark.interop, pytest.mark.timeout(120)]

PEER = "@upstash/context7-mcp@4.1.1"
DOCS = f"""### Middleware > Matching paths

Source: https://docs.example.invalid/middleware#matching

Export a `matcher`.

```ts
export const config = {{ matcher: '/about' }}
```

{PASSAGE_RULE}

### Rate limit exceeded

Source: https://docs.example.invalid/limits

Too many requests are answered with 429."""

FOUND = {
    "results": [
        {
            "id": "/vercel/next.js",
            "title": "Next.js",
            "description": "The React framework",
            "totalSnippets": 3306,
            "trustScore": 10,
            "benchmarkScore": 89.2,
            "versions": ["v15.1.8", "v14.3.0-canary.87"],
        }
    ],
    "searchFilterApplied": False,
}

Reply = tuple[int, str, str]
CONTEXT: dict[str, Reply] = {
    "/vercel/next.js": (200, "text/plain", DOCS),
    "/ok/lib": (200, "text/plain", DOCS),
    "/empty/lib": (200, "text/plain", ""),
    "/later/lib": (202, "application/json", '{"error":"library_not_finalized","message":"Library is not finalized yet"}'),
    "/moved/lib": (
        301,
        "application/json",
        '{"error":"library_redirected","message":"Library /moved/lib has been redirected to /new/lib","redirectUrl":"/new/lib"}',
    ),
    "/gone/lib": (404, "application/json", '{"error":"library_not_found","message":"Library /gone/lib not found"}'),
    "/tag/lib/v9": (404, "application/json", '{"error":"tag_not_found","message":"Tag v9 not found. Available tags: v8"}'),
    "/gone/plain": (404, "text/plain", "nope"),
    "/key/lib": (401, "text/plain", "nope"),
    "/limit/lib": (429, "text/plain", "nope"),
    "/page/lib": (502, "text/html", "<html><h1>502 Bad Gateway</h1></html>"),
}
EXPECTED: dict[str, ToolOutcome] = {
    "/empty/lib": "not_found",
    "/later/lib": "not_ready",
    "/moved/lib": "redirected",
    "/gone/lib": "not_found",
    "/tag/lib/v9": "not_found",
    "/gone/plain": "not_found",
    "/key/lib": "unauthorised",
    "/limit/lib": "rate_limited",
    "/page/lib": "unavailable",
}


class _Api(QuietHandler):
    keys: ClassVar[set[str]] = set()

    def do_GET(self) -> None:
        self.keys.add(self.headers.get("Authorization", ""))
        url = urlsplit(self.path)
        asked = parse_qs(url.query)
        if url.path == "/api/v2/libs/search":
            known = asked["libraryName"] == ["Next.js"]
            self._reply((200, "application/json", json.dumps(FOUND) if known else '{"results": []}'))
        else:
            self._reply(CONTEXT[asked["libraryId"][0]])

    def _reply(self, reply: Reply) -> None:
        status, kind, text = reply
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


@pytest.fixture(scope="module")
def api() -> Iterator[str]:
    with LoopbackServer(_Api) as server:
        yield f"{server.url}/api"


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("context7")
    subprocess.run([npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), PEER], check=True, capture_output=True)
    return folder / "node_modules" / "@upstash" / "context7-mcp" / "dist" / "index.js"


@pytest.fixture
def environment(api: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    for name in ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)  # this peer sends even loopback requests through a proxy
    return {"CONTEXT7_API_URL": api}


@pytest.fixture
def address(script: Path, environment: dict[str, str]) -> Iterator[str]:
    """The peer as a server at an address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["node", str(script), "--transport", "http", "--port", str(port)]
    with subprocess.Popen(command, env={**os.environ, **environment}, stderr=subprocess.PIPE) as server:
        try:
            assert server.stderr is not None
            # its counters have a port of their own, which it complains about on stderr when that is taken
            assert any(b"running on HTTP" in line for line in server.stderr)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.kill()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_context7_is_read_like_any_server_and_its_failures_are_told_apart(
    mode: str, transport: str, script: Path, environment: dict[str, str], request: pytest.FixtureRequest
) -> None:
    target = HttpEndpoint("context7", request.getfixturevalue("address")) if transport == "http" else None

    async def run() -> tuple[ToolResult, ToolResult, ToolResult, dict[str, ToolResult]]:
        provider = McpProvider("context7", "node", [str(script)], environment, target=target, mode=mode)
        try:
            assert await provider.tools() == DOCS_TOOLS
            return (
                await provider.call(RESOLVE, {"libraryName": "Next.js", "query": "middleware"}),
                await provider.call(RESOLVE, {"libraryName": "no such thing", "query": "x"}),
                await provider.call(QUERY, {"libraryId": "/ok/lib", "query": "matcher"}),
                {name: await provider.call(QUERY, {"libraryId": name, "query": "x"}) for name in EXPECTED},
            )
        finally:
            await provider.aclose()

    found, nothing, docs, failures = asyncio.run(run())
    (candidate,) = found.candidates
    assert (candidate.id, candidate.snippets, candidate.reputation, candidate.score) == ("/vercel/next.js", 3306, "High", 89.2)
    assert candidate.versions == ("v15.1.8", "v14.3.0-canary.87")
    assert (nothing.outcome, nothing.candidates) == ("not_found", ())
    assert docs.text == DOCS
    assert [passage.title for passage in docs.passages] == ["Middleware > Matching paths", "Rate limit exceeded"]
    assert {name: result.outcome for name, result in failures.items()} == EXPECTED
    assert not any(result.passages for result in failures.values())
    assert "with the id /new/lib" in failures["/moved/lib"].text


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_question_is_answered_end_to_end_from_context7(
    transport: str, script: Path, environment: dict[str, str], home: Path, request: pytest.FixtureRequest
) -> None:
    key = "ctx7sk-EXAMPLE-NOT-REAL"
    environment = {**environment, "CONTEXT7_API_KEY": key}
    entry = f'command = "node"\nargs = {json.dumps([str(script)])}\n[mcp_servers.context7.env]\n'
    entry += "".join(f"{name} = {json.dumps(value)}\n" for name, value in environment.items())
    if transport == "http":
        entry = f'url = "{request.getfixturevalue("address")}"\nheaders = {{ Authorization = "Bearer {key}" }}\n'
    config = home / "config" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f"[mcp_servers.context7]\n{entry}", encoding="utf-8")
    _Api.keys.clear()
    question = "How do I match a path in Next.js middleware?"
    answer = research_sync(question, docs_from="mcp:context7", model="extractive", cache=False)
    assert answer.status == "complete"
    assert "export const config = { matcher: '/about' }" in answer.text
    assert answer.library is not None
    assert answer.library.id == "/vercel/next.js"
    assert _Api.keys == {f"Bearer {key}"}


def test_an_api_that_is_away_is_unavailable_and_no_documentation(script: Path, environment: dict[str, str]) -> None:
    async def run() -> list[ToolResult]:
        provider = McpProvider("context7", "node", [str(script)], {"CONTEXT7_API_URL": "http://127.0.0.1:9/api"})
        try:
            return [
                await provider.call(QUERY, {"libraryId": "/ok/lib", "query": "x"}),
                await provider.call(RESOLVE, {"libraryName": "Next.js", "query": "x"}),
            ]
        finally:
            await provider.aclose()

    assert [result.outcome for result in asyncio.run(run())] == ["unavailable", "unavailable"]
