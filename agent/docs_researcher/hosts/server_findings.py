"""What `doctor` finds out about MCP servers: which of them start, how long they take, and which tools they have."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from docs_researcher.core.errors import DocsResearchError
from docs_researcher.hosts.clients import COMMAND
from docs_researcher.hosts.findings import Finding
from docs_researcher.tools.servers.configured import Configured, configured_servers
from docs_researcher.tools.servers.entries import Origin, ServerEntry

START_SECONDS = 30.0
"""A server that has not listed its tools by then is reported; hosts give up at about the same time."""
OURS = frozenset({COMMAND, "docs-researcher"})
"""The names of our command."""
AREA = "servers"


def server_findings() -> list[Finding]:
    """Start our own server, the servers of our configuration and ours in the files of hosts, all at once; list the others.

    A server of somebody else's configuration is not started: that is for the program that it was configured for.
    """
    found: list[Finding] = []
    try:
        configured = configured_servers()
    except DocsResearchError as error:
        found.append(Finding(AREA, "error", error.message, error.next_step))
        configured = Configured(())
    for file in configured.skipped:
        fix = "Correct the file; other programs may not read it either. Nothing was changed."
        found.append(Finding(AREA, "warning", f"skipped {file.path}: {file.reason}", fix))
    started = [_own(), *(entry for entry in configured.entries if _is_started(entry))]
    found += asyncio.run(_looked_at(started))
    others = [entry.name for entry in configured.entries if not _is_started(entry)]
    if others:
        fix = f"{COMMAND} mcp tools NAME looks at one of them."
        found.append(Finding(AREA, "note", f"not started, being of other programs or switched off: {', '.join(others)}", fix))
    return found


def _own() -> ServerEntry:
    """Our server as this very installation starts it, whatever is on the PATH."""
    origin = Origin(Path(sys.executable), "own", "docs-researcher")
    args = ("-m", "docs_researcher", "serve", "--quiet")
    return ServerEntry("this installation", origin, command=sys.executable, args=args)


def _is_started(entry: ServerEntry) -> bool:
    ours = entry.origin.scope == "own" or Path(entry.command).name in OURS
    return ours and not entry.disabled


async def _looked_at(entries: Sequence[ServerEntry]) -> list[Finding]:
    return list(await asyncio.gather(*(_look(entry) for entry in entries)))


async def _look(entry: ServerEntry) -> Finding:
    from docs_researcher.tools.mcp.look import look_at_tools
    from docs_researcher.tools.mcp.tap import Recorder
    from docs_researcher.tools.servers.providers import target_of

    began = time.perf_counter()
    try:
        looked = look_at_tools(target_of(entry), Recorder(), connect_seconds=entry.connect_seconds)
        tools = (await asyncio.wait_for(looked, START_SECONDS)).tools
    except DocsResearchError as error:
        return Finding(AREA, "error", f"{entry.name} ({entry.origin}) does not start: {error.message}", _fix(entry, error))
    except TimeoutError:
        text = f"{entry.name} ({entry.origin}) has not listed its tools after {START_SECONDS:g} s"
        return Finding(AREA, "error", text, f"{COMMAND} mcp tools {entry.name} shows what it is waiting for.")
    names = ", ".join(str(tool.get("name")) for tool in tools)
    return Finding(AREA, "ok", f"{entry.name} ({entry.origin}) listed its tools in {time.perf_counter() - began:.1f} s: {names}")


def _fix(entry: ServerEntry, error: DocsResearchError) -> str:
    return error.next_step or f"{COMMAND} mcp tools {entry.name} shows every message; correct its entry in {entry.origin}."
