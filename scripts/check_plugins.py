"""Our plugin in Claude Code: validated, installed from the marketplace, and a question that the parent hands to our agent.

    scripts/check_plugins.py [--cache FOLDER] [--keep FOLDER]

The same question is then asked with the agent that `docs-research setup` writes. Fails if a check fails. Everything after the
first fetch runs in a network namespace of its own where the system allows it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from check_hosts import (
    CASES,
    CLAUDE_SECONDS,
    LIBRARY,
    ROOT,
    SEPARATOR,
    claude,
    environment,
    fetch,
    raise_loopback,
    sealing,
    tokens,
    tool_results,
)
from check_hosts import run as run_server

from docs_researcher.hosts.clients import PAGES_SERVER, SERVER
from docs_researcher.hosts.folders import write
from docs_researcher.hosts.plugins import CLAUDE, CLAUDE_MODEL, CURSOR, PORTABLE, Variant, build, plugin_tool
from docs_researcher.hosts.texts import AGENT, RAW_TOOLS, RESEARCH, SKILL
from docs_researcher.testing.messages_api import Body, ScriptedMessagesApi, Text, ToolUse, Turn

VALIDATORS = ("skills-ref", "skillsaw")
QUESTION, QUERY = CASES[0].question, CASES[0].queries[0]
PROMPT_START = "You look up library documentation."
FIRST_WORDS = "I look into the documentation first."
ANSWER_START = "Give the route a schema."
NO_TOOLS = "zero tools"
"""Part of what Claude Code says when it refuses to start an agent."""
SLOW_START = "3"
"""Seconds by which a server is held up, so that the question is there before it."""
PLACEHOLDER = "DeferredToolPlaceholder"
"""No tool: Claude Code puts it into every list to keep deferred loading active, and it says that it is never to be called."""
COMPLAINTS = re.compile(r"failed to parse|does not recognize|do not recognize|ignored for plugin agents", re.IGNORECASE)
MARKETPLACE_PARTS = (".claude-plugin", ".cursor-plugin", ".agents", "plugins")


@dataclass(slots=True)
class Report:
    """What was checked, and whether all of it was right."""

    failed: bool = False
    table: list[str] = field(default_factory=list[str])

    def say(self, name: str, problems: Sequence[str]) -> None:
        """One check with what is wrong about it."""
        self.failed |= bool(problems)
        print(f"{'FAILED' if problems else 'ok':6} {name}", *(f"\n       {text}" for text in problems), sep="", flush=True)


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


def main() -> int:
    """Fetch what is missing, then run sealed off from the network."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "docs-researcher-hosts"
    parser.add_argument("--cache", type=Path, default=default, help="where the program and the docset are kept")
    parser.add_argument("--keep", type=Path, help="write the requests and outputs of each run into this folder")
    parser.add_argument("--sealed", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    cache = arguments.cache.absolute()
    if arguments.sealed:
        raise_loopback()
        return check(cache, arguments.keep)
    fetch(cache)
    fetch_validators(cache)
    command = [sys.executable, __file__, "--cache", str(cache), "--sealed"]
    command += ["--keep", str(arguments.keep.absolute())] if arguments.keep else []
    return subprocess.run([*sealing(), *command], check=False).returncode


def fetch_validators(cache: Path) -> None:
    """The two validators of skills and plugins, in an environment of their own."""
    folder = cache / "validators"
    if not (folder / "bin" / "skillsaw").is_file():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *VALIDATORS], check=True)


