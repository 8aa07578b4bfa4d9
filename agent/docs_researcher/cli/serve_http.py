"""`docs-research serve --http`: what is said at the start, and the server itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docs_researcher.cli.output import Output, complain
from docs_researcher.cli.serve import POLICY
from docs_researcher.server.http.backend import LocalBackend
from docs_researcher.server.http.guard import LOOPBACK
from docs_researcher.server.http.run import serve_http
from docs_researcher.server.http.settings import HttpSettings


def serve_over_http(output: Output, settings: HttpSettings, flags: Mapping[str, Any], research: Mapping[str, Any]) -> int:
    """Serve until SIGTERM or Ctrl-C. `flags` are those of `serve`, `research` those of them that are settings of the research.

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

    backend = LocalBackend(
        policy={name: flags[name] for name in POLICY},
        result_tokens=flags["result_tokens"],
        tools=flags["tools"],
        flags=research,
        config=flags["config"],
        shares_files=is_local and settings.tokens is None,
    )
    serve_http(settings, backend, told)
    return 0
