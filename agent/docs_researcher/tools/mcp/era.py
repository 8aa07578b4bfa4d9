"""Which of the two protocols a server speaks, as it is remembered: what a new connection begins with instead of asking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docs_researcher.tools.server_memory import Memory

if TYPE_CHECKING:
    from mcp import Client

WHAT = "protocol"
KEPT_SECONDS = 24 * 3600.0
"""A server that learns the newer protocol is spoken to in the older one for no longer than this."""


@dataclass(frozen=True, slots=True)
class Era:
    """How to begin: the SDK's `mode`, and what the server said of itself, where that spares the question."""

    mode: str
    discovered: Any = None


AUTO = Era("auto")
LEGACY = Era("legacy")


def recalled(memory: Memory | None, *, answers_at_once: bool) -> Era:
    """What is remembered; `AUTO` if nothing is.

    The newer protocol has no handshake, so a connection that begins with it has proved nothing. It is begun with only where
    the server `answers_at_once`, whatever it speaks: a process may be dead, slow or deaf, and its start is waited for anyway.
    """
    value = memory.recall(WHAT) if memory is not None else None
    if value == LEGACY.mode:
        return LEGACY
    if not isinstance(value, dict) or not answers_at_once:
        return AUTO
    from mcp.types import DiscoverResult
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS
    from pydantic import ValidationError

    try:
        discovered = DiscoverResult.model_validate(value, by_name=False)
    except ValidationError:
        return AUTO
    spoken = [version for version in MODERN_PROTOCOL_VERSIONS if version in discovered.supported_versions]
    return Era(spoken[-1], discovered) if spoken else AUTO


def remember_era(memory: Memory | None, client: Client) -> None:
    """Remember what a connection has found out by asking."""
    if memory is None:
        return
    discovered = client.session.discover_result
    value = LEGACY.mode if discovered is None else discovered.model_dump(by_alias=True, mode="json", exclude_none=True)
    memory.remember(WHAT, value, KEPT_SECONDS)
