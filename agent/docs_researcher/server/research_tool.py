"""`research-library-docs`: the whole research as one call of an MCP host, within its time, told as it goes on."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docs_researcher.core.answer import Notice
from docs_researcher.core.errors import ArgumentsRefused
from docs_researcher.core.events import Event
from docs_researcher.server.fetching import on_behalf_of, relay
from docs_researcher.server.wording import for_an_agent
from docs_researcher.tools.arguments import checked_arguments

if TYPE_CHECKING:
    from docs_researcher.core.answer import Answer
    from docs_researcher.definition.loader import AgentDefinition
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.library.projects.values import Project
    from docs_researcher.runtime.model_choice import ChosenModel
    from docs_researcher.runtime.prices import Prices
    from docs_researcher.runtime.research_tool import ResearchArguments, ToolReply
    from docs_researcher.runtime.settings import Settings
    from docs_researcher.tools.base import DocsProvider

PROJECT_VARIABLES = ("CLAUDE_PROJECT_DIR",)
"""Where hosts say which project is worked on. The working directory says nothing: some hosts start us in a plugin's folder."""
FETCH_SHARE = 0.75
"""The share of a call's time after which a fetch is no longer waited for; the rest is for saying so, or for the answer."""
GRACE_SECONDS = 2.0
"""How much longer than its limit a research may take before it is given up."""
HEARTBEAT_SECONDS = 15.0
"""A host that asked for progress hears something at least this often."""
SHORTEST_INTERVAL = 0.5
"""Notes that follow faster than this are left out: a download reports every few milliseconds."""
ANSWER_KEY = "docs-researcher/answer"
"""The `_meta` key for what a program may want to know of an answer; hosts do not show it to their model."""

Report = Callable[[float, float | None, str], Awaitable[None]]
"""Sends one progress note: seconds so far, seconds at most, and what happens."""
ProviderFor = Callable[["Settings", str | None, "Project | None", int], "DocsProvider"]
"""The provider for a call: by its settings, what it named as the library, its project, and the most tokens of one result."""


@dataclass(frozen=True, slots=True)
class ResearchCall:
    """One call, read."""

    project: Path | None
    as_json: bool
    arguments: Mapping[str, Any]
    """Those that the research has wherever it is called."""


class ResearchTool:
    """Answers calls over one store of docsets. Models and agent definitions are made once and kept."""

    def __init__(
        self,
        provider_for: ProviderFor,
        store: Callable[[], Store],
        *,
        flags: Mapping[str, Any] | None = None,
        config: Path | None = None,
    ) -> None:
        """`flags` are settings from the command line, which win over those of files; `config` is the user's file."""
        self._provider_for = provider_for
        self._store = store
        self._flags = dict(flags or {})
        self._config = config
        self._models: dict[tuple[str, str], ChosenModel] = {}
        self._builtin: AgentDefinition | None = None

    async def call(self, arguments: Mapping[str, Any], report: Report | None) -> tuple[ToolReply, bool]:
        """Answer one call, and whether the whole answer is wanted as structured content.

        `report` is called for each progress note; None where nobody wants any. Cancelling this stops the research and its
        fetch.
        """
        # The first call waits for half a second of imports; the others that are in flight do not.
        await asyncio.to_thread(import_module, "docs_researcher.runtime.researcher")
        from docs_researcher.docsets.installed.known import asking_over
        from docs_researcher.runtime.research_tool import ToolReply, answer_call

        try:
            asked = read_call(arguments)
        except ArgumentsRefused as error:
            return ToolReply(f"{error.message}.\n\n{error.next_step}", is_error=True), False

        async def research(question: ResearchArguments) -> Answer:
            return await self._research(question, asked.project, report)

        try:
            with asking_over(self._store()):
                reply = await answer_call(research, asked.arguments)
        except TimeoutError:
            text = "The research did not end within its time.\n\nAsk for one thing at a time, or read with query-docs."
            return ToolReply(text, is_error=True), False
        answer = reply.answer
        text = whole_text(answer) if answer is not None else reply.text
        if reply.is_error or (answer is not None and answer.status in ("needs_input", "not_found")):
            text = for_an_agent(text)
        return replace(reply, text=text), asked.as_json and answer is not None

    async def aclose(self) -> None:
        """Close the models."""
        for chosen in self._models.values():
            await chosen.model.aclose()

    async def _research(self, question: ResearchArguments, folder: Path | None, report: Report | None) -> Answer:
        from docs_researcher.runtime.in_project import project_at
        from docs_researcher.runtime.researcher import Researcher, evidence_tokens

        settings = self._settings(folder)
        definition = self._definition(settings.agent, folder)
        project = await asyncio.to_thread(project_at, folder)
        chosen = self._model(settings.model or "extractive", definition.model)
        limits = settings.limits_over(definition.limits)
        fetched_by = time.monotonic() + limits.seconds * FETCH_SHARE
        notes = _Notes(report or _nobody, limits.seconds)
        researcher = Researcher(
            provider=self._provider_for(settings, question.library, project, evidence_tokens(chosen.model)),
            model=chosen.model,
            definition=definition,
            limits=limits,
            listener=relay,
            fall_back=settings.model == "auto",
            prices=self._price_list(settings.prices),
            notices=(*chosen.notices, *_said_in_vain(settings)),
            project=project,
        )
        try:
            with on_behalf_of(notes.hear, fetched_by):
                async with asyncio.timeout(limits.seconds + GRACE_SECONDS):
                    answer = await researcher.research(
                        question.question,
                        library=question.library,
                        answer_tokens=question.answer_tokens,
                        strict_version=bool(settings.strict_version),
                    )
        finally:
            await notes.stop()
        return answer

    def _settings(self, project: Path | None) -> Settings:
        from docs_researcher.definition.places import config_folder
        from docs_researcher.runtime.settings import load_settings

        return load_settings(project or config_folder(), config=self._config).with_flags(self._flags)

    def _definition(self, agent: str | None, project: Path | None) -> AgentDefinition:
        from docs_researcher.definition.loader import builtin_definition

        if agent is not None:
            from docs_researcher.definition.folders import find_agent
            from docs_researcher.definition.places import config_folder

            return find_agent(agent, project or config_folder())
        self._builtin = self._builtin or builtin_definition()
        return self._builtin

    def _model(self, name: str, defined: str) -> ChosenModel:
        from docs_researcher.runtime.model_choice import choose_thinker

        chosen = self._models.get((name, defined))
        if chosen is None:
            chosen = self._models[name, defined] = choose_thinker(name, defined, relay)
        return chosen

    def _price_list(self, file: Path | None) -> Prices | None:
        if file is None:
            return None
        from docs_researcher.runtime.prices import load_prices

        return load_prices(file)


