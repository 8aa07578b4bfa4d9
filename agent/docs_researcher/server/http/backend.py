"""What answers behind the port: documentation, and the MCP server around it, once for each set of docsets that may be seen."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from docs_researcher.core.events import Event
from docs_researcher.core.messages import RESOLVE, ToolResult
from docs_researcher.docsets.acquiring.acquire import FetchPolicy
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.server.app import build_server
from docs_researcher.server.http.visible import OnlyVisible, VisibleStore, listed
from docs_researcher.server.research_tool import ProviderFor, Report, ResearchTool
from docs_researcher.server.service import Service
from docs_researcher.server.tools import ToolChoice
from docs_researcher.tools.arguments import canonical_tool
from docs_researcher.tools.base import DocsProvider, ProviderAround

if TYPE_CHECKING:
    from mcp.server import Server

    from docs_researcher.runtime.research_tool import ToolReply

logger = logging.getLogger(__name__)

_UNANSWERED = ("needs_input", "not_found", "failed")
"""Statuses after which one who may read only some docsets is told which."""

Counted = Callable[[str, str], None]
"""Called with the tool and the outcome of every look-up."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What one set of callers talks to."""

    store: Store
    catalogue: Catalogue
    provider: DocsProvider
    server: Server[dict[str, Any]]
    close: Callable[[], Awaitable[None]]


class Backend(Protocol):
    """Opens what answers. Handed to worker processes, so it has to be picklable."""

    def open(self, docsets: tuple[str, ...] | None, counted: Counted) -> Opened:
        """For callers who may see these docsets (library ids with or without a version); None for all."""
        ...


@dataclass(frozen=True, slots=True)
class LocalBackend:
    """The docsets of this machine.

    Attributes:
        policy: values of `docsets.acquire.FetchPolicy`. Who may see only some docsets can make the server fetch none.
        result_tokens: the size of a `query-docs` result; None for the usual one.
        tools: which tools the MCP server offers.
        flags: settings of the research from the command line.
        config: the user's configuration file, where it is not the usual one.
        home: the folder of the docsets, where it is not the usual one.
        shares_files: whether callers sit at this machine, so that a path that they name means the folder they think of.
    """

    policy: Mapping[str, Any] = field(default_factory=dict[str, Any])
    result_tokens: int | None = None
    tools: ToolChoice = "all"
    flags: Mapping[str, Any] = field(default_factory=dict[str, Any])
    config: Path | None = None
    home: Path | None = None
    shares_files: bool = True

    def open(self, docsets: tuple[str, ...] | None, counted: Counted) -> Opened:
        """See `Backend`."""
        service = _HttpService(self, docsets, counted)
        server = build_server(service.provider, tools=self.tools, research=service.research, docsets=service.docsets)
        # No argument of ours is mirrored into a header; without this the SDK would make the list of tools anew for each call.
        server.get_tool_input_schema = _no_mirrored_arguments
        return Opened(service.store, service.catalogue, service.provider, server, service.aclose)


class _HttpService(Service):
    """A service that counts, and that knows only what its callers may see."""

    def __init__(self, backend: LocalBackend, docsets: tuple[str, ...] | None, counted: Counted) -> None:
        policy = {**backend.policy, "offline": True, "yes": False} if docsets is not None else backend.policy
        super().__init__(
            **policy,
            result_tokens=backend.result_tokens,
            flags=backend.flags,
            config=backend.config,
            listener=_into_log,
        )
        self._visible = docsets
        self._home = backend.home
        self._counted = counted
        if not backend.shares_files or docsets is not None:
            self.research = _RemoteResearch(
                self._research_provider, lambda: self.store, docsets, flags=backend.flags, config=backend.config
            )

    @cached_property
    def store(self) -> Store:
        return Store(self._home) if self._visible is None else VisibleStore(self._visible, self._home)

    def _local(self, policy: FetchPolicy, tokens: int) -> DocsProvider:
        provider = super()._local(policy, tokens)
        if self._visible is not None:
            provider = OnlyVisible(provider, self._visible)
        return _Counting(provider, self._counted)


class _RemoteResearch(ResearchTool):
    """The research for callers on other machines, whose paths are no paths here, or who may see only some docsets."""

    def __init__(
        self, provider_for: ProviderFor, store: Callable[[], Store], docsets: tuple[str, ...] | None, **options: Any
    ) -> None:
        super().__init__(provider_for, store, **options)
        self._docsets = docsets

    async def call(self, arguments: Mapping[str, Any], report: Report | None) -> tuple[ToolReply, bool]:
        kept = {name: value for name, value in arguments.items() if name != "project_dir"}
        reply, as_json = await super().call(kept, report)
        if self._docsets is not None and reply.answer is not None and reply.answer.status in _UNANSWERED:
            may_read = f"This token may read: {listed(self._docsets)}."
            if may_read.partition(": ")[2] not in reply.text:
                reply = replace(reply, text=f"{reply.text}\n\n{may_read}")
        return reply, as_json


class _Counting(ProviderAround):
    """A provider whose calls are counted."""

    def __init__(self, inner: DocsProvider, counted: Counted) -> None:
        super().__init__(inner)
        self._counted = counted

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        tool = canonical_tool(name) or RESOLVE
        try:
            result = await super().call(name, arguments)
        except Exception:
            self._counted(tool, "error")
            raise
        self._counted(tool, result.outcome)
        return result


def _no_mirrored_arguments(tool: str) -> None:
    return None


def _into_log(event: Event) -> None:
    if event.total is None or event.done in (None, event.total):
        logger.info("%s", event.text)
