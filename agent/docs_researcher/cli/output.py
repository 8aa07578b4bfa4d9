"""Where the command line writes: the result to stdout, everything else to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TextIO, cast

from docs_researcher.core.clean import clean


@dataclass(frozen=True, slots=True)
class Output:
    """How this run reports, read from the arguments before they are parsed, so that a usage error can follow it too."""

    json: bool = False
    """stdout holds exactly one JSON value, and nothing is ever asked."""
    quiet: bool = False
    """No progress, notices or usage line."""
    debug: bool = False
    """Tracebacks and the log of libraries on stderr."""

    @classmethod
    def from_arguments(cls, arguments: Sequence[str]) -> Output:
        """Read the three switches wherever they stand before a `--`."""
        switches = set(arguments[: arguments.index("--")] if "--" in arguments else arguments)
        return cls(json="--json" in switches, quiet="--quiet" in switches, debug="--debug" in switches)

    @property
    def talks(self) -> bool:
        """Whether progress and notices are shown."""
        return not (self.json or self.quiet)

    @property
    def may_ask(self) -> bool:
        """Whether a person sits at the other end who can be asked something."""
        return not self.json and is_terminal(sys.stdin) and is_terminal(sys.stdout) and is_terminal(sys.stderr)

    def value(self, value: object) -> None:
        """Write one JSON value to stdout."""
        sys.stdout.write(json.dumps(cleaned(value), ensure_ascii=False, indent=2) + "\n")

    def text(self, text: str) -> None:
        """Write text to stdout, with one line break at its end."""
        sys.stdout.write(clean(text).rstrip("\n") + "\n")

    def note(self, text: str) -> None:
        """Write one line to stderr, unless the user wants none."""
        if self.talks:
            complain(text)


def complain(text: str) -> None:
    """Write one line to stderr, whatever the switches say."""
    sys.stderr.write(one_line(text) + "\n")
    sys.stderr.flush()


def one_line(text: str) -> str:
    """`text` made safe to show, with every run of white space turned into one space."""
    return " ".join(clean(text).split())


def counted(count: int, thing: str) -> str:
    """How many of a thing, in words: `1 page`, `1,234 pages`."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def cleaned(value: Any) -> Any:
    """A JSON value with every text in it made safe to show."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return {clean(key): cleaned(item) for key, item in items}
    if isinstance(value, (list, tuple)):
        return [cleaned(item) for item in cast("Sequence[Any]", value)]
    return value


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal. A closed or missing stream is none."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False
