"""Git repositories made by tests, and served in the place of a real code host."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from git_host import GitHost, git, redirected, serve_commits


def commit(folder: Path, files: Mapping[str, str], tag: str | None = None) -> None:
    """Write files into a checkout, commit everything in it, and tag the commit."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")
    if tag:
        git(folder, "tag", "-a", "-m", "x", tag)


def make_repository(folder: Path, versions: Mapping[str | None, Mapping[str, str]]) -> Path:
    """A repository with one commit for each of `versions`: tag (None for no tag) -> files."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    for tag, files in versions.items():
        commit(folder, files, tag)
    serve_commits(folder)
    return folder


@contextmanager
def code_host(monkeypatch: pytest.MonkeyPatch, folder: Path, instead_of: str = "https://github.com/") -> Generator[GitHost]:
    """A running host that git asks in the place of a real one, by git's own setting for that."""
    with GitHost(folder) as host:
        for name, value in redirected(instead_of, f"{host.url}/").items():
            monkeypatch.setenv(name, value)
        yield host
