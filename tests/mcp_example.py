"""A small provider with documentation written by hand, used in process and, run as a script, as an MCP server over stdio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

from docs_researcher.core.answer import AnsweredLibrary, Notice
from docs_researcher.core.errors import SourceUnavailable
from docs_researcher.core.layout import render_candidates, render_passages
from docs_researcher.core.messages import QUERY, RESOLVE, ToolResult, ToolSpec
from docs_researcher.core.passages import Candidate, Passage, RelatedPage
from docs_researcher.tools.specs import DOCS_TOOLS

PASSAGES = (
    Passage(
        title="Authentication > Sessions",
        content='Call `createSession`:\n\n```ts filename="app/a.ts"\n### not a heading\n'
        + "-" * 32
        + "\n```\n\nThen – “quotes”, 日本語.",
        source="https://docs.example.invalid/auth#sessions",
        library_id="/example/lib",
        url="https://docs.example.invalid/auth#sessions",
        path="docs/auth.mdx",
        version="2.1.0",
        date="2026-11-01",
        confidence=0.8125,
        score=12.5,
        line=17,
    ),
    Passage("Cookies", "Set them on the response.", "pkg:npm/lib@2.1.0#docs/cookies.md", "/example/lib", path="docs/cookies.md"),
    Passage("No source", "Only text."),
)
CANDIDATES = (
    Candidate("/example/lib", "Lib.js", "Sessions and cookies", 42, "High", None, ("v2.1.0", "v1.0.0"), "npm"),
    Candidate("/example/query/@example/query@5.60.5", "Query", "", None, "Unknown", 81.5),
)
LIBRARY = AnsweredLibrary("Lib.js", "/example/lib", "2.1.0", "nearest to 2.0 that has docs")
NOTICE = Notice("version_substituted", "Version 2.0 has no documentation; 2.1.0 was read.")

RESULTS: dict[str, ToolResult] = {
    "passages": ToolResult(
        render_passages(PASSAGES, "Version 2.1.0."),
        PASSAGES,
        related=(RelatedPage("docs/session.mdx", "Sessions", None, 1, 0),),
        notices=(NOTICE,),
        library=LIBRARY,
        fetch_seconds=1.25,
    ),
    "candidates": ToolResult(render_candidates(CANDIDATES), candidates=CANDIDATES),
    "nothing": ToolResult("Nothing in the documentation of /example/lib fits that query.", outcome="not_found"),
    "offline": ToolResult("The registry cannot be reached.", notices=(NOTICE,), outcome="unavailable"),
    "empty": ToolResult(""),
}


class ExampleDocs:
    """Answers with the result that the query names; prints, as a careless library would."""

    name = "example"

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []

    async def tools(self) -> tuple[ToolSpec, ...]:
        return DOCS_TOOLS

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        print("a line on stdout")
        self.calls.append((name, dict(arguments)))
        query = arguments.get("query")
        if query == "raise":
            raise SourceUnavailable("the source is away", why="no network", next_step="Try again online.")
        if query == "crash":
            raise RuntimeError("a fault of ours")
        if query == "slow":
            await asyncio.sleep(0.2)
        if query == "stuck":
            await asyncio.sleep(30)
        if query == "stuck thread":
            await asyncio.to_thread(time.sleep, 30)
        default = {RESOLVE: "candidates", QUERY: "passages"}[name]
        return RESULTS.get(str(query), RESULTS[default])

    async def aclose(self) -> None:
        """Nothing to release."""


if __name__ == "__main__":
    from docs_researcher.server.stdio import Served, serve_stdio

    asyncio.run(serve_stdio(Served(ExampleDocs())))
