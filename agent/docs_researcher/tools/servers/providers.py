"""Configured servers as providers of documentation."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from docs_researcher.core.events import Listener, ignore
from docs_researcher.tools.servers.configured import configured_servers
from docs_researcher.tools.servers.entries import ServerEntry

if TYPE_CHECKING:
    from docs_researcher.tools.mcp.link import Target
    from docs_researcher.tools.mcp.provider import McpProvider

KEY_VARIABLE = "CONTEXT7_API_KEY"
_KEY_HEADERS = {"authorization", "context7-api-key", "x-context7-api-key", "context7_api_key", "x-api-key", "x_api_key"}


def provider_for(entry: ServerEntry, listener: Listener = ignore, *, max_tokens: int | None = None) -> McpProvider:
    """A provider over this server, which is started or contacted with the first call.

    `max_tokens` bounds one result; None is the bound for foreign servers.

    Raises:
        ConfigurationError: the entry cannot be used.
    """
    from docs_researcher.tools.mcp.foreign import FOREIGN_TOKENS
    from docs_researcher.tools.mcp.provider import McpProvider

    return McpProvider(
        entry.name,
        target=target_of(entry),
        listener=listener,
        connect_seconds=entry.connect_seconds,
        max_tokens=max_tokens or FOREIGN_TOKENS,
    )


def provider_named(name: str, listener: Listener = ignore) -> McpProvider:
    """The provider for the server that is configured under this name.

    Raises:
        UsageError, ConfigurationError, ConsentRequired: as `Configured.find`.
    """
    return provider_for(configured_servers().find(name), listener)


def target_of(entry: ServerEntry) -> Target:
    """What a connection is made to.

    Raises:
        ConfigurationError: the entry cannot be used.
    """
    if entry.problem is not None:
        raise entry.problem
    if not entry.url:
        from docs_researcher.tools.mcp.child import Launch

        return Launch(entry.name, entry.command, entry.args, entry.env, entry.cwd)
    from docs_researcher.tools.mcp.http import HttpEndpoint
    from docs_researcher.tools.mcp.logins import stored_login

    headers = headers_of(entry, os.environ)
    signed = any(name.lower() == "authorization" for name in headers)
    return HttpEndpoint(entry.name, entry.url, headers, str(entry.origin), None if signed else stored_login(entry.url))


def headers_of(entry: ServerEntry, environment: Mapping[str, str]) -> dict[str, str]:
    """What is sent with each request: the configured headers, and the Context7 key where it belongs and none is configured."""
    headers = dict(entry.headers)
    key = environment.get(KEY_VARIABLE, "").strip()
    if key and _takes_key(entry) and not any(name.lower() in _KEY_HEADERS for name in headers):
        headers["Authorization"] = f"Bearer {key}"
    return headers


def _takes_key(entry: ServerEntry) -> bool:
    """Whether this is Context7, by name or by address. A key never crosses a network unencrypted."""
    parts = urlsplit(entry.url)
    host = (parts.hostname or "").lower()
    if parts.scheme != "https" and host not in ("localhost", "127.0.0.1", "::1"):
        return False
    return entry.name.lower() == "context7" or host == "context7.com" or host.endswith(".context7.com")
