"""Statistics of benchmark rows: means, percentiles, bootstrap intervals (seeded), and the table cells that show them."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

SEED = 20261129
RESAMPLES = 2_000


def mean(values: Sequence[float]) -> float:
    """The mean; 0 for nothing."""
    return sum(values) / len(values) if values else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of the values lie: the nearest one; 0 for nothing."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % bootstrap interval of the mean: equal values give equal figures."""
    if not values:
        return 0.0, 0.0
    source = random.Random(SEED)
    count = len(values)
    means = sorted(sum(source.choices(values, k=count)) / count for _ in range(RESAMPLES))
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]


def shown_share(values: Sequence[float]) -> str:
    """A share in percent with its interval: `62 (54..70)`."""
    low, high = interval(values)
    return f"{mean(values) * 100:.0f} ({low * 100:.0f}..{high * 100:.0f})"


def shown_mean(values: Sequence[float]) -> str:
    """A mean with its interval: `0.702 (0.641..0.760)`."""
    low, high = interval(values)
    return f"{mean(values):.3f} ({low:.3f}..{high:.3f})"


def shown_gain(values: Sequence[float], *, percent: bool) -> str:
    """A paired difference with its interval, and whether that lies above zero: `+5.0 (+1.0..+9.0) proven`."""
    low, high = interval(values)
    scale, digits = (100, 1) if percent else (1, 3)
    verdict = "above zero" if low > 0 else "below zero" if high < 0 else "not proven"
    return f"{mean(values) * scale:+.{digits}f} ({low * scale:+.{digits}f}..{high * scale:+.{digits}f}) {verdict}"


def area(rows: Sequence[tuple[bool, float]]) -> float:
    """How often a right row has more confidence than a wrong one; equal ones count half, and 0.5 where a side is empty."""
    right = [sure for is_right, sure in rows if is_right]
    wrong = [sure for is_right, sure in rows if not is_right]
    return mean([(one > other) + (one == other) / 2 for one in right for other in wrong]) if right and wrong else 0.5


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first to the right."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *lines))


def provenance() -> dict[str, str]:
    """Day and commit of a run, for its result file."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    ).stdout.strip()
    return {"date": datetime.now(UTC).date().isoformat(), "commit": commit}


def write_result(path: Path, values: dict[str, Any]) -> None:
    """Write a result file: totals only, so that it tells nothing about single rows that are held back."""
    path.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8", newline="\n")


def read_result(path: Path) -> dict[str, Any] | None:
    """A result file, or None where there is none yet."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
