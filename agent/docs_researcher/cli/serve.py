"""`docs-research serve`: the two documentation tools over MCP. stdout is the protocol, so there is no `--json`."""

from __future__ import annotations

import click

from docs_researcher.cli.commands import DocsCommand
from docs_researcher.cli.output import Output


@click.command("serve", cls=DocsCommand)
@click.option("--offline", is_flag=True, help="Never use the network; serve what is installed.")
@click.option("--quiet", is_flag=True, expose_value=False, help="No notices on stderr.")
@click.option("--debug", is_flag=True, expose_value=False, help="Show tracebacks and the log of libraries on stderr.")
@click.pass_obj
def serve_command(output: Output, offline: bool) -> int:
    """Serve the two documentation tools over MCP (stdio).

    An MCP client starts this command itself; at a terminal there is nothing to see.
    """
    from docs_researcher.server.stdio import serve_local

    output.note("Serving resolve-library-id and query-docs over stdio. Ctrl-C ends it.")
    serve_local(offline=offline)
    return 0
