"""The public MCP inspector, from npm, over our server: its strict check of schemas and a call, in both eras and transports."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from http_running import install_docs, running

pytestmark = [pytest.mark.registry, pytest.mark.interop, pytest.mark.timeout(300)]

INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
TOOLS = ["research-library-docs", "resolve-library-id", "query-docs", "get_docs"]
ERAS = pytest.mark.parametrize("era", ["modern", "legacy"])
TRANSPORTS = pytest.mark.parametrize("transport", ["stdio", "http"])


@pytest.fixture(scope="module")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("inspector")
    command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), INSPECTOR]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "node_modules" / ".bin" / "mcp-inspector"


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inspected")
    return install_docs(folder / "home", folder / "pages")


@pytest.fixture
def target(transport: str, docs: Path) -> Iterator[list[str]]:
    """The arguments that name our server."""
    if transport == "stdio":
        yield ["--", sys.executable, "-m", "docs_researcher", "serve", "--offline"]
        return
    with running(docs) as server:
        yield ["--server-url", f"{server.address}/mcp"]


def _inspect(inspector: Path, docs: Path, target: list[str], *options: str) -> dict[str, Any]:
    """What the inspector prints; it ends with 6 where a schema is not portable."""
    own = ["-e", f"DOCS_RESEARCH_HOME={docs}"]  # it passes on little of its environment
    named, command = (target, []) if target[0] != "--" else (own, target)
    plain = {name: value for name, value in os.environ.items() if "proxy" not in name.casefold()}
    done = subprocess.run(
        [str(inspector), "--cli", *named, *options, *command],
        env=plain,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return json.loads(done.stdout)


@ERAS
@TRANSPORTS
def test_every_schema_is_portable(inspector: Path, docs: Path, target: list[str], era: str, transport: str) -> None:
    listed = _inspect(inspector, docs, target, "--protocol-era", era, "--method", "tools/list", "--strict")
    assert [tool["name"] for tool in listed["tools"]] == TOOLS


@ERAS
@TRANSPORTS
def test_a_call_is_answered(inspector: Path, docs: Path, target: list[str], era: str, transport: str) -> None:
    asked = json.dumps({"libraryId": "/local/signpost", "query": "sign a request"})
    call = ["--method", "tools/call", "--tool-name", "query-docs", "--tool-args-json", asked]
    answer = _inspect(inspector, docs, target, "--protocol-era", era, *call)
    assert "sign_request" in json.dumps(answer)
