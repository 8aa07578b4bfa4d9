"""The Context project's own program as a searcher: its builder over Markdown exports of our pages, its server over stdio.

It reads no reStructuredText that it could rank fairly and leaves folders out by their names, so each page is exported as a
Markdown file of its own with its title; what is compared is how the two rank the same pages. Its times are those of its server
over stdio, ours those of a call in process.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from installed import bench_folder, home
from searchers import TIMED_RUNS, Found, pages_of

from docs_researcher.core.tokens import estimate_tokens

PACKAGE = "@neuledge/context@1.2.2"
EXPORT = "export"


class ContextProject:
    """`context serve`, one process for all questions; use as a context manager."""

    name = "Context project 1.2.2"

    def __init__(self, program: Path) -> None:
        """`program` is its `cli.js`."""
        self._program = program
        self._home = home() / "context-project"
        self._home.mkdir(exist_ok=True)
        self._pages: dict[str, list[str]] = {}
        self._server: subprocess.Popen[str] | None = None
        self._asked = 0

    def __enter__(self) -> ContextProject:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._stop()

    def ask(self, package: str, question: str) -> Found:
        """Ask `get_docs`, timed over stdio. What it answers with an error counts as nothing found."""
        library = self._installed(package)
        best = float("inf")
        results: list[dict[str, str]] = []
        for _ in range(TIMED_RUNS):
            started = time.perf_counter()
            results = self._call(library, question)
            best = min(best, time.perf_counter() - started)
        paths = tuple(self._pages[package][int(Path(item["source"]).stem)] for item in results)
        tokens = sum(estimate_tokens(item["content"]) for item in results)
        return Found(paths, paths, tokens, best * 1000)

    def _installed(self, package: str) -> str:
        name = package.replace(":", "-").replace("/", "-").replace("@", "-")
        if package not in self._pages:
            pages = pages_of(package)
            self._pages[package] = [path for path, _, _ in pages]
            marker = self._home / f"{name}.done"
            if not marker.exists():
                folder = self._home / EXPORT / name
                shutil.rmtree(folder, ignore_errors=True)
                (folder / "docs").mkdir(parents=True)
                for number, (_, title, text) in enumerate(pages):
                    content = f"---\ntitle: {json.dumps(title)}\n---\n\n{text}\n"
                    (folder / "docs" / f"{number}.md").write_text(content, encoding="utf-8")
                self._run("add", str(folder), "--name", name, "--pkg-version", "1.0.0")
                marker.touch()
                self._stop()
        return f"{name}@1.0.0"

    def _run(self, *arguments: str) -> None:
        done = subprocess.run(
            ["node", str(self._program), *arguments], env=self._environment(), capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"context {' '.join(arguments)} failed: {done.stderr.strip() or done.stdout.strip()}")

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "HOME": str(self._home)}

    def _call(self, library: str, topic: str) -> list[dict[str, str]]:
        reply = self._request("tools/call", {"name": "get_docs", "arguments": {"library": library, "topic": topic}})
        result: dict[str, Any] = reply.get("result") or {}
        if result.get("isError") or not result.get("content"):
            return []
        try:
            return json.loads(result["content"][0]["text"]).get("results", [])
        except ValueError:
            return []

    def _request(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        if self._server is None:
            self._start()
        self._asked += 1
        self._send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": parameters})
        if self._server is None or self._server.stdout is None:
            raise SystemExit("context serve is not running")
        for line in self._server.stdout:
            message = json.loads(line)
            if message.get("id") == self._asked:
                return message
        raise SystemExit("context serve ended while it was asked")

    def _start(self) -> None:
        self._server = subprocess.Popen(
            ["node", str(self._program), "serve"],
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        client = {"name": "benchmark", "version": "1"}
        self._request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: dict[str, Any]) -> None:
        if self._server is not None and self._server.stdin is not None:
            self._server.stdin.write(json.dumps(message) + "\n")
            self._server.stdin.flush()

    def _stop(self) -> None:
        if self._server is not None:
            self._server.terminate()
            self._server.communicate()
            self._server = None


def context_program(given: str) -> Path:
    """Its `cli.js`: where `given` says, else out of npm, installed once into the benchmarks' folder."""
    if given:
        return Path(given)
    folder = bench_folder() / "peers" / PACKAGE.replace("/", "-")
    program = folder / "node_modules" / "@neuledge" / "context" / "dist" / "cli.js"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", PACKAGE],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or not program.exists():
            raise SystemExit(f"npm does not give {PACKAGE}; build it yourself and name its cli.js: --peer path/to/dist/cli.js")
    return program
