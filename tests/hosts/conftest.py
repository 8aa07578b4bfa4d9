"""A user's home and a project in a temporary folder, as setup and doctor see them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from command_runs import Run, runner


@pytest.fixture
def user(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder of a user in which no host is installed."""
    folder = tmp_path / "user"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / ".config"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def project(user: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository, which is the current folder."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def docs_research(project: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run one command in process, piped."""
    return runner(capsys)


@pytest.fixture
def files() -> Callable[[Path], dict[str, bytes]]:
    """What lies below a folder, by path; our own home aside."""

    def read(folder: Path) -> dict[str, bytes]:
        return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}

    return read
