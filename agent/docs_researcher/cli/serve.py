"""`docs-research serve`: the two documentation tools over MCP. stdout is the protocol, so there is no `--json`."""

from __future__ import annotations

from typing import Any

import click

from docs_researcher.cli.commands import DocsCommand
from docs_researcher.cli.output import Output, is_terminal


@click.command("serve", cls=DocsCommand)
@click.option("--offline", is_flag=True, help="Never use the network; serve what is installed.")
@click.option("--yes", is_flag=True, help="Allow the fetch of packages that are not in the catalogue.")
@click.option("--named", metavar="PACKAGE", help="Allow the fetch of this one package (npm:NAME, pypi:NAME, or a purl).")
@click.option("--strict-version", is_flag=True, help="Refuse instead of answering from another version.")
@click.option("--result-tokens", type=click.IntRange(min=200), metavar="N", help="The most tokens of one query-docs result.")
@click.option("--quiet", is_flag=True, expose_value=False, help="No notices on stderr.")
@click.option("--debug", is_flag=True, expose_value=False, help="Show tracebacks and the log of libraries on stderr.")
@click.pass_obj
def serve_command(output: Output, result_tokens: int | None, **policy: Any) -> int:
    """Serve the two documentation tools over MCP (stdio).

    An MCP client starts this command itself; at a terminal there is nothing to see.
    """
    import asyncio
    import sys

    from docs_researcher.cli.progress import Narrator
    from docs_researcher.docsets.acquire import FetchPolicy
    from docs_researcher.docsets.store import Store
    from docs_researcher.library.catalogue import Catalogue
    from docs_researcher.server.stdio import serve_stdio
    from docs_researcher.tools.local import RESULT_TOKENS, LocalProvider

    if is_terminal(sys.stdin):
        output.note("Serving MCP on stdin and stdout. Ctrl-C ends it.")
    provider = LocalProvider(
        Store(),
        Catalogue.load(),
        policy=FetchPolicy(**policy),
        listener=Narrator(output),
        result_tokens=result_tokens or RESULT_TOKENS,
    )
    asyncio.run(serve_stdio(provider))
    return 0
