"""A service over two small installed libraries, and a client of it in either protocol era."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp import Client

from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.installed.store import Installed, Store
from docs_researcher.docsets.sources.base import SourceInfo
from docs_researcher.server.app import build_server
from docs_researcher.server.service import Service
from http_running import install_docs
from pages_source import PagesSource

Result = TypeVar("Result")
AskServer = Callable[..., Any]
Install = Callable[..., Installed]

SIGNING = """\
# Signing requests

A request is signed with `sign_request`, which takes the secret and returns the header.

```python
header = sign_request(secret="s", body=b"{}")
```

## Rotating the secret

Call `rotate_secret` once a month; the old secret stays valid for an hour.
"""
RETRY = "# Retries\n\nA call is repeated three times, with `retry_after` seconds between them.\n"
PAGES = {"docs/signing.md": SIGNING, "docs/guides/retries.md": RETRY}


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the docsets that are served over HTTP."""
    folder = tmp_path_factory.mktemp("docs")
    return install_docs(folder / "home", folder / "pages")


@pytest.fixture
def install(home: Path) -> Install:
    """Install a library of some pages: its name, version, pages, and the kind of package that it is."""

    def run(name: str, version: str, pages: Mapping[str, str] | None = None, kind: str = "npm") -> Installed:
        info = SourceInfo(name, version, f"/{kind}/{name}", purl=f"pkg:{kind}/{name}@{version}", title=name.title())
        store = Store()
        try:
            return build_docset(PagesSource(pages or PAGES, info), store, replace=True).installed
        finally:
            store.close()

    return run


@pytest.fixture
def signer(install: Install) -> Installed:
    """The library `signer` in its version 2.1.0."""
    return install("signer", "2.1.0")


@pytest.fixture
def ask_server(home: Path) -> AskServer:
    """Run `ask(client)` against a service of this home. `mode` is the client's; other options are those of `Service`."""

    def run(
        ask: Callable[[Client], Awaitable[Result]],
        *,
        mode: str = "auto",
        tools: Any = "all",
        client: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Result:
        async def main() -> Result:
            values: dict[str, Any] = {"offline": True, **options}
            service = Service(**values)
            server = build_server(service.provider, tools=tools, research=service.research, docsets=service.docsets)
            try:
                async with Client(server, mode=mode, read_timeout_seconds=20, **(client or {})) as connected:
                    return await ask(connected)
            finally:
                await service.aclose()

        return asyncio.run(main())

    return run
