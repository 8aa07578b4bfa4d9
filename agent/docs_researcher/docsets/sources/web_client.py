"""Reading pages from the web: bounded in size and time, and never from inside the user's network at a stranger's wish.

A page that is read may link to anything. Each name is looked up once, every address behind it is checked, and the connection
goes to the address that was checked; only a user who gives a private address himself is taken at his word, for that host.
"""

from __future__ import annotations

import ipaddress
import socket
import time
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpcore2
import httpx2

from docs_researcher.core.errors import PackageNotFound, SourceRefused, SourceUnavailable
from docs_researcher.library.registries.http import host_of, may_follow

CONNECT_SECONDS = 5.0
READ_SECONDS = 20.0
PAGE_SECONDS = 60.0
"""The longest that one page may take altogether."""
MAX_REDIRECTS = 5
ACCEPT = "text/markdown, text/plain;q=0.9, text/html;q=0.8, */*;q=0.1"

_NOT_PUBLIC = tuple(
    ipaddress.ip_network(text)
    for text in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/23", "fec0::/10", "5f00::/16", "3fff::/20", "::/96",
                 "224.0.0.0/4", "192.88.99.0/24", "100.64.0.0/10")
)  # fmt: skip
"""Ranges that `ipaddress` of some Python versions calls global although they lead elsewhere."""


@dataclass(frozen=True, slots=True)
class WebPage:
    """What an address gave: where it finally came from, the kind of content (`text/html`), and the content."""

    url: str
    content_type: str
    data: bytes = field(repr=False)


def is_public(address: str) -> bool:
    """Whether an IP address is one of the open internet."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return ip.is_global and not ip.is_multicast and not any(ip.version == net.version and ip in net for net in _NOT_PUBLIC)


def addresses_of(host: str, port: int) -> list[str]:
    """The IP addresses of a host name.

    Raises:
        SourceUnavailable: there are none.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise SourceUnavailable(
            f"{host} cannot be found",
            why=getattr(error, "strerror", None) or str(error),
            next_step="Check the address and the network.",
        ) from error
    return list(dict.fromkeys(str(item[4][0]) for item in found))


class _CheckedBackend(httpcore2.NetworkBackend):
    """Connects only to addresses that are public, or to the one host that the user named himself."""

    def __init__(self, trusted: str) -> None:
        self._trusted = trusted
        self._plain = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """Look the host up, check, and connect to what was checked."""
        found = addresses_of(host, port)
        if host.lower() != self._trusted and not all(map(is_public, found)):
            raise SourceRefused(
                f"{host} was not read",
                why="it is an address inside a private network",
                next_step="If you mean it, give that address itself to `docs-research add`.",
            )
        return self._plain.connect_tcp(found[0], port, timeout, local_address, socket_options)


class WebClient:
    """A client for one site. Usable in a `with`, and from several threads."""

    def __init__(self, start: str) -> None:
        """`start` is the address that the user gave; its host may be private."""
        self._trusted = (urlsplit(start).hostname or "").lower()
        timeout = httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
        if _has_proxy(start):  # the proxy connects, and it is the proxy's network that decides
            self._client = httpx2.Client(timeout=timeout, follow_redirects=False)
        else:
            transport = httpx2.HTTPTransport(verify=httpx2.create_ssl_context())
            # httpx2 has no public way to hand in a backend; a test holds on to this one.
            transport._pool._network_backend = _CheckedBackend(self._trusted)  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue] -- see above
            self._client = httpx2.Client(transport=transport, timeout=timeout, follow_redirects=False, trust_env=False)

    def __enter__(self) -> WebClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._client.close()

    def get(self, url: str, *, max_bytes: int, same_host: bool = False, seconds: float = PAGE_SECONDS) -> WebPage:
        """Read one page.

        Args:
            url: its address.
            max_bytes: the most that it may have.
            same_host: refuse a redirect to another host.
            seconds: the longest that it may take.

        Raises:
            PackageNotFound: there is no such page (404, 410).
            SourceUnavailable: it cannot be reached, is too slow, or the server answers with an error.
            SourceRefused: too large, a private address, or a redirect that is not followed.
        """
        deadline = time.monotonic() + seconds
        try:
            for _ in range(MAX_REDIRECTS + 1):
                with self._client.stream("GET", url, headers={"accept": ACCEPT, "user-agent": "docs-researcher"}) as response:
                    if not response.is_redirect:
                        return self._read(url, response, max_bytes, deadline)
                    target = urljoin(url, response.headers.get("location", ""))
                if not may_follow(url, target) or (same_host and urlsplit(target).netloc != urlsplit(url).netloc):
                    raise SourceRefused(f"{host_of(url)} redirects to {host_of(target)}, which is not followed")
                url = target
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise SourceUnavailable(
                f"{host_of(url)} cannot be reached",
                why=str(error) or type(error).__name__,
                next_step="Check the address and the network.",
            ) from error
        raise SourceRefused(f"{host_of(url)} redirects more than {MAX_REDIRECTS} times")

    def _read(self, url: str, response: httpx2.Response, max_bytes: int, deadline: float) -> WebPage:
        if response.status_code in (404, 410):
            raise PackageNotFound(f"{host_of(url)} has nothing at {urlsplit(url).path}", next_step="Check the address.")
        if response.status_code != 200:
            raise SourceUnavailable(
                f"{host_of(url)} answered with HTTP {response.status_code}", next_step="Try again in a minute."
            )
        data = bytearray()
        for piece in response.iter_bytes():
            data += piece
            if len(data) > max_bytes:
                raise SourceRefused(
                    f"{host_of(url)} sent more than {max_bytes // 1_000_000} MB", why="which is the limit for a page"
                )
            if time.monotonic() > deadline:
                raise SourceUnavailable(f"{host_of(url)} was too slow", why="the time allowed for one page is over")
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        return WebPage(url, kind, bytes(data))


def _has_proxy(url: str) -> bool:
    parts = urlsplit(url)
    if parts.scheme not in urllib.request.getproxies():
        return False
    return not urllib.request.proxy_bypass(parts.hostname or "")
