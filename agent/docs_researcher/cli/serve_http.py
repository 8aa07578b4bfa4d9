"""`docs-research serve --http`: what is said at the start, and the server itself."""

from __future__ import annotations

from dataclasses import replace

from docs_researcher.cli.output import Output, complain
from docs_researcher.server.http.backend import LocalBackend
from docs_researcher.server.http.guard import LOOPBACK
from docs_researcher.server.http.run import serve_http
from docs_researcher.server.http.settings import HttpSettings


def serve_over_http(output: Output, settings: HttpSettings, backend: LocalBackend) -> int:
    """Serve until SIGTERM or Ctrl-C. Only callers who need no token and sit at this machine may name paths on it.

    Raises:
        UsageError: the address cannot be listened on.
        ConfigurationError: the file of tokens cannot be used.
    """
    is_local = settings.host in LOOPBACK
    warning = _warning(settings, is_local)

    def told(address: str) -> None:
        if warning:
            complain(warning)
        output.note(f"MCP at {address}/mcp, the API at {address}/api. Ctrl-C ends it.")

    serve_http(settings, replace(backend, shares_files=is_local and settings.tokens is None), told)
    return 0


def _warning(settings: HttpSettings, is_local: bool) -> str:
    """What is to be known about who will be answered; empty where that is plain."""
    if settings.tokens is None:
        return "" if is_local else f"Everybody who reaches {settings.host} is answered. Start with --tokens to ask for a token."
    from docs_researcher.server.http.tokens import TokenFile

    none_yet = f"{settings.tokens} holds no tokens yet, so nobody is answered: docs-research token create NAME"
    return "" if TokenFile(settings.tokens).tokens() else none_yet
