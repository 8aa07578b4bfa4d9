"""Where an MCP server is, and what is sent with each request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.tools.mcp.http_faults import shown_address

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """A server at an address."""

    name: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    configured_in: str = ""
    """The file, and line where known, that configures it: named in errors about credentials."""
    written: str = ""
    """The address as the configuration writes it, with variables by their names; without it, the address itself is shown."""
    auth: Callable[[], httpx2.Auth] | None = None
    """Makes what signs requests, anew for each link; None sends the headers alone."""

    def __post_init__(self) -> None:
        """Refuse what cannot be sent.

        Raises:
            ConfigurationError: a header holds a line break or another control character.
        """
        for name, value in self.headers.items():
            if not value.isprintable() or not name.isprintable() or not name.strip():
                raise ConfigurationError(
                    f"The header {name!r} of the MCP server {self.name!r} cannot be sent",
                    why="it holds a line break or another control character",
                    next_step=f"Correct it in {self.configured_in or 'its configuration'}.",
                )

    @property
    def shown(self) -> str:
        """The address for messages."""
        return shown_address(self.written or self.url)
