"""What signs the requests to a server: the sign-in that is stored for its address, if there is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from docs_researcher.tools.mcp.logins import LoginFile

if TYPE_CHECKING:
    import httpx2


def stored_login(url: str) -> Callable[[], httpx2.Auth] | None:
    """What makes the signer of requests to this address, for one link each; None if nobody has signed in there."""
    if not LoginFile.load(url).signed_in:
        return None

    def make() -> httpx2.Auth:
        from docs_researcher.tools.mcp.oauth import StoredLogin

        return StoredLogin(url)

    return make
