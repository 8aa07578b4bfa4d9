"""`docs-research completion`: the script that teaches a shell our commands and options."""

from __future__ import annotations

import click

from docs_researcher.cli.commands import DocsCommand, command_line, common_options
from docs_researcher.cli.output import Output

NAMES = ("docs-research", "docs-researcher")
"""The two names that the command is installed under."""


@click.command("completion", cls=DocsCommand)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@common_options
@click.pass_obj
def completion_command(output: Output, shell: str) -> int:
    """Print the completion script of a shell.

    \b
    Put it where your shell reads it:
      bash  eval "$(docs-research completion bash)"           in ~/.bashrc
      zsh   eval "$(docs-research completion zsh)"            in ~/.zshrc
      fish  docs-research completion fish > ~/.config/fish/completions/docs-research.fish
    """  # noqa: D301 - click wants the character itself
    from click.shell_completion import get_completion_class

    from docs_researcher.cli.main import COMPLETION_VARIABLE

    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 -- the choices above are the ones that click has
    script = "\n".join(kind(command_line, {}, name, COMPLETION_VARIABLE).source() for name in NAMES)
    if output.json:
        output.value({"shell": shell, "script": script})
    else:
        output.text(script)
    return 0
