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
    if settings.tokens is not None:
        from docs_researcher.server.http.tokens import TokenFile

        if not TokenFile(settings.tokens).tokens():
            complain(f"{settings.tokens} holds no tokens yet, so nobody is answered: docs-research token create NAME")
    elif not is_local:
        complain(f"Everybody who reaches {settings.host} is answered. Start with --tokens to ask for a token.")

    def told(address: str) -> None:
        output.note(f"MCP at {address}/mcp, the API at {address}/api. Ctrl-C ends it.")

    serve_http(settings, replace(backend, shares_files=is_local and settings.tokens is None), told)
    return 0
