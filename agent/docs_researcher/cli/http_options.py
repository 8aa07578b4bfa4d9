"""The options of `docs-research serve` that are about HTTP, and what they stand for together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from docs_researcher.core.errors import UsageError

if TYPE_CHECKING:
    from docs_researcher.server.http.settings import HttpSettings
    from docs_researcher.server.log import LogLevel

DEFAULT_ADDRESS = "127.0.0.1:8700"
DEFAULT_TOKENS = "default"
"""What `--tokens` without a file stands for: the file that `docs-research token` writes."""

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--http",
        "http",
        metavar="[HOST:PORT]",
        is_flag=False,
        flag_value=DEFAULT_ADDRESS,
        help=f"Serve over HTTP instead of stdio, at {DEFAULT_ADDRESS} if no address follows.",
    ),
    click.option(
        "--tokens",
        metavar="[FILE]",
        is_flag=False,
        flag_value=DEFAULT_TOKENS,
        help="HTTP: answer only who has a token of this file, else of the one that `docs-research token` writes.",
    ),
    click.option("--allow-host", metavar="NAME", multiple=True, help="HTTP: also answer under this host name (repeatable)."),
    click.option("--allow-origin", metavar="ORIGIN", multiple=True, help="HTTP: also answer pages of this origin (repeatable)."),
    click.option("--rate", type=click.IntRange(min=1), metavar="N", help="HTTP: at most N requests a minute for one caller."),
    click.option("--workers", type=click.IntRange(1, 64), metavar="N", help="HTTP: how many processes answer (1)."),
    click.option("--metrics", is_flag=True, help="HTTP: count, and show the counters at /metrics for Prometheus."),
    click.option("--log-queries", is_flag=True, help="HTTP: write what was asked of the API into the access log."),
)


def http_options(function: _Function) -> _Function:
    """Add the options, in their order."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def http_settings(values: dict[str, Any], *, quiet: bool, log_level: LogLevel = "warning") -> HttpSettings | None:
    """Take the options out of `values`. None without `--http`.

    Raises:
        UsageError: one of the others without `--http`, or an address that is none.
    """
    names = ("tokens", "allow_host", "allow_origin", "rate", "workers", "metrics", "log_queries")
    given = {name: value for name in names if (value := values.pop(name))}
    address = values.pop("http")
    if address is None:
        if given:
            option = "--" + next(iter(given)).replace("_", "-")
            raise UsageError(f"{option} says something only together with --http", next_step="Add --http, or leave it out.")
        return None
    from docs_researcher.server.http.settings import HttpSettings, parse_address

    host, port = parse_address(address)
    return HttpSettings(
        host=host,
        port=port,
        allow_hosts=tuple(given.get("allow_host", ())),
        allow_origins=tuple(given.get("allow_origin", ())),
        tokens=token_file(given["tokens"]) if "tokens" in given else None,
        rate=given.get("rate", 0),
        workers=given.get("workers", 1),
        metrics="metrics" in given,
        access_log=not quiet,
        log_queries="log_queries" in given,
        log_level=log_level,
    )


def token_file(named: str | None, *, may_be_new: bool = False) -> Path:
    """The file of tokens: the one that is named, else the default one.

    Raises:
        UsageError: the file that is named is not there, and not `may_be_new`.
    """
    if named is not None and named != DEFAULT_TOKENS:
        if not may_be_new and not Path(named).exists():
            raise UsageError(f"There is no file {named}", next_step=f"Make it: docs-research token create NAME --tokens {named}")
        return Path(named)
    from docs_researcher.docsets.installed.home import default_home
    from docs_researcher.server.http.tokens import default_token_file

    return default_token_file(default_home())
