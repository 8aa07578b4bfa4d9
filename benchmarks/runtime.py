"""What our own runtime costs: CPU for a question, many questions at once, and the way to the first request to a model.

    python benchmarks/runtime.py [--questions 60] [--runs 5]

CPU is that of this process after imports, over a local docset of 200 pages. The scripted model costs nothing, so its line is the
runtime and the two tools alone; the extractive model thinks in process. A cold start is a whole process, from its start to the
moment at which a Messages API on loopback has received the first request, beside a process that only imports anthropic; and over
an MCP server that is started for it, with nothing cached, beside a process that starts the same server and imports both SDKs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from docs_researcher.core.answer import Answer
from docs_researcher.core.messages import QUERY, RESOLVE, Reply, ToolCall
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.installed.store import Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.models.base import Model, ModelRequest
from docs_researcher.models.extractive import ExtractiveModel
from docs_researcher.models.scripted import ScriptedModel
from docs_researcher.runtime.model_choice import known
from docs_researcher.runtime.researcher import Researcher
from docs_researcher.testing.messages_api import Body, ScriptedMessagesApi, Text, Turn

PAGES = 200
AT_ONCE = 200
CODE = "client = Client(timeout=30)"
TOPICS = ("timeouts", "retries", "sessions", "headers", "cookies", "proxies", "redirects", "streams")
GOAL_CPU_MS = 30
GOAL_RATIO = 1.2
GOAL_RATIO_SERVER = 1.3
SERVER = """\
import json, sys
TOOLS = [
    {"name": "query-docs", "inputSchema": {"type": "object", "properties": {"libraryId": {}, "query": {}}}},
    {"name": "resolve-library-id", "inputSchema": {"type": "object", "properties": {"libraryName": {}, "query": {}}}},
]
FOUND = "Available Libraries:\\n\\n- Title: Acme\\n- Context7-compatible library ID: /acme/acme\\n- Description: a library"
DOCS = "### Timeouts\\n\\nSource: https://docs.example.invalid/t\\n\\n```python\\nclient = Client(timeout=30)\\n```"

def answer(request):
    method, params = request["method"], request.get("params", {})
    if method == "initialize":
        about = {"capabilities": {"tools": {}}, "serverInfo": {"name": "bench", "version": "1"}}
        return {"result": {"protocolVersion": params["protocolVersion"], **about}}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method == "tools/call":
        text = FOUND if params["name"] == "resolve-library-id" else DOCS
        return {"result": {"content": [{"type": "text", "text": text}]}}
    return {"error": {"code": -32601, "message": "Method not found"}}

