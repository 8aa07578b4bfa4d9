"""Run the conformance suite's server scenarios against our server, and against the fixture that has the suite's own tools.

The product is compared with a baseline for each revision: a list of the checks that it fails, each with the reason. A check
that fails and is not listed, or is listed and passes, fails the run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FIXTURE = HERE.parents[1] / "conformance_fixture.py"
REVISIONS = ("2026-07-28", "2025-11-25")
SUITE_SECONDS = 240
_TIME = re.compile(r"-\d{4}-\d\d-\d\dT.*$")
PAGE = "# Signing\n\nSign every request.\n\n```python\nsign_request(secret)\n```\n"

SHARED: dict[str, Any] = runpy.run_path(str(HERE / "run.py"))
"""What the run of the client has: the installed suite, and how its summary is read."""

PRODUCT = [sys.executable, "-m", "docs_researcher", "serve", "--http", "127.0.0.1:0", "--offline"]
FIXTURE_COMMAND = [sys.executable, str(FIXTURE), "0"]

REASONS = {
    "tasks-": "the tasks extension is not offered: a call is answered within a minute",
    "input-required-result-": "no tool, prompt or resource of ours asks the user anything",
    "tools-call-": "a tool of the suite that the product does not have; the fixture passes it",
    "prompts-get-": "a prompt of the suite that the product does not have; the fixture passes it",
    "resources-read-": "a resource of the suite that the product does not have; the fixture passes it",
    "resources-templates-": "a resource of the suite that the product does not have; the fixture passes it",
    "resources-subscribe": "resources cannot be subscribed to: the server keeps no sessions",
    "resources-unsubscribe": "resources cannot be subscribed to: the server keeps no sessions",
    "server-stateless": "a tool of the suite that the product does not have; the fixture passes it",
    "elicitation-": "no tool of ours asks the user anything",
    "logging-": "logging to clients is deprecated and not offered; the log goes to stderr",
    "server-sse-": "the server keeps no sessions, so there is none to check",
    "json-schema-": "a tool of the suite that the product does not have",
    "http-custom-header-": "no argument of ours is mirrored into a header",
}
"""Why a scenario is not passed, by the beginning of its name."""
NOT_OFFERED = {
    "tools-call-sampling": "sampling is deprecated and not offered",
    "tools-call-elicitation": "no tool of ours asks the user anything",
    "tools-call-with-logging": "logging to clients is deprecated and not offered; the log goes to stderr",
}


def baseline(revision: str) -> Path:
    """The file of expected failures of the product."""
    return HERE / f"server-{revision}.yml"


@contextmanager
def serving(command: list[str]) -> Generator[str]:
    """The address of a server that a command starts, over one small docset."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DOCS_RESEARCH_HOME": f"{folder}/home"}
        docs = Path(folder) / "docs"
        docs.mkdir()
        (docs / "signing.md").write_text(PAGE, encoding="utf-8")
        add = [sys.executable, "-m", "docs_researcher", "add", str(docs), "--name", "relay", "--offline"]
        subprocess.run(add, env=environment, check=True, capture_output=True)
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
            assert server.stdout is not None
            try:
                line = next((line for line in server.stdout if "http://" in line), "")
                yield line[line.index("http://") :].split()[0].removesuffix("/mcp,") + "/mcp"
            finally:
                server.terminate()


def run(command: list[str], revision: str, expected: Path | None = None) -> tuple[int, str, dict[str, list[dict[str, Any]]]]:
    """The exit code of the suite, what it printed, and the checks of each scenario."""
    node, program = SHARED["installed"]()
    with serving(command) as url, tempfile.TemporaryDirectory() as out:
        more = ["--expected-failures", str(expected)] if expected is not None else []
        done = subprocess.run(
            [node, program, "server", "--url", url, "--requirements", revision, "-o", out, *more],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SUITE_SECONDS,
            check=False,
        )
        checks: dict[str, list[dict[str, Any]]] = {}
        for path in sorted(Path(out).glob("server-*/checks.json")):
            scenario = _TIME.sub("", path.parent.name.removeprefix("server-"))
            checks[scenario] = json.loads(path.read_text(encoding="utf-8"))
    return done.returncode, done.stdout + done.stderr, checks


def required(text: str, revision: str) -> ServerRun:
    """The summary of a run without a baseline; with one the suite does not say what counts."""
    unscored = dict(SHARED["_UNSCORED"].findall(text))
    found = SHARED["_LINE"].findall(text)
    scenarios = [SHARED["Scenario"](name, int(good), int(bad), unscored.get(name, "")) for _, name, good, bad in found]
    return ServerRun(revision, scenarios)


class ServerRun:
    """How many of the required scenarios are passed, counted as the suite counts them."""

    def __init__(self, revision: str, scenarios: list[Any]) -> None:
        self.revision = revision
        self.required = [scenario for scenario in scenarios if not scenario.unscored]
        self.good = sum(1 for scenario in self.required if not scenario.failed)

    def __str__(self) -> str:
        bad = ", ".join(scenario.name for scenario in self.required if scenario.failed)
        return f"{self.revision}: {self.good}/{len(self.required)} required scenarios; not: {bad or 'none'}"


def baseline_text(revision: str, checks: dict[str, list[dict[str, Any]]]) -> str:
    """The baseline that these results would need."""
    lines = [
        f"# Checks of revision {revision} that our server does not pass, each with the reason.",
        "# Written by `scripts/conformance-server --write`; a check that is new here has to be looked at before it is committed.",
        "server:",
    ]
    failed = [
        f"  - {scenario}:{check['id']}  # {reason(scenario)}"
        for scenario, results in checks.items()
        for check in results
        if check["status"] in ("FAILURE", "WARNING")
    ]
    return "\n".join([*lines, *failed]) + "\n"


def reason(scenario: str) -> str:
    """Why a scenario is not passed."""
    known = NOT_OFFERED.get(scenario) or next((why for start, why in REASONS.items() if scenario.startswith(start)), "")
    if not known:
        raise SystemExit(f"{scenario} fails and no reason is known for it; look into it first")
    return known


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--revision", choices=REVISIONS)
    parser.add_argument("--fixture", action="store_true", help="only the fixture, without a baseline")
    parser.add_argument("--write", action="store_true", help="write the baselines anew")
    asked = parser.parse_args()
    failed = 0
    for revision in (asked.revision,) if asked.revision else REVISIONS:
        if not asked.fixture:
            _, text, checks = run(PRODUCT, revision)
            print(f"product  {required(text, revision)}")
            if asked.write:
                baseline(revision).write_text(baseline_text(revision, checks), encoding="utf-8", newline="\n")
            code, text, _ = run(PRODUCT, revision, baseline(revision))
            print(
                f"product  {revision}: {'as' if code == 0 else 'not as'} the baseline says" + ("" if code == 0 else text[-3_000:])
            )
            failed |= code
        _, text, _ = run(FIXTURE_COMMAND, revision)
        print(f"fixture  {required(text, revision)}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
