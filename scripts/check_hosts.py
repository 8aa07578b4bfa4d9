"""Claude Code over `docs-research serve`, stdio and HTTP: what its model is given, and how many tokens that costs the parent.

    scripts/check-hosts [--cache FOLDER] [--keep FOLDER]

Fails if a check fails. Everything runs in a network namespace of its own where the system allows it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket
from typing import Any

from sealed_run import run_sealed

from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.testing.messages_api import Body, Received, ScriptedMessagesApi, Text, ToolUse, Turn

ROOT = Path(__file__).parents[1]
PROGRAM = (sys.executable, "-m", "docs_researcher")
SDK = "claude-agent-sdk"
PACKAGE = "npm:fastify@5"
LIBRARY = "/fastify/fastify"
SERVER = "docs"
CLAUDE_SECONDS = 120
"""A run takes some 3 s; a first one, with cold files, has taken 20."""
READY_SECONDS = 30.0
"""How long our HTTP server may take until it answers."""
SEPARATOR = "-" * 32
"""What stands between two passages of raw documentation."""

Call = tuple[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class Case:
    """One question, and the calls that a parent makes for it in the one way and in the other."""

    question: str
    queries: tuple[str, ...]

    def calls(self, way: str) -> tuple[Call, ...]:
        if way == "research":
            return (("research-library-docs", {"question": self.question}),)
        resolve: Call = ("resolve-library-id", {"libraryName": "Fastify", "query": self.question})
        return (resolve, *(("query-docs", {"libraryId": LIBRARY, "query": query}) for query in self.queries))


CASES = (
    Case("How do I validate a query string in fastify?", ("validate query string schema",)),
    Case(
        "How do I validate a query string in fastify, and how do I add an onRequest hook?",
        ("validate query string schema", "onRequest hook addHook"),
    ),
)


@dataclass(slots=True)
class Outcome:
    """What one run of Claude Code showed."""

    results: list[str] = field(default_factory=list[str])
    """The text of each tool result, as the parent's model was given it."""
    added: int = 0
    """Tokens by which the calls made the parent's conversation longer."""
    read: int = 0
    """Input tokens of all its requests together."""
    problems: list[str] = field(default_factory=list[str])


def fetch(cache: Path) -> None:
    """Install the SDK beside this environment, not into it, and one library's documentation."""
    site = cache / "site"
    if not claude(cache).is_file():
        print(f"Fetching {SDK} into {site}", file=sys.stderr)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", "--no-deps"]
        subprocess.run([*pip, "--target", str(site), SDK], check=True)
    environment = {**os.environ, "DOCS_RESEARCH_HOME": str(cache / "home")}
    subprocess.run([*PROGRAM, "add", PACKAGE, "--quiet"], env=environment, check=True, stdout=subprocess.DEVNULL)


def claude(cache: Path) -> Path:
    """The program inside the SDK."""
    return cache / "site" / "claude_agent_sdk" / "_bundled" / "claude"


def check(cache: Path, keep: Path | None) -> int:
    """Every run, the table, and the tests that need the SDK."""
    failed = False
    table: list[str] = []
    for transport in ("stdio", "http"):
        with tempfile.TemporaryDirectory(prefix="check-hosts-") as folder, serving(transport, cache, Path(folder)) as server:
            for number, case in enumerate(CASES):
                for way in ("research", "two raw tools"):
                    outcome = run(case, way, cache, Path(folder), server, keep and keep / f"{transport}-{number}-{way[:8]}")
                    failed |= report(f"{transport}, {way}, question {number + 1}", outcome)
                    table.append(row(transport, number + 1, way, len(case.calls(way)), outcome))
    print("\n| transport | question | way | calls | tokens added to the parent | input tokens of its requests |")
    print("|---|---:|---|---:|---:|---:|")
    print("\n".join(table))
    print("\nTests with the SDK:", flush=True)
    return int(tests(cache) | failed)


def row(transport: str, number: int, way: str, calls: int, outcome: Outcome) -> str:
    """One line of the table."""
    return f"| {transport} | {number} | {way} | {calls} | {outcome.added:,} | {outcome.read:,} |"


def report(name: str, outcome: Outcome) -> bool:
    """Print how a run went; whether it failed."""
    print(f"{'FAILED' if outcome.problems else 'ok':6} {name}", *(f"\n       {problem}" for problem in outcome.problems), sep="")
    return bool(outcome.problems)


@contextmanager
def serving(transport: str, cache: Path, folder: Path) -> Generator[dict[str, Any]]:
    """The server as a host's configuration names it; over HTTP it runs meanwhile."""
    home = {"DOCS_RESEARCH_HOME": str(cache / "home"), "DOCS_RESEARCH_CONFIG": str(folder / "config.toml")}
    (folder / "config.toml").touch()
    serve = [*PROGRAM, "serve", "--offline"]
    if transport == "stdio":
        yield {"type": "stdio", "command": serve[0], "args": serve[1:], "env": home}
        return
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    process = subprocess.Popen([*serve, "--http", address, "--quiet"], env={**os.environ, **home})
    try:
        wait_for(f"http://{address}/healthz", process)
        yield {"type": "http", "url": f"http://{address}/mcp"}
    finally:
        process.terminate()
        process.wait()


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    """Until the server answers."""
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=1).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise SystemExit(f"our server did not answer at {url}")


