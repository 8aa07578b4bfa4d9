"""Our MCP server beside others, in one run: start-up, calls, CPU with several clients and workers, memory over many calls.

    scripts/bench server [--runs 9] [--calls 20000] [--cache FOLDER]

Beside ours stand context7-mcp (fetched from npm once, on our own API on loopback), the least server on the Python MCP SDK, and a
loop that answers fixed texts (`benchmarks/peers`). Times are the best of some runs, taken in turn; what counts is their
ratios. CPU and memory are those of the server's processes, read from /proc, so they need Linux.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PEERS = Path(__file__).parent / "peers"
CONTEXT7 = "@upstash/context7-mcp@4.1.1"
SERVE = (sys.executable, "-m", "docs_researcher", "serve", "--offline")
OURS, LEAST = "ours", "the least on the SDK"
LIBRARY = "/local/handbook"
QUESTIONS = (
    "install",
    "exit codes",
    "add a folder of documentation",
    "JSON output fields",
    "serve over HTTP",
    "offline",
    "transcript",
)
CALLS = 300
"""Calls that are timed over stdio."""
LOAD_CALLS = 1_200
"""Calls of one figure of CPU."""
WARM_UP = 2_000
"""Calls after which memory is looked at; before that, caches fill."""
WAIT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Peer:
    """A server that is started over stdio."""

    name: str
    command: Sequence[str]
    environment: dict[str, str]
    prepare: Callable[[], None] = lambda: None
    """Called before each start that is timed."""


class Session:
    """One server process over stdio, spoken to in the protocol of 2025-06-18."""

    def __init__(self, peer: Peer) -> None:
        self._process = subprocess.Popen(
            peer.command, env=peer.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._number = 0

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def open(self) -> list[str]:
        """Shake hands and return the names of the tools."""
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "bench", "version": "1"})
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return [tool["name"] for tool in self.ask("tools/list")["tools"]]

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of one request."""
        self._number += 1
        self._write({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None
        while True:
            answer = json.loads(self._process.stdout.readline() or b'{"id": null, "error": "the server has left"}')
            if "id" in answer and "method" not in answer:
                return answer["result"]

    def close(self) -> None:
        """End the input and wait for the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(WAIT_SECONDS)

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


def arguments_of(number: int) -> dict[str, str]:
    """One of the questions."""
    return {"libraryId": LIBRARY, "query": QUESTIONS[number % len(QUESTIONS)]}


def start_up(peers: Sequence[Peer], runs: int) -> dict[str, float]:
    """Milliseconds from the start of a process to its list of tools: the best of some runs, the peers in turn.

    One more run before them warms the file cache.
    """
    best: dict[str, float] = {}
    for run in range(runs + 1):
        for peer in peers:
            peer.prepare()
            took = _time_to_tools(peer)
            if run:
                best[peer.name] = min(best.get(peer.name, took), took)
    return best


def _time_to_tools(peer: Peer) -> float:
    started = time.perf_counter()
    session = Session(peer)
    tools = session.open()
    took = (time.perf_counter() - started) * 1_000
    session.close()
    if "query-docs" not in tools:
        raise SystemExit(f"{peer.name} lists {tools}")
    return took


def calls(peer: Peer) -> tuple[float, float]:
    """Milliseconds of a call, the median and the 95th of a hundred."""
    session = Session(peer)
    session.open()
    times: list[float] = []
    for number in range(CALLS + 20):
        started = time.perf_counter()
        content = session.ask("tools/call", name="query-docs", arguments=arguments_of(number))["content"]
        times.append((time.perf_counter() - started) * 1_000)
        if not content[0]["text"]:
            raise SystemExit(f"{peer.name} answers nothing")
    session.close()
    ordered = sorted(times[20:])
    return statistics.median(ordered), ordered[int(len(ordered) * 0.95)]


def memory_over_stdio(peer: Peer, count: int) -> float:
    """Bytes that a call leaves behind, over so many calls after the first ones."""
    session = Session(peer)
    session.open()

    def ask(number: int) -> None:
        session.ask("tools/call", name="query-docs", arguments=arguments_of(number))

    slope = _slope(ask, count, lambda: resident([session.pid]))
    session.close()
    return slope


def memory_over_http(environment: dict[str, str], count: int) -> float:
    """The same over HTTP, with one worker."""
    with serving_http(environment, workers=1) as (port, pids):
        client = HttpClient(port)
        return _slope(client.ask, count, lambda: resident(pids()))


def _slope(ask: Callable[[int], None], count: int, used: Callable[[], int]) -> float:
    for number in range(WARM_UP):
        ask(number)
    before = used()
    for number in range(count):
        ask(number)
    return (used() - before) / count


class HttpClient:
    """One connection to our server that is kept."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_SECONDS)
        self._headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}

    def ask(self, number: int) -> None:
        """One call of `query-docs`."""
        params = {"name": "query-docs", "arguments": arguments_of(number)}
        body = json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
        self._connection.request("POST", "/mcp", body, self._headers)
        response = self._connection.getresponse()
        text = response.read()
        if response.status != 200 or b'"isError":true' in text:
            raise SystemExit(f"a call failed: {response.status} {text[:200]!r}")


@contextmanager
def serving_http(environment: dict[str, str], workers: int) -> Generator[tuple[int, Callable[[], list[int]]]]:
    """Our server on a free port: the port, and the processes that it has now."""
    command = [*SERVE, "--http", "127.0.0.1:0", "--workers", str(workers)]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        address = next((found for line in process.stderr if (found := re.search(r"127\.0\.0\.1:(\d+)", line))), None)
        if address is None:
            raise SystemExit("our server does not start over HTTP")
        threading.Thread(target=_drain, args=(process.stderr,), daemon=True).start()
        yield int(address.group(1)), lambda: family(process.pid)
    finally:
        process.terminate()
        process.wait(WAIT_SECONDS)


def _drain(stream: Any) -> None:
    for _ in stream:
        pass


def cpu_of_a_call(environment: dict[str, str], workers: int, clients: int) -> tuple[float, float]:
    """CPU milliseconds of the server's processes a call, and calls a second, with so many clients at once."""
    with serving_http(environment, workers) as (port, pids):
        _load(port, max(clients, 4 * workers), LOAD_CALLS // 2)
        before, started = cpu(pids()), time.perf_counter()
        _load(port, clients, LOAD_CALLS)
        return (cpu(pids()) - before) / LOAD_CALLS * 1_000, LOAD_CALLS / (time.perf_counter() - started)


def _load(port: int, clients: int, count: int) -> None:
    def run(first: int) -> None:
        client = HttpClient(port)
        for number in range(first, count, clients):
            client.ask(number)

    threads = [threading.Thread(target=run, args=(first,)) for first in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def family(pid: int) -> list[int]:
    """A process and all below it."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with_name = _stat(entry)
            if with_name:
                parents.setdefault(int(with_name[1]), []).append(int(entry.name))
    found = [pid]
    for one in found:
        found += parents.get(one, [])
    return found


def _stat(entry: Path) -> list[str]:
    """The fields of a process behind its name; nothing when it has left."""
    try:
        return (entry / "stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return []


def cpu(pids: Sequence[int]) -> float:
    """Seconds of CPU that these processes have used."""
    fields = [_stat(Path(f"/proc/{pid}")) for pid in pids]
    return sum(int(one[11]) + int(one[12]) for one in fields if one) / os.sysconf("SC_CLK_TCK")


def resident(pids: Sequence[int]) -> int:
    """Bytes of memory that these processes hold."""
    found = [re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()) for pid in pids]
    return sum(int(one.group(1)) for one in found if one) * 1_024


def context7(cache: Path) -> Path | None:
    """The script of context7-mcp, installed once; None without npm and Node."""
    npm = shutil.which("npm")
    script = cache / "node_modules" / "@upstash" / "context7-mcp" / "dist" / "index.js"
    if not script.is_file():
        if npm is None:
            return None
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run([npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(cache), CONTEXT7], check=True)
    return script


def main() -> None:
    """Measure everything and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9, help="starts of each server; the best counts")
    parser.add_argument("--calls", type=int, default=20_000, help="calls over which memory is looked at")
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "docs-researcher" / "bench"
    parser.add_argument("--cache", type=Path, default=default, help="where context7-mcp is kept")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docs-researcher-bench-") as folder:
        environment = {**os.environ, "DOCS_RESEARCH_HOME": f"{folder}/home", "DOCS_RESEARCH_CONFIG": f"{folder}/config.toml"}
        Path(folder, "config.toml").touch()
        add = [sys.executable, "-m", "docs_researcher", "add", str(ROOT / "docs"), "--name", "handbook", "--quiet"]
        subprocess.run(add, env=environment, check=True, stdout=subprocess.DEVNULL)
        with serving_http(environment, workers=1) as (port, _):
            peers = the_peers(environment, context7(arguments.cache), port)
            print_stdio(peers, arguments.runs)
        if sys.platform == "linux":
            print_load(environment)
            ours = Peer(OURS, SERVE, environment)
            slopes = memory_over_stdio(ours, arguments.calls), memory_over_http(environment, arguments.calls)
            print(f"\nMemory over {arguments.calls:,} calls, bytes a call: {slopes[0]:.0f} over stdio, {slopes[1]:.0f} over HTTP")


def the_peers(environment: dict[str, str], script: Path | None, port: int) -> list[Peer]:
    """Everything that is measured over stdio."""
    kept = Path(environment["DOCS_RESEARCH_HOME"], "cache", "first-answers")
    plain = {name: value for name, value in environment.items() if "proxy" not in name.casefold()}
    theirs = {**plain, "CONTEXT7_API_URL": f"http://127.0.0.1:{port}/api"}
    return [
        Peer(OURS, SERVE, environment),
        Peer(f"{OURS}, at its first start", SERVE, environment, lambda: shutil.rmtree(kept, ignore_errors=True)),
        *([Peer("context7-mcp", ("node", str(script)), theirs)] if script is not None else []),
        Peer(LEAST, (sys.executable, str(PEERS / "bare_sdk.py")), environment),
        Peer("a bare loop", (sys.executable, str(PEERS / "bare_loop.py")), environment),
    ]


def print_stdio(peers: Sequence[Peer], runs: int) -> None:
    """Start-up and calls."""
    starts = start_up(peers, runs)
    table("server over stdio | start to list of tools, ms | of the SDK's | call, ms: median | 95 %")
    for peer in peers:
        took = starts[peer.name]
        print(f"| {peer.name} | {took:.0f} | {took / starts[LEAST]:.2f} | {' | '.join(f'{time:.2f}' for time in calls(peer))} |")


def print_load(environment: dict[str, str]) -> None:
    """CPU of a call over HTTP, the numbers of workers in turn."""
    print()
    table("clients at once | CPU ms a call, 1 worker | 2 workers | ratio | calls a second, 1 worker | 2 workers")
    for clients in (1, 8, 32):
        rounds = [[cpu_of_a_call(environment, workers, clients) for workers in (1, 2)] for _ in range(3)]
        one, two = (min(cost for cost, _ in figures) for figures in zip(*rounds, strict=True))
        rates = [f"{max(rate for _, rate in figures):.0f}" for figures in zip(*rounds, strict=True)]
        print(f"| {clients} | {one:.2f} | {two:.2f} | {two / one:.2f} | {' | '.join(rates)} |")


def table(head: str) -> None:
    """The head of a table whose first column holds names."""
    print(f"| {head} |\n|---{'|---:' * head.count('|')}|")


if __name__ == "__main__":
    main()