def check(cache: Path, keep: Path | None) -> int:
    """Every check, and the table."""
    report = Report()
    with tempfile.TemporaryDirectory(prefix="check-plugins-") as name:
        folder = Path(name)
        market = folder / "market"
        for part in MARKETPLACE_PARTS:
            shutil.copytree(ROOT / part, market / part, ignore=shutil.ignore_patterns("__pycache__"))
        validate(cache, market, report)
        in_main_conversation(cache, folder, report)
        delegated(PLUGIN, cache, folder / "plugin", report, keep, lambda home: installed(cache, market, home, report))
        slow = replace(PLUGIN, name="agent of the plugin, its server slow to start", slow=True)
        delegated(slow, cache, folder / "slow", report, keep, lambda home: installed(cache, market, home, report))
        delegated(SETUP, cache, folder / "setup", report, keep, lambda home: set_up(cache, home, report))
    print("\n| way | calls of the parent | tokens added to the parent | input tokens of its requests | read by the agent |")
    print("|---|---:|---:|---:|---:|")
    print("\n".join(report.table))
    return int(report.failed)


# Validators


def validate(cache: Path, market: Path, report: Report) -> None:
    """Every validator that runs without a network."""
    home = market.parent / "validate"
    home.mkdir()
    plugin = [str(claude(cache)), "plugin", "validate"]
    bin_folder = cache / "validators" / "bin"
    runs: dict[str, list[str]] = {
        "claude plugin validate --strict, the plugin": [*plugin, "--strict", str(market / CLAUDE)],
        "claude plugin validate --profile directory, the plugin": [*plugin, "--profile", "directory", str(market / CLAUDE)],
        "claude plugin validate --strict, the marketplace": [*plugin, "--strict", str(market)],
        "skillsaw lint": [str(bin_folder / "skillsaw"), "lint", str(market)],
    }
    for variant in (Variant("uvx"), Variant(server="context7")):
        other = market.parent / f"{variant.launcher}-{variant.server}"
        write(other, build(variant))
        runs[f"claude plugin validate --strict, {other.name}"] = [*plugin, "--strict", str(other / CLAUDE)]
    for folder in (CLAUDE, CURSOR, PORTABLE):
        skill = str(market / folder / "skills" / SKILL)
        runs[f"agentskills validate, {folder}"] = [str(bin_folder / "agentskills"), "validate", skill]
    for name, command in runs.items():
        report.say(name, failure(command, home, cache))


def failure(command: Sequence[str], home: Path, cache: Path) -> list[str]:
    """Nothing for a command that ends well, else the end of what it said."""
    done = subprocess.run(
        command, cwd=home, env=env(home, "http://127.0.0.1:9", cache), capture_output=True, timeout=CLAUDE_SECONDS, check=False
    )
    said = (done.stdout + done.stderr).decode(errors="replace").strip()
    return [] if done.returncode == 0 else [f"exit {done.returncode}: {said[-800:]}"]


def env(home: Path, url: str, cache: Path) -> dict[str, str]:
    """What Claude Code and our server below it get to know: `docs-research` on the PATH, one docset, nothing of the user's."""
    bin_folder = Path(sys.executable).parent
    own = {"DOCS_RESEARCH_HOME": str(cache / "home"), "DOCS_RESEARCH_CONFIG": str(home / "config.toml")}
    (home / "config.toml").touch()
    return {**environment(home, url), **own, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}


def held_up(home: Path, values: dict[str, str]) -> dict[str, str]:
    """The same surroundings with a `docs-research` in front that waits before it starts."""
    folder = home / "slow"
    folder.mkdir()
    command = folder / "docs-research"
    command.write_text(
        f'#!/bin/sh\nsleep {SLOW_START}\nexec "{Path(sys.executable).parent}/docs-research" "$@"\n', encoding="utf-8"
    )
    command.chmod(0o755)
    return {**values, "PATH": f"{folder}{os.pathsep}{values['PATH']}"}


# Bringing the agent in


def installed(cache: Path, market: Path, home: Path, report: Report) -> None:
    """Install the plugin from the marketplace."""
    plugin = [str(claude(cache)), "plugin"]
    report.say("claude plugin marketplace add", failure([*plugin, "marketplace", "add", str(market)], home, cache))
    report.say("claude plugin install", failure([*plugin, "install", f"{AGENT}@{AGENT}"], home, cache))


