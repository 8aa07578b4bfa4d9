"""Our MCP server, in both protocol eras: tools, prompts, resources and completion around a provider of documentation.

Built on the SDK's low-level server: what is offered is fixed by the choice of tools and by what is installed, so nothing needs
to be derived from functions. The SDK is imported when a server is built, not before: it costs half a second that no other
command should pay.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from docs_researcher import __version__
from docs_researcher.core.errors import DocsResearchError
from docs_researcher.core.messages import QUERY, RESEARCH, RESOLVE, ToolResult
from docs_researcher.server.docsets import Docsets
from docs_researcher.server.instructions import instructions
from docs_researcher.server.tools import GET_DOCS, OFFERED, ToolChoice, fixed_spec, offered_name, wire_tool
from docs_researcher.tools.base import DocsProvider
from docs_researcher.tools.mcp.wire import RESULT_KEY, to_wire

if TYPE_CHECKING:
    from mcp import types
    from mcp.server import Server, ServerRequestContext

    from docs_researcher.library.catalogue import Catalogue
    from docs_researcher.server.changes import ListChanges
    from docs_researcher.server.research_tool import Report, ResearchTool

logger = logging.getLogger(__name__)

LIST_TTL_MS = 3_600_000
"""A list that one server never changes; an hour spares a host asking again."""
INSTALLED_TTL_MS = 30_000
"""A list of what is installed: newer clients learn of a change by asking again after this."""


def build_server(
    provider: DocsProvider,
    *,
    tools: ToolChoice = "all",
    research: ResearchTool | None = None,
    docsets: Docsets | None = None,
    watch: bool = False,
    listed: tuple[str, ...] | None = None,
) -> Server[dict[str, Any]]:
    """A server over a provider, whose texts come back byte for byte. Closing the parts stays with the caller.

    Args:
        provider: answers `resolve-library-id` and `query-docs`.
        tools: which tools are offered, as far as their parts are given.
        research: answers `research-library-docs`.
        docsets: what `get_docs`, the resources and the completion are about.
        watch: tell clients of the older protocol when docsets come or go; for a connection that lasts.
        listed: the state of the docsets that the first list is of, where it may have been given before there was a server.
    """
    from mcp.server import CacheHint, Server

    handlers = Handlers(provider, tools, research, docsets, watch=watch, listed=listed)
    hint = CacheHint(ttl_ms=LIST_TTL_MS, scope="public")
    return Server(
        "docs-researcher",
        version=__version__,
        title="docs-researcher",
        description="Library documentation at the version asked for, from local docsets.",
        instructions=instructions(handlers.offered),
        cache_hints={
            "server/discover": hint,
            "tools/list": hint,
            "prompts/list": hint,
            "resources/templates/list": hint,
            "resources/read": CacheHint(ttl_ms=LIST_TTL_MS, scope="private"),
        },
        lifespan=handlers.lifespan,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_completion=handlers.complete,
    )


class Handlers:
    """What answers each method. An error that a model can do something about is a result; the others are the protocol's."""

    def __init__(
        self,
        provider: DocsProvider,
        tools: ToolChoice,
        research: ResearchTool | None,
        docsets: Docsets | None,
        *,
        watch: bool = False,
        listed: tuple[str, ...] | None = None,
    ) -> None:
        self._provider = provider
        self._research = research
        self._docsets = docsets
        self._watch = watch
        self._listed = listed
        self._changes: ListChanges | None = None
        missing = {RESEARCH} if research is None else set[str]()
        missing |= {GET_DOCS} if docsets is None else set()
        self.offered: tuple[str, ...] = tuple(name for name in OFFERED[tools] if name not in missing)
        self._fixed: dict[str, types.Tool] = {}

    @asynccontextmanager
    async def lifespan(self, server: Server[dict[str, Any]]) -> AsyncGenerator[dict[str, Any]]:
        """From the first connection to the end of the server."""
        try:
            yield {}
        finally:
            if self._changes is not None:
                await self._changes.aclose()
                self._changes = None

    async def list_tools(self, ctx: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """The offered tools in their order."""
        from mcp import types

        listed = [self._tool(name) for name in self.offered]
        if GET_DOCS not in self.offered:
            return types.ListToolsResult(tools=listed)
        self._told(ctx)
        return types.ListToolsResult(tools=listed, ttl_ms=INSTALLED_TTL_MS, cache_scope="private")

    def _tool(self, name: str) -> types.Tool:
        if name == GET_DOCS and self._docsets is not None:
            from docs_researcher.server.get_docs import get_docs_spec

            return wire_tool(get_docs_spec(self._docsets))
        if name not in self._fixed:
            self._fixed[name] = wire_tool(fixed_spec(name, self.offered))
        return self._fixed[name]

    async def call_tool(self, ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        """The result of one call, whatever happens; only an unknown tool is an error of the protocol."""
        from mcp import MCPError, types

        name, arguments = offered_name(params.name), params.arguments or {}
        if name not in self.offered:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}. The tools are {_listed(self.offered)}.")
        try:
            if name == RESEARCH and self._research is not None:
                return await _researched(self._research, arguments, ctx.session.report_progress)
            if name == GET_DOCS and self._docsets is not None:
                from docs_researcher.server.get_docs import get_docs

                return _plain(await get_docs(self._docsets, arguments))
            result = await self._provider.call(name, arguments)
        except DocsResearchError as error:
            text = f"{error.message}.\n\nNext: {error.next_step}" if error.next_step else f"{error.message}."
            result = ToolResult(text, outcome="error")
        except Exception:
            logger.exception("%s failed", name)
            text = f"{name} failed by a fault of the server, which is in its log.\n\nNext: answer without it and say so."
            result = ToolResult(text, outcome="error")
        return _plain(result, {RESULT_KEY: to_wire(result)} if name in (RESOLVE, QUERY) else None)

    async def list_prompts(self, ctx: Any, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """The prompt `docs`."""
        from docs_researcher.server.prompts import list_prompts

        return list_prompts()

    async def get_prompt(self, ctx: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """The message of the prompt `docs`."""
        from mcp import MCPError, types

        from docs_researcher.server.prompts import BadPrompt, get_prompt

        try:
            return get_prompt(params.name, params.arguments or {}, self.offered)
        except BadPrompt as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None

    async def list_resources(self, ctx: Any, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """Some pages of the installed docsets, and a cursor for more."""
        from mcp import MCPError, types

        if self._docsets is None:
            return types.ListResourcesResult(resources=[], ttl_ms=LIST_TTL_MS, cache_scope="public")
        from docs_researcher.server.resources import BadCursor, list_resources

        self._told(ctx)
        try:
            listed = await asyncio.to_thread(list_resources, self._docsets, params.cursor if params is not None else None)
        except BadCursor as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        except DocsResearchError as error:
            raise MCPError(types.INTERNAL_ERROR, error.message) from None
        return listed.model_copy(update={"ttl_ms": INSTALLED_TTL_MS, "cache_scope": "private"})

    async def list_templates(self, ctx: Any, params: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        """The template of those pages."""
        from mcp import types

        if self._docsets is None:
            return types.ListResourceTemplatesResult(resource_templates=[])
        from docs_researcher.server.resources import list_templates

        return list_templates()

    async def read_resource(self, ctx: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """One page as Markdown."""
        from mcp import MCPError, types

        from docs_researcher.server.resources import UnknownResource, read_resource

        try:
            if self._docsets is None:
                raise UnknownResource(f"There is no resource {params.uri}.")
            return await asyncio.to_thread(read_resource, self._docsets, params.uri)
        except UnknownResource as error:
            raise MCPError(types.INVALID_PARAMS, str(error), data={"uri": params.uri}) from None
        except DocsResearchError as error:
            raise MCPError(types.INTERNAL_ERROR, error.message) from None

    async def complete(self, ctx: Any, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Values for an argument of the prompt or of the template."""
        from mcp import types

        if self._docsets is None:
            return types.CompleteResult(completion=types.Completion(values=[], total=0, has_more=False))
        from docs_researcher.server.completion import Completer

        chosen = params.context.arguments if params.context is not None else None
        completer = Completer(self._docsets, _catalogue)
        argument = params.argument
        return await asyncio.to_thread(completer.complete, params.ref, argument.name, argument.value, chosen or {})

    def _told(self, ctx: ServerRequestContext[dict[str, Any]]) -> None:
        """Note that this client has a list of what is installed, and tell it when that changes where its protocol allows it."""
        from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

        if not self._watch or self._docsets is None or ctx.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
            return
        if self._changes is None:
            from docs_researcher.server.changes import ListChanges

            self._changes = ListChanges(self._docsets, first=self._listed)
        self._changes.listed(ctx.session)


async def _researched(research: ResearchTool, arguments: dict[str, Any], report: Report) -> types.CallToolResult:
    from mcp import types

    from docs_researcher.server.research_tool import ANSWER_KEY, answer_facts

    reply, as_json = await research.call(arguments, report)
    answer = reply.answer
    return types.CallToolResult(
        content=[types.TextContent(text=reply.text)],
        structured_content=answer.to_dict() if answer is not None and as_json else None,
        is_error=reply.is_error,
        _meta={ANSWER_KEY: answer_facts(answer)} if answer is not None else None,
    )


def _plain(result: ToolResult, meta: dict[str, Any] | None = None) -> types.CallToolResult:
    from mcp import types

    return types.CallToolResult(content=[types.TextContent(text=result.text)], is_error=result.is_error, _meta=meta)


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _catalogue() -> Catalogue:
    from docs_researcher.library.catalogue import Catalogue

    return Catalogue.load()
