"""`docs-research token`: who may use a server that was started with `--tokens`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from docs_researcher.cli.commands import DocsCommand, common_options
from docs_researcher.cli.output import Output
from docs_researcher.cli.routing import as_question
from docs_researcher.core.errors import UsageError

if TYPE_CHECKING:
    from docs_researcher.server.http.tokens import TokenFile

ACTIONS = ("create", "list", "revoke")


@click.command("token", cls=DocsCommand)
@click.argument("action", metavar="create|list|revoke")
@click.argument("names", metavar="[NAME]", nargs=-1)
@click.option(
    "--docset", "docsets", metavar="ID", multiple=True, help="create: a library that it may see, else all (repeatable)."
)
@click.option("--tokens", metavar="FILE", help="The file of tokens, else the one in the folder of docsets.")
@common_options
@click.pass_obj
def token_command(output: Output, action: str, names: tuple[str, ...], docsets: tuple[str, ...], tokens: str | None) -> int:
    """Make, list and revoke the tokens of a server that asks for one.

    They count where `serve --http` was started with --tokens. `token create NAME` prints the new token on stdout, this once: the
    file holds only its hash. With --docset it may see only those libraries (/owner/project, or /owner/project/version). A
    running server notices a token that is revoked.
    """
    if action not in ACTIONS:
        raise UsageError(
            f"`token` has no action {action!r}",
            why=f"its actions are {', '.join(ACTIONS)}",
            next_step=f"If it was a question: {as_question(['token', action, *names])}",
        )
    if len(names) != (0 if action == "list" else 1) or (docsets and action != "create"):
        takes = {"create": "a name, and --docset", "list": "nothing", "revoke": "a name"}[action]
        raise UsageError(f"`token {action}` takes {takes}", next_step="See `docs-research token --help`.")
    from docs_researcher.cli.http_options import token_file
    from docs_researcher.server.http.tokens import TokenFile

    file = TokenFile(token_file(tokens, may_be_new=action == "create"))
    if action == "list":
        return _list(output, file)
    if action == "create":
        return _create(output, file, names[0], docsets)
    revoked = file.revoke(names[0])
    if output.json:
        output.value({"revoked": revoked.name})
    output.note(f"{revoked.name} is revoked.")
    return 0


def _create(output: Output, file: TokenFile, name: str, docsets: tuple[str, ...]) -> int:
    text = file.create(name, docsets)
    if output.json:
        output.value({"name": name, "token": text, "docsets": list(docsets) or None})
    else:
        output.text(text)
    output.note(f"Kept as a hash in {file.path}; the token is not shown again. Send it as: Authorization: Bearer TOKEN")
    return 0


def _list(output: Output, file: TokenFile) -> int:
    known = file.tokens()
    if output.json:
        output.value([{"name": token.name, "created": token.created, "docsets": token.docsets} for token in known])
        return 0
    if not known:
        output.note(f"There are no tokens in {file.path}.")
    width = max((len(token.name) for token in known), default=0)
    for token in known:
        output.text(f"{token.name.ljust(width)}  {token.created}  {', '.join(token.docsets or ('all docsets',))}")
    return 0
