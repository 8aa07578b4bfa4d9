"""What a user sees of an error: three short lines, or one JSON value; a traceback only with `--debug`."""

from __future__ import annotations

import errno
import re
import traceback
from dataclasses import dataclass

import click

from docs_researcher.cli.interrupts import Terminated
from docs_researcher.cli.output import Output, complain, one_line
from docs_researcher.core.answer import EXIT_CODES
from docs_researcher.core.errors import DocsResearchError

PROGRAM = "docs-research"
USAGE_EXIT = 2
INTERRUPTED_EXIT = 130


_OUT_OF_RANGE = re.compile(r"(?P<given>\S+) is not in the range (?:(?P<low>-?\d+)<=)?x(?:>=(?P<least>-?\d+)|<=(?P<high>-?\d+))?$")


@dataclass(frozen=True, slots=True)
class Failure:
    """An error as it is shown: what happened, why, what to do next, and how the process ends."""

    code: str
    what: str
    why: str
    next_step: str
    exit_code: int
    status: str = "failed"

    def to_dict(self) -> dict[str, object]:
        """The error as the JSON value of `--json`."""
        message = f"{self.what}: {self.why}" if self.why else self.what
        error = {"code": self.code, "message": one_line(message), "next": one_line(self.next_step)}
        return {"status": self.status, "error": error}


def failure_of(error: BaseException) -> Failure:
    """The failure that an exception is shown as."""
    if isinstance(error, DocsResearchError):
        return Failure(error.code, error.what, error.why, error.next_step, error.exit_code, error.status)
    if isinstance(error, click.ClickException):
        return _usage(error)
    if isinstance(error, Terminated):
        return Failure("interrupted", "Stopped", "the process was told to end", "", error.exit_code)
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        return Failure("interrupted", "Interrupted", "", "", INTERRUPTED_EXIT)
    if isinstance(error, OSError):
        return _system(error)
    return Failure(
        "internal",
        "Something went wrong inside docs-researcher",
        f"{type(error).__name__}: {error}",
        "Run the same command with --debug and report what it prints.",
        1,
    )


def _usage(error: click.ClickException) -> Failure:
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = context.command_path if context is not None else PROGRAM
    why = _OUT_OF_RANGE.sub(_in_words, error.format_message().strip().rstrip("."))
    next_step = f"See `{command} --help`. A question that holds dashes or a command's name goes in quotes."
    return Failure("usage", "These arguments cannot be used", why, next_step, USAGE_EXIT)


def _in_words(match: re.Match[str]) -> str:
    """What click says of a whole number that is out of range (`5 is not in the range x>=100`), for a reader."""
    low, high = match["low"] or match["least"], match["high"]
    allowed = f"from {low} to {high}" if low and high else f"of at least {low}" if low else f"of at most {high}"
    return f"{match['given']} cannot be used; it takes a whole number {allowed}"


def _system(error: OSError) -> Failure:
    place = f": {error.filename}" if error.filename else ""
    reason = f"{error.strerror or error}{place}"
    if error.errno == errno.ENOSPC:
        return Failure("no_space", "There is no room left to write to", reason, "Free some space and run it again.", 1)
    return Failure("system", "The system refused an operation", reason, "Check the path and its permissions.", 1)


def code_of_many(done: int, failed: int) -> int:
    """The exit code of a command that does the same for many things: 0 if none failed, 4 if some did, 1 if none was done."""
    return 0 if not failed else EXIT_CODES["partial" if done else "failed"]


def report(error: BaseException, output: Output) -> int:
    """Show an error and return the exit code that it ends with."""
    failure = failure_of(error)
    if output.debug:
        traceback.print_exception(error)
    if output.json:
        output.value(failure.to_dict())
    if not output.json or failure.code == "internal":
        _three_lines(failure)
    return failure.exit_code


def _three_lines(failure: Failure) -> None:
    complain(f"Error: {failure.what}" if failure.code != "interrupted" else f"{failure.what}.")
    if failure.why and failure.code != "interrupted":
        complain(f"Why: {failure.why}")
    if failure.next_step:
        complain(f"Next: {failure.next_step}")
