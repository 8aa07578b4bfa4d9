"""Our plugin in Claude Code: validated, installed from the marketplace, and a question that the parent hands to our agent.

    scripts/check_plugins.py [--cache FOLDER] [--keep FOLDER]

The same question is then asked with the agent that `docs-research setup` writes. Fails if a check fails. Everything after the
first fetch runs in a network namespace of its own where the system allows it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from check_hosts import CASES, CLAUDE_SECONDS, ROOT, claude, environment, fetch, tokens
from check_hosts import run as run_server
from delegated_question import (
    PLUGIN,
    QUESTION,
    SETUP,
    Way,
    child_problems,
    event_problems,
    is_child,
    log_problems,
    parent_problems,
    tool_problems,
    turn,
)
from sealed_run import run_sealed

from docs_researcher.hosts.clients import SERVER
from docs_researcher.hosts.folders import write
from docs_researcher.hosts.plugins import CLAUDE, CURSOR, PORTABLE, Variant, build
from docs_researcher.hosts.texts import AGENT, RESEARCH, SKILL
from docs_researcher.testing.messages_api import ScriptedMessagesApi, Text, Turn

VALIDATORS = ("skills-ref", "skillsaw")
SLOW_START = "3"
"""Seconds by which a server is held up, so that the question is there before it."""
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


def fetch_all(cache: Path) -> None:
    """What the host checks need, and the two validators of skills and plugins in an environment of their own."""
    fetch(cache)
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
        project = replace(SETUP, name="agent of setup in a trusted project")
        delegated(project, cache, folder / "project", report, keep, lambda home: set_up_project(cache, home, report))
        commanded(cache, market, folder / "command", report)
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


def commanded(cache: Path, market: Path, home: Path, report: Report) -> None:
    """The command of the plugin: its text goes to the model with the words behind it."""
    home.mkdir()
    installed(cache, market, home, report)
    words = "fastify@5 how do I validate a query string"
    command = [str(claude(cache)), "-p", f"/{AGENT}:docs {words}", "--output-format", "json"]
    with ScriptedMessagesApi.answering(lambda body: Turn((Text("fine"),))) as api:
        values = env(home, api.url, cache)
        subprocess.run(
            command, cwd=home, env=values, stdin=subprocess.DEVNULL, capture_output=True, timeout=CLAUDE_SECONDS, check=False
        )
    told = [json.dumps(request.body["messages"]) for request in api.requests if request.body.get("tools")]
    found = any(f"give it this text as it stands: {words}" in text for text in told)
    report.say(f"the command /{AGENT}:docs", [] if found else [f"its text did not reach the model: {told[:1]}"[:600]])


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


def set_up(cache: Path, home: Path, report: Report, *options: str) -> None:
    """Let `docs-research setup` write into the home or, with its option, the project."""
    values = {**env(home, "http://127.0.0.1:9", cache), "DOCS_RESEARCH_HOME": str(home / "own")}
    command = [sys.executable, "-m", "docs_researcher", "setup", "claude-code", "--yes", *options]
    done = subprocess.run(command, cwd=home / "work", env=values, capture_output=True, check=False)
    report.say(" ".join(["docs-research setup claude-code", *options]), [] if done.returncode == 0 else [done.stderr.decode()])


def set_up_project(cache: Path, home: Path, report: Report) -> None:
    """Let it write into the project, which the user then trusts, with its server, as Claude Code asks when it is first opened."""
    set_up(cache, home, report, "--project")
    trust = {"hasTrustDialogAccepted": True, "enabledMcpjsonServers": [SERVER]}
    (home / "config").mkdir()
    (home / "config" / ".claude.json").write_text(json.dumps({"projects": {str(home / "work"): trust}}), encoding="utf-8")


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
    work = home / "work"
    (work / ".git").mkdir(parents=True)
    prepare(home)
    debug = home / "debug.log"
    command = [str(claude(cache)), "-p", QUESTION, "--output-format", "stream-json", "--verbose", "--debug-file", str(debug)]
    command += ["--allowedTools", "Agent", *way.raw]
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


if __name__ == "__main__":
    sys.exit(run_sealed(__doc__, fetch_all, check))
