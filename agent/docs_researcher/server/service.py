"""Everything that one server serves from, made part by part when it is first needed, and closed together.

A host waits for the list of tools; what only a call needs (docsets, catalogue, models) is imported by the first call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.server.docsets import Docsets
from docs_researcher.server.fetching import Fetch, PatientProvider, relay
from docs_researcher.server.research_tool import ResearchTool

if TYPE_CHECKING:
    from docs_researcher.docsets.acquiring.acquire import FetchPolicy
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.library.catalogue import Catalogue
    from docs_researcher.library.projects.values import Project
    from docs_researcher.runtime.settings import Settings
    from docs_researcher.tools.base import DocsProvider


class Service:
    """One store of docsets with what answers from it: the two documentation tools, the research, and the docsets themselves."""

    def __init__(
        self,
        *,
        offline: bool = False,
        yes: bool = False,
        strict_version: bool = False,
        named: str | None = None,
        result_tokens: int | None = None,
        flags: Mapping[str, Any] | None = None,
        config: Path | None = None,
        listener: Listener = ignore,
    ) -> None:
        """The first four are those of `docsets.acquire.FetchPolicy`, `result_tokens` is the size of a `query-docs` result.

        `flags` and `config` are those of `server.research_tool.ResearchTool`; `listener` hears what happens in all calls.
        """
        self._policy_values: dict[str, Any] = {"offline": offline, "yes": yes, "strict_version": strict_version, "named": named}
        self._result_tokens = result_tokens
        self._listener = listener
        self._config = config
        self._running: dict[str, Fetch] = {}
        self.provider = PatientProvider(self._own_provider, self._running)
        self.docsets = Docsets(lambda: self.store)
        self.research = ResearchTool(self._research_provider, lambda: self.store, flags=flags, config=config)

    @cached_property
    def store(self) -> Store:
        """The installed docsets."""
        from docs_researcher.docsets.installed.store import Store

        return Store()

    @cached_property
    def catalogue(self) -> Catalogue:
        """The known libraries."""
        from docs_researcher.library.catalogue import Catalogue

        return Catalogue.load()

    async def aclose(self) -> None:
        """Stop what is being fetched, close models and docsets. Safe to call twice."""
        for fetch in list(self._running.values()):
            fetch.stopped = True
        await self.research.aclose()
        await self.provider.aclose()
        if "store" in self.__dict__:
            self.store.close()

    @cached_property
    def _room(self) -> dict[str, Any]:
        """The room on disk that the user's configuration gives to fetched documentation, where it says so."""
        from docs_researcher.definition.places import config_folder
        from docs_researcher.runtime.settings import load_settings

        disk_mb = load_settings(config_folder(), config=self._config).disk_mb
        return {"disk_mb": disk_mb} if disk_mb is not None else {}

    def _policy(self) -> FetchPolicy:
        from docs_researcher.docsets.acquiring.acquire import FetchPolicy

        return FetchPolicy(**self._policy_values, **self._room)

    def _own_provider(self) -> DocsProvider:
        from docs_researcher.tools.local import RESULT_TOKENS

        return self._local(self._policy(), self._result_tokens or RESULT_TOKENS)

    def _research_provider(self, settings: Settings, named: str | None, project: Project | None, tokens: int) -> DocsProvider:
        own = self._policy()
        policy = replace(
            own,
            offline=own.offline or bool(settings.offline),
            strict_version=own.strict_version or bool(settings.strict_version),
            named=named or own.named,
            project=project,
        )
        return PatientProvider(lambda: self._local(policy, tokens), self._running)

    def _local(self, policy: FetchPolicy, tokens: int) -> DocsProvider:
        from docs_researcher.tools.local import LocalProvider

        return LocalProvider(self.store, self.catalogue, policy=policy, listener=self._hear, result_tokens=tokens)

    def _hear(self, event: Event) -> None:
        relay(event)
        self._listener(event)
