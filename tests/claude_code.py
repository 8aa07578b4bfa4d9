"""What a real Claude Code needs in a test: a home of its own, no calls home, and a model that is played by a script."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from docs_researcher.testing.messages_api import Answering, ScriptedMessagesApi


@contextmanager
def scripted_claude(monkeypatch: pytest.MonkeyPatch, user: Path, answering: Answering) -> Generator[ScriptedMessagesApi]:
    """The environment for it, with `user` as the home folder, while `answering` plays the model."""
    for name in ("HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.setenv(name, str(user))
    for name in ("DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"):
        monkeypatch.setenv(name, "1")
    with ScriptedMessagesApi.answering(answering) as api:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
        yield api
