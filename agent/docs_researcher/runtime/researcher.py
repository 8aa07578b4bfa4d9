"""The facade: a question in, an `Answer` out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from docs_researcher.core.answer import Answer
from docs_researcher.core.clean import clean
from docs_researcher.core.errors import UsageError
from docs_researcher.core.events import Listener, ignore
from docs_researcher.core.ledger import Ledger
from docs_researcher.core.limits import Limits, Meter
from docs_researcher.core.messages import ToolCall, ToolResult, ToolSpec, UserMessage
from docs_researcher.definition.loader import AgentDefinition, builtin_definition, load_definition
from docs_researcher.definition.schema import offered_tools
from docs_researcher.docsets.acquire import FetchPolicy
from docs_researcher.docsets.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.models.base import Model, Question
from docs_researcher.runtime.assemble import assemble
from docs_researcher.runtime.deadline import Deadline
from docs_researcher.runtime.loop import one_more_turn, run_loop
from docs_researcher.runtime.repair import CLOSED, complaint
from docs_researcher.runtime.tool_runner import ToolRunner
from docs_researcher.runtime.transcript import Transcript
from docs_researcher.steps.ground import ground
from docs_researcher.tools.base import DocsProvider

DocsFrom = Literal["auto", "local", "mcp"]
ModelName = Literal["auto", "extractive"]

MAX_QUESTION_CHARACTERS = 20_000
"""A question with a long error text fits; a whole file does not."""

EVIDENCE_TOKENS = 6_000
"""What one `query-docs` call of a run may return. More than a host's 2,000: nothing of it reaches the asker unasked."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the asker fixed for a run. None leaves a limit to the agent definition."""

    library: str | None = None
    answer_tokens: int | None = None
    strict_version: bool = False


