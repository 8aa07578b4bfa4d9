"""The pages of installed docsets as MCP resources: listed page by page, found by a template, read as Markdown."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from docs_researcher.core.untrusted import marked
from docs_researcher.server.docsets import Docsets

if TYPE_CHECKING:
    from mcp import types

    from docs_researcher.docsets.installed.store import Installed

BASE = "docs-research://docsets/"
TEMPLATE = f"{BASE}{{library}}/{{+path}}"
"""RFC 6570: the library is one part of the path, the page's path keeps its slashes."""
PAGE_SIZE = 100
"""Resources of one answer; a large docset has thousands of pages."""
MIME_TYPE = "text/markdown"


class UnknownResource(Exception):
    """There is no resource of that URI. The text says what there is."""


class BadCursor(Exception):
    """A cursor that this server did not give, or that what was removed has made useless."""


def uri_of(library: str, path: str) -> str:
    """The URI of a page."""
    return f"{BASE}{quote(library, safe='@')}/{quote(path)}"


def list_resources(docsets: Docsets, cursor: str | None) -> types.ListResourcesResult:
    """One page of the list, by library and path, with the cursor of the next.

    Raises:
        BadCursor: `cursor` is none of ours.
    """
    from mcp import types

    labelled = docsets.labelled()
    labels = list(labelled)
    place, offset = _read_cursor(cursor, labels)
    found: list[types.Resource] = []
    while place < len(labels) and len(found) < PAGE_SIZE:
        installed = labelled[labels[place]]
        pages = docsets.open(installed).pages()
        taken = pages[offset : offset + PAGE_SIZE - len(found)]
        found += [_resource(labels[place], installed, path, title) for path, title in taken]
        offset += len(taken)
        if offset >= len(pages):
            place, offset = place + 1, 0
    more = _cursor(labels[place], offset) if place < len(labels) else None
    return types.ListResourcesResult(resources=found, next_cursor=more)


def list_templates() -> types.ListResourceTemplatesResult:
    """The one template, for hosts that ask the user for a library and a page."""
    from mcp import types

    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(
                name="documentation-page",
                title="Page of installed documentation",
                uri_template=TEMPLATE,
                description="One page of an installed library's documentation; library is name@version.",
                mime_type=MIME_TYPE,
            )
        ]
    )


def read_resource(docsets: Docsets, uri: str) -> types.ReadResourceResult:
    """The page as Markdown.

    Raises:
        UnknownResource: no such library is installed, or it has no such page.
        DocsetInvalid: the docset is damaged.
    """
    from mcp import types

    rest = uri.removeprefix(BASE)
    library, slash, path = rest.partition("/")
    if rest == uri or not slash:
        raise UnknownResource(f"There is no resource {uri}. Resources are {TEMPLATE}.")
    installed = docsets.named(unquote(library))
    if installed is None:
        raise UnknownResource(f"{unquote(library)} is not installed, so there is no resource {uri}.")
    page = docsets.open(installed).page(unquote(path))
    if page is None:
        raise UnknownResource(f"{unquote(library)} has no page {unquote(path)}.")
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=uri, mime_type=MIME_TYPE, text=marked(page.content))]
    )


def _resource(library: str, installed: Installed, path: str, title: str) -> types.Resource:
    from mcp import types

    return types.Resource(
        name=path,
        title=title or path,
        uri=uri_of(library, path),
        description=f"{installed.meta.title} {installed.version or ''}".strip(),
        mime_type=MIME_TYPE,
    )


def _cursor(library: str, offset: int) -> str:
    return base64.urlsafe_b64encode(f"{offset} {library}".encode()).decode()


def _read_cursor(cursor: str | None, labels: list[str]) -> tuple[int, int]:
    if cursor is None:
        return 0, 0
    try:
        offset, _, library = base64.b64decode(cursor, altchars=b"-_", validate=True).decode().partition(" ")
        return labels.index(library), max(0, int(offset))
    except (ValueError, binascii.Error) as error:
        raise BadCursor(f"The cursor {cursor[:60]!r} is not one of this list; ask for it from the beginning.") from error
