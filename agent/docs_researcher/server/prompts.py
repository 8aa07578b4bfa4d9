"""The prompt `docs`: what a user picks to have something looked up in a library's documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from docs_researcher.core.messages import QUERY, RESEARCH, RESOLVE
from docs_researcher.server.tools import GET_DOCS

if TYPE_CHECKING:
    from mcp import types

DOCS_PROMPT = "docs"
MAX_VALUE = 2_000
"""Characters of an argument that are taken; more is no topic."""

_WAYS = {
    RESEARCH: f"Call `{RESEARCH}` with the topic as a full question and this library.",
    RESOLVE: f"Find its id with `{RESOLVE}`, then read it with `{QUERY}`, one concept a call.",
    GET_DOCS: f"Call `{GET_DOCS}` with this library and the topic.",
}


class BadPrompt(Exception):
    """No such prompt, or an argument that it needs is missing. The text says which."""


def list_prompts() -> types.ListPromptsResult:
    """The one prompt."""
    from mcp import types

    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=DOCS_PROMPT,
                title="Look up documentation",
                description="Look something up in a library's documentation and answer from it.",
                arguments=[
                    types.PromptArgument(name="library", description="A name, name@version or id.", required=True),
                    types.PromptArgument(name="topic", description="What to look up, or a whole question.", required=True),
                ],
            )
        ]
    )


def get_prompt(name: str, arguments: Mapping[str, str], offered: Sequence[str]) -> types.GetPromptResult:
    """The message for a library and a topic, with the way that the offered tools allow.

    Raises:
        BadPrompt: another prompt, or an argument is missing.
    """
    from mcp import types

    if name != DOCS_PROMPT:
        raise BadPrompt(f"There is no prompt {name!r}; there is {DOCS_PROMPT!r}.")
    values = {key: " ".join(arguments.get(key, "").split())[:MAX_VALUE] for key in ("library", "topic")}
    for key, value in values.items():
        if not value:
            raise BadPrompt(f"The prompt {DOCS_PROMPT!r} needs the argument {key!r}.")
    way = next(text for tool, text in _WAYS.items() if tool in offered)
    text = (
        f"Look this up in the documentation of {values['library']}: {values['topic']}\n\n{way} Answer from what the "
        "documentation says, with its code letter for letter, and name the version and the sources."
    )
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=f"{values['topic']} in {values['library']}", messages=[message])
