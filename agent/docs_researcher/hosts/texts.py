"""The texts that hosts get: agent, skill, rule, command. They are written once, in the package's prompts, and rendered here.

The agent is the definition of our own runtime, with what only our runtime reads taken out and its template rendered for a
host: default limits, the two tools, no project. Its body is the same text for every host.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from docs_researcher.core.limits import Limits
from docs_researcher.core.lines import lines_of
from docs_researcher.core.messages import QUERY, RESEARCH, RESOLVE
from docs_researcher.definition.loader import builtin_definition
from docs_researcher.definition.render import render

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

AGENT = "docs-researcher"
SKILL = "library-docs"
RAW_TOOLS = (RESOLVE, QUERY)

_PLAIN = re.compile(r"[A-Za-z/*][^:#\n]*(?::(?! )[^:#\n]*)*[^:#\s]")
"""A text that every YAML reader takes for itself without quotes."""
_NOT_TEXT = frozenset({"true", "false", "yes", "no", "on", "off", "null"})


@dataclass(frozen=True, slots=True)
class Offer:
    """What a host has of ours, which decides what its texts speak of."""

    agent: bool = True
    """Whether our agent is installed there."""
    research: bool = True
    """Whether the server offers `research-library-docs`: ours does, another server does not."""
    own_server: bool = True


def facts() -> dict[str, Any]:
    """What is said about the plugin in every manifest: name, description, licence, how the server is started."""
    return json.loads(source("plugin.json"))


def source(name: str) -> str:
    """A file of the source folder, as it stands."""
    return (files("docs_researcher.prompts") / "hosts" / name).read_text(encoding="utf-8")


def frontmatter(fields: Mapping[str, object]) -> str:
    """A frontmatter block that strict YAML readers accept: texts are quoted where they could be read as something else.

    A list stands there one item a line, tables in it as JSON.
    """
    lines = [f"{key}: {_scalar(value)}".replace(": \n", ":\n", 1) for key, value in fields.items()]
    return "\n".join(["---", *lines, "---", ""])


def agent_body(offer: Offer = Offer()) -> str:
    """The agent's prompt for a host."""
    prompt = render(builtin_definition(), {"limits": Limits(), "tools": RAW_TOOLS})
    return f"{prompt}\n\n{_rendered('agent.md', tools=RAW_TOOLS, own_server=offer.own_server)}"


def agent_file(fields: Mapping[str, object], offer: Offer = Offer()) -> str:
    """An agent as a Markdown file. `fields` come behind name and description in the frontmatter."""
    return f"{frontmatter({'name': AGENT, 'description': agent_description(), **fields})}\n{agent_body(offer)}"


def agent_description() -> str:
    """When to hand work to the agent: the same sentence in every host."""
    return builtin_definition().description


def skill_file(offer: Offer) -> str:
    """The skill that says how to have documentation looked up, with the agent and the tool that the host has."""
    return _rendered("skill.md", agent=offer.agent, research=offer.research, own_server=offer.own_server)


def skill_for_commands() -> str:
    """The skill for hosts that run our command in a shell instead of speaking to a server."""
    return source("skill-cli.md")


def rule_body(offer: Offer, *, commands: bool = False) -> str:
    """When to look something up, and when not. `commands` is for hosts that run our command in a shell."""
    raw = f"`{RESOLVE}`, `{QUERY}` or `get_docs`"
    if commands:
        way, never = f"follow the skill `{SKILL}`, which runs `docs-research`", "Do not read documentation pages yourself."
    else:
        ways = [f"have the agent `{AGENT}` do it"] if offer.agent else []
        ways += [f"call the tool `{RESEARCH}`" + (" for one definite thing" if offer.agent else "")] if offer.research else []
        way, never = f"{', or '.join(ways)} (the skill `{SKILL}` says how)", f"Do not call {raw} in this conversation."
    return _split(_rendered("rule.md", way=way, never=never))[1]


def rule_description() -> str:
    """What the rule is about, in one line."""
    return _field(_split(source("rule.md"))[0], "description")


def command_file(offer: Offer, fields: tuple[str, ...], arguments: str) -> str:
    """The command that looks something up. `arguments` is what the host replaces by the words behind the command."""
    head, body = _split(_rendered("command.md", agent=offer.agent, research=offer.research, arguments=arguments))
    return f"{frontmatter({name: _field(head, name) for name in fields})}\n{body}"


def readme(**values: object) -> str:
    """The page that a plugin's users see."""
    return _rendered("readme.md", **values)


def _rendered(name: str, **values: object) -> str:
    text = _environment().from_string(source(name)).render(**values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True)


def _split(text: str) -> tuple[str, str]:
    """The frontmatter and the body of one of our own files."""
    _, head, body = text.split("---\n", 2)
    return head, body.lstrip("\n")


def _field(head: str, name: str) -> str:
    return next(line.partition(": ")[2] for line in lines_of(head) if line.startswith(f"{name}:"))


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        items = cast("list[object]", value)
        return "".join(
            f"\n  - {_scalar(item) if isinstance(item, str) else json.dumps(item, ensure_ascii=False)}" for item in items
        )
    if not isinstance(value, str):
        raise TypeError(f"not a value of our frontmatter: {value!r}")
    plain = _PLAIN.fullmatch(value) is not None and value.lower() not in _NOT_TEXT
    return value if plain else json.dumps(value, ensure_ascii=False)
