"""Sign-ins that were made with `docs-research auth login`: kept in files that only their owner can read, used and renewed.

A stored sign-in never opens a browser: when it is refused and cannot be renewed, that is the answer.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.core.parsed import mapping
from docs_researcher.definition.places import config_folder
from docs_researcher.tools.servers.private_files import write_private

FOLDER = "logins"


@dataclass(slots=True)
class LoginFile:
    """What is known about signing in at one address. The values are the SDK's records as JSON."""

    url: str
    tokens: dict[str, Any] | None = field(default=None, repr=False)
    expires_at: float | None = None
    """Seconds since 1970, where the server says how long a token is good for."""
    client: dict[str, Any] | None = field(default=None, repr=False)
    metadata: dict[str, Any] | None = None
    """The sign-in server's own description: where tokens are renewed."""
    resource: dict[str, Any] | None = None

    @property
    def path(self) -> Path:
        """The file: readable by host, unique by the whole address."""
        digest = hashlib.sha256(self.url.encode()).hexdigest()[:16]
        host = "".join(sign if sign.isalnum() or sign in "-." else "_" for sign in (urlsplit(self.url).hostname or "server"))
        return config_folder() / FOLDER / f"{host}-{digest}.json"

    @classmethod
    def load(cls, url: str) -> LoginFile:
        """The sign-in for this address; one without tokens if there is none or it cannot be read."""
        login = cls(url)
        try:
            found = mapping(json.loads(login.path.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return login
        if found.get("url") != url:
            return login
        for name in ("tokens", "client", "metadata", "resource"):
            if isinstance(found.get(name), dict):
                setattr(login, name, found[name])
        expires = found.get("expires_at")
        login.expires_at = float(expires) if isinstance(expires, int | float) else None
        return login

    def save(self) -> None:
        """Write it for its owner alone.

        Raises:
            ConfigurationError: it cannot be written.
        """
        values = {
            "url": self.url,
            "tokens": self.tokens,
            "expires_at": self.expires_at,
            "client": self.client,
            "metadata": self.metadata,
            "resource": self.resource,
        }
        try:
            write_private(self.path, json.dumps(values, indent=2) + "\n")
        except OSError as error:
            raise ConfigurationError(
                f"The sign-in cannot be written to {self.path}",
                why=error.strerror or str(error),
                next_step="Make that folder writable, or set DOCS_RESEARCH_HOME to another one.",
            ) from error

    def remove(self) -> bool:
        """Delete it; whether there was one."""
        try:
            self.path.unlink()
        except FileNotFoundError:
            return False
        return True

    @property
    def signed_in(self) -> bool:
        """Whether there is a token, good or not."""
        return bool(self.tokens and self.tokens.get("access_token"))

    @property
    def expired(self) -> bool:
        """Whether the token is past its time, as far as that is known."""
        return self.expires_at is not None and time.time() >= self.expires_at

    @property
    def renewable(self) -> bool:
        """Whether a new token can be had without the user."""
        return bool(self.tokens and self.tokens.get("refresh_token"))
