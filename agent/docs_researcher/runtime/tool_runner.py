"""Runs the tool calls of one model turn: checked, counted, in parallel, each with exactly one result."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from docs_researcher.core.answer import AnsweredLibrary, Notice
from docs_researcher.core.clean import clean
from docs_researcher.core.errors import ArgumentsRefused, DocsResearchError
from docs_researcher.core.events import Event, Listener
from docs_researcher.core.ledger import Ledger
from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.limits import Meter
from docs_researcher.core.messages import QUERY, ToolCall, ToolMessage, ToolResult
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.runtime.deadline import Deadline
from docs_researcher.runtime.strict_version import StrictVersion
from docs_researcher.tools.arguments import canonical_arguments, canonical_tool, refused_result, without_secrets
from docs_researcher.tools.base import DocsProvider, Fetches

FIRST_FETCH_SECONDS = 300.0
"""What a first fetch may take where it does not count: three times the slowest that was seen, on a busy machine."""
MAX_REPEATS = 1
"""How often the same call is answered from the run's own memory; after that the model is stuck, and the call is refused."""


@dataclass(slots=True)
class _Remembered:
    task: asyncio.Task[ToolResult]
    times: int = 1


@dataclass(slots=True)
class ToolRunner:
    """The only way from a model to a provider."""

    provider: DocsProvider
    allowed: tuple[str, ...]
    ledger: Ledger
    meter: Meter
    deadline: Deadline
    listener: Listener
    fetch_is_free: bool = False
    """Whether fetching documentation for the first time counts against the deadline (it does not at the command line)."""
    strict: StrictVersion | None = None
    """What lets only the version asked for be read, where the asker insists on it."""
    shown_tokens: int | None = None
    """The most tokens of one result's documentation that the model is shown, the sections that say most; None: all of it."""
    notices: list[Notice] = field(default_factory=list[Notice])
    library: AnsweredLibrary | None = None
    """The library of the last passages read, where the provider knows it."""
    _ahead: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Tool and library of the calls made ahead, while the model has not shown that it wants another library."""
    _memory: dict[str, _Remembered] = field(default_factory=dict[str, _Remembered])

    @property
    def unmet_version(self) -> str:
        """Why the version that the asker insists on was not read, in a sentence; empty if nothing stood in the way."""
        return self.strict.unmet() if self.strict is not None else ""

    def made_ahead(self, calls: Sequence[tuple[ToolCall, ToolResult]]) -> None:
        """Remember calls that were made for the model before it began, so that they can be given back."""
        self._ahead = [(call.name, _library(call.arguments)) for call, _ in calls]

    async def run(self, calls: Sequence[ToolCall]) -> ToolMessage:
        """Run all calls together. One that fails never takes its siblings with it; results keep the order of the calls."""
        results = await asyncio.gather(*(self._one(call) for call in calls))
        if self.fetch_is_free:
            self.deadline.extend(max((result.fetch_seconds for result in results), default=0.0))
        for call, result in zip(calls, results, strict=True):
            self._record(call, result)
        return ToolMessage(tuple((call, self._shown(call, result)) for call, result in zip(calls, results, strict=True)))

    def _shown(self, call: ToolCall, result: ToolResult) -> ToolResult:
        """A result as the model is shown it. Read, counted and held as evidence is all of it."""
        if self.shown_tokens is None or result.outcome != "ok" or not result.passages:
            return result
        from docs_researcher.steps.answer.trimmed import trimmed

        return trimmed(result, str(call.arguments.get("query", "")), self.shown_tokens)

    async def _one(self, call: ToolCall) -> ToolResult:
        name = canonical_tool(call.name)
        if name is None or name not in self.allowed:
            return _refusal(f"There is no tool named {call.name!r}. The tools are: {', '.join(self.allowed)}.")
        try:
            arguments, secrets = without_secrets(canonical_arguments(name, call.arguments))
        except ArgumentsRefused as error:
            return refused_result(error)
        if secrets:
            self._notice(Notice("secret_removed", "Something that looks like a secret was cut out of a query."))
        key = json.dumps([name, arguments], sort_keys=True, ensure_ascii=False)
        remembered = self._memory.get(key)
        if remembered is not None:
            return await self._again(remembered)
        refused = self.strict.refusal(name, arguments) if self.strict is not None else None
        if refused is not None:
            return refused
        self._give_back_unwanted(name, arguments)
        if not self.meter.may_call(name):
            return ToolResult(f"The limit of calls to {name} is reached. Answer now with what has been read.", outcome="limit")
        self.meter.count_call(name)
        self.listener(Event("step", _describe(name, arguments)))
        task = asyncio.ensure_future(self._call(name, arguments))
        self._memory[key] = _Remembered(task)
        return await task

    def _give_back_unwanted(self, name: str, arguments: Mapping[str, str]) -> None:
        """Give back what was looked up ahead as soon as the model asks for another library."""
        if name != QUERY or not self._ahead:
            return
        if _library(arguments) not in {library for tool, library in self._ahead if tool == QUERY}:
            for tool, _ in self._ahead:
                self.meter.give_back(tool, 1)
        self._ahead = []

    async def _again(self, remembered: _Remembered) -> ToolResult:
        remembered.times += 1
        result = await remembered.task
        if remembered.times > MAX_REPEATS + 1:
            return _refusal("This call was made before with the same arguments. Use other words, or answer now.")
        return replace(result, text=f"(The same call was made before; this is its result again.)\n\n{result.text}")

    async def _call(self, name: str, arguments: Mapping[str, str]) -> ToolResult:
        try:
            free = FIRST_FETCH_SECONDS if self.fetch_is_free else 0.0
            async with asyncio.timeout(self.deadline.remaining + free):
                result = await self.provider.call(name, arguments)
                return self.strict.held(name, arguments, result) if self.strict is not None else result
        except TimeoutError:
            return self._too_late(name, arguments)
        except DocsResearchError as error:
            text = " ".join(part for part in (f"{error.message}.", error.next_step) if part)
            return ToolResult(text, outcome="error")

    def _too_late(self, name: str, arguments: Mapping[str, str]) -> ToolResult:
        late = self.provider.late(arguments.get("libraryId", "")) if isinstance(self.provider, Fetches) else ""
        if late:
            return ToolResult(late, notices=(Notice("fetching", late),), outcome="not_ready")
        return ToolResult(
            f"{self.provider.name} did not answer {name} within the time that this question has.", outcome="unavailable"
        )

    def _record(self, call: ToolCall, result: ToolResult) -> None:
        self.meter.tokens_read += estimate_tokens(result.text)
        if result.outcome == "ok":
            query = str(call.arguments.get("query", "")) if canonical_tool(call.name) == QUERY else ""
            self.ledger.add(result.passages, query)
            self.library = result.library or self.library
        for notice in result.notices:
            self._notice(Notice(notice.code, clean(notice.text)))

    def _notice(self, notice: Notice) -> None:
        if notice not in self.notices:
            self.notices.append(notice)
            self.listener(Event("notice", notice.text, code=notice.code))


def _refusal(text: str) -> ToolResult:
    return ToolResult(text, outcome="refused")


def _library(arguments: Mapping[str, Any]) -> str:
    """The library that a call is about, without its version."""
    parsed = LibraryId.try_parse(str(arguments.get("libraryId", "")))
    return parsed.base if parsed is not None else ""


def _describe(name: str, arguments: Mapping[str, str]) -> str:
    if name == QUERY:
        return f"reading {arguments.get('libraryId', '')}: {arguments.get('query', '')}"
    return f"looking for {arguments.get('libraryName', '')}"
