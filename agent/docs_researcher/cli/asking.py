"""What is asked with: the flags over the settings. And what is asked back at the terminal, never with `--json` or when piped."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from docs_researcher.cli.output import one_line
from docs_researcher.core.answer import Needs, Notice
from docs_researcher.core.errors import ConfigurationError, DefinitionError, UsageError
from docs_researcher.core.library_id import find_ids


def settled(flags: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Notice, ...]]:
    """The options of a question: its flags where they were given, else what the configuration and the environment settle.

    With them comes what the configuration says in vain.

    Raises:
        ConfigurationError: a configuration file that no flag names, or a variable, cannot be used.
        UsageError: a flag cannot be what it says, or names a file or an agent that is not there or cannot be used.
    """
    from docs_researcher.definition.places import CONFIG_VARIABLE
    from docs_researcher.runtime.settings import LIMIT_KEYS, TOP_KEYS, load_settings

    check_named(flags)
    if flags["config"] is not None:  # as if the variable named it, so that servers are read from it too, by our children as well
        os.environ[CONFIG_VARIABLE] = str(flags["config"].absolute())
    settings = load_settings().with_flags(flags)
    others = {name: value for name, value in flags.items() if name not in {"config", *TOP_KEYS, *LIMIT_KEYS}}
    options = {
        **others,
        "model": settings.model or "auto",
        "docs_from": settings.docs_from or "auto",
        "answer_tokens": settings.answer_tokens,
        "offline": bool(settings.offline),
        "strict_version": bool(settings.strict_version),
        "server_notes": settings.server_notes is not False,
        "agent": settings.agent,
        "limits": settings.limits,
        "prices": settings.prices,
        "disk_mb": settings.disk_mb,
    }
    return options, tuple(Notice("configuration", text) for text in settings.notices)


def check_named(flags: Mapping[str, Any], project: Path | None = None) -> None:
    """That the configuration, the agent and the model that flags name are there. Only what was named is read.

    `project` is the folder whose agents a name may mean, else the current one.

    Raises:
        UsageError: one of them is not, or cannot be used: what the command line names is wrong, and not what it does.
    """
    try:
        if flags["config"] is not None:
            from docs_researcher.runtime.settings import check_config

            check_config(flags["config"])
        if flags["agent"] is not None:
            from docs_researcher.definition.folders import find_agent

            find_agent(flags["agent"], project)
    except (ConfigurationError, DefinitionError) as error:
        raise UsageError(error.what, why=error.why, next_step=error.next_step) from error
    if flags["model"] is not None:
        from docs_researcher.runtime.model_choice import check_model

        check_model(flags["model"])


def confirm(sentence: str) -> bool:
    """Ask for a yes. Anything else, the end of the input included, is a no."""
    return _read(f"{one_line(sentence)} [y/N] ").lower() in ("y", "yes")


def confirm_after(pause: Callable[[], None]) -> Callable[[str], bool]:
    """A `confirm` that first takes the progress bars off the screen."""

    def ask(sentence: str) -> bool:
        pause()
        return confirm(sentence)

    return ask


def choose(needs: Needs) -> str | None:
    """Ask the one question of an answer. Returns the choice, or the user's own words; None if there is no reply."""
    sys.stderr.write(one_line(needs.question) + "\n")
    for number, choice in enumerate(needs.choices, start=1):
        sys.stderr.write(f"  {number}. {one_line(choice)}\n")
    reply = _read("> ")
    if reply.isdecimal() and 1 <= int(reply) <= len(needs.choices):
        return needs.choices[int(reply) - 1]
    return reply or None


def library_in(choice: str) -> str:
    """The library that a choice names: the id in it, else all of it."""
    return next(iter(find_ids(choice)), choice)


def _read(prompt: str) -> str:
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return sys.stdin.readline().strip()
