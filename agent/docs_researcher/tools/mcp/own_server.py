"""Our own MCP server as a child process: the local docsets, read through the protocol."""

from __future__ import annotations

import sys

from docs_researcher.core.events import Listener, ignore
from docs_researcher.docsets.acquiring.acquire import FetchPolicy
from docs_researcher.tools.mcp.provider import McpProvider


def own_server(policy: FetchPolicy, *, result_tokens: int, listener: Listener = ignore) -> McpProvider:
    """A provider that starts `docs-research serve` with this policy and this size of results.

    The child cannot ask anybody, so `policy.confirm` does not reach it; what the asker named by purl does.
    """
    args = ["-m", "docs_researcher", "serve", "--quiet", "--result-tokens", str(result_tokens)]
    args += ["--offline"] if policy.offline else []
    args += ["--yes"] if policy.yes else []
    args += ["--strict-version"] if policy.strict_version else []
    args += ["--named", policy.named] if policy.named else []
    # Its instructions are for hosts that have to be told when to ask it; here the agent definition says that.
    return McpProvider("docs-research serve", sys.executable, args, listener=listener, max_tokens=result_tokens, tells=False)
