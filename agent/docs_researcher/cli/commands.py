"""The command group: every command in a module of its own, imported when it is used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from docs_researcher.cli.output import Output
from docs_researcher.cli.routing import ASK, as_question, lacks_value, options_first, route
from docs_researcher.core.errors import UsageError

COMMANDS: dict[str, str] = {
    "ask": "Ask a question and get one short, cited answer.",
    "add": "Install the documentation of a package, a repository, a folder, a file, a site, or of a whole project.",
    "list": "List the installed documentation.",
    "show": "Show what is known about one installed library.",
    "search": "Search one installed library.",
    "vectors": "Let an installed library be searched by meaning too.",
    "identify": "Show which library and version a question is about.",
    "outline": "List the pages of an installed library with their headings.",
    "get": "Print one page of an installed library, or a section of it.",
    "remove": "Remove the documentation of a library.",
    "outdated": "List the installed libraries that have a newer release.",
    "update": "Bring an installed library, or all, up to date, with the options that it was added with.",
    "export": "Copy an installed docset to a folder or a .db file.",
    "verify": "Check the files of the installed documentation.",
    "batch": "Ask every question of a file and write one result a line.",
    "eval": "Ask the questions of a file whose answers are known, and score the answers.",
    "agents": "List the agents that --agent can name, or check their files.",
    "trace": "Show the transcript of a run as a timeline.",
    "mcp": "List the configured MCP servers, look into one, call its tools.",
    "auth": "Sign in to an MCP server, out of it, or see whether you are.",
    "serve": "Serve documentation and research over MCP (stdio, or --http).",
    "token": "Make, list and revoke the tokens of a server that asks for one.",
    "setup": "Make docs-researcher known to Claude Code, Cursor, VS Code or Codex.",
    "doctor": "Check the installation, the servers and every host, and say how to mend what is wrong.",
    "plugins": "Build the plugin folders, or tell where the built ones are.",
    "completion": "Print the completion script of a shell.",
}
"""Every command with its one line of help, so that the list is shown without importing them. A test compares the two."""

ABOUT = """\
Ask a question about a library and get one short answer with its sources, read from the library's documentation.

\b
Examples:
  docs-research "How do I set up auth in Next.js 15?"
  docs-research add ./docs --name relay
  docs-research "How do I sign a request?" --library relay
"""

EPILOG = """\
Exit codes: 0 answered, 1 failed, 2 wrong arguments, 3 not found, 4 partial answer, 5 a question back, 6 refused,
130 interrupted. Of a command that does one thing for many: 4 when some of it failed. `docs-research COMMAND --help` tells more.
"""

PKG_VERSION = "--pkg-version"
"""The option of `add` that many write as `--version`."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


