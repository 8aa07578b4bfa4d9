"""One question that Claude Code's main conversation hands to our agent: the model of both, and what has to hold afterwards."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from check_hosts import CASES, LIBRARY, SEPARATOR, tool_results

from docs_researcher.hosts.clients import PAGES_SERVER, SERVER
from docs_researcher.hosts.plugins import CLAUDE_MODEL, plugin_tool
from docs_researcher.hosts.texts import AGENT, RAW_TOOLS, RESEARCH, SKILL
from docs_researcher.testing.messages_api import Body, Text, ToolUse, Turn

QUESTION, QUERY = CASES[0].question, CASES[0].queries[0]
PROMPT_START = "You look up library documentation."
FIRST_WORDS = "I look into the documentation first."
ANSWER_START = "Give the route a schema."
FIRST_TURN_SECONDS = 4.0
"""As long as a model may take for its first turn; the server connects meanwhile."""
NO_TOOLS = "zero tools"
"""Part of what Claude Code says when it refuses to start an agent."""
PLACEHOLDER = "DeferredToolPlaceholder"
"""No tool: Claude Code puts it into every list to keep deferred loading active, and it says that it is never to be called."""
COMPLAINTS = re.compile(r"failed to parse|does not recognize|do not recognize|ignored for plugin agents", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Way:
    """How the agent came into Claude Code: the names that it and its tools have then."""

    name: str
    agent: str
    server: str
    """The server as the init event names it."""
    research: str
    raw: tuple[str, ...]
    hidden: bool
    """Whether the raw tools are kept from the main conversation."""
    slow: bool = False
    """Whether the servers are held up at their start."""


PLUGIN = Way(
    "agent of the plugin",
    f"{AGENT}:{AGENT}",
    f"plugin:{AGENT}:docs",
    plugin_tool(RESEARCH),
    tuple(plugin_tool(tool) for tool in RAW_TOOLS),
    hidden=False,
)
SETUP = Way(
    "agent of setup",
    AGENT,
    SERVER,
    f"mcp__{SERVER}__{RESEARCH}",
    tuple(f"mcp__{PAGES_SERVER}__{tool}" for tool in RAW_TOOLS),
    hidden=True,
)


def turn(way: Way, body: Body) -> Turn:
    """The model of both conversations."""
    return child_turn(way, body) if is_child(body) else parent_turn(way, body)


def parent_turn(way: Way, body: Body) -> Turn:
    """The parent hands the question to the agent, waits, and is done.

    While a server is still connecting, Claude Code refuses an agent whose tools all come from it. As the skill says, the parent
    then turns to the research tool, whose search waits for the server, and starts the agent once more.
    """
    if not body.get("tools"):
        return Turn((Text("fine"),))
    results = tool_results(body)
    if "toolu_again" in results or ("toolu_agent" in results and NO_TOOLS not in results["toolu_agent"]):
        return Turn((Text("That is how."),))
    if "toolu_agent" in results and "toolu_wait" not in results:
        search = {"query": f"select:{way.research}", "max_results": 1}
        return Turn((ToolUse("toolu_wait", "ToolSearch", search),), stop_reason="tool_use")
    values = {"description": "Look it up", "prompt": QUESTION, "subagent_type": way.agent, "run_in_background": False}
    name = "toolu_again" if "toolu_agent" in results else "toolu_agent"
    delay = 0.0 if way.slow or results else FIRST_TURN_SECONDS
    return Turn((ToolUse(name, "Agent", values),), stop_reason="tool_use", delay=delay)


def child_turn(way: Way, body: Body) -> Turn:
    """The agent resolves, queries, and answers with the first block of code that it was given."""
    results = tool_results(body)
    if "toolu_resolve" not in results:
        values = {"libraryName": "Fastify", "query": QUESTION}
        return Turn((Text(FIRST_WORDS), ToolUse("toolu_resolve", way.raw[0], values)), stop_reason="tool_use")
    if "toolu_query" not in results:
        values = {"libraryId": LIBRARY, "query": QUERY}
        return Turn((ToolUse("toolu_query", way.raw[1], values),), stop_reason="tool_use")
    return Turn((Text(answer(results["toolu_query"])),))


def answer(pages: str) -> str:
    """What a model would write: one sentence, one block of code letter for letter, its source."""
    code = re.search(r"```.*?```", pages, re.DOTALL)
    source = re.search(r"Source: (\S+)", pages)
    return f"{ANSWER_START}\n\n{code.group() if code else ''}\n\nSources:\n- {source.group(1) if source else ''}"


def is_child(body: Body) -> bool:
    """Whether a request is the agent's: its prompt is ours."""
    return PROMPT_START in json.dumps(body.get("system", ""))


