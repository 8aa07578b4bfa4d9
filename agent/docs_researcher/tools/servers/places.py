"""Where our configuration lives."""

from __future__ import annotations

import os
from pathlib import Path

from docs_researcher.docsets.store import HOME_VARIABLE


def config_folder() -> Path:
    """The folder for configuration: below DOCS_RESEARCH_HOME where that is set, else the platform's. Nothing is created."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home).expanduser() / "config"
    from platformdirs import user_config_path

    return user_config_path("docs-researcher", appauthor=False)


def config_file() -> Path:
    """Our configuration file. It need not exist."""
    return config_folder() / "config.toml"


def write_private(path: Path, text: str) -> None:
    """Replace a file by one that only its owner can read. It is never visible half written, nor to others for a moment.

    Raises:
        OSError: the folder cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