def set_up(cache: Path, home: Path, report: Report) -> None:
    """Let `docs-research setup` write into the home, and see afterwards that it is found again."""
    values = {**env(home, "http://127.0.0.1:9", cache), "DOCS_RESEARCH_HOME": str(home / "own")}
    command = [sys.executable, "-m", "docs_researcher", "setup", "claude-code", "--yes"]
    done = subprocess.run(command, cwd=home, env=values, capture_output=True, check=False)
    report.say("docs-research setup claude-code", [] if done.returncode == 0 else [done.stderr.decode()])


# The runs


def in_main_conversation(cache: Path, folder: Path, report: Report) -> None:
    """The same question with the tools in the main conversation, for the table."""
    values = env(folder, "", cache)
    own = {name: values[name] for name in ("PATH", "DOCS_RESEARCH_HOME", "DOCS_RESEARCH_CONFIG")}
    server = {"type": "stdio", "command": "docs-research", "args": ["serve", "--offline"], "env": own}
    for way, name in (("two raw tools", "raw tools in the main conversation"), ("research", f"`{RESEARCH}`")):
        outcome = run_server(CASES[0], way, cache, folder, server, None)
        report.say(name, outcome.problems)
        report.table.append(f"| {name} | {len(CASES[0].calls(way))} | {outcome.added:,} | {outcome.read:,} | |")


def delegated(way: Way, cache: Path, home: Path, report: Report, keep: Path | None, prepare: Callable[[Path], None]) -> None:
    """One question that the parent hands to our agent."""
    home.mkdir()
    prepare(home)
    debug = home / "debug.log"
    command = [str(claude(cache)), "-p", QUESTION, "--output-format", "stream-json", "--verbose", "--debug-file", str(debug)]
    command += ["--allowedTools", "Agent", *way.raw]
    work = home / "work"
    work.mkdir()
    with ScriptedMessagesApi.answering(lambda body: turn(way, body)) as api:
        done = subprocess.run(
            command,
            cwd=work,
            env=held_up(home, env(home, api.url, cache)) if way.slow else env(home, api.url, cache),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=CLAUDE_SECONDS,
            check=False,
        )
    bodies = [request.body for request in api.requests if request.body.get("tools")]
    if keep is not None:
        target = keep / way.name.replace(" ", "-")
        target.mkdir(parents=True, exist_ok=True)
        (target / "output.jsonl").write_bytes(done.stdout)
        (target / "requests.jsonl").write_text("".join(json.dumps(body) + "\n" for body in bodies), "utf-8")
        shutil.copy(debug, target) if debug.is_file() else None
    parents = [body for body in bodies if not is_child(body)]
    children = [body for body in bodies if is_child(body)]
    if not parents or not children:
        said = (done.stderr or done.stdout)[-600:].decode(errors="replace")
        report.say(way.name, [f"{len(parents)} requests of the parent, {len(children)} of the agent: {said}"])
        return
    report.say(f"{way.name}: what Claude Code says at its start and end", event_problems(way, done.stdout))
    report.say(f"{way.name}: the tools of the main conversation", tool_problems(way, parents[-1]))
    report.say(f"{way.name}: the agent's model, tools and prompt", child_problems(way, children))
    report.say(f"{way.name}: what comes back to the parent", parent_problems(parents, children))
    report.say(f"{way.name}: the server connects, and the log complains of no file of ours", log_problems(way, debug))
    added = tokens(parents[-1]["messages"]) - tokens(parents[0]["messages"])
    read = [sum(tokens([body.get("system"), body["tools"], body["messages"]]) for body in group) for group in (parents, children)]
    if not way.slow:
        report.table.append(f"| {way.name} | 1 | {added:,} | {read[0]:,} | {read[1]:,} |")


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
    return Turn((ToolUse(name, "Agent", values),), stop_reason="tool_use")


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


if __name__ == "__main__":
    sys.exit(main())
