"""Configured servers as providers of documentation."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import ConfigurationError
from docs_researcher.core.events import Listener, ignore
from docs_researcher.tools.base import DocsProvider
from docs_researcher.tools.servers.configured import configured_servers, our_servers
from docs_researcher.tools.servers.entries import ServerEntry

if TYPE_CHECKING:
    from docs_researcher.tools.mcp.link import Target
    from docs_researcher.tools.mcp.provider import McpProvider
    from docs_researcher.tools.server_memory import Memory

KEY_VARIABLE = "CONTEXT7_API_KEY"
_KEY_HEADERS = {"authorization", "context7-api-key", "x-context7-api-key", "context7_api_key", "x-api-key", "x_api_key"}


def provider_for(entry: ServerEntry, listener: Listener = ignore, *, memory: Memory | None = None) -> McpProvider:
    """A provider over this server, which is started or contacted with the first call.

    In `memory` it is kept how the server is spoken to.

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
        max_tokens=FOREIGN_TOKENS,
        memory=memory,
    )


def provider_named(name: str, listener: Listener = ignore, *, cache_folder: Path | None = None) -> DocsProvider:
    """The provider for the server that is configured under this name; its results are kept in `cache_folder`, if there is one.

    Raises:
        UsageError, ConfigurationError, ConsentRequired: as `Configured.find`.
    """
    return _kept(configured_servers().find(name), listener, cache_folder)


def in_order(
    installed: DocsProvider, fetching: DocsProvider, listener: Listener = ignore, *, cache_folder: Path | None = None
) -> DocsProvider:
    """What is installed, then the servers of our configuration, then what can be fetched; without such servers `fetching` alone.

    A server that is configured in a way that cannot work is left out, with a notice.

    Raises:
        ConfigurationError: our configuration file cannot be read.
    """
    entries = our_servers()
    if not entries:
        return fetching
    from docs_researcher.tools.ordered import UNAVAILABLE, OrderedProvider

    servers: list[DocsProvider] = []
    notices: list[Notice] = []
    for entry in entries:
        try:
            servers.append(_kept(entry, listener, cache_folder))
        except ConfigurationError as error:
            notices.append(Notice(UNAVAILABLE, f"{error.message}. {error.next_step}".strip()))
    return OrderedProvider(installed=installed, servers=servers, fetching=fetching, notices=notices)


def _kept(entry: ServerEntry, listener: Listener, cache_folder: Path | None) -> DocsProvider:
    if cache_folder is None:
        return provider_for(entry, listener)
    from docs_researcher.tools.cache import FILE_NAME, CachedProvider
    from docs_researcher.tools.result_store import ResultStore
    from docs_researcher.tools.server_memory import StoredMemory

    store, identity = ResultStore(cache_folder / FILE_NAME), _identity(entry)
    provider = provider_for(entry, listener, memory=StoredMemory(store, identity))
    return CachedProvider(provider, store, identity=identity)


def _identity(entry: ServerEntry) -> str:
    """What tells this server, with these credentials, from every other: results of one are never shown for another."""
    values = [entry.name, entry.command, entry.args, sorted(entry.env.items()), entry.cwd, entry.url]
    values.append(sorted(headers_of(entry, os.environ).items()))
    return hashlib.sha256(repr(values).encode()).hexdigest()


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
    from docs_researcher.tools.mcp.signing import stored_login

    headers = headers_of(entry, os.environ)
    signed = any(name.lower() == "authorization" for name in headers)
    auth = None if signed else stored_login(entry.url)
    if entry.event_stream:
        from docs_researcher.tools.mcp.event_stream import EventStreamEndpoint

        return EventStreamEndpoint(entry.name, entry.url, headers, str(entry.origin), entry.shown, auth)
    return HttpEndpoint(entry.name, entry.url, headers, str(entry.origin), entry.shown, auth)


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