class _Path(click.Path):
    """A path on this machine. An empty one, which would mean the current folder, is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value as a `Path`."""
        if isinstance(value, str) and not value.strip():
            self.fail("it is empty, which is often a variable that is not set", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Path(path_type=Path)
"""The type of every argument and option that is a path."""


def common_options(function: _Function) -> _Function:
    """Add `--json`, `--quiet` and `--debug`. They are read from the raw arguments (`Output`), so that errors follow them."""
    for name, text in (
        ("--debug", "Show tracebacks and the log of libraries on stderr."),
        ("--quiet", "No progress, notices or usage line on stderr."),
        ("--json", "Print one JSON value, whatever the exit code, and ask nothing."),
    ):
        function = click.option(name, is_flag=True, expose_value=False, help=text)(function)
    return function


class DocsCommand(click.Command):
    """A command whose options may stand anywhere, and whose quoted words may begin with a dash."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the options first, and refuse words that the command does not take with the question they may have been."""
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        options, words = options_first(self._with_values(args), self.value_options())
        if "--version" in options and PKG_VERSION in self.value_options():
            raise UsageError(
                "`--version` tells which docs-researcher this is",
                next_step=f"Write the version that the documentation is for as {PKG_VERSION} VERSION.",
            )
        unknown = any(option.startswith("--") and option.partition("=")[0] not in self._known_options(ctx) for option in options)
        if unknown or lacks_value(options, self.value_options()):  # before a word is taken for one too many, or for a value
            return super().parse_args(ctx, options)
        room = self._words_taken()
        if room is not None and len(words) > room and "--help" not in options:
            raise UsageError(
                f"`{self.name}` is a command and does not take these words: {' '.join(words[room:])}",
                why=f"it takes {_counted(room)}",
                next_step=f"If it was a question: {as_question([self.name or '', *words])}",
            )
        return super().parse_args(ctx, [*options, "--", *words] if words else options)

    def _known_options(self, ctx: click.Context) -> set[str]:
        names = (name for parameter in self.get_params(ctx) for name in (*parameter.opts, *parameter.secondary_opts))
        return {name for name in names if name.startswith("-")}

    def value_options(self) -> set[str]:
        """The options that take a value."""
        options = [parameter for parameter in self.params if isinstance(parameter, click.Option)]
        return {name for option in options if not option.is_flag for name in option.opts}

    def _with_values(self, args: list[str]) -> list[str]:
        """The arguments with a value behind every option that may stand alone, so that the next option is not taken for it."""
        optional = {
            name: option.flag_value
            for option in self.params
            if isinstance(option, click.Option) and not option.is_flag and isinstance(option.flag_value, str)
            for name in option.opts
        }
        filled: list[str] = []
        for argument, following in zip_longest(args, args[1:], fillvalue="--"):
            filled.append(argument)
            if argument in optional and following.startswith("-"):
                filled.append(optional[argument])
        return filled

    def _words_taken(self) -> int | None:
        """How many words the command takes; None if any number."""
        sizes = [parameter.nargs for parameter in self.params if isinstance(parameter, click.Argument)]
        return None if -1 in sizes else sum(sizes)


def _counted(room: int) -> str:
    return {0: "none", 1: "one"}.get(room, f"at most {room}; put words that belong together in quotes")


class DocsGroup(click.Group):
    """`docs-research`: a question, or a command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, the most used first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command's module and return the command; None if there is none of that name."""
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command's name first, `ask` for a question."""
        if not ctx.resilient_parsing:
            if args and args[0] not in COMMANDS:
                from docs_researcher.cli.misspelt import refuse_misspelt

                refuse_misspelt(args, COMMANDS)
            args = route(args, COMMANDS, lambda: load_command(ASK).value_options())
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Both forms: a question, or a command."""
        formatter.write_usage(ctx.command_path, "QUESTION [OPTIONS]")
        formatter.write_usage(ctx.command_path, "COMMAND [OPTIONS] ...", prefix=" " * len("Usage: "))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, then the options of a question."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        options = [option for option in load_command(ASK).params if isinstance(option, click.Option)]
        records = [option.get_help_record(ctx) for option in [*options, *self.get_params(ctx)]]
        with formatter.section("Options of a question"):
            formatter.write_dl([record for record in records if record is not None])


def load_command(name: str) -> DocsCommand:
    """Import the command of that name; its module and its function carry the same name."""
    module = import_module(f"docs_researcher.cli.{name}")
    return cast(DocsCommand, getattr(module, f"{name}_command"))


def _show_version(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from docs_researcher import __version__

        output: Output = ctx.obj
        if output.json:
            output.value({"version": __version__})
        else:
            output.text(f"docs-researcher {__version__}")
        ctx.exit()


@click.command(
    cls=DocsGroup, help=ABOUT, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Print the version.")
def command_line() -> None:
    """The group that a question or a command is looked up in; `ABOUT` is its help."""


def invoke(arguments: Sequence[str], prog_name: str, output: Output) -> int:
    """Parse and run. Returns the exit code; every error is raised."""
    try:
        with command_line.make_context(prog_name, list(arguments), obj=output) as context:
            code = command_line.invoke(context)
    except click.exceptions.NoArgsIsHelpError as shown:
        click.echo(shown.ctx.get_help() if shown.ctx else "")
        return 0
    except click.exceptions.Exit as ended:
        return ended.exit_code
    return code if isinstance(code, int) else 0