def _said_in_vain(settings: Settings) -> tuple[Notice, ...]:
    """What the configuration says and what has no effect here."""
    texts = list(settings.notices)
    if settings.docs_from not in (None, "auto", "local"):
        texts.append(f"docs_from = {settings.docs_from!r} has no effect here: the server reads this machine's docsets.")
    return tuple(Notice("configuration", text) for text in texts)


def read_call(arguments: Mapping[str, Any]) -> ResearchCall:
    """The arguments of a call, those that are MCP's own apart from the others.

    Raises:
        ArgumentsRefused: an argument that there is not, or that is not what the tool's schema says; a `project_dir` that is no
            folder here.
    """
    from docs_researcher.core.messages import RESEARCH
    from docs_researcher.runtime.research_tool import ALIASES
    from docs_researcher.server.tools import fixed_spec

    given = checked_arguments(fixed_spec(RESEARCH), ALIASES, arguments)
    form, folder = given.pop("format", "text"), given.pop("project_dir", None)
    if folder is not None and not (Path(folder).is_absolute() and Path(folder).is_dir()):
        raise ArgumentsRefused(
            f"the argument 'project_dir' cannot be {folder!r}",
            why="it is not the absolute path of a folder here",
            next_step="Give the path of the project, or leave it out.",
        )
    return ResearchCall(host_project() if folder is None else Path(folder), form == "json", given)


def host_project() -> Path | None:
    """The project that the host says it works on, if it says so."""
    for name in PROJECT_VARIABLES:
        text = os.environ.get(name, "").strip()
        if text and Path(text).is_absolute() and Path(text).is_dir():
            return Path(text)
    return None


def whole_text(answer: Answer) -> str:
    """The answer's text; of an answer that is not complete also the notices that do not stand in it."""
    if answer.status == "complete":
        return answer.text
    said = " ".join(answer.text.split())
    missing = [notice.text for notice in answer.notices if notice.text.rstrip(".") not in said]
    return "\n\n".join([answer.text, *(f"Note: {text}" for text in dict.fromkeys(missing))])


def answer_facts(answer: Answer) -> dict[str, Any]:
    """What a program may want to know without reading the text, as JSON values."""
    library = answer.library
    return {
        "status": answer.status,
        "library": library and {"id": library.id, "version": library.version},
        "notices": [notice.code for notice in answer.notices],
        "tokens_read": answer.usage.tokens_read,
        "tokens_returned": answer.usage.tokens_returned,
    }


class _Notes:
    """Progress notes of one call: what happens, not too often, and a sign of life when nothing does."""

    def __init__(self, report: Report, seconds: float) -> None:
        self._report = report
        self._seconds = seconds
        self._started = time.monotonic()
        self._text = "researching"
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.ensure_future(self._send())

    def hear(self, event: Event) -> None:
        """Note an event, from any thread."""
        if event.kind == "text":
            return
        with suppress(RuntimeError):  # the loop is closed: nobody is told any more
            self._loop.call_soon_threadsafe(self._note, _described(event))

    def _note(self, text: str) -> None:
        self._text = text
        self._news.set()

    async def _send(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), HEARTBEAT_SECONDS)
            self._news.clear()
            await self._report(round(time.monotonic() - self._started, 3), self._seconds, self._text)
            await asyncio.sleep(SHORTEST_INTERVAL)

    async def stop(self) -> None:
        """No note may follow the answer."""
        self._task.cancel()
        await asyncio.wait({self._task})


async def _nobody(progress: float, total: float | None, message: str) -> None:
    """Tells a host that asked for no progress nothing."""


def _described(event: Event) -> str:
    if event.kind in ("fetch", "build") and event.total and event.done is not None:
        return f"{event.text}: {min(100, 100 * event.done // event.total)} %"
    return event.text
