"""The entry point of `docs-research`: streams, signals, errors and exit codes. What is done stands in the commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from docs_researcher.cli.commands import command_line, invoke
from docs_researcher.cli.failures import PROGRAM, report
from docs_researcher.cli.interrupts import catch_signals, leave_if_work_is_left
from docs_researcher.cli.output import Output

COMPLETION_VARIABLE = "_DOCS_RESEARCH_COMPLETE"
BROKEN_PIPE_EXIT = 141
"""What a shell reports for a program that was stopped because nobody read on."""


def main() -> NoReturn:
    """Run the command line and leave the process."""
    prepare_streams()
    output = Output.from_arguments(sys.argv[1:])
    catch_signals()
    _silence_libraries(output)
    code = run(sys.argv[1:])
    _leave(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code. Nothing is raised, whatever happens."""
    output = Output.from_arguments(arguments)
    try:
        if COMPLETION_VARIABLE in os.environ:
            return _complete()
        code = invoke(arguments, PROGRAM, output)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_stdout()
        return BROKEN_PIPE_EXIT
    except BaseException as error:  # the edge of the program: everything becomes a message and an exit code
        return _reported(error, output)
    return code


def _reported(error: BaseException, output: Output) -> int:
    try:
        code = report(error, output)
        sys.stdout.flush()
    except OSError as unwritable:
        _drop_stdout()
        return BROKEN_PIPE_EXIT if isinstance(unwritable, BrokenPipeError) else 1
    return code


def prepare_streams() -> None:
    """Make the standard streams usable: present, UTF-8 whatever the system's code page, and never failing on a character."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:  # started without it, as a windowed program or a daemon is
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 -- lives as long as the process
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _silence_libraries(output: Output) -> None:
    """Keep warnings and log lines of libraries off the user's screen, unless `--debug` asks for them."""
    if output.debug:
        import logging

        logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    elif not sys.warnoptions:
        import warnings

        warnings.simplefilter("ignore")


def _complete() -> int:
    """Answer the shell's question for completions."""
    from click.shell_completion import shell_complete

    return shell_complete(command_line, {}, PROGRAM, COMPLETION_VARIABLE, os.environ[COMPLETION_VARIABLE])


def _drop_stdout() -> None:
    """Send what is still buffered nowhere, so that the interpreter does not complain about it when it ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 -- lives as long as the process


def _leave(code: int) -> NoReturn:
    try:
        sys.stdout.flush()
    except OSError:
        _drop_stdout()
        code = code or 1
    leave_if_work_is_left(code)
    sys.exit(code)
