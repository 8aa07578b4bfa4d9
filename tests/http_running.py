"""Our HTTP server on loopback, in a thread of the test, over small docsets."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from docs_researcher.core.messages import ToolResult
from docs_researcher.docsets.acquiring.acquire import FetchPolicy
from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sources.folder import FolderSource
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.server.http.app import CELLS, Door
from docs_researcher.server.http.backend import Backend, LocalBackend
from docs_researcher.server.http.numbers import Numbers
from docs_researcher.server.http.run import listen, web_server
from docs_researcher.server.http.settings import HttpSettings
from docs_researcher.tools.local import LocalProvider
from sample_pages import SIGNING

SCREEN = """\
# Drawing the screen

Wrap the tree in `<Suspense>`; “quotes”, 日本語 and `:smile:` are plain text here.

```jsx
<App mood=":smile:">{arr[bold]}</App>
```
"""
PARTS = ("bolts", "cables", "drawers", "engines", "filters", "gaskets", "hinges", "inlets", "joints", "keys")
"""The pages of the third library: so many that a question that fits none of them is not answered with all of them."""
TEST_SECONDS = 20
"""How long a test waits for an answer before it fails."""


def install_docs(home: Path, folder: Path) -> Path:
    """Three docsets in a home: /local/signpost without a version, /local/screen at 2.1.0, and the larger /local/manual."""
    manual = folder / "manual"
    manual.mkdir(parents=True)
    for part in PARTS:
        (manual / f"{part}.md").write_text(f"# About {part}\n\nThe {part} are changed once a year.\n", encoding="utf-8")
    build_docset(FolderSource(manual, name="manual"), Store(home))
    for name, version, text in (("signpost", None, SIGNING), ("screen", "2.1.0", SCREEN)):
        pages = folder / name
        pages.mkdir(parents=True)
        (pages / "page.md").write_text(text, encoding="utf-8")
        build_docset(FolderSource(pages, name=name, version=version), Store(home))
    return home


def without_a_server(home: Path, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
    """What the docsets of a home answer in process."""

    async def run() -> ToolResult:
        provider = LocalProvider(Store(home), Catalogue.load(), policy=FetchPolicy(offline=True))
        try:
            return await provider.call(tool, arguments)
        finally:
            await provider.aclose()

    return asyncio.run(run())


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers, and a client whose paths are relative to it."""

    address: str
    client: httpx2.Client
    server: uvicorn.Server


@contextmanager
def running(home: Path, settings: HttpSettings | None = None, backend: Backend | None = None) -> Generator[Running]:
    """A server over the docsets of a home, offline. It ends gently when the test is over."""
    listener = listen("127.0.0.1", 0)
    settings = replace(settings or HttpSettings(), port=listener.getsockname()[1])
    backend = backend or LocalBackend(policy={"offline": True}, home=home)
    server = uvicorn.Server(web_server(Door(settings, backend, Numbers.of_this_process(CELLS)), settings))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{settings.port}"
    try:
        with httpx2.Client(base_url=address, timeout=TEST_SECONDS, trust_env=False) as client:
            yield Running(address, client, server)
    finally:
        server.should_exit = True
        thread.join(TEST_SECONDS)
        assert not thread.is_alive()
