"""The prompt, the pages of docsets as resources, and the completion of both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from mcp import Client, MCPError, types

from docs_researcher.docsets.installed.store import Installed
from docs_researcher.server import resources
from docs_researcher.server.resources import TEMPLATE, uri_of

AskServer = Callable[..., Any]
Install = Callable[..., Installed]
ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])
PAGE = "docs-research://docsets/signer@2.1.0/docs/signing.md"


def _failed(ask_server: AskServer, call: Callable[[Client], Any], mode: str = "auto") -> MCPError:
    async def ask(client: Client) -> MCPError:
        with pytest.raises(MCPError) as error:
            await call(client)
        return error.value

    return ask_server(ask, mode=mode)


def _all(ask_server: AskServer) -> list[types.Resource]:
    async def ask(client: Client) -> list[types.Resource]:
        page = await client.list_resources()
        found = list(page.resources)
        while page.next_cursor:
            page = await client.list_resources(cursor=page.next_cursor)
            found += page.resources
        return found

    return ask_server(ask)


@ERAS
def test_every_page_of_every_docset_is_a_resource_that_can_be_read(ask_server: AskServer, signer: Installed, mode: str) -> None:
    async def ask(client: Client) -> tuple[types.ListResourcesResult, types.ReadResourceResult]:
        return await client.list_resources(), await client.read_resource(PAGE)

    listed, read = ask_server(ask, mode=mode)
    assert [(item.uri, item.title, item.mime_type) for item in listed.resources] == [
        ("docs-research://docsets/signer@2.1.0/docs/guides/retries.md", "Retries", "text/markdown"),
        (PAGE, "Signing requests", "text/markdown"),
    ]
    assert len(read.contents) == 1
    assert 'header = sign_request(secret="s", body=b"{}")' in read.contents[0].text
    assert read.contents[0].uri == PAGE


def test_a_long_list_comes_in_parts_over_the_borders_of_docsets(
    ask_server: AskServer, install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "PAGE_SIZE", 3)
    many: Mapping[str, str] = {f"docs/{number}.md": f"# Page {number}\n\nText.\n" for number in range(5)}
    install("acme", "1.0.0", many)
    install("signer", "2.1.0")
    found = [item.uri for item in _all(ask_server)]
    assert len(found) == len(set(found)) == 7
    assert found[-1] == PAGE


@pytest.mark.parametrize("name", ["@scope/kit", "näme", "a b"])
def test_any_name_and_path_can_be_written_as_a_uri_and_read_back(ask_server: AskServer, install: Install, name: str) -> None:
    install(name, "1.0.0", {"docs/a b/ü#?.md": "# Odd\n\nText of the odd page.\n"})
    listed = _all(ask_server)

    async def ask(client: Client) -> types.ReadResourceResult:
        return await client.read_resource(listed[0].uri)

    assert listed[0].uri == uri_of(f"{name}@1.0.0", "docs/a b/ü#?.md")
    assert "Text of the odd page." in ask_server(ask).contents[0].text


@ERAS
@pytest.mark.parametrize(
    "uri",
    [
        "docs-research://docsets/signer@2.1.0/docs/none.md",
        "docs-research://docsets/signer@2.1.0",
        "docs-research://docsets/other@1/docs/signing.md",
        "docs-research://docsets/signer@2.1.0/../../../etc/passwd",
        "docs-research://docsets/%2e%2e%2f%2e%2e/x",
        "file:///etc/passwd",
        "nonsense",
        "",
    ],
)
def test_an_unknown_resource_is_an_error_that_names_it(ask_server: AskServer, signer: Installed, mode: str, uri: str) -> None:
    error = _failed(ask_server, lambda client: client.read_resource(uri), mode)
    assert error.code == types.INVALID_PARAMS
    assert error.data == {"uri": uri}


@pytest.mark.parametrize("cursor", ["", "nonsense", "MA==", "LTEgc2lnbmVyQDIuMS4w!", "b3RoZXI="])
def test_a_cursor_that_is_not_ours_is_refused(ask_server: AskServer, signer: Installed, cursor: str) -> None:
    assert _failed(ask_server, lambda client: client.list_resources(cursor=cursor)).code == types.INVALID_PARAMS


@ERAS
def test_the_prompt_names_the_library_the_topic_and_the_tool(ask_server: AskServer, mode: str) -> None:
    async def ask(client: Client) -> tuple[types.ListPromptsResult, types.GetPromptResult]:
        return await client.list_prompts(), await client.get_prompt(
            "docs", {"library": "next@15", "topic": "middleware\nmatcher"}
        )

    listed: types.ListPromptsResult
    got: types.GetPromptResult
    listed, got = ask_server(ask, mode=mode)
    assert [(prompt.name, [argument.name for argument in prompt.arguments or []]) for prompt in listed.prompts] == [
        ("docs", ["library", "topic"])
    ]
    assert len(got.messages) == 1
    text = got.messages[0].content
    assert isinstance(text, types.TextContent)
    assert "next@15: middleware matcher" in text.text
    assert "research-library-docs" in text.text


def test_the_prompt_speaks_of_the_tools_that_are_offered(ask_server: AskServer) -> None:
    async def ask(client: Client) -> str:
        got = await client.get_prompt("docs", {"library": "next", "topic": "x"})
        content = got.messages[0].content
        return content.text if isinstance(content, types.TextContent) else ""

    assert "get_docs" in ask_server(ask, tools="context")
    assert "query-docs" in ask_server(ask, tools="context7")
    assert "research-library-docs" not in ask_server(ask, tools="context7")


@pytest.mark.parametrize(("name", "arguments"), [("docs", {}), ("docs", {"library": " ", "topic": "x"}), ("other", {})])
def test_a_prompt_without_what_it_needs_is_an_error(ask_server: AskServer, name: str, arguments: dict[str, str]) -> None:
    assert _failed(ask_server, lambda client: client.get_prompt(name, arguments)).code == types.INVALID_PARAMS


def _completed(
    ask_server: AskServer, ref: Any, argument: str, value: str, chosen: dict[str, str] | None = None
) -> types.Completion:
    async def ask(client: Client) -> types.Completion:
        done = await client.complete(ref, {"name": argument, "value": value}, context_arguments=chosen)
        return done.completion

    return ask_server(ask)


PROMPT = types.PromptReference(name="docs")
PAGES = types.ResourceTemplateReference(uri=TEMPLATE)


@pytest.mark.parametrize(
    ("ref", "argument", "value", "chosen", "first"),
    [
        (PROMPT, "library", "signer@", None, "signer@2.1.0"),
        (PROMPT, "library", "SIGN", None, "signer@2.1.0"),
        (PROMPT, "library", "/npm/signer/", None, "/npm/signer/2.1.0"),
        (PROMPT, "library", "next.", None, "Next.js"),
        (PROMPT, "library", "/vercel/nex", None, "/vercel/next.js"),
        (PAGES, "library", "", None, "signer@2.1.0"),
        (PAGES, "path", "docs/s", {"library": "signer@2.1.0"}, "docs/signing.md"),
        (PAGES, "path", "retries", {"library": "signer@2.1.0"}, "docs/guides/retries.md"),
    ],
)
def test_ids_versions_and_paths_are_completed(
    ask_server: AskServer, signer: Installed, ref: Any, argument: str, value: str, chosen: dict[str, str] | None, first: str
) -> None:
    assert _completed(ask_server, ref, argument, value, chosen).values[0] == first


@pytest.mark.parametrize(
    ("ref", "argument"),
    [
        (PROMPT, "topic"),
        (PAGES, "path"),
        (types.PromptReference(name="other"), "library"),
        (types.ResourceTemplateReference(uri="file:///{path}"), "library"),
    ],
)
def test_what_cannot_be_completed_gives_an_empty_list(ask_server: AskServer, signer: Installed, ref: Any, argument: str) -> None:
    assert _completed(ask_server, ref, argument, "").values == []


def test_a_completion_has_at_most_a_hundred_values_and_says_that_there_are_more(ask_server: AskServer) -> None:
    done = _completed(ask_server, PROMPT, "library", "")
    assert len(done.values) == 100
    assert done.has_more
    assert (done.total or 0) > 100
