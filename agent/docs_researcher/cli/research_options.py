"""The options of a research, in one table: `ask`, `serve`, `batch` and `eval` take what they need of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from docs_researcher.cli.commands import PATH

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "docs_from": {
        "metavar": "PLACE",
        "help": "Where documentation comes from: local (this machine's docsets), mcp (the same over MCP) or mcp:NAME (a "
        "configured server); auto asks what is installed, your servers and the registries in this order.  [default: auto]",
    },
    "model": {
        "metavar": "NAME",
        "help": "Who thinks: extractive (no key, no network), haiku, sonnet, opus or a model's id; auto is haiku when a key is "
        "set.  [default: auto]",
    },
    "agent": {"metavar": "NAME|FILE", "help": "Use this agent: a name out of `docs-research agents list`, or a file."},
    "answer_tokens": {
        "type": click.IntRange(min=100),
        "metavar": "N",
        "help": "The most tokens that an answer may have.",
    },
    "turns": {"type": click.IntRange(min=1), "metavar": "N", "help": "The most turns that the model may take."},
    "seconds": {"type": float, "metavar": "N", "help": "The most time that a question may take.  [default: 55]"},
    "strict_version": {"is_flag": True, "help": "Refuse instead of answering from another version."},
    "offline": {"is_flag": True, "help": "Never use the network; answer from what is installed."},
    "yes": {"is_flag": True, "help": "Allow every fetch without asking."},
    "config": {"type": PATH, "metavar": "FILE", "help": "Read this configuration instead of the user's."},
}


def research_options(*names: str, **changed: Mapping[str, Any]) -> Callable[[_Function], _Function]:
    """Add options of the table to a command, in this order; `changed` is what an option has otherwise there."""

    def add(function: _Function) -> _Function:
        for name in reversed(names):
            option = f"--{name.replace('_', '-')}"
            function = click.option(option, **{**_OPTIONS[name], **changed.get(name, {})})(function)
        return function

    return add
