"""`docs-research serve`: documentation and research for coding agents, over MCP. stdout is the protocol: there is no `--json`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from docs_researcher.cli.asking import check_named
from docs_researcher.cli.commands import DocsCommand
from docs_researcher.cli.http_options import http_options, http_settings
from docs_researcher.cli.output import Output, is_terminal
from docs_researcher.cli.research_options import research_options

if TYPE_CHECKING:
    from docs_researcher.server.log import LogLevel
    from docs_researcher.server.opening import Opening
    from docs_researcher.server.tools import ToolChoice

SETTINGS = ("model", "agent", "answer_tokens", "turns", "seconds")
"""The flags that are settings of the research."""
POLICY = ("offline", "yes", "strict_version")
"""The flags that say what may be fetched."""


@click.command("serve", cls=DocsCommand)
@click.option(
    "--tools",
    type=click.Choice(["research", "context7", "context", "all"]),
    default="all",
    show_default=True,
    help="What to offer: research (research-library-docs), context7 (resolve-library-id and query-docs), context (get_docs).",
)
@research_options(
    *SETTINGS,
    "config",
    *POLICY,
    model={"help": "Who thinks in research-library-docs, as in `ask`.  [default: extractive]"},
    yes={"help": "Allow the fetch of packages that are not in the catalogue."},
)
@click.option("--named", metavar="PACKAGE", help="Allow the fetch of this one package (npm:NAME, pypi:NAME, or a purl).")
@click.option("--result-tokens", type=click.IntRange(min=200), metavar="N", help="The most tokens of one query-docs result.")
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="Write a log to stderr; debug writes each request and response.  [default: warning]",
)
@http_options
@click.option("--quiet", is_flag=True, expose_value=False, help="No notices on stderr.")
@click.option("--debug", is_flag=True, expose_value=False, help="The same as --log-level debug.")
@click.pass_obj
def serve_command(output: Output, **flags: Any) -> int:
    """Serve documentation and research over MCP (stdio, or --http).

    Over stdio an MCP client starts this command itself; at a terminal there is nothing to see. With --http it serves MCP at
    /mcp and Context7's API at /api, to this machine alone unless told otherwise.
    """
    log_level = "debug" if output.debug else flags["log_level"] or "warning"
    research = {name: flags[name] for name in SETTINGS}
    policy = {name: flags[name] for name in (*POLICY, "named")}
    check_named(flags, _project(flags))  # a host shows little of what a call says later
    http = http_settings(flags, quiet=output.quiet, log_level=log_level)
    if http is not None:
        from docs_researcher.cli.serve_http import serve_over_http
        from docs_researcher.server.http.backend import LocalBackend

        backend = LocalBackend(policy, flags["result_tokens"], flags["tools"], research, flags["config"])
        return serve_over_http(output, http, backend)
    import sys

    from docs_researcher.server.opening import open_connection

    if is_terminal(sys.stdin):
        output.note("Serving MCP on stdin and stdout. Ctrl-C ends it.")
    opening = open_connection(flags, kept=log_level != "debug")  # a debugged server makes and logs every answer itself
    if opening.is_enough():
        return 0
    import asyncio

    offered = {**policy, "result_tokens": flags["result_tokens"], "flags": research, "config": flags["config"]}
    asyncio.run(_serve(output, opening, flags["tools"], offered, log_level))
    return 0


def _project(flags: Mapping[str, Any]) -> Path | None:
    """The project whose agents `--agent` may name; not looked for without it, since a host waits for the start."""
    if flags["agent"] is None:
        return None
    from docs_researcher.server.research_tool import host_project

    return host_project()


async def _serve(output: Output, opening: Opening, tools: ToolChoice, offered: Mapping[str, Any], level: LogLevel) -> None:
    from docs_researcher.cli.progress import Narrator
    from docs_researcher.server.log import log_to_stderr
    from docs_researcher.server.service import Service
    from docs_researcher.server.stdio import Connection, Served, serve_stdio

    log_to_stderr(level)
    service = Service(**offered, listener=Narrator(output))
    try:
        connection = Connection(opening.reader, opening.writer, opening.first, opening.listed)
        await serve_stdio(Served(service.provider, tools, service.research, service.docsets), connection)
    finally:
        await service.aclose()
