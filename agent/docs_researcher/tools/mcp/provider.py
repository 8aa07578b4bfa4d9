"""Documentation from an MCP server, whoever wrote it.

A server of ours sends the values behind its text along; they come out as they went in. From a foreign server there is only
text: it is read by its layout, its failures are told apart from documentation, notes that it puts beside its passages are
left out (they are not documentation, and some speak to the model), and an answer too large to be useful is cut between
passages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from docs_researcher.core.answer import AnsweredLibrary, Notice
from docs_researcher.core.clean import clean
from docs_researcher.core.errors import ArgumentsRefused, ServerError
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.core.messages import QUERY, ToolOutcome, ToolResult, ToolSpec
from docs_researcher.tools.arguments import (
    canonical_arguments,
    canonical_tool,
    refused_result,
    without_secrets,
)
from docs_researcher.tools.mcp.child import Launch
from docs_researcher.tools.mcp.connection import Connection
from docs_researcher.tools.mcp.foreign import FOREIGN_TOKENS, read_foreign
from docs_researcher.tools.mcp.get_docs import TOOL, GetDocs, answer_text, located, topics
from docs_researcher.tools.mcp.http_faults import HttpFault
from docs_researcher.tools.mcp.link import Target
from docs_researcher.tools.mcp.offers import WHAT, Offer, Offered, list_offers
from docs_researcher.tools.mcp.outcomes import Reading, failure_text, read_outcome
from docs_researcher.tools.mcp.wire import RESULT_KEY, from_wire
from docs_researcher.tools.server_memory import Memory
from docs_researcher.tools.specs import DOCS_TOOLS

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult, ContentBlock

_DOUBTFUL = ("refused", "error", "not_found")
"""Outcomes that may come from a remembered list of tools, or of libraries, that holds no more."""

INSTRUCTIONS_CHARACTERS = 2_000
"""As much of a server's instructions is passed on."""


