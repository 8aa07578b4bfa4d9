"""Whether a Messages API can be asked at all. Imports nothing, so that a run without a key pays nothing for the question."""

from __future__ import annotations

import os

KEY_VARIABLES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE")
KEY_HELP = (
    "Set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), or ANTHROPIC_BASE_URL for a local or compatible server; "
    "or use --model extractive, which needs no key."
)


def has_credentials() -> bool:
    """Whether the environment names a key, or a server of the user's own, which may need none."""
    return any(os.environ.get(name) for name in (*KEY_VARIABLES, "ANTHROPIC_BASE_URL"))
