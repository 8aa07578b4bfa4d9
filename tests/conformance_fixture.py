"""A server for the conformance suite: our HTTP module and our handlers, with the suite's own tools, prompts and resources added.

The suite calls them by fixed names; they are not part of the product. Whatever they do not know is answered by our handlers.
Run as a script: `python conformance_fixture.py PORT`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcp import MCPError, types
from mcp.server import Server

from docs_researcher.server.http.backend import Counted, LocalBackend, Opened
from docs_researcher.server.http.run import serve_http
from docs_researcher.server.http.settings import HttpSettings

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
WHAT = "A part of the conformance suite."
PAUSE = 0.05
"""Seconds between two notes, as the suite asks for."""

Context = Any
"""A `ServerRequestContext`."""


def _text(text: str) -> types.TextContent:
    return types.TextContent(text=text)


def _image() -> types.ImageContent:
    return types.ImageContent(data=PNG, mime_type="image/png")


def _resource(uri: str, kind: str, text: str) -> types.EmbeddedResource:
    return types.EmbeddedResource(resource=types.TextResourceContents(uri=uri, mime_type=kind, text=text))


CONTENT: dict[str, list[Any]] = {
    "test_simple_text": [_text("This is a simple text response for testing.")],
    "test_image_content": [_image()],
    "test_audio_content": [types.AudioContent(data=WAV, mime_type="audio/wav")],
    "test_embedded_resource": [_resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    "test_multiple_content_types": [
        _text("Multiple content types test:"),
        _image(),
        _resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
    "test_error_handling": [_text("This tool intentionally returns an error for testing")],
    "test_logging_tool": [_text("Nobody asked for a log, so none was sent.")],
}
"""Tools that always answer the same."""

PROGRESS = "test_tool_with_progress"
CAPABILITY = "test_missing_capability"
ELICITATION = "test_streaming_elicitation"
TOOLS = (*CONTENT, PROGRESS, CAPABILITY, ELICITATION)

PROMPTS: dict[str, list[str]] = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": ["arg1", "arg2"],
    "test_prompt_with_embedded_resource": ["resourceUri"],
    "test_prompt_with_image": [],
}
"""Prompts and their arguments."""

RESOURCES = ("test://static-text", "test://static-binary")


async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> Any:
    """The result of one of the suite's tools; None for a tool of ours."""
    if params.name in CONTENT:
        return types.CallToolResult(content=CONTENT[params.name], is_error=params.name == "test_error_handling")
    if params.name == PROGRESS:
        for done in (0, 50, 100):
            await ctx.session.report_progress(done, 100)
            await asyncio.sleep(PAUSE)
        return types.CallToolResult(content=[_text("done")])
    if params.name == CAPABILITY:
        if not ctx.session.check_client_capability(types.ClientCapabilities(sampling=types.SamplingCapability())):
            needed: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
            raise MCPError(-32021, "This tool needs a client that samples.", data=needed)
        return types.CallToolResult(content=[_text("done")])
    if params.name == ELICITATION:
        form = types.ElicitRequestFormParams(
            message="Go on?", requested_schema={"type": "object", "properties": {"ok": {"type": "boolean"}}}
        )
        return types.InputRequiredResult(input_requests={"ok": types.ElicitRequest(params=form)})
    return None


async def get_prompt(ctx: Context, params: types.GetPromptRequestParams) -> Any:
    """The messages of one of the suite's prompts; None for a prompt of ours."""
    given = params.arguments or {}
    contents: dict[str, list[Any]] = {
        "test_simple_prompt": [_text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments": [_text(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")],
        "test_prompt_with_embedded_resource": [
            _resource(given.get("resourceUri", ""), "text/plain", "Embedded resource content for testing."),
            _text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image": [_image(), _text("Please analyze the image above.")],
    }
    if params.name not in contents:
        return None
    messages = [types.PromptMessage(role="user", content=content) for content in contents[params.name]]
    return types.GetPromptResult(messages=messages)


async def read_resource(ctx: Context, params: types.ReadResourceRequestParams) -> Any:
    """What one of the suite's resources holds; None for a resource of ours."""
    uri = str(params.uri)
    if uri == "test://static-text":
        text = "This is the content of the static text resource."
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)])
    if uri == "test://static-binary":
        return types.ReadResourceResult(contents=[types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PNG)])
    if uri.startswith("test://template/") and uri.endswith("/data"):
        number = uri.split("/")[3]
        text = json.dumps({"id": number, "templateTest": True, "data": f"Data for ID: {number}"})
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type="application/json", text=text)])
    return None


def _with_tools(listed: types.ListToolsResult) -> types.ListToolsResult:
    added = [types.Tool(name=name, description=WHAT, input_schema={"type": "object", "properties": {}}) for name in TOOLS]
    return listed.model_copy(update={"tools": [*listed.tools, *added]})


def _with_prompts(listed: types.ListPromptsResult) -> types.ListPromptsResult:
    added = [
        types.Prompt(
            name=name,
            description=WHAT,
            arguments=[types.PromptArgument(name=argument, description=WHAT, required=True) for argument in arguments],
        )
        for name, arguments in PROMPTS.items()
    ]
    return listed.model_copy(update={"prompts": [*listed.prompts, *added]})


def _with_resources(listed: types.ListResourcesResult) -> types.ListResourcesResult:
    added = [types.Resource(name=uri, uri=uri, description=WHAT) for uri in RESOURCES]
    return listed.model_copy(update={"resources": [*listed.resources, *added]})


def add_to(server: Server[dict[str, Any]]) -> None:
    """Put the suite's parts before ours."""
    for method, first in (("tools/call", call_tool), ("prompts/get", get_prompt), ("resources/read", read_resource)):
        _answer_first(server, method, first)
    lists: dict[str, Callable[[Any], Any]] = {
        "tools/list": _with_tools,
        "prompts/list": _with_prompts,
        "resources/list": _with_resources,
    }
    for method, more in lists.items():
        _add_to_list(server, method, more)


def _answer_first(server: Server[dict[str, Any]], method: str, first: Callable[[Any, Any], Any]) -> None:
    ours = server.get_request_handler(method)
    assert ours is not None

    async def answer(ctx: Context, params: Any) -> Any:
        own = await first(ctx, params)
        return own if own is not None else await ours.handler(ctx, params)

    server.add_request_handler(method, ours.params_type, answer)


def _add_to_list(server: Server[dict[str, Any]], method: str, more: Callable[[Any], Any]) -> None:
    ours = server.get_request_handler(method)
    assert ours is not None

    async def answer(ctx: Context, params: Any) -> Any:
        return more(await ours.handler(ctx, params))

    server.add_request_handler(method, ours.params_type, answer)


@dataclass(frozen=True, slots=True)
class FixtureBackend:
    """The product's backend with the suite's parts."""

    inner: LocalBackend

    def open(self, docsets: tuple[str, ...] | None, counted: Counted) -> Opened:
        opened = self.inner.open(docsets, counted)
        add_to(opened.server)
        return opened


if __name__ == "__main__":
    backend = FixtureBackend(LocalBackend(policy={"offline": True}))
    serve_http(HttpSettings(port=int(sys.argv[1]), access_log=False), backend, lambda address: print(address, flush=True))