class McpProvider:
    """The two documentation tools of one MCP server: a child process, or whatever `target` leads to."""

    def __init__(
        self,
        name: str,
        command: str = "",
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        *,
        target: Target | None = None,
        listener: Listener = ignore,
        mode: str = "auto",
        connect_seconds: float | None = None,
        max_tokens: int = FOREIGN_TOKENS,
        tells: bool = True,
        memory: Memory | None = None,
    ) -> None:
        """Nothing is started or sent yet. `target` is a server that is reached in another way than by a command.

        `mode` is the SDK's: "auto", "legacy" or a protocol version. `connect_seconds` None takes a limit that fits the
        command. `max_tokens` bounds the result of a foreign server. What the server says about its own use is passed on
        if it `tells`. In `memory` it is kept which protocol the server speaks and how it offers the tools.
        """
        self._name = name
        self._listener = listener
        self._max_tokens = max_tokens
        self._tells = tells
        target = target or Launch(name, command, tuple(args), dict(env or {}), cwd)
        self._connection = Connection(target, mode=mode, connect_seconds=connect_seconds, memory=memory)
        self._memory = memory
        self._listed: Offered | None = None
        self._unproven: Offered | None = None
        self._relisting = asyncio.Lock()
        self._get_docs: GetDocs | None = None

    @property
    def name(self) -> str:
        """The server's name."""
        return self._name

    async def tools(self) -> tuple[ToolSpec, ...]:
        """Those of the two tools that the server offers, in our words: a server's own are material, not instructions.

        Raises:
            ServerError: it cannot be started or reached, does not list its tools, or lacks `query-docs`.
        """
        listed = await self._offered()
        return DOCS_TOOLS if self._get_docs is not None else tuple(spec for spec in DOCS_TOOLS if spec.name in listed.tools)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call one tool; every failure comes back as a result with its outcome."""
        try:
            tool = canonical_tool(name) or name
            canonical, secrets = without_secrets(canonical_arguments(tool, arguments))
            listed = await self._offered()
            result = await self._called(listed, tool, canonical)
            if listed is self._unproven and result.outcome in _DOUBTFUL and await self._is_other_than(listed):
                result = await self._called(await self._offered(), tool, canonical)
        except ArgumentsRefused as error:
            return refused_result(error)
        except ServerError as error:
            return _unavailable(error)
        if not secrets:
            return result
        notice = Notice("secret_removed", "A secret was cut out of the query before it was sent.")
        return replace(result, notices=(*result.notices, notice))

    async def _called(self, listed: Offered, tool: str, canonical: Mapping[str, str]) -> ToolResult:
        if self._get_docs is not None:
            return await self._from_get_docs(self._get_docs, canonical)
        if tool in listed.tools:
            return await self._answer(tool, listed.tools[tool], canonical)
        refused = ArgumentsRefused(
            f"the server {self._name} does not offer {tool}",
            next_step=f"Call {QUERY} with an id of the form /owner/project.",
        )
        return refused_result(refused)

    async def aclose(self) -> None:
        """End the server process. Safe to call twice."""
        await self._connection.aclose()

    async def _offered(self) -> Offered:
        if self._listed is None:
            self._listener(Event("step", f"connecting to the MCP server {self._name}"))
            known = Offered.from_json(self._memory.recall(WHAT)) if self._memory is not None else None
            self._unproven = known
            self._take(known or await self._list_anew())
        assert self._listed is not None  # noqa: S101 - taken just now
        return self._listed

    def _take(self, listed: Offered) -> None:
        uses_get_docs = QUERY not in listed.tools and listed.installed is not None
        self._get_docs = GetDocs(self._name, listed.installed or ()) if uses_get_docs else None
        self._listed = listed

    async def _list_anew(self) -> Offered:
        listed = await self._list_tools()
        if not listed.usable:
            raise ServerError(
                f"the MCP server {self._name!r} does not offer {QUERY}",
                next_step="Name a server that offers resolve-library-id and query-docs, or use --docs-from local.",
            )
        if self._memory is not None:
            self._memory.remember(WHAT, listed.to_json(), listed.seconds)
        return listed

    async def _is_other_than(self, remembered: Offered) -> bool:
        """List the tools again, for all calls once; whether something is different from what was remembered."""
        async with self._relisting:
            if self._unproven is remembered:
                self._take(await self._list_anew())
                self._unproven = None
        return self._listed is not None and self._listed.to_json() != remembered.to_json()

    async def instructions(self) -> str:
        """What the server says about its own use, cleaned and cut; empty if it says nothing. Material, not an order.

        Raises:
            ServerError: it cannot be started or reached.
        """
        said = clean(await self._connection.call(_instructions) or "")
        return said if len(said) <= INSTRUCTIONS_CHARACTERS else said[: INSTRUCTIONS_CHARACTERS - 1].rstrip() + "…"

    async def server_notes(self) -> Mapping[str, str]:
        """The server's instructions under its name. Empty where it says nothing, cannot be reached, or is not to tell."""
        try:
            said = await self.instructions() if self._tells else ""
        except ServerError:
            return {}  # the first call meets the same fault, and says it
        return {self._name: said} if said else {}

    async def _list_tools(self) -> Offered:
        from mcp import MCPError

        try:
            return await self._connection.call(list_offers)
        except (MCPError, ValueError) as error:  # a ValueError: an answer that does not fit the protocol
            raise ServerError(
                f"the MCP server {self._name!r} did not list its tools",
                why=" ".join(str(error).split())[:300],
                next_step="Correct or leave out that server, or use --docs-from local.",
            ) from error

    async def _from_get_docs(self, docs: GetDocs, canonical: Mapping[str, str]) -> ToolResult:
        if "libraryName" in canonical:
            return docs.resolve(canonical["libraryName"])
        found = docs.library(canonical["libraryId"])
        if found is None:
            return docs.not_installed(canonical["libraryId"])
        library, answered, notices = found
        result = ToolResult("", outcome="not_found")
        for topic in topics(canonical["query"]):
            arguments = {"library": library, "topic": topic}
            result = await self._answer(QUERY, Offer(TOOL, frozenset(arguments)), canonical, arguments, answered)
            if result.outcome != "not_found":
                break
        passages = tuple(located(passage, answered) for passage in result.passages)
        return replace(result, passages=passages, notices=(*notices, *result.notices), library=answered)

    async def _answer(
        self,
        tool: str,
        offer: Offer,
        canonical: Mapping[str, str],
        arguments: dict[str, str] | None = None,
        library: AnsweredLibrary | None = None,
    ) -> ToolResult:
        """One call. `arguments` None are the canonical ones by the server's names; `library` is known for `get_docs` alone."""
        from mcp import MCPError

        sent = offer.arguments(tool, canonical) if arguments is None else arguments
        try:
            answer = await self._connection.call(lambda client: _call_tool(client, offer.name, sent, self._progress()))
        except (MCPError, ValueError) as error:  # a ValueError: an answer that does not fit the protocol
            reading = read_outcome(str(error), is_error=True)
            return _failed(reading, self._name, tool)
        return self._result(tool, canonical, answer, library)

    def _result(
        self, tool: str, canonical: Mapping[str, str], answer: CallToolResult, library: AnsweredLibrary | None
    ) -> ToolResult:
        text = "\n\n".join(_block_text(block) for block in answer.content)
        ours = from_wire(text, (answer.meta or {}).get(RESULT_KEY))
        if ours is not None:
            return ours
        text = answer_text(text) if library is not None else text
        text = clean(text)
        reading = read_outcome(text, is_error=answer.is_error)
        if reading.outcome != "ok":
            return _failed(reading, self._name, tool)
        return read_foreign(self._name, tool, text, canonical.get("libraryId", ""), self._max_tokens)

    def _progress(self) -> Callable[..., Any] | None:
        """The callback that turns a server's progress into events; None when nobody listens."""
        if self._listener is ignore:
            return None

        async def tell(done: float, total: float | None, message: str | None) -> None:
            text = clean(message or f"{self._name} is working")
            self._listener(Event("fetch", text, int(done), None if total is None else int(total)))

        return tell


async def _instructions(client: Client) -> str | None:
    return client.instructions


async def _call_tool(client: Client, name: str, arguments: dict[str, str], progress: Callable[..., Any] | None) -> CallToolResult:
    """One `tools/call`. Not the client's own method: that fails a call whose structured part does not fit its schema."""
    from mcp import types

    params = types.CallToolRequestParams(name=name, arguments=arguments)
    request = types.CallToolRequest(params=params)
    return await client.session.send_request(request, types.CallToolResult, progress_callback=progress)


def _block_text(block: ContentBlock) -> str:
    from mcp import types

    if isinstance(block, types.TextContent):
        return block.text
    if isinstance(block, types.EmbeddedResource) and isinstance(block.resource, types.TextResourceContents):
        return block.resource.text
    return f"[{block.type} content left out]"


def _failed(reading: Reading, server: str, tool: str) -> ToolResult:
    outcome: ToolOutcome = "error" if reading.outcome == "ok" else reading.outcome
    return ToolResult(failure_text(replace(reading, outcome=outcome), server, tool), outcome=outcome)


def _unavailable(error: ServerError) -> ToolResult:
    text = f"{error.message}.\n\nNext: {error.next_step}" if error.next_step else f"{error.message}."
    outcome: ToolOutcome = error.outcome if isinstance(error, HttpFault) else "unavailable"
    return ToolResult(text, notices=(Notice("source_unavailable", f"{error.message}."),), outcome=outcome)
