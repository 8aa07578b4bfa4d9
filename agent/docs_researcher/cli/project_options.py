"""`--project-dir` and `--no-project`: which project a question is asked in, if not the current folder's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from docs_researcher.cli.commands import PATH
from docs_researcher.core.errors import UsageError

_Function = TypeVar("_Function", bound=Callable[..., Any])


def project_options(function: _Function) -> _Function:
    """Add both options."""
    return _both(function, "the current folder")


def project_options_for_scores(function: _Function) -> _Function:
    """Add both options to a command that asks in no project unless told otherwise: a score depends on no folder."""
    return _both(function, "no project")


def _both(function: _Function, default: str) -> _Function:
    function = click.option("--no-project", is_flag=True, help="Ask in no project: the newest version counts.")(function)
    return click.option(
        "--project-dir",
        type=PATH,
        metavar="DIR",
        help=f"Ask in the project that this folder lies in: its versions count.  [default: {default}]",
    )(function)


def project_folder(project_dir: Path | None, no_project: bool) -> Path | None:
    """The folder to look for a project in, the current one where none is given; None for no project.

    Raises:
        UsageError: the folder is none, or both options are given.
    """
    if project_dir is not None and no_project:
        raise UsageError("--project-dir and --no-project exclude each other", next_step="Leave one of them out.")
    if project_dir is not None and not project_dir.is_dir():
        raise UsageError(f"{project_dir} is no folder", next_step="Give --project-dir a folder of your project.")
    if no_project:
        return None
    try:
        return project_dir or Path.cwd()
    except FileNotFoundError:  # the current folder was removed
        return None
