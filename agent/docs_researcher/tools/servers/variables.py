"""Variables in server configurations, in the forms of Claude Code, Cursor and VS Code."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_FORM = re.compile(r"\$\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Scope:
    """What variables stand for: the environment, the user's home, and the folder of the project (None: there is none)."""

    environment: Mapping[str, str]
    home: Path
    project: Path | None


@dataclass(frozen=True, slots=True)
class Expanded:
    """A text with its variables filled in, and those that could not be: they stand in `text` as they were written."""

    text: str
    unset: tuple[str, ...] = ()
    """Variables of the environment that are not set and have no default."""
    asking: tuple[str, ...] = ()
    """`${input:...}`: values that VS Code asks its user for and keeps to itself."""
    unknown: tuple[str, ...] = ()

    @property
    def problem(self) -> str:
        """Why the text cannot be used, as a phrase; empty if it can."""
        if self.asking:
            return f"${{input:{self.asking[0]}}} is asked for by VS Code, which keeps the answer to itself"
        if self.unset:
            return f"the environment variable {self.unset[0]} is not set"
        if self.unknown:
            return f"${{{self.unknown[0]}}} is no variable that is known here"
        return ""

    @property
    def fix(self) -> str:
        """What to do about `problem`."""
        if self.asking:
            name = re.sub(r"\W+", "_", self.asking[0]).strip("_").upper() or "VALUE"
            return f"Set an environment variable, such as {name}, and write ${{env:{name}}} instead."
        if self.unset:
            return f"Set {self.unset[0]}, or give it a default: ${{{self.unset[0]}:-default}}."
        return "Write the value itself, or ${VAR} for a variable of the environment."


def expand(text: str, scope: Scope) -> Expanded:
    """`text` with `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `${userHome}`, `${workspaceFolder}` and their kin filled in.

    What is filled in is not looked at again: a value that holds `${...}` stays as it is.
    """
    if "${" not in text:
        return Expanded(text)
    unset: list[str] = []
    asking: list[str] = []
    unknown: list[str] = []

    def fill(match: re.Match[str]) -> str:
        form = match.group(1).strip()
        if form.startswith("input:"):
            asking.append(form.removeprefix("input:"))
            return match.group()
        fixed = _fixed(form, scope)
        if fixed is not None:
            return fixed
        name, has_default, default = form.removeprefix("env:").partition(":-")
        if not _NAME.fullmatch(name):
            unknown.append(form)
            return match.group()
        value = scope.environment.get(name)
        if value or (value is not None and not has_default):
            return value
        if has_default:
            return default
        unset.append(name)
        return match.group()

    return Expanded(_FORM.sub(fill, text), tuple(unset), tuple(asking), tuple(unknown))


def _fixed(form: str, scope: Scope) -> str | None:
    """The value of a variable that is no part of the environment; None if `form` is none."""
    project = scope.project
    if form == "userHome":
        return str(scope.home)
    if form in ("/", "pathSeparator"):
        return os.sep
    if project is None:
        return None
    if form in ("workspaceFolder", "CLAUDE_PROJECT_DIR") or form.startswith("CLAUDE_PROJECT_DIR:-"):
        return str(project)
    return project.name if form == "workspaceFolderBasename" else None
