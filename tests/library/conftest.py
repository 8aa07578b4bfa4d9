"""Web servers on loopback for the tests of the registries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from loopback_web import Loopback


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] -- used by pytest
    """The environment that the tests run in is not the one of a project that they read."""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)


@pytest.fixture
def loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    """A running server, reached without the proxies of this machine."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    server = Loopback()
    yield server
    server.stop()


@pytest.fixture
def other_loopback(loopback: Loopback) -> Iterator[Loopback]:
    """A second server, on another port."""
    server = Loopback()
    yield server
    server.stop()
