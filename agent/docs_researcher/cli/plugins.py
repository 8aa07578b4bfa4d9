"""`docs-research plugins`: the plugin folders for Claude Code, Cursor and other hosts."""

from __future__ import annotations

from pathlib import Path

import click

from docs_researcher.cli.commands import PATH, DocsCommand, common_options
from docs_researcher.cli.output import Output
from docs_researcher.cli.routing import as_question
from docs_researcher.core.errors import UsageError

FOLDERS = ("claude", "cursor", "portable")


@click.command("plugins", cls=DocsCommand)
@click.argument("action", metavar="build|path")
@click.argument("host", metavar="[claude|cursor|portable]", required=False)
@click.option("--out", type=PATH, metavar="FOLDER", help="build: where to write; the current folder.")
@click.option("--check", is_flag=True, help="build: write nothing, and fail if a file differs.")
@click.option(
    "--launcher",
    type=click.Choice(["path", "uvx"]),
    default="path",
    help="build: how the server is started: docs-research on PATH, or the published package through uvx.",
)
@click.option(
    "--server",
    type=click.Choice(["own", "context7"]),
    default="own",
    help="build: our own server, or Context7's with its sign-in.",
)
@common_options
@click.pass_obj
def plugins_command(
    output: Output, action: str, host: str | None, out: Path | None, check: bool, launcher: str, server: str
) -> int:
    """Build the plugin folders, or tell where the built ones are.

    `plugins build` writes plugins/claude, plugins/cursor and plugins/portable and the marketplace files that list them.

    `plugins path claude` prints the folder that comes with this package:

    \b
      claude --plugin-dir "$(docs-research plugins path claude)"
    """  # noqa: D301 - click wants the character itself
    if action == "path" and host in FOLDERS:
        return _path(output, host or "")
    if action != "build" or host is not None:
        raise UsageError(
            f"`plugins` does not take these words: {' '.join(filter(None, (action, host)))}",
            why=f"its actions are build, and path with one of {', '.join(FOLDERS)}",
            next_step=f"If it was a question: {as_question(['plugins', action, *filter(None, [host])])}",
        )
    return _build(output, out or Path(), check, launcher, server)


def _path(output: Output, host: str) -> int:
    from importlib.resources import files

    folder = Path(str(files("docs_researcher.plugins"))) / host / "docs-researcher"
    if output.json:
        output.value({"path": str(folder)})
    else:
        output.text(str(folder))
    return 0


def _build(output: Output, root: Path, check: bool, launcher: str, server: str) -> int:
    from docs_researcher.hosts.folders import differences, write
    from docs_researcher.hosts.plugins import LAUNCHERS, SERVERS, Variant, build

    variant = Variant(LAUNCHERS[LAUNCHERS.index(launcher)], SERVERS[SERVERS.index(server)])  # pyright: ignore[reportArgumentType] -- click checked both
    tree = build(variant)
    found = differences(root, tree) if check else write(root, tree)
    failed = check and bool(found)
    if output.json:
        changes = [{"path": item.path, "change": item.kind} for item in found]
        output.value({"root": str(root), "files": len(tree), "up_to_date": not failed, "changes": changes})
        return int(failed)
    for item in found:
        output.text(str(item))
    if failed:
        output.note("Out of date: run docs-research plugins build")
    else:
        output.note(f"{len(tree)} files are up to date." if not found else f"{len(found)} of {len(tree)} files written.")
    return int(failed)