def run(case: Case, way: str, cache: Path, folder: Path, server: Mapping[str, Any], keep: Path | None) -> Outcome:
    """One run of Claude Code in a new home, its model played by the script."""
    calls = case.calls(way)
    home = Path(tempfile.mkdtemp(dir=folder))
    (home / "mcp.json").write_text(json.dumps({"mcpServers": {SERVER: server}}), encoding="utf-8")
    command = [str(claude(cache)), "-p", case.question, "--mcp-config", str(home / "mcp.json"), "--strict-mcp-config"]
    command += ["--output-format", "stream-json", "--verbose", "--allowedTools", f"mcp__{SERVER}"]
    with ScriptedMessagesApi.answering(lambda body: parent(body, calls)) as api:
        done = subprocess.run(
            command,
            cwd=home,
            env=environment(home, api.url),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=CLAUDE_SECONDS,
            check=False,
        )
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / "output.jsonl").write_bytes(done.stdout)
        (keep / "stderr.txt").write_bytes(done.stderr)
        (keep / "requests.jsonl").write_text("".join(json.dumps(request.body) + "\n" for request in api.requests), "utf-8")
    return judge(way, calls, api.requests, done)


def environment(home: Path, url: str) -> dict[str, str]:
    """What the program gets to know: nothing of the user's."""
    quiet = ("DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "DISABLE_ERROR_REPORTING", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "CLAUDE_CONFIG_DIR": str(home / "config"),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "none",
        **dict.fromkeys(quiet, "1"),
    }


def parent(body: Body, calls: tuple[Call, ...]) -> Turn:
    """The model: each call in turn, its schema looked for first where the host has not loaded it."""
    tools = {tool["name"] for tool in body.get("tools", ())}
    done = tool_results(body)
    for number, (name, values) in enumerate(calls):
        full = f"mcp__{SERVER}__{name}"
        if f"toolu_{number}" in done:
            continue
        if full not in tools and "ToolSearch" in tools and f"toolu_s{number}" not in done:
            search = {"query": f"select:{full}", "max_results": 1}
            return Turn((ToolUse(f"toolu_s{number}", "ToolSearch", search),), stop_reason="tool_use")
        return Turn((ToolUse(f"toolu_{number}", full, values),), stop_reason="tool_use") if tools else Turn((Text("fine"),))
    return Turn((Text("That is how."),))


def tool_results(body: Body) -> dict[str, str]:
    """The text of every tool result in a request."""
    found: dict[str, str] = {}
    for message in body["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else ():
            if block["type"] == "tool_result":
                content = block["content"]
                parts = [content] if isinstance(content, str) else [part.get("text", "") for part in content]
                found[block["tool_use_id"]] = "".join(parts)
    return found


def judge(way: str, calls: tuple[Call, ...], requests: list[Received], done: subprocess.CompletedProcess[bytes]) -> Outcome:
    """What the parent's model was given, what that cost, and what is wrong with it."""
    bodies = [request.body for request in requests if request.body.get("tools")]
    outcome = Outcome()
    if not bodies:
        outcome.problems.append(f"no request came (exit {done.returncode}): {done.stderr[-400:].decode(errors='replace')}")
        return outcome
    results = tool_results(bodies[-1])
    outcome.results = [results[name] for name in (f"toolu_{number}" for number in range(len(calls))) if name in results]
    outcome.added = tokens(bodies[-1]["messages"]) - tokens(bodies[0]["messages"])
    outcome.read = sum(tokens([body.get("system"), body["tools"], body["messages"]]) for body in bodies)
    if len(outcome.results) < len(calls):
        outcome.problems.append(f"{len(outcome.results)} of {len(calls)} calls were answered")
    outcome.problems += host_problems(done)
    if way == "research" and outcome.results:
        outcome.problems += answer_problems(outcome.results[0])
    return outcome


def tokens(value: object) -> int:
    """The estimate for a part of a request as it goes over the wire."""
    return estimate_tokens(json.dumps(value, ensure_ascii=False))


def host_problems(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    """What Claude Code says of itself: the server connected, no permission denied, no error at the end."""
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]
    nothing: dict[str, Any] = {}
    first = next((event for event in events if event.get("subtype") == "init"), nothing)
    last = next((event for event in events if event.get("type") == "result"), nothing)
    connected = [server.get("status") for server in first.get("mcp_servers", ()) if server.get("name") == SERVER]
    problems = [] if connected == ["connected"] else [f"our server is {connected or 'not there'}"]
    if last.get("is_error") is not False or last.get("permission_denials"):
        problems.append(f"it ended with {json.dumps(last)[:300]}")
    return problems


def answer_problems(text: str) -> list[str]:
    """An answer is plain Markdown with code and references, without raw documentation and without escapes."""
    checks = {
        "it has no block of code": "```" in text,
        "it has no references": "References:" in text,
        "it is escaped JSON": not text.lstrip().startswith(("{", '"')) and "\\n" not in text and '\\"' not in text,
        "it holds raw documentation": SEPARATOR not in text and estimate_tokens(text) <= 1_500,
    }
    return [f"{problem}: {text[:200]!r}" for problem, fine in checks.items() if not fine]


def tests(cache: Path) -> bool:
    """The tests that are skipped where the SDK is not installed; whether one failed."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "agent or claude"]
    places = ["tests/integrations/test_agent_sdk_tool.py", "tests/docs/test_snippets.py"]
    environment = {**os.environ, "PYTHONPATH": str(cache / "site")}
    return subprocess.run([*command, *places], cwd=ROOT, env=environment, check=False).returncode != 0


if __name__ == "__main__":
    sys.exit(run_sealed(__doc__, fetch, check))
