"""What several tests of this room use."""

from __future__ import annotations

from pathlib import Path

import pytest

from cached_server import Clock


@pytest.fixture
def project(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that is the current folder, and an empty home of the user."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    user = tmp_path / "user"
    user.mkdir()
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def clock() -> Clock:
    """The clock of a provider whose results are kept."""
    return Clock()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where they are kept."""
    return tmp_path / "cache" / "results.db"
