"""What a question is asked with in Python: the options of `research` and of `make_researcher`, once for both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypedDict

from docs_researcher.core.events import Listener
from docs_researcher.models.base import Model


class ResearchOptions(TypedDict, total=False):
    """Keyword arguments, each of which may be left out."""

    docs_from: str
    """"local" reads our docsets in process, "mcp" through our MCP server, "mcp:NAME" asks the MCP server that is configured under
    that name; "auto", the default, takes what is installed, then the servers of our configuration, then a fetch."""
    model: str | Model
    """"extractive" needs no key; "auto", the default, is a Claude model when credentials are set, else the extractive one; else a
    model's alias (`haiku`), its id, or a model of one's own."""
    offline: bool
    """Never use the network; answer from what is installed."""
    yes: bool
    """Allow every fetch without asking."""
    strict_version: bool
    """Refuse instead of answering from another version than the one asked for."""
    listener: Listener
    """Told what happens, as it happens."""
    agent: str | Path | None
    """An agent definition file, or the name of an agent of the project or the user, instead of the built-in one."""
    limits: Mapping[str, float] | None
    """Fields of `core.limits.Limits` with what they are to be, in the place of those of the agent definition."""
    prices: str | Path | None
    """The user's price list, by which the cost is told and limited."""
    confirm: Callable[[str], bool] | None
    """Asked (with one sentence) before a fetch that the trust rule does not allow by itself."""
    first_fetch_free: bool
    """Fetching documentation for the first time does not count against the time limit."""
    cache: bool
    """Answers of MCP servers are kept and used again for a while; they are unless this is False."""
    project_dir: str | Path | None
    """A folder of the project that the question is asked in: its versions count where the question names none, and packages that
    it depends on may be fetched. None, the default: in no project."""
    server_notes: bool
    """What an MCP server says about its own use stands, labelled, in the prompt of a model that reads one; it does unless this is
    False."""
    disk_mb: int | None
    """Megabytes that documentation which questions fetched may take (2,000); what was used least recently goes first."""


def refuse_unknown(options: Mapping[str, object]) -> None:
    """Say which options there are, as Python does for a function that names its arguments.

    Raises:
        TypeError: an option is none of them.
    """
    unknown = sorted(set(options) - set(ResearchOptions.__annotations__))
    if unknown:
        known = ", ".join(ResearchOptions.__annotations__)
        raise TypeError(f"got an unexpected keyword argument {unknown[0]!r}; the options are {known}")