for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer(request)}), flush=True)
"""
"""An MCP server that costs next to nothing, so that what is measured is ours."""
BOTH = """\
import subprocess, sys
server = subprocess.Popen([sys.executable, "-I", "-S", sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
import anthropic, mcp
server.communicate()
"""


def docs(folder: Path) -> None:
    """A library of some 200 pages, each with code."""
    (folder / "acme").mkdir()
    for number in range(PAGES):
        topic = TOPICS[number % len(TOPICS)]
        filler = f"Page {number} says more about {topic}: clients, servers and what happens in between. " * 15
        text = f"# {topic.title()} {number}\n\nSet {topic}:\n\n```python\n{CODE}\n```\n\n## Details of {topic}\n\n{filler}\n"
        (folder / "acme" / f"page{number}.md").write_text(text, encoding="utf-8")
    add_source(str(folder / "acme"), store=Store(), catalogue=Catalogue.load())


def question(number: int) -> str:
    """One of the questions, each about another topic than the one before."""
    return f"How do I set {TOPICS[number % len(TOPICS)]} in acme?"


def script(number: int) -> Model:
    """A model that resolves, queries, and answers with code that it was given."""

    def call(tool: str, **arguments: str) -> Callable[[ModelRequest], Reply]:
        return lambda request: Reply(tool_calls=(ToolCall(f"{tool}-{number}", tool, arguments),), stop="tool_calls")

    return ScriptedModel(
        [
            call(RESOLVE, libraryName="acme", query=question(number)),
            call(QUERY, libraryId="/local/acme", query=f"set {TOPICS[number % len(TOPICS)]}"),
            Reply(f"Set it:\n\n```python\n{CODE}\n```\n"),
        ]
    )


async def one_by_one(count: int, model: Callable[[int], Model]) -> float:
    """Median CPU milliseconds of a question."""
    spent: list[float] = []
    for number in range(count + 1):
        async with Researcher(model=model(number)) as researcher:
            started = time.process_time()
            finished(await researcher.research(question(number)))
            spent.append((time.process_time() - started) * 1_000)
    return statistics.median(spent[1:])


async def kept_open(count: int) -> float:
    """Median CPU milliseconds of a question to one researcher with the extractive model."""
    spent: list[float] = []
    async with Researcher(model=ExtractiveModel(known)) as researcher:
        for number in range(count + 1):
            started = time.process_time()
            finished(await researcher.research(question(number)))
            spent.append((time.process_time() - started) * 1_000)
    return statistics.median(spent[1:])


async def at_once(count: int) -> tuple[float, float]:
    """Wall seconds and CPU milliseconds a question, all asked at the same moment of one researcher."""
    async with Researcher() as researcher:
        wall, cpu = time.perf_counter(), time.process_time()
        for answer in await asyncio.gather(*(researcher.research(question(number)) for number in range(count))):
            finished(answer)
        return time.perf_counter() - wall, (time.process_time() - cpu) * 1_000 / count


def finished(answer: Answer) -> None:
    """Only whole answers are measured."""
    if answer.status != "complete":
        raise SystemExit(f"a question ended as {answer.status}: {answer.text}")


def cold_start(runs: int, beside: list[str], place: list[str]) -> tuple[float, float]:
    """Milliseconds, best of some runs: the process `beside`, and a question until its first request has been received."""
    alone: list[float] = []
    first: list[float] = []
    received: list[float] = []

    def answer(body: Body) -> Turn:
        received.append(time.perf_counter())
        return Turn((Text(f"Set it:\n\n```python\n{CODE}\n```"),))

    command = [sys.executable, "-m", "docs_researcher", question(0), "--model", "haiku", "--quiet", *place]
    with ScriptedMessagesApi.answering(answer) as api:
        environment = {**os.environ, "ANTHROPIC_BASE_URL": api.url, "ANTHROPIC_API_KEY": "none"}
        for _ in range(runs + 1):  # the first of each warms the file cache
            started = time.perf_counter()
            subprocess.run([sys.executable, *beside], check=True)
            alone.append(time.perf_counter() - started)
            received.clear()
            started = time.perf_counter()
            subprocess.run(command, env=environment, check=True, capture_output=True)
            first.append(received[0] - started)
    return min(alone[1:]) * 1_000, min(first[1:]) * 1_000


def cold_start_over_a_server(runs: int, folder: Path) -> tuple[float, float]:
    """The same over an MCP server that is started for the question, beside starting it and importing both SDKs."""
    server, both = folder / "server.py", folder / "both.py"
    server.write_text(SERVER, encoding="utf-8")
    both.write_text(BOTH, encoding="utf-8")
    args = json.dumps(["-I", "-S", str(server)])
    Path(os.environ["DOCS_RESEARCH_CONFIG"]).write_text(
        f"[mcp_servers.bench]\ncommand = {json.dumps(sys.executable)}\nargs = {args}\n", encoding="utf-8"
    )
    return cold_start(runs, [str(both), str(server)], ["--library", "acme", "--server", "bench", "--no-cache"])


def main() -> None:
    """Measure in a home of its own and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docs-researcher-bench-") as folder:
        os.environ["DOCS_RESEARCH_HOME"] = f"{folder}/home"
        os.environ["DOCS_RESEARCH_CONFIG"] = f"{folder}/config.toml"
        Path(folder, "config.toml").touch()
        docs(Path(folder))
        scripted = asyncio.run(one_by_one(arguments.questions, script))
        extractive = asyncio.run(kept_open(arguments.questions))
        wall, cpu = asyncio.run(at_once(AT_ONCE))
        alone, first = cold_start(arguments.runs, ["-c", "import anthropic"], ["--offline"])
        both, over_server = cold_start_over_a_server(arguments.runs, Path(folder))
    print("| what | measured | aim |\n|---|---:|---:|")
    print(f"| scripted model, CPU ms a question, a new researcher each | {scripted:.1f} | {GOAL_CPU_MS} |")
    print(f"| extractive model, CPU ms a question | {extractive:.1f} | |")
    print(f"| extractive model, {AT_ONCE} questions at once, seconds | {wall:.2f} | |")
    print(f"| the same, CPU ms a question | {cpu:.1f} | |")
    print(f"| a process that imports anthropic, ms | {alone:.0f} | |")
    print(f"| cold start to the first request to a model, ms | {first:.0f} | |")
    print(f"| the ratio of the two | {first / alone:.2f} | {GOAL_RATIO} |")
    print(f"| a process that starts an MCP server, then imports anthropic and mcp, ms | {both:.0f} | |")
    print(f"| cold start over that server to the first request to a model, ms | {over_server:.0f} | |")
    print(f"| the ratio of the two | {over_server / both:.2f} | {GOAL_RATIO_SERVER} |")


if __name__ == "__main__":
    main()
