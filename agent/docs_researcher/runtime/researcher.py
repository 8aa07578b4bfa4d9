"""The facade: a question in, an `Answer` out."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.core.answer import Answer, Notice
from docs_researcher.core.clean import clean
from docs_researcher.core.errors import ModelError, UsageError
from docs_researcher.core.events import Listener, ignore
from docs_researcher.core.ledger import Ledger
from docs_researcher.core.limits import Limits, Meter
from docs_researcher.core.messages import ModelUsage, ToolCall, ToolResult, ToolSpec, UserMessage
from docs_researcher.definition.loader import AgentDefinition, builtin_definition
from docs_researcher.definition.schema import definition_notices, offered_tools
from docs_researcher.docsets.acquiring.acquire import FetchPolicy
from docs_researcher.docsets.installed.known import asked_store, own_library
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.models.base import Model, Question
from docs_researcher.runtime.assemble import assemble
from docs_researcher.runtime.deadline import Deadline
from docs_researcher.runtime.given import check_question
from docs_researcher.runtime.in_project import project_line
from docs_researcher.runtime.loop import Loop
from docs_researcher.runtime.model_choice import extractive
from docs_researcher.runtime.repair import CLOSED, complaint
from docs_researcher.runtime.strict_version import StrictVersion
from docs_researcher.runtime.tool_runner import ToolRunner
from docs_researcher.runtime.transcript import Transcript
from docs_researcher.tools.base import DocsProvider, ToldByServers

if TYPE_CHECKING:
    from docs_researcher.library.projects.values import Project
    from docs_researcher.runtime.prices import Prices

MAX_QUESTION_CHARACTERS = 20_000
"""A question with a long error text fits; a whole file does not."""

FREE_EVIDENCE_TOKENS = 6_000
"""What one `query-docs` call may return to a model that is only rules: reading costs it nothing, and none of it is passed on."""
EVIDENCE_TOKENS = 4_000
"""What it may return where a model pays for what it is shown: twice what is passed on, so that there is a choice."""
SHOWN_TOKENS = 1_800
"""What of that is passed on to the model. The measurements behind both are in docs/benchmarks.md, "What a Claude model reads"."""


class Researcher:
    """Answers questions, one conversation each, over one provider and one model.

    Both are kept open between questions; use it as an async context manager, or call `aclose`. `research` may run many
    times at once, in one event loop:

        async with Researcher() as researcher:
            answers = await asyncio.gather(*(researcher.research(question) for question in questions))
    """

    def __init__(
        self,
        *,
        provider: DocsProvider | None = None,
        model: Model | None = None,
        definition: AgentDefinition | None = None,
        limits: Limits | None = None,
        policy: FetchPolicy | None = None,
        listener: Listener = ignore,
        fetch_is_free: bool = False,
        look_ahead: bool | None = None,
        fall_back: bool = False,
        prices: Prices | None = None,
        notices: tuple[Notice, ...] = (),
        project: Project | None = None,
        server_notes: bool = True,
    ) -> None:
        """Nothing is started, read or asked before the first question.

        Args:
            provider: where documentation comes from; this machine's docsets if None.
            model: who thinks; the extractive model if None.
            definition: the agent; the built-in one if None.
            limits: those of each question; those of `definition` if None.
            policy: what the docsets of this machine may fetch.
            listener: hears what happens, as it happens.
            fetch_is_free: whether the first fetch of a library takes nothing of a question's seconds.
            look_ahead: whether libraries are looked up before the first turn; None: for a model whose turns cost something.
            fall_back: whether the extractive model answers where `model` cannot be reached; the answer then says so.
            prices: what models cost; without it no cost is known, and none limited.
            notices: added to every answer.
            project: its versions count where a question names none, and its own dependencies may be fetched.
            server_notes: whether what documentation servers say about their own use stands, labelled, in the prompt.
        """
        self._policy = policy or FetchPolicy()
        if project is not None:
            self._policy = replace(self._policy, project=project)
        self._project = project
        self._listener = listener
        self._model = model or extractive()
        self._provider = provider or local_provider(self._policy, listener, evidence_tokens(self._model))
        self._definition = definition or builtin_definition()
        self._limits = limits or self._definition.limits
        self._fetch_is_free = fetch_is_free
        self._ahead = look_ahead
        self._fall_back = fall_back
        self._prices = prices
        self._notices = notices
        self._server_notes = server_notes

    async def __aenter__(self) -> Researcher:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the provider and the model. Safe to call twice."""
        await self._provider.aclose()
        await self._model.aclose()

    async def research(
        self,
        question: str,
        *,
        library: str | None = None,
        answer_tokens: int | None = None,
        strict_version: bool = False,
        trace: str | Path | None = None,
    ) -> Answer:
        """Answer one question, in a conversation of its own with limits of its own.

        Args:
            question: in any language, in the asker's own words.
            library: fixes the library: a name, `name@version`, a purl or an id.
            answer_tokens: the most tokens that `Answer.text` may have.
            strict_version: refuse instead of answering from another version than the one asked for.
            trace: file for the transcript (JSON lines, secrets cut out).

        Returns:
            The answer. What stopped a run, nothing found and a question back are answers too; see `Answer.status`.

        Raises:
            UsageError: the question is too long, an argument cannot be what it is, or the trace file cannot be written.
            ServerError: the provider cannot be reached at all.
            ModelError: the model cannot be reached at all.
            DefinitionError: the agent definition names no tool that the provider has.
        """
        file = check_question(question, library, answer_tokens, trace)
        limits = self._limits.with_changes(answer_tokens=answer_tokens)
        library = (own_library(asked_store(), library) or library) if library else None
        asked = Question(_checked(question), library, limits.answer_tokens, strict_version, self._project)
        transcript = Transcript(file)
        preparing = asyncio.ensure_future(self._model.prepare())  # while the provider is asked for its tools
        try:
            tools, notices = await self._tools()
            loop = await self._loop(self._model, limits, asked, tools, transcript)
            transcript.question(asked.text, loop.system)
            try:
                answer = await self._answer(loop)
            except ModelError as error:
                if not self._fall_back:
                    raise
                answer = await self._answer(await self._loop(extractive(), limits, asked, tools, transcript))
                notices = (*notices, _fell_back(error))
            answer = replace(answer, notices=(*answer.notices, *notices, *self._notices))
            transcript.answer(answer)
            return answer
        finally:
            preparing.cancel()
            transcript.close()

    async def _loop(
        self, model: Model, limits: Limits, asked: Question, tools: tuple[ToolSpec, ...], transcript: Transcript
    ) -> Loop:
        runner = ToolRunner(
            self._provider,
            tuple(tool.name for tool in tools),
            Ledger(),
            Meter(limits),
            Deadline(limits.seconds),
            self._listener,
            self._fetch_is_free,
            StrictVersion.of(asked),
            None if model.thinks_for_free else SHOWN_TOKENS,
        )
        system = await self._system(model, limits, tools)
        return Loop(model, runner, system, asked, tools, transcript.message, partial(self._cost, model.name))

    def _cost(self, model: str, usage: ModelUsage) -> float | None:
        """US dollars by the user's price list; None without one, and for a model that is not on it."""
        if not self._prices:
            return None
        from docs_researcher.runtime.prices import cost_of

        return cost_of(model, usage, self._prices)

    async def _answer(self, loop: Loop) -> Answer:
        """Loop, ground, have taken back what does not stand in the evidence, assemble."""
        asked, runner = loop.question, loop.runner
        fixed = f"(Library: {asked.library})" if asked.library is not None else ""
        of_project = "" if loop.model.thinks_for_free else project_line(asked)
        opening = "\n\n".join(part for part in (asked.text, fixed, of_project) if part)
        run = await loop.run(UserMessage(opening, await self._look_ahead(loop)))
        replaced = bool(runner.unmet_version) and not len(runner.ledger)  # by the refusal of another version
        may_correct = not loop.model.only_quotes and not replaced and loop.limit_reached(run) is None
        finished = run.reply.stop == "end" and not run.stopped_by and may_correct
        said = complaint(run, loop) if finished else None
        if said is not None:
            corrected = await loop.one_more_turn(run, said, CLOSED)
            if corrected.text and corrected.stop == "end":
                run.reply = corrected
        return assemble(run, loop)

    async def _look_ahead(self, loop: Loop) -> tuple[tuple[ToolCall, ToolResult], ...]:
        """What is looked up for a model with a price on its turns, while the connection to it is made."""
        if loop.model.thinks_for_free if self._ahead is None else not self._ahead:
            return ()
        from docs_researcher.runtime.ahead import look_ahead

        ahead, _ = await asyncio.gather(look_ahead(loop.runner, loop.question, loop.tools), loop.model.prepare())
        return ahead

    async def _tools(self) -> tuple[tuple[ToolSpec, ...], tuple[Notice, ...]]:
        """The tools of the run, and what the asker has to know about the agent definition."""
        available = await self._provider.tools()
        names, _ = offered_tools(self._definition, [tool.name for tool in available])
        told = definition_notices(self._definition, [tool.name for tool in available])
        notices = tuple(Notice("agent_definition", sentence) for sentence in told)
        return tuple(tool for tool in available if tool.name in names), notices

    async def _system(self, model: Model, limits: Limits, tools: tuple[ToolSpec, ...]) -> str:
        """The system prompt; a model that is only rules reads none, so the template engine is not started for it."""
        if model.thinks_for_free:
            return ""
        from docs_researcher.definition.render import ServerNote, render

        notes: list[ServerNote] = []
        if self._server_notes and isinstance(self._provider, ToldByServers):
            notes = [ServerNote(server, text) for server, text in (await self._provider.server_notes()).items()]
        return render(self._definition, {"limits": limits, "tools": [tool.name for tool in tools], "server_notes": notes})


def _fell_back(error: ModelError) -> Notice:
    return Notice("model_unavailable", f"{error.message}. The extractive model answered instead. {error.next_step}".strip())


def _checked(question: str) -> str:
    text = clean(question).strip()
    if len(text) > MAX_QUESTION_CHARACTERS:
        raise UsageError(
            f"The question has {len(text):,} characters",
            why=f"at most {MAX_QUESTION_CHARACTERS:,} are read",
            next_step="Ask for one thing, and leave out code that the question does not need.",
        )
    return text


def evidence_tokens(model: Model) -> int:
    """The most tokens of one `query-docs` result for a model; less for one to which a part of them is passed on."""
    return FREE_EVIDENCE_TOKENS if model.thinks_for_free else EVIDENCE_TOKENS


def local_provider(policy: FetchPolicy, listener: Listener, result_tokens: int) -> DocsProvider:
    """The provider over our own docsets."""
    from docs_researcher.tools.local import LocalProvider

    return LocalProvider(Store(), Catalogue.load(), policy=policy, listener=listener, result_tokens=result_tokens)
