"""Projects that tests write, and what is read of them."""

from __future__ import annotations

import json
from pathlib import Path

from docs_researcher.library.projects.read import find_project
from docs_researcher.library.projects.values import Project


def read_project(folder: Path) -> Project:
    """The project around a folder; it is there."""
    project = find_project(folder)
    assert project is not None
    return project


def write(folder: Path, **files: object) -> Path:
    """Files below a repository; `__` in a name is a slash. What is no text is written as JSON."""
    (folder / ".git").mkdir(exist_ok=True)
    for name, content in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return folder
