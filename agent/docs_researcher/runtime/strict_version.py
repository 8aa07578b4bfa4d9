"""`--strict-version` held by the runtime, whoever thinks and whatever server answers: another version is not read at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.messages import QUERY, ToolResult
from docs_researcher.library.entries import fold_name
from docs_researcher.library.versions import satisfies, sort_newest
from docs_researcher.models.base import Question
from docs_researcher.runtime.in_project import understood
from docs_researcher.steps.question.named import Named

_LISTED = 6
"""How many of the versions that are there a refusal names."""


@dataclass(slots=True)
class StrictVersion:
    """Lets calls through that read the version asked for, and remembers what could not be read for its sake."""

    wanted: tuple[Named, ...]
    """The libraries of the question, each at the version that counts; those without one are free."""
    _listed: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """What each library that was offered lists."""
    _unmet: dict[str, str] = field(default_factory=dict[str, str])
    """By library, why it was not read."""

    @classmethod
    def of(cls, question: Question) -> StrictVersion | None:
        """None where any version will do: the asker did not insist, or named none."""
        if not question.strict_version:
            return None
        from docs_researcher.steps.question.in_project import at_project_version

        read = understood(question)
        wanted = tuple(at_project_version(named, question.project) for named in read.libraries)
        if read.docs_id is not None and not wanted:
            wanted = (Named(read.docs_id.base, read.docs_id.version, read.docs_id.base),)
        return cls(wanted) if any(named.version for named in wanted) else None

    def refusal(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult | None:
        """Why a call must not be made; None for one that may."""
        asked = LibraryId.try_parse(str(arguments.get("libraryId", ""))) if tool == QUERY else None
        named = self._wanted_of(asked.base) if asked is not None else None
        if asked is None or named is None or not named.version or _is_it(named.version, asked.version):
            return None
        self._unmet[asked.base] = self._missing(named, asked.base)
        words = (
            f"Only version {named.version} of {named.name} may be read, and {asked.text} "
            f"{'is another' if asked.version else 'does not name it'}. {self._offer(asked.base)}"
            f"Call with an id of that version, such as {asked.base}/{named.version}; if there is none, say that it is not there."
        )
        return ToolResult(words, outcome="refused")

    def held(self, tool: str, arguments: Mapping[str, Any], result: ToolResult) -> ToolResult:
        """The result of a call, without documentation that is of another version after all."""
        if tool != QUERY:
            self._listed |= {found.id: found.versions for found in result.candidates if found.versions}
            return result
        asked = LibraryId.try_parse(str(arguments.get("libraryId", "")))
        named = self._wanted_of(asked.base) if asked is not None else None
        if asked is None or named is None or not named.version:
            return result
        read = {passage.version for passage in result.passages} | {result.library.version if result.library else None}
        others = sorted(version for version in read if version and not _is_it(named.version, version))
        if others or (result.outcome == "not_found" and result.library is None):
            self._unmet[asked.base] = self._missing(named, asked.base)
        else:
            self._unmet.pop(asked.base, None)
        if not others:
            return result
        words = f"This is version {others[0]} of {named.name}; only {named.version} may be read, so it was left out."
        return replace(result, text=words, passages=(), notices=(), library=None, outcome="not_found")

    def unmet(self) -> str:
        """Why nothing was read, in a sentence; empty if nothing stood in the way."""
        return " ".join(dict.fromkeys(self._unmet.values()))

    def _wanted_of(self, base: str) -> Named | None:
        """The library of the question that an id belongs to; of a single one, every id."""
        if len(self.wanted) == 1:
            return self.wanted[0]
        last = fold_name(base.rpartition("/")[2])
        return next((named for named in self.wanted if base in _ids(named) or last in _names(named)), None)

    def _missing(self, named: Named, base: str) -> str:
        return f"Version {named.version} of {named.name} cannot be read. {self._offer(base)}".strip()

    def _offer(self, base: str) -> str:
        versions = sort_newest(self._listed.get(base, ()))[:_LISTED]
        return f"{base} lists {', '.join(versions)}. " if versions else ""


def _is_it(wanted: str, version: str | None) -> bool:
    """Whether a version is one of those wanted; `@scope/name@5.60.5` is version 5.60.5 of one package of several."""
    return version is not None and (version == wanted or satisfies(wanted, version.rpartition("@")[2]))


def _ids(named: Named) -> set[str]:
    given = LibraryId.try_parse(named.id or "")
    entry = named.entry
    return {*([given.base] if given is not None else []), *((entry.id, *entry.other_ids) if entry is not None else ())}


def _names(named: Named) -> set[str]:
    entry = named.entry
    return {fold_name(name) for name in (named.name, *((*entry.aliases, *entry.npm, *entry.pypi) if entry is not None else ()))}
