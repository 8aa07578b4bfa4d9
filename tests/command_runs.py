"""Commands run in process and piped, with what they printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from docs_researcher.cli.main import run


@dataclass(frozen=True, slots=True)
class Shown:
    """What one command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def value(self) -> Any:
        """The one JSON value on stdout."""
        return json.loads(self.out)


Run = Callable[..., Shown]


def runner(capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that runs one command by its arguments and returns what it alone printed."""

    def call(*arguments: str) -> Shown:
        capsys.readouterr()
        code = run(arguments)
        shown = capsys.readouterr()
        return Shown(code, shown.out, shown.err)

    return call
