"""A question answered with everything built for it, and a researcher built the same way for many."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.core.answer import Answer
from docs_researcher.core.events import Listener, ignore
from docs_researcher.definition.loader import AgentDefinition, builtin_definition
from docs_researcher.definition.places import config_file
from docs_researcher.docsets.acquire import FetchPolicy
from docs_researcher.docsets.store import Store
from docs_researcher.models.base import Model
from docs_researcher.runtime.in_project import dependency_asked, project_at
from docs_researcher.runtime.model_choice import ChosenModel, choose_thinker
from docs_researcher.runtime.researcher import Researcher, evidence_tokens, local_provider
from docs_researcher.tools.base import DocsProvider

if TYPE_CHECKING:
    from docs_researcher.runtime.prices import Prices

SERVER = "mcp:"
"""In front of the name of a server in `docs_from`."""


def make_researcher(
    *,
    named: str | None = None,
    docs_from: str = "auto",
    model: str | Model = "auto",
    offline: bool = False,
    yes: bool = False,
    strict_version: bool = False,
    listener: Listener = ignore,
    agent: str | Path | None = None,
    limits: Mapping[str, float] | None = None,
    prices: Path | None = None,
    confirm: Callable[[str], bool] | None = None,
    first_fetch_free: bool = False,
    cache: bool = True,
    project_dir: Path | None = None,
    server_notes: bool = True,
) -> Researcher:
    """A researcher for many questions with what `research` builds for one; the arguments are those of `research`.

    `named` is a package that may be fetched although it is not in the catalogue, as `library` is for one question.
    """
    project = project_at(project_dir)
    policy = FetchPolicy(offline=offline, yes=yes, confirm=confirm, strict_version=strict_version, named=named, project=project)
    definition = _agent(agent)
    chosen = choose_thinker(model, definition.model, listener) if isinstance(model, str) else ChosenModel(model)
    return Researcher(
        provider=_provider(docs_from, policy, listener, evidence_tokens(chosen.model), cache),
        model=chosen.model,
        definition=definition,
        limits=definition.limits.with_changes(**(limits or {})),
        policy=policy,
        listener=listener,
        fetch_is_free=first_fetch_free,
        fall_back=model == "auto",
        prices=_prices(prices),
        notices=chosen.notices,
        project=project,
        server_notes=server_notes,
    )


async def research(
    question: str,
    *,
    library: str | None = None,
    docs_from: str = "auto",
    model: str | Model = "auto",
    answer_tokens: int | None = None,
    offline: bool = False,
    yes: bool = False,
    strict_version: bool = False,
    listener: Listener = ignore,
    trace: Path | None = None,
    agent: str | Path | None = None,
    limits: Mapping[str, float] | None = None,
    prices: Path | None = None,
    confirm: Callable[[str], bool] | None = None,
    first_fetch_free: bool = False,
    cache: bool = True,
    project_dir: Path | None = None,
    server_notes: bool = True,
) -> Answer:
    """Answer one question with everything built for it and closed behind it.

    Args:
        question: in any language, in the asker's own words.
        library: fixes the library: a name, `name@version`, a package such as `npm:next@16`, or an id. A package that is named
            so may be fetched.
        docs_from: "local" reads our docsets in process, "mcp" through our MCP server, "mcp:NAME" asks the MCP server that is
            configured under that name; "auto" takes what is installed, then the servers of our configuration, then a fetch.
        model: "extractive" needs no key; "auto" is a Claude model when credentials are set, else the extractive one; else a
            model's alias (`haiku`), its id, or a model of one's own.
        answer_tokens: the most tokens that `Answer.text` may have; 1,500 unless the agent definition says otherwise.
        offline: never use the network; answer from what is installed.
        yes: allow every fetch without asking.
        strict_version: refuse instead of answering from another version than the one asked for.
        listener: told what happens, as it happens.
        trace: file for the transcript (JSON lines, secrets cut out).
        agent: an agent definition file, or the name of an agent of the project or the user, instead of the built-in one.
        limits: fields of `core.limits.Limits` with what they are to be, in the place of those of the agent definition.
        prices: the user's price list, by which the cost is told and limited.
        confirm: asked (with one sentence) before a fetch that the trust rule does not allow by itself.
        first_fetch_free: fetching documentation for the first time does not count against the time limit.
        cache: answers of MCP servers are kept and used again for a while.
        project_dir: a folder of the project that the question is asked in: its versions count where the question names none,
            and packages that it depends on may be fetched. None: in no project.
        server_notes: what an MCP server says about its own use stands, labelled, in the prompt of a model that reads one.

    Returns:
        The answer. Its `status` tells a whole answer from one that a limit stopped, from a question back, and from nothing found.

    Raises:
        UsageError: the question is too long, or the trace file cannot be written.
        ServerError: the place of the documentation cannot be reached at all.
        ModelError: the model cannot be reached at all, and was asked for by name.
        DefinitionError: the agent definition cannot be loaded, or names no tool that there is.
    """
    researcher = make_researcher(
        named=library or dependency_asked(question, project_dir if docs_from == "mcp" else None),
        docs_from=docs_from,
        model=model,
        offline=offline,
        yes=yes,
        strict_version=strict_version,
        listener=listener,
        agent=agent,
        limits=limits,
        prices=prices,
        confirm=confirm,
        first_fetch_free=first_fetch_free,
        cache=cache,
        project_dir=project_dir,
        server_notes=server_notes,
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


def _agent(name: str | Path | None) -> AgentDefinition:
    """The agent of a run; where agents lie is looked up only for one that is named."""
    if name is None:
        return builtin_definition()
    from docs_researcher.definition.folders import find_agent

    return find_agent(name)


def _prices(file: Path | None) -> Prices | None:
    if file is None:
        return None
    from docs_researcher.runtime.prices import load_prices

    return load_prices(file)


def _provider(docs_from: str, policy: FetchPolicy, listener: Listener, result_tokens: int, cache: bool) -> DocsProvider:
    """Where documentation comes from. Nothing of MCP is imported unless a server is configured or named."""
    if docs_from == "mcp":
        from docs_researcher.tools.mcp.own_server import own_server

        return own_server(policy, result_tokens=result_tokens, listener=listener)
    kept = Store().cache_dir if cache else None
    if docs_from.startswith(SERVER):
        from docs_researcher.tools.servers.providers import provider_named

        return provider_named(docs_from.removeprefix(SERVER), listener, cache_folder=kept)
    local = local_provider(policy, listener, result_tokens)
    if docs_from != "auto" or policy.offline or not config_file().is_file():
        return local
    from docs_researcher.tools.servers.providers import in_order

    installed = local_provider(replace(policy, offline=True, strict_version=True), ignore, result_tokens)
    return in_order(installed, local, listener, cache_folder=kept)
