"""A token that may see some docsets: a store that lists no others, and a provider that offers no others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from docs_researcher.core.errors import ArgumentsRefused
from docs_researcher.core.layout import render_candidates
from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.messages import QUERY, ToolResult
from docs_researcher.docsets.installed.store import Installed, Listing, Store
from docs_researcher.tools.arguments import canonical_arguments, canonical_tool
from docs_researcher.tools.base import DocsProvider, ProviderAround


class VisibleStore(Store):
    """The store of the machine, as one who may see only these docsets finds it."""

    def __init__(self, docsets: Sequence[str], home: Path | None = None) -> None:
        """`docsets` are library ids; one with a version stands for that version alone."""
        super().__init__(home)
        self._allowed = _Allowed(docsets)

    def listing(self) -> Listing:
        """Every docset that may be seen, and no broken files: they are nobody's business but the owner's."""
        return Listing(tuple(item for item in super().listing().installed if self._allowed.shows(item)), ())


class OnlyVisible(ProviderAround):
    """A provider that answers for these libraries and knows no others."""

    def __init__(self, inner: DocsProvider, docsets: Sequence[str]) -> None:
        super().__init__(inner)
        self._docsets = tuple(docsets)
        self._allowed = _Allowed(docsets)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Answer for what may be seen; anything else is refused in words that do not say whether it is there."""
        if canonical_tool(name) == QUERY:
            asked = _asked_id(name, arguments)
            if asked is not None and not self._allowed.knows(asked):
                return ToolResult(f"This token may not read {asked}. It may read: {listed(self._docsets)}.", outcome="refused")
            return await super().call(name, arguments)
        result = await super().call(name, arguments)
        if result.outcome not in ("ok", "not_found"):
            return result
        seen = tuple(candidate for candidate in result.candidates if self._allowed.knows(candidate.id))
        if not seen:
            text = f"No library of that name may be read with this token. It may read: {listed(self._docsets)}."
            return ToolResult(text, outcome="refused")
        return replace(result, text=render_candidates(seen), candidates=seen)


def listed(docsets: Sequence[str]) -> str:
    """The docsets of a token as its owner is told them."""
    return ", ".join(docsets)


class _Allowed:
    """Library ids, each with the versions that may be seen (None among them: all)."""

    def __init__(self, docsets: Sequence[str]) -> None:
        self._versions: dict[str, set[str | None]] = {}
        for text in docsets:
            allowed = LibraryId.parse(text)
            version = allowed.version.removeprefix("v") if allowed.version else None
            self._versions.setdefault(allowed.base.casefold(), set()).add(version)

    def knows(self, library_id: str) -> bool:
        parsed = LibraryId.try_parse(library_id)
        return parsed is not None and parsed.base.casefold() in self._versions

    def shows(self, installed: Installed) -> bool:
        versions = self._versions.get(installed.library_id.casefold(), set())
        return None in versions or (installed.version or "").removeprefix("v") in versions


def _asked_id(name: str, arguments: Mapping[str, Any]) -> str | None:
    try:
        return canonical_arguments(name, arguments)["libraryId"]
    except ArgumentsRefused:
        return None
