"""Where a user and a project keep what they configure: the user's folder, and a project's folders up to its repository."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

APP = "docs-researcher"
CONFIG_VARIABLE = "DOCS_RESEARCH_CONFIG"
MAX_PARENTS = 40
"""Folders that are looked at above a project's; deeper trees are machine-made."""


def config_folder(variables: Mapping[str, str] | None = None) -> Path:
    """The user's configuration folder: below DOCS_RESEARCH_HOME where that is set, else the platform's. It need not exist."""
    home = (os.environ if variables is None else variables).get("DOCS_RESEARCH_HOME", "").strip()
    if home:
        return Path(home).expanduser() / "config"
    from platformdirs import user_config_path

    return user_config_path(APP, appauthor=False)


def config_file(variables: Mapping[str, str] | None = None) -> Path:
    """The user's configuration file: the one that DOCS_RESEARCH_CONFIG names, else `config.toml` in the folder above."""
    named = (os.environ if variables is None else variables).get(CONFIG_VARIABLE, "").strip()
    return Path(named).expanduser() if named else config_folder(variables) / "config.toml"


def claude_folder() -> Path:
    """The user's folder of Claude Code: CLAUDE_CONFIG_DIR, else `~/.claude`. It need not exist."""
    named = os.environ.get("CLAUDE_CONFIG_DIR", "").strip()
    return Path(named).expanduser() if named else Path.home() / ".claude"


def project_folders(start: Path) -> tuple[Path, ...]:
    """`start` and the folders above it up to the root of its repository, nearest first.

    Outside a repository it is `start` alone: a folder above it, such as a shared one for temporary files, may be anybody's.
    """
    folder = Path(os.path.abspath(start))  # noqa: PTH100 -- Path.resolve would leave the project through a link
    found: list[Path] = []
    for candidate in (folder, *folder.parents)[:MAX_PARENTS]:
        found.append(candidate)
        if os.path.lexists(candidate / ".git"):
            return tuple(found)
    return (folder,)


def is_path(text: str) -> bool:
    """Whether the value of `--agent` names a file and not an agent: it holds a slash or ends like a Markdown file."""
    return "/" in text or os.sep in text or text.lower().endswith(".md")
