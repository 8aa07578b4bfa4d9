"""Which `Host` and `Origin` headers are answered.

A page in a browser can make a name of its own point at 127.0.0.1 and then talk to whatever listens there (DNS rebinding). Its
requests carry that name as `Host` and the page as `Origin`, so both are compared with lists. Loopback names are always on them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
ANY_ADDRESS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 -- compared with, never bound to


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not answered: an HTTP status, a stable word, and a sentence for the log of the caller."""

    status: int
    code: str
    message: str


class Guard:
    """The two lists, and the answer to "may this request in?"."""

    def __init__(self, host: str, allow_hosts: Iterable[str] = (), allow_origins: Iterable[str] = ()) -> None:
        """`host` is the address that is listened on; one that stands for all addresses names none."""
        own = () if host in ANY_ADDRESS else (host,)
        self._hosts = {_folded(text) for text in (*LOOPBACK, *own, *allow_hosts)}
        self._origins = {text.strip().rstrip("/").casefold() for text in allow_origins}

    def refusal(self, host: str | None, origin: str | None) -> Refusal | None:
        """None if the request may be answered."""
        if not host or not self._knows_host(host):
            return _unknown_host(host)
        if origin is not None and not self._knows_origin(origin):
            return Refusal(
                403,
                "origin_not_allowed",
                f"Pages of {_shown(origin)} may not call this server. Start it with --allow-origin and that origin to allow it.",
            )
        return None

    def refusal_of_probe(self, host: str | None) -> Refusal | None:
        """None if a question about the server's health may be answered.

        Orchestrators ask by the address of a machine or container, or without a `Host`. No page can: it needs a name that it
        can point elsewhere.
        """
        return None if not host or _is_address(host) or self._knows_host(host) else _unknown_host(host)

    def cross_origin(self, origin: str | None) -> dict[str, str]:
        """The headers that let a page read the answer: only for origins that were named with `--allow-origin`."""
        if origin is None or origin.rstrip("/").casefold() not in self._origins:
            return {}
        return {
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
            "Access-Control-Allow-Headers": "authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name",
            "Access-Control-Expose-Headers": "retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset",
            "Vary": "Origin",
        }

    def _knows_host(self, text: str) -> bool:
        return _folded(text) in self._hosts or _folded(_without_port(text)) in self._hosts

    def _knows_origin(self, text: str) -> bool:
        if text.rstrip("/").casefold() in self._origins:
            return True
        try:
            parts = urlsplit(text)
            return parts.scheme in ("http", "https") and (parts.hostname or "") in LOOPBACK
        except ValueError:
            return False


def _unknown_host(host: str | None) -> Refusal:
    return Refusal(
        421,
        "host_not_allowed",
        f"This server is not known under the host {_shown(host)}. Start it with --allow-host and that name to allow it.",
    )


def _is_address(host: str) -> bool:
    try:
        ip_address(_folded(_without_port(host)))
    except ValueError:
        return False
    return True


def _without_port(host: str) -> str:
    head, colon, tail = host.rpartition(":")
    return head if colon and tail.isdigit() and (":" not in head or head.endswith("]")) else host


def _folded(host: str) -> str:
    host = host.strip().casefold()
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def _shown(text: str | None) -> str:
    return "(none)" if not text else repr(text[:100])
