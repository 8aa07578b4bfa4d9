"""What every test may use. Sockets reach only this machine (see pyproject.toml), except in tests marked `registry`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CONTEXT7_API_KEY")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let tests that say that they need a registry reach it."""
    for item in items:
        if item.get_closest_marker("registry"):
            item.add_marker(pytest.mark.enable_socket)


@pytest.fixture(autouse=True)
def _no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] -- used by pytest
    """No test can spend anybody's money or read anybody's account."""
    for key in _KEYS:
        monkeypatch.delenv(key, raising=False)
    for key in [key for key in os.environ if key.startswith("DOCS_RESEARCH")]:
        monkeypatch.delenv(key)


@pytest.fixture(autouse=True)
def _no_code_hosts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] -- used by pytest
    """No test asks a code host or a website over https: its proxy is a port on which nobody listens, for git as well."""
    if request.node.get_closest_marker("registry") is None:
        monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for docsets, set for this process and its children. It does not exist yet, as on a first run."""
    folder = tmp_path / "home"
    monkeypatch.setenv("DOCS_RESEARCH_HOME", str(folder))
    return folder
