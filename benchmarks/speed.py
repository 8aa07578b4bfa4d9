"""How long whole processes take on this machine: start-up, help, a search, an answer from an installed docset.

Every line is the best of `--runs` runs (5 unless said otherwise), with the bare interpreter first for comparison. The docset is
this repository's own `docs` folder, in a home of its own that is thrown away.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAM = [sys.executable, "-m", "docs_researcher"]
CASES: dict[str, list[str]] = {
    "bare interpreter": [sys.executable, "-c", "pass"],
    "--help": [*PROGRAM, "--help"],
    "list": [*PROGRAM, "list"],
    "search": [*PROGRAM, "search", "/local/guide", "exit codes of the command line"],
    "identify": [*PROGRAM, "identify", "How do I set up auth in Next.js 15?"],
    "answer, offline": [*PROGRAM, "What are the exit codes?", "--library", "/local/guide", "--offline"],
}


def main() -> int:
    """Build the docset, time every case, print a table. Fails if a case does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory(prefix="docs-researcher-bench-") as home:
        environment = {**os.environ, "DOCS_RESEARCH_HOME": home}
        subprocess.run(
            [*PROGRAM, "add", str(ROOT / "docs"), "--name", "guide", "--quiet"], env=environment, check=True, capture_output=True
        )
        print("| process | best ms |\n|---|---:|")
        for name, command in CASES.items():
            print(f"| {name} | {_best(command, environment, runs) * 1000:.0f} |")
    return 0


def _best(command: list[str], environment: dict[str, str], runs: int) -> float:
    """Seconds of the fastest run; one more run before them warms the file cache."""
    times: list[float] = []
    for _ in range(runs + 1):
        started = time.perf_counter()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    return min(times[1:])


if __name__ == "__main__":
    sys.exit(main())