class Researcher:
    """Answers questions, one conversation each, over one provider and one model.

    Both are kept open between questions; use it as an async context manager, or call `aclose`. `research` may run many
    times at once.
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
    ) -> None:
        """Everything left out is built: local docsets, the extractive model, the built-in agent definition.

        `look_ahead` None looks up ahead for a model that costs something for each turn, and not for the extractive one.
        """
        self._policy = policy or FetchPolicy()
        self._listener = listener
        self._provider = provider or local_provider(self._policy, listener)
        self._model = model or extractive_model()
        self._definition = definition or builtin_definition()
        self._limits = limits or self._definition.limits
        self._fetch_is_free = fetch_is_free
        self._ahead = not self._model.thinks_for_free if look_ahead is None else look_ahead

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
        trace: Path | None = None,
    ) -> Answer:
        """Answer one question.

        Args:
            question: in any language, in the asker's own words.
            library: fixes the library: a name, `name@version`, a purl or an id.
            answer_tokens: the most tokens that `Answer.text` may have.
            strict_version: refuse instead of answering from another version than the one asked for.
            trace: file for the transcript (JSON lines, secrets cut out).

        Raises:
            UsageError: the question is too long, or the trace file cannot be written.
            ServerError: the provider cannot be reached at all.
            ModelError: the model cannot be reached at all.
            DefinitionError: the agent definition names no tool that the provider has.
        """
        limits = self._limits.with_changes(answer_tokens=answer_tokens)
        asked = Question(_checked(question), library, limits.answer_tokens, strict_version)
        transcript = Transcript(trace)
        try:
            tools = await self._tools()
            system = self._system(limits, tools)
            transcript.question(asked.text, system)
            runner = ToolRunner(
                self._provider,
                tuple(tool.name for tool in tools),
                Ledger(),
                Meter(limits),
                Deadline(limits.seconds),
                self._listener,
                self._fetch_is_free,
            )
            answer = await self._answer(runner, asked, system, tools, transcript)
            transcript.answer(answer)
            return answer
        finally:
            transcript.close()

    async def _answer(
        self, runner: ToolRunner, asked: Question, system: str, tools: tuple[ToolSpec, ...], transcript: Transcript
    ) -> Answer:
        """Loop, ground, have repaired what does not stand in the evidence, assemble."""
        opening = asked.text if asked.library is None else f"{asked.text}\n\n(Library: {asked.library})"
        ahead = await self._look_ahead(runner, asked, tools)
        run = await run_loop(
            self._model,
            runner,
            system=system,
            question=asked,
            opening=UserMessage(opening, ahead),
            tools=tools,
            on_message=transcript.message,
        )
        said = complaint(ground(run.reply.text, runner.ledger)) if run.reply.stop == "end" and not run.stopped_by else None
        if said is not None:
            corrected = await one_more_turn(
                self._model,
                runner,
                run,
                system=system,
                question=asked,
                tools=tools,
                said=said,
                closed_because=CLOSED,
                on_message=transcript.message,
            )
            if corrected.text and corrected.stop == "end":
                run.reply = corrected
        return assemble(run, runner, asked, self._model.name)

    async def _look_ahead(
        self, runner: ToolRunner, asked: Question, tools: tuple[ToolSpec, ...]
    ) -> tuple[tuple[ToolCall, ToolResult], ...]:
        """What is looked up for a model with a price on its turns, while the connection to it is made."""
        if not self._ahead:
            return ()
        from docs_researcher.runtime.ahead import look_ahead

        ahead, _ = await asyncio.gather(look_ahead(runner, asked, tools, Catalogue.load()), self._model.prepare())
        return ahead

    async def _tools(self) -> tuple[ToolSpec, ...]:
        available = await self._provider.tools()
        names, _ = offered_tools(self._definition, [tool.name for tool in available])
        return tuple(tool for tool in available if tool.name in names)

    def _system(self, limits: Limits, tools: tuple[ToolSpec, ...]) -> str:
        """The system prompt; a model that is only rules reads none, so the template engine is not started for it."""
        if self._model.thinks_for_free:
            return ""
        from docs_researcher.definition.render import render

        return render(self._definition, {"limits": limits, "tools": [tool.name for tool in tools]})


def _checked(question: str) -> str:
    text = clean(question).strip()
    if len(text) > MAX_QUESTION_CHARACTERS:
        raise UsageError(
            f"The question has {len(text):,} characters",
            why=f"at most {MAX_QUESTION_CHARACTERS:,} are read",
            next_step="Ask for one thing, and leave out code that the question does not need.",
        )
    return text


def local_provider(policy: FetchPolicy, listener: Listener) -> DocsProvider:
    """The provider over our own docsets."""
    from docs_researcher.tools.local import LocalProvider

    return LocalProvider(Store(), Catalogue.load(), policy=policy, listener=listener, result_tokens=EVIDENCE_TOKENS)


def extractive_model() -> Model:
    """The model that needs no key and no network."""
    from docs_researcher.models.extractive import ExtractiveModel

    return ExtractiveModel(Catalogue.load())


def _mcp_provider(policy: FetchPolicy, listener: Listener) -> DocsProvider:
    """Our own server as a child process, spoken to over MCP: the same documentation through the protocol."""
    from docs_researcher.tools.mcp.own_server import own_server

    return own_server(policy, result_tokens=EVIDENCE_TOKENS, listener=listener)


async def research(
    question: str,
    *,
    library: str | None = None,
    docs_from: DocsFrom = "auto",
    model: ModelName | Model = "auto",
    answer_tokens: int | None = None,
    offline: bool = False,
    yes: bool = False,
    strict_version: bool = False,
    listener: Listener = ignore,
    trace: Path | None = None,
    agent: Path | None = None,
    confirm: Callable[[str], bool] | None = None,
    first_fetch_free: bool = False,
) -> Answer:
    """Answer one question with everything built for it and closed behind it. See `Researcher.research`.

    Args beside those of `Researcher.research`:
        docs_from: "local" reads our docsets in process, "mcp" through our MCP server; "auto" is "local".
        model: "extractive" needs no key; "auto" is the same until a Claude model is configured.
        offline: never use the network; answer from what is installed.
        yes: allow every fetch without asking.
        confirm: asked (with one sentence) before a fetch that the trust rule does not allow by itself.
        listener: told what happens, as it happens.
        agent: an agent definition file instead of the built-in one.
        first_fetch_free: fetching documentation for the first time does not count against the time limit.
    """
    policy = FetchPolicy(offline=offline, yes=yes, confirm=confirm, strict_version=strict_version, named=library)
    researcher = Researcher(
        provider=_mcp_provider(policy, listener) if docs_from == "mcp" else None,
        model=None if isinstance(model, str) else model,
        definition=load_definition(agent) if agent is not None else None,
        policy=policy,
        listener=listener,
        fetch_is_free=first_fetch_free,
    )
    async with researcher:
        return await researcher.research(
            question, library=library, answer_tokens=answer_tokens, strict_version=strict_version, trace=trace
        )


def research_sync(question: str, **options: object) -> Answer:
    """`research` for callers without an event loop; takes the same arguments.

    Raises:
        RuntimeError: when called from inside a running event loop.
    """
    return asyncio.run(research(question, **options))  # pyright: ignore[reportArgumentType] -- forwarded as they are
