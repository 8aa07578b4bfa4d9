"""Completion of what a user types into a prompt or a resource template: libraries, their versions, pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from docs_researcher.server.docsets import Docsets
from docs_researcher.server.prompts import DOCS_PROMPT
from docs_researcher.server.resources import TEMPLATE

if TYPE_CHECKING:
    from mcp import types

    from docs_researcher.library.catalogue import Catalogue

MAX_VALUES = 100
"""The protocol allows no more in one answer."""


class Completer:
    """Completes from what is installed, and for the prompt also from the catalogue."""

    def __init__(self, docsets: Docsets, catalogue: Callable[[], Catalogue]) -> None:
        self._docsets = docsets
        self._catalogue = catalogue

    def complete(self, ref: object, argument: str, value: str, chosen: Mapping[str, str]) -> types.CompleteResult:
        """The values that begin with (else hold) what was typed. An unknown reference or argument completes to nothing.

        `chosen` are the arguments that the user has filled in already.
        """
        from mcp import types

        found = self._values(ref, argument, value, chosen)
        completion = types.Completion(values=found[:MAX_VALUES], total=len(found), has_more=len(found) > MAX_VALUES)
        return types.CompleteResult(completion=completion)

    def _values(self, ref: object, argument: str, value: str, chosen: Mapping[str, str]) -> list[str]:
        from mcp import types

        if isinstance(ref, types.PromptReference) and ref.name == DOCS_PROMPT and argument == "library":
            installed = self._docsets.labelled()
            ids = [item.library_id for item in installed.values()]
            entries = self._catalogue().entries
            if value.startswith("/"):
                versions = [f"{item.library_id}/{item.version}" for item in installed.values() if item.version]
                return _fitting(value, [*ids, *versions, *(entry.id for entry in entries)])
            return _fitting(value, [*installed, *(entry.name for entry in entries)])
        if isinstance(ref, types.ResourceTemplateReference) and ref.uri == TEMPLATE:
            if argument == "library":
                return _fitting(value, self._docsets.labelled())
            if argument == "path":
                library = self._docsets.named(chosen.get("library", ""))
                return [] if library is None else _fitting(value, (path for path, _ in self._docsets.open(library).pages()))
        return []


def _fitting(typed: str, values: Iterable[str]) -> list[str]:
    """Those that begin with what was typed, then those that hold it, whatever the case; each once."""
    wanted = typed.casefold()
    every = list(dict.fromkeys(values))
    begin = [value for value in every if value.casefold().startswith(wanted)]
    return begin + [value for value in every if wanted in value.casefold() and not value.casefold().startswith(wanted)]