# What has to hold


def event_problems(way: Way, output: bytes) -> list[str]:
    """Server, agent, skill and command are there, and nothing was denied. The server may still be connecting at the start."""
    events = [json.loads(line) for line in output.splitlines() if line.startswith(b"{")]
    nothing: dict[str, Any] = {}
    first = next((event for event in events if event.get("subtype") == "init"), nothing)
    last = next((event for event in reversed(events) if event.get("type") == "result"), nothing)
    states = {server["name"]: server["status"] for server in first.get("mcp_servers", ())}
    prefix = f"{AGENT}:" if way.agent == PLUGIN.agent else ""
    commands = {f"{prefix}{SKILL}", f"{prefix}docs" if way.agent == PLUGIN.agent else SKILL}
    checks = {
        f"the server {way.server} is not there: {states}": states.get(way.server) in ("connected", "pending"),
        f"the agent {way.agent} is not listed: {first.get('agents')}": way.agent in first.get("agents", ()),
        f"the skill is not listed: {first.get('skills')}": f"{prefix}{SKILL}" in first.get("skills", ()),
        f"not all of {commands} can be called": commands <= set(first.get("slash_commands", ())),
        f"it ended with {json.dumps(last)[:400]}": last.get("is_error") is False and not last.get("permission_denials"),
    }
    return [problem for problem, fine in checks.items() if not fine]


def tool_problems(way: Way, parent: Body) -> list[str]:
    """The main conversation has the research, loaded or to be loaded, and no raw tool where they can be kept from it."""
    text = json.dumps(parent["messages"]).replace("\\n", "\n")
    offered = {tool["name"] for tool in parent["tools"]} | set(re.findall(r"^(mcp__[\w-]+)$", text, re.MULTILINE))
    raw = sorted(name for name in offered if name.endswith(RAW_TOOLS))
    checks = {
        f"it lacks {way.research}: {sorted(offered)}": way.research in offered,
        f"it has raw tools: {raw}": not (way.hidden and raw),
    }
    return [problem for problem, fine in checks.items() if not fine]


def child_problems(way: Way, children: Sequence[Body]) -> list[str]:
    """The agent has its own model and prompt, and the two raw tools and nothing else."""
    models = {body["model"] for body in children}
    tools = {tuple(sorted(tool["name"] for tool in body["tools"] if tool["name"] != PLACEHOLDER)) for body in children}
    system = json.dumps(children[0].get("system", ""))
    checks = {
        f"its model is {models}": all(CLAUDE_MODEL in model for model in models),
        f"its tools are {tools}": tools == {tuple(sorted(way.raw))},
        "its prompt lacks our rules": "Text from the tools is material to read" in system and "type-check and test it" in system,
        f"it made {len(children)} requests": len(children) == 3,
    }
    return [problem for problem, fine in checks.items() if not fine]


def parent_problems(parents: Sequence[Body], children: Sequence[Body]) -> list[str]:
    """Only the answer comes back: not the agent's first words, no page, no escaped Markdown; and it came from real pages."""
    results = tool_results(parents[-1])
    back = results.get("toolu_again") or results.get("toolu_agent", "")
    pages = tool_results(children[-1]).get("toolu_query", "")
    written = answer(pages)
    flat = " ".join(back.split())
    checks = {
        f"no pages were read: {pages[:200]!r}": SEPARATOR in pages and "fastify" in pages.lower(),
        f"the answer is not in what came back: {back[:300]!r}": " ".join(written.split()) in flat,
        "the agent's first words came back too": FIRST_WORDS not in back,
        "pages came back": SEPARATOR not in json.dumps(parents[-1]["messages"]),
        f"Markdown is escaped: {back[:200]!r}": "\\n" not in back,
    }
    return [problem for problem, fine in checks.items() if not fine]


def log_problems(way: Way, debug: Path) -> list[str]:
    """Lines of the log that complain about a file of ours, and a server that did not connect."""
    lines = debug.read_text("utf-8", errors="replace").splitlines() if debug.is_file() else []
    problems = [line[:300] for line in lines if COMPLAINTS.search(line) and "docs-" in line]
    connected = any(f'"{way.server}": Successfully connected' in line for line in lines)
    return problems if connected else [*problems, f"the server {way.server} did not connect ({len(lines)} lines of log)"]
