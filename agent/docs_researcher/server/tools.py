"""Which tools a server offers, and how a tool is shown to MCP hosts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from docs_researcher.core.messages import QUERY, RESEARCH, RESOLVE, ToolSpec
from docs_researcher.tools.arguments import canonical_tool
from docs_researcher.tools.specs import DOCS_TOOLS

if TYPE_CHECKING:
    from mcp import types

ToolChoice = Literal["research", "context7", "context", "all"]

GET_DOCS = "get_docs"

OFFERED: Mapping[ToolChoice, tuple[str, ...]] = {
    "research": (RESEARCH,),
    "context7": (RESOLVE, QUERY),
    "context": (GET_DOCS,),
    "all": (RESEARCH, RESOLVE, QUERY, GET_DOCS),
}
"""The tools of each choice, in the order in which they are listed."""

_OLD_NAMES = {"research": RESEARCH, "get-docs": GET_DOCS}
"""Names under which a tool is still answered; those of the two documentation tools stand in `tools.arguments`."""

_PROJECT_DIR = {
    "type": "string",
    "description": "The absolute path of the project that is worked on: the versions that it uses and its settings then count.",
}
_FORMAT = {
    "type": "string",
    "enum": ["text", "json"],
    "description": "json adds the whole answer as structured content (status, library, examples, references, usage), which "
    "some hosts show instead of the text.",
}


_APART = (
    f"For an agent that reads documentation apart from the conversation. In a main conversation call {RESEARCH} instead: it "
    "returns only the answer, where this returns pages."
)
"""Stands before the raw tools where the research is offered beside them: hosts cut at the end."""


_ALWAYS_LOADED = {"anthropic/alwaysLoad": True}
"""Asks Claude Code not to put the tool behind its tool search: one that answers instead of reading has to be seen to be used."""


def offered_name(name: str) -> str:
    """The tool that a name means, old names included; an unknown name as it is."""
    return canonical_tool(name) or _OLD_NAMES.get(name, name)


def fixed_spec(name: str, offered: Sequence[str] = ()) -> ToolSpec:
    """The description of a tool that does not depend on what is installed; `offered` are the tools that it stands among."""
    if name == RESEARCH:
        from docs_researcher.runtime.research_tool import RESEARCH_SPEC

        schema: dict[str, Any] = dict(RESEARCH_SPEC.input_schema)
        schema["properties"] = {**schema["properties"], "project_dir": _PROJECT_DIR, "format": _FORMAT}
        return replace(RESEARCH_SPEC, input_schema=schema)
    spec = next(spec for spec in DOCS_TOOLS if spec.name == name)
    return replace(spec, description=f"{_APART}\n\n{spec.description}") if RESEARCH in offered else spec


def wire_tool(spec: ToolSpec) -> types.Tool:
    """A tool as it is listed. All of ours only read; what is read may come from the network."""
    from mcp import types

    return types.Tool(
        name=spec.name,
        title=spec.title,
        description=spec.description,
        input_schema=dict(spec.input_schema),
        annotations=types.ToolAnnotations(
            title=spec.title,
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=spec.name != GET_DOCS,
        ),
        _meta=_ALWAYS_LOADED if spec.name == RESEARCH else None,
    )
