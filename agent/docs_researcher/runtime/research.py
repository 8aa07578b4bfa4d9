"""A question answered with everything built for it, and a researcher built the same way for many."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from docs_researcher.core.answer import Answer
from docs_researcher.core.events import Listener, ignore
from docs_researcher.definition.loader import AgentDefinition, builtin_definition
from docs_researcher.definition.places import config_file
from docs_researcher.docsets.acquiring.acquire import FetchPolicy
from docs_researcher.docsets.installed.pruning import DISK_MB
from docs_researcher.docsets.installed.store import Store
from docs_researcher.runtime.given import check_options, check_question
from docs_researcher.runtime.in_project import dependency_asked, project_at
from docs_researcher.runtime.model_choice import ChosenModel, choose_thinker
from docs_researcher.runtime.options import ResearchOptions, refuse_unknown
from docs_researcher.runtime.researcher import Researcher, evidence_tokens, local_provider
from docs_researcher.tools.base import DocsProvider

if TYPE_CHECKING:
    from docs_researcher.runtime.prices import Prices

SERVER = "mcp:"
"""In front of the name of a server in `docs_from`."""


def make_researcher(*, named: str | None = None, **options: Unpack[ResearchOptions]) -> Researcher:
    """A researcher for many questions with what `research` builds for one.

    Args:
        named: a package that may be fetched although it is not in the catalogue, as `library` is for one question.
        **options: those of `runtime.options.ResearchOptions`, as for `research`.

    Raises:
        TypeError: an option that there is not.
        UsageError: an option cannot be what it is, or names a model or a server that there is not.
        DefinitionError: the agent definition cannot be loaded.
        ConfigurationError: the price list or the configuration of servers cannot be used.
        ConsentRequired: the server stands in a project's file that nobody has approved.
    """
    refuse_unknown(options)
    check_options(options)
    model, listener, prices = options.get("model", "auto"), options.get("listener", ignore), options.get("prices")
    project = project_at(options.get("project_dir"))
    policy = FetchPolicy(
        offline=options.get("offline", False),
        yes=options.get("yes", False),
        confirm=options.get("confirm"),
        strict_version=options.get("strict_version", False),
        named=named,
        project=project,
        disk_mb=DISK_MB if (room := options.get("disk_mb")) is None else room,
    )
    definition = _agent(options.get("agent"))
    chosen = choose_thinker(model, definition.model, listener) if isinstance(model, str) else ChosenModel(model)
    docs_from, cache = options.get("docs_from", "auto"), options.get("cache", True)
    return Researcher(
        provider=_provider(docs_from, policy, listener, evidence_tokens(chosen.model), cache),
        model=chosen.model,
        definition=definition,
        limits=definition.limits.with_changes(**(options.get("limits") or {})),
        policy=policy,
        listener=listener,
        fetch_is_free=options.get("first_fetch_free", False),
        fall_back=model == "auto",
        prices=_prices(prices),
        notices=chosen.notices,
        project=project,
        server_notes=options.get("server_notes", True),
    )


async def research(
    question: str,
    *,
    library: str | None = None,
    answer_tokens: int | None = None,
    trace: str | Path | None = None,
    **options: Unpack[ResearchOptions],
) -> Answer:
    """Answer one question with everything built for it and closed behind it.

    Args:
        question: in any language, in the asker's own words.
        library: fixes the library: a name, `name@version`, a package such as `npm:next@16`, or an id. A package that is named
            so may be fetched.
        answer_tokens: the most tokens that `Answer.text` may have; 1,500 unless the agent definition says otherwise.
        trace: file for the transcript (JSON lines, secrets cut out).
        **options: where documentation comes from, who thinks, what may be fetched, and the rest of
            `runtime.options.ResearchOptions`: docs_from, model, offline, yes, strict_version, listener, agent, limits, prices,
            confirm, first_fetch_free, cache, project_dir, server_notes, disk_mb.

    Returns:
        The answer. Its `status` tells a whole answer from one that a limit stopped, from a question back, and from nothing found.

    Raises:
        TypeError, ConfigurationError, ConsentRequired: as `make_researcher`.
        UsageError: the question is too long, an argument cannot be what it is, or the trace file cannot be written.
        ServerError: the place of the documentation cannot be reached at all.
        ModelError: the model cannot be reached at all, and was asked for by name.
        DefinitionError: the agent definition cannot be loaded, or names no tool that there is.
    """
    check_question(question, library, answer_tokens, trace)
    check_options(options)
    through_ours = options.get("docs_from") == "mcp"
    may_fetch = library or dependency_asked(question, options.get("project_dir") if through_ours else None)
    async with make_researcher(named=may_fetch, **options) as researcher:
        return await researcher.research(
            question,
            library=library,
            answer_tokens=answer_tokens,
            strict_version=options.get("strict_version", False),
            trace=trace,
        )


def research_sync(
    question: str,
    *,
    library: str | None = None,
    answer_tokens: int | None = None,
    trace: str | Path | None = None,
    **options: Unpack[ResearchOptions],
) -> Answer:
    """`research` for callers without an event loop; takes the same arguments.

    Raises:
        RuntimeError: when called from inside a running event loop, where `await research(...)` does it. Everything else as
            `research`.
    """
    refuse_in_a_loop("research_sync", "research")
    return asyncio.run(research(question, library=library, answer_tokens=answer_tokens, trace=trace, **options))


def refuse_in_a_loop(called: str, instead: str) -> None:
    """Refuse a function that starts an event loop of its own where one is running, and say which one to await.

    Raises:
        RuntimeError: there is a running event loop.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError(
        f"{called} cannot be called here: an event loop is running (an async function, a notebook), and it would block that one. "
        f"Write `await {instead}(...)` instead."
    )


def _agent(name: str | Path | None) -> AgentDefinition:
    """The agent of a run; where agents lie is looked up only for one that is named."""
    if name is None:
        return builtin_definition()
    from docs_researcher.definition.folders import find_agent

    return find_agent(name)


def _prices(file: str | Path | None) -> Prices | None:
    if file is None:
        return None
    from docs_researcher.runtime.prices import load_prices

    return load_prices(Path(file))


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
