"""Context7's own programs, installed from npm, on our API: what they show is what our MCP server shows."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, types

from docs_researcher.core.messages import QUERY, RESOLVE
from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sources.folder import FolderSource
from http_running import Running, install_docs, running

pytestmark = [pytest.mark.registry, pytest.mark.interop, pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[2]
PEERS = ("@upstash/context7-mcp@4.1.1", "ctx7@0.5.12")

NAMES = (
    "signpost",
    "screen",
    "handbook",
    "Next.js",
    "nextjs",
    "React",
    "react",
    "Django",
    "fastapi",
    "pytest",
    "npm:next",
    "pypi:pytest",
    "Tailwind CSS",
    "tailwnd css",
)
QUESTIONS: dict[str, tuple[str, ...]] = {
    "/local/signpost": ("sign a request", "rotate the secret", "how long is the old secret valid", "header"),
    "/local/screen": ("draw the screen", "mood", "“quotes”, 日本語 and :smile:"),
    "/local/screen/2.1.0": ("draw", "index with arr[bold]"),
    "/local/screen@2.1.0": ("Suspense",),
    "/local/screen/1.0.0": ("draw the screen",),
    "/local/handbook": (
        "install",
        "exit codes",
        "How do I add a folder of documentation?",
        "JSON output fields",
        "docs-research serve options",
        "offline",
        "what does --strict-version do",
        "tokens of an answer",
        "completion script",
        "transcript",
        "library could not be found",
        "MCP server configuration",
        "development set-up and tests",
        "Python API research_sync",
        "remove a docset",
    ),
}
CALLS: list[tuple[str, dict[str, str]]] = [
    *((RESOLVE, {"libraryName": name, "query": "how to start"}) for name in NAMES),
    *((QUERY, {"libraryId": library, "query": query}) for library, queries in QUESTIONS.items() for query in queries),
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Our server over two small docsets and this product's own handbook."""
    folder = tmp_path_factory.mktemp("dropin")
    home = install_docs(folder / "home", folder / "pages")
    build_docset(FolderSource(ROOT / "docs", name="handbook"), Store(home))
    with running(home) as server:
        yield server


@pytest.fixture(scope="module")
def peers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that both programs are installed in."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("peers")
    subprocess.run([npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), *PEERS], check=True, capture_output=True)
    return folder / "node_modules"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """What the programs get: a home of their own, and no proxy, since they send even loopback requests through one."""
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}


def _texts(server: Any, mode: str = "auto") -> list[tuple[str, bool]]:
    """The text of every call, and whether it is an error."""

    async def run() -> list[tuple[str, bool]]:
        async with Client(server, mode=mode, read_timeout_seconds=30) as client:
            results = [await client.call_tool(tool, dict(arguments)) for tool, arguments in CALLS]
        return [(_only_text(result), bool(result.is_error)) for result in results]

    return asyncio.run(run())


def _only_text(result: types.CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_context7_mcp_on_our_api_and_our_own_server_give_the_same_text(
    served: Running, peers: Path, environment: dict[str, str], mode: str
) -> None:
    script = peers / "@upstash" / "context7-mcp" / "dist" / "index.js"
    addressed = {**environment, "CONTEXT7_API_URL": f"{served.address}/api"}
    theirs = _texts(StdioServerParameters(command="node", args=[str(script)], env=addressed), mode)
    ours = _texts(f"{served.address}/mcp", mode)
    assert len(CALLS) == 40
    differing = [
        (call, one, other)
        for call, one, (other, failed) in zip(CALLS, theirs, ours, strict=True)
        if one[0] != other and not failed
    ]
    assert differing == []
    assert sum(failed for _, failed in ours) <= 1


def test_context7_mcp_shows_the_words_of_our_failures(served: Running, peers: Path, environment: dict[str, str]) -> None:
    script = peers / "@upstash" / "context7-mcp" / "dist" / "index.js"
    addressed = {**environment, "CONTEXT7_API_URL": f"{served.address}/api/"}  # the slash makes it ask for //v2

    async def run() -> list[str]:
        parameters = StdioServerParameters(command="node", args=[str(script)], env=addressed)
        async with Client(parameters, read_timeout_seconds=30) as client:
            asked = [
                client.call_tool(QUERY, {"libraryId": "/no/such", "query": "x"}),
                client.call_tool(QUERY, {"libraryId": "/reactjs/react.dev", "query": "x"}),
                client.call_tool(RESOLVE, {"libraryName": "no-such-library-anywhere", "query": "x"}),
            ]
            return [_only_text(result) for result in await asyncio.gather(*asked)]

    unknown, moved, nothing = asyncio.run(run())
    assert "No documentation is installed for /no/such" in unknown
    assert "Ask again with the id /facebook/react" in moved
    assert "No library named 'no-such-library-anywhere'" in nothing


def _ctx7(served: Running, peers: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    script = peers / "ctx7" / "dist" / "index.js"
    return subprocess.run(
        ["node", str(script), "--base-url", served.address, *arguments],
        env={**environment, "CTX7_TELEMETRY_DISABLED": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_the_ctx7_command_reads_our_api(served: Running, peers: Path, environment: dict[str, str]) -> None:
    found = _ctx7(served, peers, environment, "library", "signpost", "sign a request", "--json")
    assert json.loads(found.stdout)[0]["id"] == "/local/signpost", found.stderr
    alone = _ctx7(served, peers, environment, "library", "signpost")
    assert "/local/signpost" in alone.stdout
    read = _ctx7(served, peers, environment, "docs", "/local/signpost", "rotate the secret")
    assert "rotate_secret(keep_old_for=3600)" in read.stdout
    as_json = _ctx7(served, peers, environment, "docs", "/local/screen/2.1.0", "draw the screen", "--json")
    assert json.loads(as_json.stdout)["codeSnippets"][0]["codeLanguage"] == "jsx"
    windows = _ctx7(served, peers, environment, "docs", "//local/signpost", "sign")
    assert "sign_request" in windows.stdout


def test_the_ctx7_command_says_what_is_wrong(served: Running, peers: Path, environment: dict[str, str]) -> None:
    unknown = _ctx7(served, peers, environment, "docs", "/no/such", "x")
    assert unknown.returncode == 1
    assert "/no/such" in unknown.stdout + unknown.stderr
    moved = _ctx7(served, peers, environment, "docs", "/reactjs/react.dev", "x")
    assert moved.returncode == 1
    assert "/facebook/react" in moved.stdout + moved.stderr
