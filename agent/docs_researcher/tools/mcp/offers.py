"""How a server offers the two documentation tools: under which names, with which parameters; read and remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from docs_researcher.core.messages import QUERY
from docs_researcher.tools.arguments import ALIASES, TOOL_ALIASES, canonical_tool
from docs_researcher.tools.mcp.get_docs import TOOL, installed_in

if TYPE_CHECKING:
    from mcp import Client

WHAT = "tools"
MAX_PAGES = 20
"""Pages of a tool list that are read; a server that never ends its list cannot hold us."""
USUAL_SECONDS = 3_600.0
"""How long a list is remembered whose server says nothing about it. (0, the default of its SDKs, says nothing either.)"""
LONGEST_SECONDS = 24 * 3_600.0
"""How long one is remembered at most, whatever its server says."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One of the two tools as a server offers it: under which name, with which parameters (None: it does not say)."""

    name: str
    parameters: frozenset[str] | None

    def arguments(self, tool: str, canonical: Mapping[str, str]) -> dict[str, str]:
        """The arguments under the names that this server uses."""
        return {self._parameter(tool, key): value for key, value in canonical.items()}

    def _parameter(self, tool: str, key: str) -> str:
        if self.parameters is None or key in self.parameters:
            return key
        return next((alias for alias in ALIASES[tool][key] if alias in self.parameters), key)


@dataclass(frozen=True, slots=True)
class Offered:
    """What of a server's tools is ours to use."""

    tools: Mapping[str, Offer]
    """By the canonical name."""
    installed: tuple[str, ...] | None = None
    """The libraries of a `get_docs` tool; None if it has no such tool."""
    seconds: float = USUAL_SECONDS
    """How long the list holds."""

    @property
    def usable(self) -> bool:
        """Whether documentation can be had."""
        return QUERY in self.tools or self.installed is not None

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        tools = {
            name: [offer.name, None if offer.parameters is None else sorted(offer.parameters)]
            for name, offer in self.tools.items()
        }
        return {"tools": tools, "installed": self.installed}

    @classmethod
    def from_json(cls, value: Any) -> Offered | None:
        """The value that `to_json` gave; None for anything else, and for a list of no use."""
        try:
            tools = {
                str(name): Offer(str(called), None if parameters is None else frozenset(map(str, parameters)))
                for name, (called, parameters) in value["tools"].items()
            }
            installed = None if value["installed"] is None else tuple(map(str, value["installed"]))
        except (TypeError, ValueError, KeyError, AttributeError):
            return None
        found = cls(tools, installed)
        return found if found.usable else None


async def list_offers(client: Client) -> Offered:
    """The offers among everything that a server lists. The first of a name counts."""
    offers: dict[str, Offer] = {}
    installed: tuple[str, ...] | None = None
    seconds = LONGEST_SECONDS
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            canonical = canonical_tool(tool.name)
            if canonical and (canonical not in offers or offers[canonical].name in TOOL_ALIASES):
                offers[canonical] = Offer(tool.name, _parameters(tool.input_schema))
            elif tool.name == TOOL and installed is None:
                installed = installed_in(tool.input_schema)
        seconds = min(seconds, (page.ttl_ms or 0) / 1_000 or USUAL_SECONDS)
        cursor = page.next_cursor
        if not cursor:
            break
    return Offered(offers, installed, seconds)


def _parameters(schema: Mapping[str, Any]) -> frozenset[str] | None:
    properties = schema.get("properties")
    return frozenset(cast("dict[str, object]", properties)) if isinstance(properties, dict) else None
