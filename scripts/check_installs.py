"""Our plugin and `setup` in Codex, Gemini CLI and Copilot CLI: installed, listed, and their server found, in throw-away homes.

    scripts/check_installs.py [--cache FOLDER]

The programs come from npm, as far as it serves them; one that cannot be had is named and passed over. No login is needed and
no model asked. Everything after the fetch runs in a network namespace of its own where the system allows it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from check_hosts import ROOT
from check_plugins import MARKETPLACE_PARTS, Report
from sealed_run import run_sealed

from docs_researcher.hosts.plugins import PORTABLE
from docs_researcher.hosts.texts import AGENT, SKILL

PACKAGES = {"codex": "@openai/codex", "gemini": "@google/gemini-cli", "copilot": "@github/copilot"}
SECONDS = 120
"""A command takes some 3 s; a first one unpacks the program."""
INSTALL_SECONDS = 600
"""The three programs together are 600 MB."""


@dataclass(frozen=True, slots=True)
class Step:
    """One command, and what has to stand in what it says."""

    command: Sequence[str]
    says: Sequence[str] = ()


def fetch(cache: Path) -> None:
    """Install the programs one by one, so that one that is not served takes no other with it."""
    npm = shutil.which("npm")
    for name, package in PACKAGES.items():
        if npm is None or program(cache, name).exists():
            continue
        folder = cache / "npm" / name
        folder.mkdir(parents=True, exist_ok=True)
        print(f"Fetching {package} into {folder}", file=sys.stderr)
        command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), package]
        subprocess.run(command, check=False, timeout=INSTALL_SECONDS)


def program(cache: Path, name: str) -> Path:
    """The command that npm made for a program."""
    return cache / "npm" / name / "node_modules" / ".bin" / name


def check(cache: Path, keep: Path | None) -> int:
    """Every program that is there."""
    report = Report()
    checks: Mapping[str, Callable[[Path, Path], tuple[Step, ...]]] = {"codex": codex, "gemini": gemini, "copilot": copilot}
    with tempfile.TemporaryDirectory(prefix="check-installs-") as name:
        market = Path(name) / "market"
        for part in MARKETPLACE_PARTS:
            shutil.copytree(ROOT / part, market / part, ignore=shutil.ignore_patterns("__pycache__"))
        for host, steps in checks.items():
            if not program(cache, host).exists():
                print(f"passed  {host}: npm does not serve it here")
                continue
            home = Path(name) / host
            home.mkdir()
            for step in steps(market, home):
                report.say(" ".join(step.command).replace(str(market), "MARKETPLACE"), problems(step, home, cache / "npm" / host))
    return int(report.failed)


def codex(market: Path, home: Path) -> tuple[Step, ...]:
    """The plugin from its marketplace; then what `setup` writes."""
    return (
        Step(("codex", "plugin", "marketplace", "add", str(market))),
        Step(("codex", "plugin", "add", f"{AGENT}@{AGENT}")),
        Step(("codex", "mcp", "list"), ("docs ", "docs-research")),
        Step(("docs-research", "setup", "codex", "--yes")),
        Step(("codex", "mcp", "get", AGENT), ("command: docs-research", "args: serve")),
        Step(("docs-research", "setup", "codex", "--remove", "--yes")),
    )


def gemini(market: Path, home: Path) -> tuple[Step, ...]:
    """The extension as it is linked; the server is started too, since the folder is trusted."""
    (home / ".gemini").mkdir()
    trusted = {str(folder): "TRUST_FOLDER" for folder in (home, market)}
    (home / ".gemini" / "trustedFolders.json").write_text(json.dumps(trusted), encoding="utf-8")
    folder = str(market / PORTABLE)
    return (
        Step(("gemini", "extensions", "validate", folder), ("successfully validated",)),
        Step(("gemini", "extensions", "link", folder, "--consent"), ("linked successfully",)),
        Step(("gemini", "extensions", "list"), (AGENT, SKILL)),
        Step(("gemini", "mcp", "list"), ("docs-research serve", "Connected")),
    )


def copilot(market: Path, home: Path) -> tuple[Step, ...]:
    """The plugin for Claude Code, which Copilot reads."""
    return (
        Step(("copilot", "plugin", "marketplace", "add", str(market)), ("added successfully",)),
        Step(("copilot", "plugin", "install", f"{AGENT}@{AGENT}"), ("Installed 1 skill",)),
        Step(("copilot", "mcp", "list"), ("docs",)),
    )


def problems(step: Step, home: Path, programs: Path) -> list[str]:
    """Run one command in its home."""
    path = os.pathsep.join([str(Path(sys.executable).parent), str(programs / "node_modules" / ".bin"), os.environ["PATH"]])
    values = {"PATH": path, "HOME": str(home), "CODEX_HOME": str(home / ".codex"), "DOCS_RESEARCH_HOME": str(home / "own")}
    values |= {"LANG": "C.UTF-8", "TERM": "dumb", "NO_COLOR": "1"}
    (home / ".codex").mkdir(exist_ok=True)
    done = subprocess.run(
        step.command, cwd=home, env=values, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
    )
    said = (done.stdout + done.stderr).decode(errors="replace")
    missing = [text for text in step.says if text not in said]
    return [] if done.returncode == 0 and not missing else [f"exit {done.returncode}, without {missing}: {said[-600:]}"]


if __name__ == "__main__":
    sys.exit(run_sealed(__doc__, fetch, check))
