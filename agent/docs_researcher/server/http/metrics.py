"""What a server counts, and the text that Prometheus reads. The cells are shared, so any worker can tell for all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from docs_researcher import __version__
from docs_researcher.core.messages import QUERY, RESOLVE, ToolOutcome
from docs_researcher.server.http.numbers import Numbers

ROUTES = ("mcp", "search", "context", "other")
STATUSES = (200, 202, 204, 301, 400, 401, 403, 404, 405, 406, 408, 413, 415, 421, 422, 429, 499, 500, 503, 0)
"""The statuses that are told apart; 0 stands for all others, 499 for a caller that left before the answer."""
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of the histogram of times, in seconds."""
TOOLS = (RESOLVE, QUERY)
OUTCOMES: tuple[str, ...] = get_args(ToolOutcome)

_HISTOGRAM = len(BUCKETS) + 2
_TIMES = len(ROUTES) * len(STATUSES)
_CALLS = _TIMES + len(ROUTES) * _HISTOGRAM
CELLS = _CALLS + len(TOOLS) * len(OUTCOMES)
"""The cells that the metrics take of the numbers."""

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counters of requests, their times and the look-ups behind them."""

    def __init__(self, numbers: Numbers, first: int = 0) -> None:
        """`CELLS` of `numbers` from `first` on belong to it."""
        self._numbers = numbers
        self._first = first

    def request(self, route: str, status: int, seconds: float) -> None:
        """Count one request that has been answered."""
        at = ROUTES.index(route)
        place = STATUSES.index(status if status in STATUSES else 0)
        bucket = next((index for index, bound in enumerate(BUCKETS) if seconds <= bound), len(BUCKETS))
        times = self._first + _TIMES + at * _HISTOGRAM
        self._numbers.add(
            (
                (self._first + at * len(STATUSES) + place, 1),
                (times + bucket, 1),
                (times + len(BUCKETS) + 1, seconds),
            )
        )

    def call(self, tool: str, outcome: str) -> None:
        """Count one look-up of documentation."""
        self._numbers.add(((self._first + _CALLS + TOOLS.index(tool) * len(OUTCOMES) + OUTCOMES.index(outcome), 1),))

    def text(self, docsets: int) -> str:
        """Everything in Prometheus' text format; `docsets` is how many are installed now."""
        with self._numbers.held():
            cells = [self._numbers.cells[index] for index in range(self._first, self._first + CELLS)]
        return "\n".join([*_facts(docsets), *_requests(cells), *_times(cells), *_calls(cells), ""])


def _facts(docsets: int) -> Iterator[str]:
    yield "# HELP docs_researcher_build_info The version that is running."
    yield "# TYPE docs_researcher_build_info gauge"
    yield f'docs_researcher_build_info{{version="{__version__}"}} 1'
    yield "# HELP docs_researcher_docsets Docsets that are installed."
    yield "# TYPE docs_researcher_docsets gauge"
    yield f"docs_researcher_docsets {docsets}"


def _requests(cells: list[float]) -> Iterator[str]:
    yield "# HELP docs_researcher_http_requests_total Requests that were answered."
    yield "# TYPE docs_researcher_http_requests_total counter"
    for at, route in enumerate(ROUTES):
        for place, status in enumerate(STATUSES):
            count = cells[at * len(STATUSES) + place]
            if count:
                yield f'docs_researcher_http_requests_total{{route="{route}",status="{status or "other"}"}} {count:.0f}'


def _times(cells: list[float]) -> Iterator[str]:
    name = "docs_researcher_http_request_seconds"
    yield f"# HELP {name} How long requests took."
    yield f"# TYPE {name} histogram"
    for at, route in enumerate(ROUTES):
        start = _TIMES + at * _HISTOGRAM
        total = 0.0
        for place, bound in enumerate((*BUCKETS, None)):
            total += cells[start + place]
            yield f'{name}_bucket{{route="{route}",le="{"+Inf" if bound is None else f"{bound:g}"}"}} {total:.0f}'
        yield f'{name}_sum{{route="{route}"}} {cells[start + len(BUCKETS) + 1]:.6f}'
        yield f'{name}_count{{route="{route}"}} {total:.0f}'


def _calls(cells: list[float]) -> Iterator[str]:
    yield "# HELP docs_researcher_lookups_total Look-ups of documentation, by tool and outcome."
    yield "# TYPE docs_researcher_lookups_total counter"
    for at, tool in enumerate(TOOLS):
        for place, outcome in enumerate(OUTCOMES):
            count = cells[_CALLS + at * len(OUTCOMES) + place]
            if count:
                yield f'docs_researcher_lookups_total{{tool="{tool}",outcome="{outcome}"}} {count:.0f}'
