"""What an agent definition is once it is read: frozen values, the names of its frontmatter, and the tools that it gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from docs_researcher.core.errors import DefinitionError
from docs_researcher.core.limits import Limits

OWN_KEY = "docs-research"
"""The one frontmatter key that is ours alone; copies for other hosts leave it out."""

TemplateKind = Literal["jinja2"]
TEMPLATE_KINDS: tuple[str, ...] = get_args(TemplateKind)

USED_KEYS = frozenset({"name", "description", "model", "tools", "disallowedTools", "maxTurns", OWN_KEY})
"""Keys that change what we do."""

COSMETIC_KEYS = frozenset({"color", "background", "is_background", "isolation", "permissionMode", "readonly", "initialPrompt"})
"""Keys of Claude Code and Cursor that say how a host shows or confines an agent. A research run has only read-only tools and
runs inside its caller, so leaving them alone changes nothing and needs no report."""

HOST_KEYS = frozenset({"skills", "mcpServers", "hooks", "memory", "effort"})
"""Keys of Claude Code that would change the agent there and have no effect here: kept and reported."""

MAX_NOTICES = 6
"""Sentences about one agent file before a run; the rest is for `agents validate`."""

KNOWN_KEYS = USED_KEYS | COSMETIC_KEYS | HOST_KEYS


@dataclass(frozen=True, slots=True)
class Repair:
    """One thing in a definition file that was mended, or kept without effect. Lines and columns count from 1."""

    path: str
    line: int
    column: int
    what: str
    is_fault: bool = True
    """Whether the file should be corrected; False for a key of another host, which belongs there and has no effect here."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.what}"


@dataclass(frozen=True, slots=True)
class AgentDefinition:
    """An agent: who it is, what it may use, and its prompt."""

    name: str
    description: str
    """When to hand work to this agent, and when not."""
    prompt: str
    """The body of the file; a template only if `template` says so."""
    model: str = "inherit"
    """A model id or alias as written; "inherit" leaves the choice to the run."""
    tools: tuple[str, ...] | None = None
    """Tool names as written; None when the file does not restrict them, empty when it allows none."""
    disallowed_tools: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    template: TemplateKind | None = None
    unknown: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Keys that have no effect here, with their values as read. Keys below `docs-research:` are named `docs-research.KEY`."""
    repairs: tuple[Repair, ...] = ()
    source: str = ""
    """The path of the file, or what stands in its place for a text without one."""
    prompt_line: int = 1
    """The line of the file on which the prompt begins."""


class RepairLog:
    """Collects the repairs of one file while it is read."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._repairs: list[Repair] = []

    def add(self, line: int, column: int, what: str, *, is_fault: bool = True) -> None:
        """Note one repair at a line and column counted from 1."""
        self._repairs.append(Repair(self.path, line, column, what, is_fault))

    def yaml_fault(self) -> str:
        """What the YAML parser said of the first value that it could not read, with its line; empty if it read all."""
        found = (repair for repair in self.sorted() if "(YAML: " in repair.what)
        return next((f"line {one.line}: YAML {one.what.partition('(YAML: ')[2].rstrip(')')}" for one in found), "")

    def sorted(self) -> tuple[Repair, ...]:
        """The repairs in the order of their places."""
        return tuple(sorted(self._repairs, key=lambda repair: (repair.line, repair.column)))


def offered_tools(definition: AgentDefinition, available: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names out of `available` that the definition allows, in their order there, and warnings about the names it cannot have.

    `mcp__SERVER__query-docs`, `mcp_SERVER_query-docs` and `SERVER/query-docs` mean `query-docs` whatever the server;
    `*`, `mcp__SERVER`, `mcp__SERVER__*` and `SERVER/*` mean all. `disallowedTools` is applied first.

    Raises:
        DefinitionError: no tool is left, so that the agent could only guess.
    """
    denied = {tool for name in definition.disallowed_tools for tool in _meant(name, available)}
    allowed = set(available) - denied
    warnings: list[str] = []
    if definition.tools is not None:
        named: set[str] = set()
        for name in definition.tools:
            meant = _meant(name, available)
            named.update(meant)
            if not meant:
                warnings.append(f"the tool {name!r} of the agent {definition.name!r} is not offered here and was ignored")
        allowed &= named
    names = tuple(name for name in available if name in allowed)
    if not names:
        choice = f", or name some of: {', '.join(available)}" if available else ""
        raise DefinitionError(
            f"refusing to start the agent {definition.name!r} without tools",
            why=_why(definition, available, denied),
            next_step=f"Leave `tools` and `disallowedTools` out of its file{choice}.",
            path=definition.source,
        )
    return names, tuple(warnings)


def definition_notices(definition: AgentDefinition, available: Sequence[str]) -> tuple[str, ...]:
    """What the user of an agent has to know before it runs, in at most `MAX_NOTICES` sentences.

    They tell what in its file was mended or has no effect, each with its place, and which tools it names in vain.

    Raises:
        DefinitionError: no tool is left (see `offered_tools`).
    """
    _, warnings = offered_tools(definition, available)
    sentences = [*(f"{repair}." for repair in definition.repairs), *(f"{_capital(warning)}." for warning in warnings)]
    if len(sentences) <= MAX_NOTICES:
        return tuple(sentences)
    import shlex

    more = len(sentences) - MAX_NOTICES + 1
    told = f"{more} more notes on this file: docs-research agents validate {shlex.quote(definition.source)}"
    return (*sentences[: MAX_NOTICES - 1], told)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _meant(name: str, available: Sequence[str]) -> tuple[str, ...]:
    """The tools that one name or pattern stands for."""
    if name in ("*", "mcp__*") or name.endswith(("__*", "/*")) or (name.startswith("mcp__") and name.count("__") == 1):
        return tuple(available)
    folded = _fold(name.rpartition("/")[2])
    return tuple(
        tool for tool in available if folded == _fold(tool) or (folded.startswith("mcp_") and folded.endswith("_" + _fold(tool)))
    )


def _fold(name: str) -> str:
    return name.lower().replace("-", "_")


def _why(definition: AgentDefinition, available: Sequence[str], denied: set[str]) -> str:
    if not available:
        return "the source of documentation offers no tool"
    if definition.tools == ():
        return "its `tools` allows none"
    if denied.issuperset(available):
        return "its `disallowedTools` takes all of them away"
    return f"none of {', '.join(definition.tools or ())} is offered here"
